//! "Something is wrong?": cases of a player's own, and the admins' list of those that are not closed.

use app::{
    App,
    accounts::cases::{self, Said, Wrong},
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    Kes, UserId, Username,
    accounts::{
        account::is_hex_id,
        cases::{CaseKind, CaseState},
    },
};
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::accounts::cases::{CaseMessage, SupportCase};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{
    Admin, ApiError, Caller, Lenient, OneOf, Paged, Query, Refusal, RefusalCode, Submission, cursor,
};

/// Cases on one page.
const PAGE: usize = 25;

type KindWord = OneOf<CaseKind>;
type StateWord = OneOf<CaseState>;

#[derive(Serialize, ToSchema)]
pub struct CaseAbout {
    /// `payment`, `withdrawal`, `league` or `entry`.
    #[schema(inline)]
    kind: KindWord,
    /// A prompt's `checkoutId`, a typed code's or a withdrawal's `_id`, a movement's `_id`, a league's `_id`, an entry's
    /// gameweek.
    #[schema(example = "2026-03-50-00001")]
    id: String,
}

/// What was known of it when the case was opened.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CaseKnown {
    /// Its own word for where it stood.
    #[schema(example = "settled")]
    state: String,
    /// In KES.
    #[schema(example = 50)]
    amount: Option<i64>,
    /// M-Pesa's.
    #[schema(example = json!(null))]
    receipt: Option<String>,
    /// When it came about: RFC 3339, UTC.
    #[schema(example = json!(null))]
    at: Option<Timestamp>,
    /// The league's `_id`, of a league or of an entry that was drawn into one.
    #[schema(example = "2026-03-50-00001")]
    league: Option<String>,
    /// When that was settled. Its record is `GET /api/leagues/{id}/settlement` from then on.
    #[schema(example = "2026-08-25T09:00:00Z")]
    settled_at: Option<Timestamp>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = SupportCase)]
pub struct CaseItem {
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f0198c6f8d1b87a3c9f5e2b7a4c1d0e70")]
    id: String,
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: UserId,
    #[schema(value_type = String, example = "Wanjiku")]
    username: Username,
    about: CaseAbout,
    known: CaseKnown,
    /// `open` (it waits for an admin), `answered` or `closed`.
    #[schema(inline)]
    state: StateWord,
    opened_at: Timestamp,
    /// Since when it has waited for whom the state says, or was closed.
    since: Timestamp,
    /// How long that is, in whole hours.
    #[schema(example = 3)]
    age_hours: i64,
    /// Why it was closed; null where it is not.
    #[schema(example = json!(null))]
    reason: Option<String>,
}

/// Who has written a message.
#[derive(Debug, Clone, Copy, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase")]
enum Writer {
    Player,
    Admin,
}

type WriterWord = OneOf<Writer>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = CaseMessage)]
pub struct MessageItem {
    /// `player` or `admin`.
    #[schema(inline)]
    by: WriterWord,
    /// Plain text; empty where an admin has only closed it.
    #[schema(example = "I was charged twice.")]
    text: String,
    at: Timestamp,
    /// Why it was closed by this one.
    #[schema(example = json!(null))]
    closes: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SupportCaseThread {
    #[serde(flatten)]
    case: CaseItem,
    /// Oldest first.
    thread: Vec<MessageItem>,
}

impl CaseItem {
    fn new(case: SupportCase, now: Timestamp) -> Self {
        Self {
            id: case.id().to_string(),
            user_id: case.user_id,
            username: case.username,
            about: CaseAbout { kind: OneOf(case.about.kind), id: case.about.id },
            known: CaseKnown {
                state: case.known.state,
                amount: case.known.amount.map(Kes::get),
                receipt: case.known.receipt,
                at: case.known.at,
                league: case.known.league,
                settled_at: case.known.settled_at,
            },
            state: OneOf(case.state),
            opened_at: case.opened_at,
            since: case.since,
            age_hours: now.duration_since(case.since).as_hours(),
            reason: case.reason,
        }
    }
}

impl From<CaseMessage> for MessageItem {
    fn from(message: CaseMessage) -> Self {
        let by = OneOf(if message.by.is_some() { Writer::Admin } else { Writer::Player });
        Self { by, text: message.text, at: message.at, closes: message.closes }
    }
}

async fn shown(
    app: &App,
    caller: &store::accounts::players::Player,
    id: &str,
) -> Result<Json<SupportCaseThread>, ApiError> {
    let (case, messages) = cases::thread(app, caller, id).await?;
    let case = CaseItem::new(case, app.clock().now());
    Ok(Json(SupportCaseThread { case, thread: messages.into_iter().map(MessageItem::from).collect() }))
}

#[derive(Deserialize, ToSchema)]
pub struct AboutForm {
    /// `payment`, `withdrawal`, `league` or `entry`.
    #[serde(default)]
    #[schema(value_type = KindWord, inline, required = true)]
    kind: Lenient,
    /// A prompt's `checkoutId`, a typed code's or a withdrawal's `_id`, a movement's `_id`, a league's `_id`, an entry's
    /// gameweek.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "2026-03")]
    id: Lenient,
}

#[derive(Deserialize, ToSchema)]
pub struct NewCase {
    about: Option<AboutForm>,
    /// What is wrong, in 1 to 1,000 characters.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "I was charged twice.")]
    text: Lenient,
}

/// Opens a case about something of the caller's own. What is known of it is attached by itself.
#[utoipa::path(post, path = "/api/cases", tag = "cases", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = NewCase, responses(
        (status = 201, description = "Opened", body = SupportCaseThread),
        (status = 400, description = "No text, too long a text, or none of the kinds", body = Refusal),
        (status = 404, description = "Nothing of the caller's", body = Refusal),
        (status = 409, description = "One about it is open (`case`), five are open, or the key is another request's", body = Refusal),
        (status = 429, description = "Too many messages today", body = Refusal),
    ))]
