//! Influencers and their links (spec §1, §2 "/ref/{code}", §7): made by an admin, followed by anybody.

use app::App;
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::influencers::{InfluencerError, InfluencerName, ReferralCode};
use http::{StatusCode, header};
use serde::{Deserialize, Serialize};
use store::{
    admin::audit::{AuditAction, AuditRecord, Who},
    influencers::{Influencer, Reach},
};
use tokio::task::JoinSet;
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{Admin, ApiError, Body, Lenient, OptionalCaller, Refusal};

/// Influencers on one page: what came of each is counted.
const PAGE: i32 = 20;

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
    name: String,
    code: String,
    /// `{public origin}/ref/{code}`.
    referral_link: String,
}

/// A refusal of this call says it twice: in `error`, as the form reads it, and in `message`.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({"error": "Please enter a name.", "message": "Please enter a name."}))]
pub struct InfluencerRefusal {
    error: String,
    message: String,
}

fn link(app: &App, code: &ReferralCode) -> String {
    format!("{}/ref/{code}", app.config().public_origin)
}

/// Makes an influencer with a link of their own.
#[utoipa::path(post, path = "/api/influencer/create", tag = "influencers", security(("bearer" = [])),
    request_body = NewInfluencer, responses(
        (status = 201, description = "Made", body = InfluencerMade),
        (status = 400, description = "No name", body = InfluencerRefusal),
        (status = 401, description = "Not logged in", body = InfluencerRefusal),
        (status = 403, description = "Not an admin", body = InfluencerRefusal),
        (status = 409, description = "The name is taken", body = InfluencerRefusal),
    ))]
pub async fn create_influencer(
    State(app): State<App>,
    Admin(admin): Admin,
    Body(form): Body<NewInfluencer>,
) -> Result<(StatusCode, Json<InfluencerMade>), ApiError> {
    let name = InfluencerName::parse(form.name.text()).map_err(ApiError::bad_request)?;
    let on = format!("influencer {name}");
    let act = AuditRecord::new(Who::admin(&admin), AuditAction::CreateInfluencer, on, app.clock().now());
    let made = app.store().create_influencer(name, &act).await?;
    let Influencer { name, code, .. } = made.ok_or_else(|| ApiError::conflict(InfluencerError::Taken))?;
    tracing::info!(admin = %admin.id, %code, "influencer");
    let referral_link = link(&app, &code);
    let body = InfluencerMade { name: name.to_string(), code: code.to_string(), referral_link };
    Ok((StatusCode::CREATED, Json(body)))
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
    code: String,
}

/// Counts a visit of a link, and sends the visitor on to sign-up, whether the code is known or not.
#[utoipa::path(get, path = "/api/influencer/ref/{code}", tag = "influencers", security((), ("bearer" = [])),
    params(("code" = String, Path, description = "From the link"), ReferralQuery), responses(
        (status = 200, description = "With `noRedirect=1`: counted", body = Referred),
        (status = 302, description = "Without it: on to `/register?ref={code}`",
            headers(("location" = String, description = "Where to"))),
        (status = 401, description = "The token is not valid", body = Refusal),
        (status = 404, description = "With `noRedirect=1`: nobody has this code", body = Refusal),
    ))]
pub async fn follow_referral(
    State(app): State<App>,
    _: OptionalCaller,
    Path(code): Path<String>,
    Query(query): Query<ReferralQuery>,
) -> Result<Response, ApiError> {
    let known = visit(&app, &code).await;
    if query.no_redirect.as_deref() != Some("1") {
        if let Err(error) = known {
            tracing::error!(%error, "a visit was not counted");
        }
        let location = format!("/register?ref={}", in_a_query(&code));
        return Ok((StatusCode::FOUND, [(header::LOCATION, location)]).into_response());
    }
    let code = known?.ok_or_else(|| ApiError::not_found("There is no such referral link."))?;
    Ok(Json(Referred { code: code.to_string() }).into_response())
}

/// Counts a visit of a code that somebody has.
async fn visit(app: &App, code: &str) -> Result<Option<ReferralCode>, store::StoreError> {
    let Some(influencer) = known(app, code).await? else { return Ok(None) };
    app.store().count_visit(&influencer.code).await?;
    Ok(Some(influencer.code))
}

/// The influencer whose code this is.
pub(crate) async fn known(app: &App, code: &str) -> Result<Option<Influencer>, store::StoreError> {
    match ReferralCode::parse(code) {
        Some(code) => app.store().influencer(&code).await,
        None => Ok(None),
    }
}

/// `text` as the value of a query's parameter.
fn in_a_query(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
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
    name: String,
    code: String,
    /// `{public origin}/ref/{code}`.
    referral_link: String,
    /// How often the link was followed: an indication.
    visits: u64,
    /// Accounts that were made by it.
    sign_ups: u64,
    /// Those among them who have joined a league at least once.
    paying_players: u64,
    /// RFC 3339, UTC.
    created_at: String,
}

/// The influencers in order of their names, with what came of each link.
#[utoipa::path(get, path = "/api/influencers", tag = "influencers", security(("bearer" = [])),
    params(ListQuery), responses(
        (status = 200, description = "At most 20",
            body = Vec<InfluencerItem>),
        (status = 400, description = "Not a cursor", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_influencers(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    let after = match query.cursor {
        None => None,
        Some(code) => {
            let last = known(&app, &code).await?;
            Some(last.ok_or_else(|| ApiError::bad_request("That is not a cursor of this list."))?.name)
        }
    };
    let page = app.store().influencers(after.as_ref(), PAGE).await?;
    let next = page.cursor.and_then(|_| page.items.last().map(|last| last.code.to_string()));
    let items = Json(counted(&app, page.items).await?);
    Ok(match next {
        Some(cursor) => ([("x-next-cursor", cursor)], items).into_response(),
        None => items.into_response(),
    })
}

/// What came of each link, counted side by side.
async fn counted(app: &App, influencers: Vec<Influencer>) -> Result<Vec<InfluencerItem>, ApiError> {
    let mut counts = JoinSet::new();
    for (place, influencer) in influencers.iter().enumerate() {
        let (app, code) = (app.clone(), influencer.code.clone());
        counts.spawn(async move { (place, app.store().reach(&code).await) });
    }
    let mut reaches = vec![Reach::default(); influencers.len()];
    while let Some(count) = counts.join_next().await {
        let (place, reach) = count.map_err(|error| app::AppError::Internal(error.to_string()))?;
        reaches[place] = reach?;
    }
    let items = influencers.into_iter().zip(reaches).map(|(influencer, reach)| InfluencerItem {
        referral_link: link(app, &influencer.code),
        name: influencer.name.to_string(),
        code: influencer.code.to_string(),
        visits: reach.visits,
        sign_ups: reach.sign_ups,
        paying_players: reach.paying_players,
        created_at: influencer.created_at.to_string(),
    });
    Ok(items.collect())
}
