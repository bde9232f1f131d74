//! The terms, and who has agreed to which.

use app::{App, accounts::terms};
use axum::{Json, extract::State};
use domain::accounts::terms::{Agreement, VERSIONS, current};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{
    ToSchema,
    openapi::{ObjectBuilder, schema::Type},
};

use crate::platform::http::{ApiError, Body, Caller, Lenient, Refusal};

/// One of the versions that there are: the page has a text for each.
pub(crate) fn version() -> utoipa::openapi::Object {
    let names = VERSIONS.iter().map(ToString::to_string);
    let latest = VERSIONS.last().map(ToString::to_string);
    let mut field = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names)).build();
    field.description = Some("A version of the terms: the day from which on it is in force.".to_owned());
    field.example = latest.map(Into::into);
    field
}

#[derive(Serialize, ToSchema)]
pub struct Terms {
    /// What the player has agreed to, the latest last; the texts are on the page, at `/terms/{version}`.
    agreed: Vec<TermsAgreement>,
    /// The version in force. Where it is not the last of `agreed` the page asks.
    #[schema(schema_with = version)]
    current: String,
    /// Whether the caller enters nothing and is asked for no payment until they agree to it.
    #[schema(example = false)]
    required: bool,
}

#[derive(Serialize, ToSchema)]
pub struct TermsAgreement {
    #[schema(schema_with = version)]
    version: String,
    #[schema(example = "2026-08-20T09:00:00Z")]
    at: Timestamp,
}

impl Terms {
    pub(crate) fn of(app: &App, agreements: &[Agreement]) -> Self {
        let agreed = |one: &Agreement| TermsAgreement { version: one.version.to_string(), at: one.at };
        Self {
            agreed: agreements.iter().map(agreed).collect(),
            current: current(app.clock().now()).to_string(),
            required: terms::are_required(app, agreements),
        }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct AcceptTerms {
    /// The version in force (`GET /api/settings`, `GET /api/user`).
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "2026-08-01")]
    version: Lenient,
}

/// Notes that the caller agrees to the terms in force, and when. Said again, it changes nothing.
#[utoipa::path(post, path = "/api/me/terms", tag = "account", security(("bearer" = [])),
    request_body = AcceptTerms, responses(
        (status = 200, description = "What the caller has agreed to", body = Terms),
        (status = 400, description = "No such terms, or not the ones in force", body = Refusal),
    ))]
pub async fn accept_terms(
    State(app): State<App>,
    Caller(player): Caller,
    Body(form): Body<AcceptTerms>,
) -> Result<Json<Terms>, ApiError> {
    let agreements = terms::accept(&app, &player, form.version.text()).await?;
    Ok(Json(Terms::of(&app, &agreements)))
}