pub async fn open_case(
    State(app): State<App>,
    Caller(player): Caller,
    Submission { form, key }: Submission<NewCase>,
) -> Result<(StatusCode, Json<SupportCaseThread>), ApiError> {
    let (kind, id) = form.about.as_ref().map_or(("", ""), |about| (about.kind.text(), about.id.text()));
    let wrong = Wrong { kind, id, text: form.text.text() };
    let id = cases::open(&app, &player, wrong, key.as_ref()).await?;
    Ok((StatusCode::CREATED, shown(&app, &player, &id.to_string()).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CasesQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// The caller's own cases, newest first.
#[utoipa::path(get, path = "/api/cases", tag = "cases", security(("bearer" = [])),
    params(CasesQuery), responses(
        (status = 200, description = "At most 25", body = Vec<CaseItem>),
        (status = 400, description = "Not a cursor", body = Refusal),
    ))]
pub async fn list_cases(
    State(app): State<App>,
    Caller(player): Caller,
    Query(query): Query<CasesQuery>,
) -> Result<Paged<Vec<CaseItem>>, ApiError> {
    let after = query.cursor.as_deref();
    if after.is_some_and(|after| !is_hex_id(after)) {
        return Err(ApiError::bad_request("That is not a cursor.").code(RefusalCode::NotACursor));
    }
    let page = cases::own(&app, &player.id, after, i32::try_from(PAGE).unwrap_or(i32::MAX)).await?;
    let now = app.clock().now();
    let body = page.items.into_iter().map(|case| CaseItem::new(case, now)).collect();
    Ok(Paged { body, cursor: page.cursor })
}

/// A case with its messages: the caller's own, or for an admin anybody's.
#[utoipa::path(get, path = "/api/cases/{id}", tag = "cases", security(("bearer" = [])),
    params(("id" = String, Path, description = "The case's `_id`")),
    responses(
        (status = 200, description = "The case", body = SupportCaseThread),
        (status = 404, description = "No such case of the caller's", body = Refusal),
    ))]
pub async fn get_case(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<String>,
) -> Result<Json<SupportCaseThread>, ApiError> {
    shown(&app, &caller, &id).await
}

#[derive(Deserialize, ToSchema)]
pub struct NewCaseMessage {
    /// 1 to 1,000 characters. An admin who closes the case may leave it out.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "The second one came back to your wallet.")]
    text: Lenient,
    /// For an admin: closes the case, for this reason, which the player reads. At most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = json!(null))]
    close: Lenient,
}

/// Writes into a case: its player, or an admin, who may close it. A player's message opens a closed one again for 14 days.
#[utoipa::path(post, path = "/api/cases/{id}/messages", tag = "cases", security(("bearer" = [])),
    params(("id" = String, Path, description = "The case's `_id`"),
        ("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = NewCaseMessage, responses(
        (status = 200, description = "The case with it", body = SupportCaseThread),
        (status = 400, description = "No text or reason, or too long a one", body = Refusal),
        (status = 403, description = "An admin's own case, or a player who closes one", body = Refusal),
        (status = 404, description = "No such case of the caller's", body = Refusal),
        (status = 409, description = "It is closed, or has as many messages as it can have; another one about the same is open (`case`), or five are; or the key is another request's", body = Refusal),
        (status = 429, description = "Too many messages today", body = Refusal),
    ))]
pub async fn write_to_case(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(id): Path<String>,
    Submission { form, key }: Submission<NewCaseMessage>,
) -> Result<Json<SupportCaseThread>, ApiError> {
    let said = Said { text: form.text.text(), close: form.close.sent_text() };
    let id = cases::write(&app, &caller, &id, said, key.as_ref()).await?;
    shown(&app, &caller, &id.to_string()).await
}

/// The cases that are not closed: what waits for an admin first, the longest waiting before the others.
#[utoipa::path(get, path = "/api/admin/cases", tag = "cases", security(("bearer" = [])),
    params(CasesQuery), responses(
        (status = 200, description = "At most 25", body = Vec<CaseItem>),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_open_cases(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<CasesQuery>,
) -> Result<Paged<Vec<CaseItem>>, ApiError> {
    let page = app.store().waiting_cases(cursor(query.cursor.as_deref())?, PAGE).await?;
    let now = app.clock().now();
    let body = page.items.into_iter().map(|case| CaseItem::new(case, now)).collect();
    Ok(Paged { body, cursor: page.cursor })
}
