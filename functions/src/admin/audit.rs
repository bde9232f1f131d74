//! What admins did, as a list and as a table.

use app::App;
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{UserId, Username};
use http::HeaderMap;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::admin::audit::{self, AuditRecord, Who};
use utoipa::{IntoParams, ToSchema};

use super::wire::{ActedBy, ActedByWord};
use crate::platform::http::{
    Admin, ApiError, OneOf, Paged, Query, Refusal,
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
    #[param(pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$", example = "2026-08")]
    month: Option<String>,
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditItem {
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
    /// RFC 3339, UTC.
    at: Timestamp,
    /// `admin`, `operator` (a command on the server), `reconciliation`, or `mpesa` (what M-Pesa answered).
    #[schema(inline)]
    by: ActedByWord,
    /// The admin's id.
    #[schema(value_type = Option<String>, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    by_id: Option<UserId>,
    /// The admin's name as it was then.
    #[schema(value_type = Option<String>, example = "admin-0198c")]
    by_name: Option<Username>,
    /// The operation, `grant-admin`, or `release-prizes` (of `update-player`).
    #[schema(example = "update-withdrawal")]
    what: &'static str,
    /// What kind of thing, and its id.
    #[schema(example = "withdrawal 0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    on: String,
    /// The player whose it is.
    #[schema(value_type = Option<String>, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: Option<UserId>,
    #[schema(example = "pending")]
    before: Option<String>,
    #[schema(example = "rejected, KSh 60")]
    after: Option<String>,
    #[schema(example = "The number is not registered for M-Pesa.")]
    reason: Option<String>,
    /// The name of the second admin, where one was wanted.
    #[schema(value_type = Option<String>, example = json!(null))]
    approved_by_name: Option<Username>,
}

impl From<AuditRecord> for AuditItem {
    fn from(act: AuditRecord) -> Self {
        let (by_id, by_name) = act.who.person().map(|(id, name)| (id.clone(), name.clone())).unzip();
        let approved_by = act.approved_by.as_ref().and_then(Who::person);
        Self {
            by: OneOf(ActedBy::from(&act.who)),
            by_id,
            by_name,
            id: act.id,
            at: act.at,
            what: act.what.into_str(),
            on: act.on,
            user_id: act.user_id,
            before: act.before,
            after: act.after,
            reason: act.reason,
            approved_by_name: approved_by.map(|(_, name)| name.clone()),
        }
    }
}

impl AuditItem {
    fn row(self) -> Vec<Cell> {
        let item = self;
        vec![
            item.id.into(),
            item.at.to_string().into(),
            item.by.0.into_str().into(),
            item.by_name.map(|name| name.to_string()).into(),
            item.what.into(),
            item.on.into(),
            item.before.into(),
            item.after.into(),
            item.reason.into(),
            item.approved_by_name.map(|name| name.to_string()).into(),
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
    Ok(Paged { body: items.collect::<Vec<_>>(), cursor: page.cursor }.into_response())
}

fn checked(month: &str) -> Result<String, ApiError> {
    let day = format!("{month}-01").parse::<jiff::civil::Date>();
    let sound = month.len() == 7 && day.is_ok();
    sound.then(|| month.to_owned()).ok_or_else(|| ApiError::bad_request("A month is written 2026-11."))
}
