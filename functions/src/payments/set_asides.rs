//! The admin's cases: payments and payouts that do not add up, each read by itself with its whole timeline,
//! credited, dismissed or ended with a reason.

use app::{
    App,
    payments::set_asides::{self, Case, CaseDetails, Decision},
};
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::{Kes, UserId, payments::set_aside::SetAsideAct};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{
    admin::{audit::Who, permits::Permit},
    payments::{events::Event, prompts::Payment},
    withdrawals::Withdrawal,
};
use strum::{IntoStaticStr, VariantArray};
use utoipa::{IntoParams, ToSchema};

use crate::{
    admin::{acts::MoneyAct, approvals::ProposalItem},
    platform::http::{Actor, Admin, ApiError, Body, Lenient, OneOf, Paged, Refusal, cursor},
};

/// Prompts on one page.
const PAGE: usize = 25;

#[derive(Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
enum CaseKind {
    Prompt,
    Payout,
}

type CaseWord = OneOf<CaseKind>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetAsideItem {
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
    /// `prompt`: money in. `payout`: a withdrawal that M-Pesa pays.
    #[schema(inline)]
    kind: CaseWord,
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: UserId,
    #[schema(example = "Wanjiku")]
    username: String,
    /// `07…` or `01…`.
    #[schema(example = "0712345678")]
    phone: String,
    /// What was asked for, in KES.
    #[schema(example = 500)]
    amount: i64,
    /// Of a prompt `SET_ASIDE`, `SUCCESS`, `DISMISSED`, `FAILED` or `PENDING`; of a payout `pending`,
    /// `done` or `rejected`.
    #[schema(example = "SET_ASIDE")]
    state: &'static str,
    /// What does not add up.
    #[schema(example = "M-Pesa reports another amount than was asked for.")]
    reason: Option<String>,
    /// What can be done: `credit`, `dismiss`, `paid`, `return`.
    acts: Vec<&'static str>,
    /// The entry that a prompt was for, in KES; null for a deposit.
    #[schema(example = 50)]
    entry_amount: Option<i64>,
    /// What M-Pesa reports as paid, in KES.
    #[schema(example = 600)]
    reported_amount: Option<i64>,
    /// What was credited by an admin, in KES.
    #[schema(example = json!(null))]
    credited_amount: Option<i64>,
    /// M-Pesa's, as far as it is known.
    #[schema(example = "NLJ7RT61SV")]
    receipt: Option<String>,
    /// The posting that this receipt was credited by, where it was.
    #[schema(example = json!(null))]
    credited_by: Option<String>,
    /// M-Pesa's ids of the prompt or of the payout.
    mpesa_ids: Vec<String>,
    /// The admin's reason, once it is closed.
    #[schema(example = json!(null))]
    closed_because: Option<String>,
    /// Intent, push, callbacks, questions and acts, in the order in which they were heard first; only of a
    /// case that is read by itself. What M-Pesa sent is kept for 90 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "story")]
    timeline: Option<Vec<TimelineEvent>>,
    /// RFC 3339, UTC.
    created_at: Timestamp,
}

/// Something that was heard, or done.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoryEvent)]
pub struct TimelineEvent {
    /// `intent`, `push`, `callback`, `query`, `result`, `timeout`, `answer` or `act`.
    #[schema(value_type = EventWord, inline)]
    kind: String,
    /// As it came.
    #[schema(example = "paid")]
    text: String,
    /// How often the same was heard.
    #[schema(example = 1)]
    times: u64,
    /// First and last: RFC 3339, UTC.
    first_at: Timestamp,
    last_at: Timestamp,
}

/// The words that flows write into a timeline.
#[derive(Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
enum EventKind {
    Query,
    Intent,
    Push,
    Callback,
    Result,
    Timeout,
    Answer,
    Act,
}

type EventWord = OneOf<EventKind>;

impl From<Event> for TimelineEvent {
    fn from(event: Event) -> Self {
        let Event { kind, text, times, first_at, last_at } = event;
        Self { kind, text, times, first_at, last_at }
    }
}

impl From<CaseDetails> for SetAsideItem {
    fn from(details: CaseDetails) -> Self {
        let acts = details.case.acts().iter().map(|act| act.into_str()).collect();
        let item = match details.case {
            Case::Prompt(payment) => prompt(payment),
            Case::Payout(withdrawal) => payout(withdrawal),
        };
        Self { acts, username: details.username, credited_by: details.credited_by, ..item }
    }
}

fn prompt(payment: Payment) -> SetAsideItem {
    SetAsideItem {
        kind: OneOf(CaseKind::Prompt),
        reason: set_asides::why(&payment),
        username: String::new(),
        phone: payment.phone.local(),
        amount: payment.amount.get(),
        state: payment.state.into_str(),
        acts: Vec::new(),
        entry_amount: payment.entry.map(|entry| entry.amount.into()),
        reported_amount: set_asides::reported(&payment).map(Kes::get),
        credited_amount: payment.credited.map(Kes::get),
        receipt: set_asides::receipt(&payment),
        credited_by: None,
        mpesa_ids: [payment.merchant_request_id, payment.checkout_request_id].into_iter().flatten().collect(),
        closed_because: payment.closed.map(|decided| decided.reason),
        timeline: None,
        created_at: payment.created_at,
        user_id: payment.user_id,
        id: payment.id,
    }
}

