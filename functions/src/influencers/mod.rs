//! Influencers and their links (spec §1, §2 "/ref/{code}", §7): made by an admin, followed by anybody.

pub mod invitations;
mod refusals;

use app::{App, influencers};
use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::influencers::{InfluencerName, ReferralCode};
use http::{StatusCode, header};
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use store::influencers::{Influencer, Reach};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{
    Admin, ApiError, Body, Lenient, OptionalCaller, Paged, Query, Refusal, RefusalCode, cursor,
};

/// What is encoded in a query's parameter.
const IN_A_QUERY: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

#[derive(Deserialize, ToSchema)]
pub struct NewInfluencer {
    /// At most 60 characters; unique without regard to case.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "Mwalimu FPL")]
    name: Lenient,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InfluencerMade {
    #[schema(value_type = String, example = "Mwalimu FPL")]
    name: InfluencerName,
    #[schema(value_type = String, example = "7kq2m9x4ab")]
    code: ReferralCode,
    /// `{public origin}/ref/{code}`.
    #[schema(example = "https://fplleagues.example/ref/7kq2m9x4ab")]
    referral_link: String,
}

/// A refusal of this call says it twice: in `error`, as the form reads it, and in `message`.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"error": "Please enter a name.", "message": "Please enter a name.", "code": "invalid_request"}))]
pub struct InfluencerRefusal {
    #[schema(example = "Please enter a name.")]
    error: String,
    #[schema(example = "The deadline has passed.")]
    message: String,
    /// Which rule it is.
    code: RefusalCode,
}

fn link(app: &App, code: &ReferralCode) -> String {
    format!("{}/ref/{code}", app.config().public_origin)
}

/// Makes an influencer with a link of their own.
#[utoipa::path(post, path = "/api/influencer/create", tag = "influencers", security(("bearer" = [])),
    request_body = NewInfluencer, responses(
        (status = 201, description = "Made", body = InfluencerMade),
        (status = 400, description = "No name, or too long a one", body = InfluencerRefusal),
        (status = 401, description = "Not logged in", body = InfluencerRefusal),
        (status = 403, description = "Not an admin", body = InfluencerRefusal),
        (status = 409, description = "The name is taken", body = InfluencerRefusal),
    ))]
pub async fn create_influencer(
    State(app): State<App>,
    Admin(admin): Admin,
    Body(form): Body<NewInfluencer>,
) -> Result<(StatusCode, Json<InfluencerMade>), ApiError> {
    let name = InfluencerName::parse(form.name.text())?;
    let Influencer { name, code, .. } = influencers::create(&app, &admin, name).await?;
    let referral_link = link(&app, &code);
    Ok((StatusCode::CREATED, Json(InfluencerMade { name, code, referral_link })))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ReferralQuery {
    /// `1`: answer instead of redirecting.
    no_redirect: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Referred {
    #[schema(value_type = String, example = "7kq2m9x4ab")]
    code: ReferralCode,
}

/// Counts a visit of a link, and sends the visitor on to sign-up, whether the code is known or not.
#[utoipa::path(get, path = "/api/influencer/ref/{code}", tag = "influencers", security((), ("bearer" = [])),
    params(("code" = String, Path, description = "From the link", example = "7kq2m9x4ab"), ReferralQuery), responses(
        (status = 200, description = "With `noRedirect=1`: counted", body = Referred),
        (status = 302, description = "Without it: on to `/register?ref={code}`",
            headers(("location" = String, description = "Where to"))),
        (status = 401, description = "The token is not valid", body = Refusal),
        (status = 404, description = "With `noRedirect=1`: nobody has this code", body = Refusal),
    ))]
pub async fn follow_referral(
    State(app): State<App>,
    OptionalCaller(visitor): OptionalCaller,
    Path(code): Path<String>,
    Query(query): Query<ReferralQuery>,
) -> Result<Response, ApiError> {
    let visitor = visitor.map(|player| player.id);
    let known = influencers::follow_referral(&app, &code, visitor.as_ref()).await;
    if query.no_redirect.as_deref() != Some("1") {
        if let Err(error) = known {
            tracing::error!(%error, "a visit was not counted");
        }
        let location = format!("/register?ref={}", utf8_percent_encode(&code, IN_A_QUERY));
        return Ok((StatusCode::FOUND, [(header::LOCATION, location)]).into_response());
    }
    let code = known?.ok_or_else(|| {
        ApiError::not_found("There is no such referral link.").code(RefusalCode::NoReferralLink)
    })?;
    Ok(Json(Referred { code }).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InfluencerItem {
    #[schema(value_type = String, example = "Mwalimu FPL")]
    name: InfluencerName,
    #[schema(value_type = String, example = "7kq2m9x4ab")]
    code: ReferralCode,
    /// `{public origin}/ref/{code}`.
    #[schema(example = "https://fplleagues.example/ref/7kq2m9x4ab")]
    referral_link: String,
    /// How often the link was followed: an indication.
    #[schema(example = 312)]
    visits: u64,
    /// Accounts that were made by it.
    #[schema(example = 40)]
    sign_ups: u64,
    /// Those among them who have joined a league at least once.
    #[schema(example = 18)]
    paying_players: u64,
    /// RFC 3339, UTC.
    #[schema(example = "2026-08-20T09:00:00Z")]
    created_at: Timestamp,
}

impl InfluencerItem {
    fn new(app: &App, (influencer, reach): (Influencer, Reach)) -> Self {
        Self {
            referral_link: link(app, &influencer.code),
            name: influencer.name,
            code: influencer.code,
            visits: reach.visits,
            sign_ups: reach.sign_ups,
            paying_players: reach.paying_players,
            created_at: influencer.created_at,
        }
    }
}

/// The influencers in order of their names, with what came of each link.
#[utoipa::path(get, path = "/api/influencers", tag = "influencers", security(("bearer" = [])),
    params(ListQuery), responses(
        (status = 200, description = "At most 20",
            body = Vec<InfluencerItem>),
        (status = 400, description = "Not a cursor", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_influencers(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<ListQuery>,
) -> Result<Paged<Vec<InfluencerItem>>, ApiError> {
    let page = influencers::page(&app, cursor(query.cursor.as_deref())?).await?;
    let body = page.items.into_iter().map(|counted| InfluencerItem::new(&app, counted)).collect();
    Ok(Paged { body, cursor: page.cursor })
}
