//! "My data": what is held about the caller, and the sessions of the account.

use app::{
    App,
    accounts::{
        own_data,
        own_sessions::{self, Ending},
    },
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::accounts::device::Device;
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::accounts::own_data::Held;
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{ApiError, CallerInSession, Paged, Query, Refusal, cursor};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DataPage {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnData {
    /// When it was read.
    #[schema(value_type = String, format = DateTime, example = "2026-11-23T09:00:00Z")]
    as_of: Timestamp,
    items: Vec<HeldItem>,
}

/// One thing that is held.
#[derive(Serialize, ToSchema)]
pub struct HeldItem {
    /// The beginnings of its keys, as docs/privacy.md lists them.
    #[schema(example = "USER#/POST#")]
    kind: String,
    #[schema(example = "POST#deposit#0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    key: String,
    /// As it is kept, but for secrets.
    #[schema(value_type = Object, example = json!({"amount": 100, "at": "2026-11-23T09:00:00Z"}))]
    what: serde_json::Value,
}

impl From<Held> for HeldItem {
    fn from(Held { kind, key, what }: Held) -> Self {
        Self { kind, key, what }
    }
}

/// Everything that is held about the caller, a page at a time; `x-next-cursor` leads to the next. Twenty pages a day.
#[utoipa::path(get, path = "/api/me/data", tag = "account", security(("bearer" = [])), params(DataPage),
    responses(
        (status = 200, description = "A page of it", body = OwnData,
            headers(("x-next-cursor" = Option<String>, description = "Where the next page begins; absent on the last"))),
        (status = 400, description = "Not a cursor of this list", body = Refusal),
        (status = 429, description = "Asked for too often today: not before `Retry-After`", body = Refusal),
    ))]
pub async fn get_own_data(
    State(app): State<App>,
    CallerInSession { player, .. }: CallerInSession,
    Query(page): Query<DataPage>,
) -> Result<Paged<OwnData>, ApiError> {
    let page = own_data::page(&app, &player.id, cursor(page.cursor.as_deref())?).await?;
    let items = page.items.into_iter().map(HeldItem::from).collect();
    Ok(Paged { body: OwnData { as_of: app.clock().now(), items }, cursor: page.cursor })
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnSession {
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
    #[schema(value_type = String, format = DateTime, example = "2026-11-20T18:00:00Z")]
    began_at: Timestamp,
    /// When it last got a new token: a page that is open gets one every quarter of an hour.
    #[schema(value_type = String, format = DateTime, example = "2026-11-23T09:00:00Z")]
    last_used_at: Timestamp,
    /// `Android`, `iPhone`, `Windows` …; empty where it is not known.
    #[schema(example = "Android")]
    system: String,
    /// `Chrome`, `Firefox` …; empty where it is not known.
    #[schema(example = "Chrome")]
    browser: String,
    /// Whether it is the one that asks.
    #[schema(example = true)]
    current: bool,
}

/// The account's sessions that have not ended, the last used first.
#[utoipa::path(get, path = "/api/me/sessions", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "The sessions", body = Vec<OwnSession>),
))]
pub async fn list_sessions(
    State(app): State<App>,
    CallerInSession { player, session }: CallerInSession,
) -> Result<Json<Vec<OwnSession>>, ApiError> {
    let sessions = own_sessions::list(&app, &player).await?.into_iter().map(|kept| {
        let Device { system, browser } = kept.device.unwrap_or_default();
        OwnSession {
            current: kept.family == session.family,
            id: kept.family,
            began_at: kept.created_at,
            last_used_at: kept.rotated_at,
            system,
            browser,
        }
    });
    Ok(Json(sessions.collect()))
}

/// Ends one of the account's sessions, or with `others` all but the one that asks.
#[utoipa::path(delete, path = "/api/me/sessions/{id}", tag = "account", security(("bearer" = [])),
    params(("id" = String, Path, description = "As the list has it, or `others`",
        example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    responses(
        (status = 204, description = "Ended"),
        (status = 404, description = "No session of the caller's, or it has ended", body = Refusal),
    ))]
pub async fn end_session(
    State(app): State<App>,
    CallerInSession { player, session }: CallerInSession,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let ending = if id == "others" { Ending::Others } else { Ending::One(&id) };
    own_sessions::end(&app, &player, &session, ending).await?;
    Ok(StatusCode::NO_CONTENT)
}
