//! Stopping for a time.

use app::{
    App,
    accounts::{credentials::Shown, stopping},
};
use axum::{Json, extract::State};
use domain::accounts::stopping::{StopKind, Stopped};
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Body, CallerInSession, Lenient, OneOf, Refusal};

// A schema is made from a field's name.
type StopWord = OneOf<StopKind>;

#[derive(Serialize, ToSchema)]
pub struct StoppedPlaying {
    /// `break` or `exclusion`.
    #[schema(inline)]
    kind: StopWord,
    until: Timestamp,
}

impl From<Stopped> for StoppedPlaying {
    fn from(Stopped { kind, until }: Stopped) -> Self {
        Self { kind: OneOf(kind), until }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct StopPlaying {
    /// A break of `1d` to `42d` or `1w` to `6w`, or an exclusion of `6m`, `1y` or `5y`.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "2w")]
    r#for: Lenient,
    /// The caller's.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "correct horse")]
    password: Lenient,
    /// Where the account has a second factor: its code, or a recovery code.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "492039")]
    code: Lenient,
}

/// Stops the caller from entering and paying in for a time that nobody can shorten. What is entered already is played, and
/// what is in the wallet can be withdrawn.
#[utoipa::path(post, path = "/api/me/exclusion", tag = "account", security(("bearer" = [])),
    request_body = StopPlaying, responses(
        (status = 201, description = "Stopped", body = StoppedPlaying),
        (status = 400, description = "No such time, the password is not right, or the code is missing or not right", body = Refusal),
        (status = 409, description = "Stopped for longer already", body = Refusal),
        (status = 429, description = "Too many that were not right", body = Refusal),
    ))]
pub async fn start_exclusion(
    State(app): State<App>,
    CallerInSession { player, session }: CallerInSession,
    Body(form): Body<StopPlaying>,
) -> Result<(StatusCode, Json<StoppedPlaying>), ApiError> {
    let code = form.code.text_if_any("code")?.map_or("", str::trim);
    let shown = Shown { password: form.password.text(), code, session: &session };
    let stopped = stopping::stop(&app, &player, form.r#for.text(), shown).await?;
    Ok((StatusCode::CREATED, Json(stopped.into())))
}