fn payout(withdrawal: Withdrawal) -> SetAsideItem {
    let payout = withdrawal.payout;
    SetAsideItem {
        kind: OneOf(CaseKind::Payout),
        reason: withdrawal.trouble,
        username: String::new(),
        phone: withdrawal.phone.local(),
        amount: withdrawal.amount.get(),
        state: withdrawal.status.into_str(),
        acts: Vec::new(),
        entry_amount: None,
        reported_amount: None,
        credited_amount: None,
        receipt: payout.as_ref().and_then(|payout| payout.receipt.clone()),
        credited_by: None,
        mpesa_ids: payout.as_ref().and_then(|payout| payout.conversation_id.clone()).into_iter().collect(),
        closed_because: payout.and_then(|payout| payout.resolved).map(|decided| decided.reason),
        timeline: None,
        created_at: withdrawal.created_at,
        user_id: withdrawal.user_id,
        id: withdrawal.id,
    }
}

/// A case with its whole timeline.
async fn whole(app: &App, case: Case) -> Result<Json<SetAsideItem>, ApiError> {
    let timeline = set_asides::timeline(app, &case).await?.into_iter().map(TimelineEvent::from).collect();
    let item = SetAsideItem::from(set_asides::details(app, case).await?);
    Ok(Json(SetAsideItem { timeline: Some(timeline), ..item }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SetAsidesQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// What does not add up: payouts on the first page, and prompts, oldest first.
#[utoipa::path(get, path = "/api/admin/set-asides", tag = "admin", security(("bearer" = [])),
    params(SetAsidesQuery), responses(
        (status = 200, description = "At most 25 prompts, without their stories", body = Vec<SetAsideItem>),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_set_asides(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<SetAsidesQuery>,
) -> Result<Paged<Vec<SetAsideItem>>, ApiError> {
    let page = set_asides::waiting(&app, cursor(query.cursor.as_deref())?, PAGE).await?;
    Ok(Paged { body: page.items.into_iter().map(SetAsideItem::from).collect(), cursor: page.cursor })
}

/// A case with its whole story: what was asked for, what M-Pesa said, how often, and what admins did.
#[utoipa::path(get, path = "/api/admin/set-asides/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The case's `_id`")), responses(
        (status = 200, description = "As it stands", body = SetAsideItem),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such case", body = Refusal),
    ))]
pub async fn get_set_aside(
    State(app): State<App>,
    _: Admin,
    Path(id): Path<String>,
) -> Result<Json<SetAsideItem>, ApiError> {
    whole(&app, set_asides::find(&app, &id).await?).await
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetAsideDecision {
    /// `credit`, `dismiss`, `paid` or `return`: one of the case's `acts`.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "credit")]
    act: Lenient,
    /// Kept with the case, in at most 200 characters. The player reads that of a dismissal or a return.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "Seen in M-Pesa's portal.")]
    reason: Lenient,
    /// To credit: what M-Pesa received, in whole KES.
    #[serde(default)]
    #[schema(value_type = Option<i64>, example = 500)]
    amount: Lenient,
    /// To credit, where M-Pesa has told none; of a payout that was paid, where it is known.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "NLJ7RT61SV")]
    receipt: Lenient,
}

/// Closes a case: credits or dismisses a prompt, ends a payout that M-Pesa does not answer for, or notes
/// that what has ended was seen.
#[utoipa::path(post, path = "/api/admin/set-asides/{id}", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The case's `_id`")),
    request_body = SetAsideDecision, responses(
        (status = 200, description = "As it stands now", body = SetAsideItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 400, description = "Not an act, no reason, no amount, or no receipt", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such case", body = Refusal),
        (status = 409, description = "Closed already, another act's, its receipt is credited or another prompt's, or \
            M-Pesa says otherwise", body = Refusal),
    ))]
pub async fn decide_set_aside(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<SetAsideDecision>,
) -> Result<Response, ApiError> {
    let act = SetAsideAct::parse(form.act.text())?;
    let (reason, receipt, amount) = (form.reason.text(), form.receipt.text(), form.amount.integer());
    if act == SetAsideAct::Dismiss {
        actor.not_own(set_asides::find(&app, &id).await?.player())?;
        let permit = &Permit::plain(Who::admin(&actor.admin), app.clock().now());
        return decide(&app, &id, Decision { act, reason, amount, receipt, permit }).await;
    }
    let (decision, reason, receipt) = (act.into_str().to_owned(), reason.to_owned(), receipt.to_owned());
    actor.does(&app, MoneyAct::DecideSetAside { id, decision, reason, amount, receipt }).await
}

/// Closes a case by its decision's permit, and answers it as it stands then.
pub(crate) async fn decide(app: &App, id: &str, decision: Decision<'_>) -> Result<Response, ApiError> {
    let case = set_asides::close(app, id, decision).await?;
    Ok(whole(app, case).await?.into_response())
}
