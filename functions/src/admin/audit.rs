//! What admins did, as a list and as a table.

use app::App;
use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use store::admin::audit::{self, AuditRecord, Who};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{
    Admin, ApiError, Refusal,
    csv::{self, Cell},
    cursor,
};

/// Acts on one page of the list.
const PAGE: i32 = 50;
/// Acts on one page of the table: far below what a function may answer.
const CSV_PAGE: i32 = 1000;

const HEAD: &[&str] = &["id", "at", "by", "byName", "what", "on", "before", "after", "reason", "approvedBy"];

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// `2026-11`, UTC; by default the current one.
    month: Option<String>,
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditItem {
    #[serde(rename = "_id")]
    id: String,
    /// RFC 3339, UTC.
    at: String,
    /// `admin`, `operator` (a command on the server), `reconciliation`, or `mpesa` (what M-Pesa answered).
    by: &'static str,
    /// The admin's id.
    by_id: Option<String>,
    /// The admin's name as it was then.
    by_name: Option<String>,
    /// The operation, `grant-admin`, or `release-prizes` (of `update-player`).
    what: &'static str,
    /// What kind of thing, and its id.
    on: String,
    /// The player whose it is.
    user_id: Option<String>,
    before: Option<String>,
    after: Option<String>,
    reason: Option<String>,
    /// The name of the second admin, where one was wanted.
    approved_by_name: Option<String>,
}

impl From<AuditRecord> for AuditItem {
    fn from(act: AuditRecord) -> Self {
        let person = act.who.person();
        Self {
            by: act.who.kind(),
            by_id: person.map(|(id, _)| id.to_string()),
            by_name: person.map(|(_, name)| name.to_string()),
            id: act.id,
            at: act.at.to_string(),
            what: act.what.into_str(),
            on: act.on,
            user_id: act.user_id.map(|id| id.to_string()),
            before: act.before,
            after: act.after,
            reason: act.reason,
            approved_by_name: act
                .approved_by
                .as_ref()
                .and_then(Who::person)
                .map(|(_, name)| name.to_string()),
        }
    }
}

impl AuditItem {
    fn row(self) -> Vec<Cell> {
        let item = self;
        vec![
            item.id.into(),
            item.at.into(),
            item.by.into(),
            item.by_name.into(),
            item.what.into(),
            item.on.into(),
            item.before.into(),
            item.after.into(),
            item.reason.into(),
            item.approved_by_name.into(),
        ]
    }
}

/// What was done by hand in a month, newest first. With `Accept: text/csv` a table, whose first page has the
/// head: the pages of one month make one file.
#[utoipa::path(get, path = "/api/admin/audit", tag = "admin", security(("bearer" = [])),
    params(AuditQuery), responses(
        (status = 200, description = "At most 50 acts, or 1,000 rows", content(
            (Vec<AuditItem> = "application/json"), (String = "text/csv", example = "id,at,by,byName,what,on,before,after,reason,approvedBy\r\n"))),
        (status = 400, description = "Not a month, or not a cursor", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_audit(
    State(app): State<App>,
    _: Admin,
    headers: HeaderMap,
    Query(query): Query<AuditQuery>,
) -> Result<Response, ApiError> {
    let month = match query.month.as_deref() {
        None => audit::month(app.clock().now()),
        Some(month) => checked(month)?,
    };
    let after = cursor(query.cursor.as_deref())?;
    let as_table = csv::is_wanted(&headers);
    let page = app.store().acts(&month, after, if as_table { CSV_PAGE } else { PAGE }).await?;
    let items = page.items.into_iter().map(AuditItem::from);
    if as_table {
        let head = after.is_none().then_some(HEAD);
        return Ok(csv::page(&format!("audit-{month}"), head, items.map(AuditItem::row), page.cursor));
    }
    let body = Json(items.collect::<Vec<_>>());
    Ok(match page.cursor {
        Some(cursor) => ([("x-next-cursor", cursor)], body).into_response(),
        None => body.into_response(),
    })
}

fn checked(month: &str) -> Result<String, ApiError> {
    let day = format!("{month}-01").parse::<jiff::civil::Date>();
    let sound = month.len() == 7 && day.is_ok();
    sound.then(|| month.to_owned()).ok_or_else(|| ApiError::bad_request("A month is written 2026-11."))
}
