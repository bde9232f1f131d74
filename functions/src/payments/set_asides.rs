//! The admin's cases: payments and payouts that do not add up, each read by itself with its whole timeline,
//! credited, dismissed or ended with a reason.

use app::{
    App,
    payments::{
        mpesa_word,
        set_asides::{self, Case, Decision},
    },
};
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::{
    Kes, UserId,
    accounts::account::is_hex_id,
    payments::{prompt, set_aside::SetAsideAct, typed_code::ReceiptCode},
};
use serde::{Deserialize, Serialize};
use store::{
    admin::{audit::Who, permits::Permit},
    payments::{events::Event, prompts::Payment},
    withdrawals::Withdrawal,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    admin::{acts::MoneyAct, approvals::ProposalItem},
    platform::http::{Actor, Admin, ApiError, Body, Lenient, Refusal, cursor},
};

/// Prompts on one page.
const PAGE: usize = 25;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SetAsideItem {
    #[serde(rename = "_id")]
    id: String,
    /// `prompt`: money in. `payout`: a withdrawal that M-Pesa pays.
    kind: &'static str,
    user_id: String,
    username: String,
    /// `07…` or `01…`.
    phone: String,
    /// What was asked for, in KES.
    amount: i64,
    /// Of a prompt `SET_ASIDE`, `SUCCESS`, `DISMISSED`, `FAILED` or `PENDING`; of a payout `pending`,
    /// `done` or `rejected`.
    state: &'static str,
    /// What does not add up.
    reason: Option<String>,
    /// What can be done: `credit`, `dismiss`, `paid`, `return`.
    acts: Vec<&'static str>,
    /// The entry that a prompt was for, in KES; null for a deposit.
    entry_amount: Option<i64>,
    /// What M-Pesa reports as paid, in KES.
    reported_amount: Option<i64>,
    /// What was credited by an admin, in KES.
    credited_amount: Option<i64>,
    /// M-Pesa's, as far as it is known.
    receipt: Option<String>,
    /// The posting that this receipt was credited by, where it was.
    credited_by: Option<String>,
    /// M-Pesa's ids of the prompt or of the payout.
    mpesa_ids: Vec<String>,
    /// The admin's reason, once it is closed.
    closed_because: Option<String>,
    /// Intent, push, callbacks, questions and acts, in the order in which they were heard first; only of a
    /// case that is read by itself. What M-Pesa sent is kept for 90 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "story")]
    timeline: Option<Vec<TimelineEvent>>,
    /// RFC 3339, UTC.
    created_at: String,
}

/// Something that was heard, or done.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = StoryEvent)]
pub struct TimelineEvent {
    /// `intent`, `push`, `callback`, `query`, `result`, `timeout`, `answer` or `act`.
    kind: String,
    /// As it came.
    text: String,
    /// How often the same was heard.
    times: u64,
    /// First and last: RFC 3339, UTC.
    first_at: String,
    last_at: String,
}

impl From<Event> for TimelineEvent {
    fn from(event: Event) -> Self {
        Self {
            kind: event.kind,
            text: event.text,
            times: event.times,
            first_at: event.first_at.to_string(),
            last_at: event.last_at.to_string(),
        }
    }
}

/// A case with its whole story.
async fn whole(app: &App, case: Case) -> Result<SetAsideItem, ApiError> {
    let timeline = set_asides::timeline(app, &case).await?.into_iter().map(TimelineEvent::from).collect();
    Ok(SetAsideItem { timeline: Some(timeline), ..item(app, case).await? })
}

async fn item(app: &App, case: Case) -> Result<SetAsideItem, ApiError> {
    let acts = case.acts().iter().map(|act| act.into_str()).collect();
    let (mut item, player) = match case {
        Case::Prompt(payment) => prompt(payment),
        Case::Payout(withdrawal) => payout(withdrawal),
    };
    if let Some(receipt) = item.receipt.as_deref().filter(|_| item.kind == "prompt") {
        item.credited_by = app.store().receipt(receipt).await?.map(|receipt| receipt.cause);
    }
    if item.username.is_empty() {
        let player = app.store().player(&player).await?;
        item.username = player.map(|player| player.username.to_string()).unwrap_or_default();
    }
    Ok(SetAsideItem { acts, ..item })
}

fn prompt(payment: Payment) -> (SetAsideItem, UserId) {
    let reported = set_asides::reported(&payment);
    let told = set_asides::told_receipt(&payment);
    let item = SetAsideItem {
        kind: "prompt",
        reason: set_asides::why(&payment),
        user_id: payment.user_id.to_string(),
        username: String::new(),
        phone: payment.phone.local(),
        amount: payment.amount.get(),
        state: payment.state.into_str(),
        acts: Vec::new(),
        entry_amount: payment.entry.map(|entry| entry.amount.into()),
        reported_amount: reported.map(Kes::get),
        credited_amount: payment.credited.map(Kes::get),
        receipt: payment.receipt.or(payment.contested_receipt).or(told),
        credited_by: None,
        mpesa_ids: [payment.merchant_request_id, payment.checkout_request_id].into_iter().flatten().collect(),
        closed_because: payment.closed.map(|decided| decided.reason),
        timeline: None,
        created_at: payment.created_at.to_string(),
        id: payment.id,
    };
    (item, payment.user_id)
}

fn payout(withdrawal: Withdrawal) -> (SetAsideItem, UserId) {
    let payout = withdrawal.payout;
    let item = SetAsideItem {
        kind: "payout",
        reason: withdrawal.trouble,
        user_id: withdrawal.user_id.to_string(),
        username: withdrawal.username.to_string(),
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
        created_at: withdrawal.created_at.to_string(),
        id: withdrawal.id,
    };
    (item, withdrawal.user_id)
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
) -> Result<Response, ApiError> {
    let (cases, next) = set_asides::waiting(&app, cursor(query.cursor.as_deref())?, PAGE).await?;
    let mut items = Vec::with_capacity(cases.len());
    for case in cases {
        items.push(item(&app, case).await?);
    }
    Ok(match next {
        Some(cursor) => ([("x-next-cursor", cursor)], Json(items)).into_response(),
        None => Json(items).into_response(),
    })
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
    Ok(Json(whole(&app, find(&app, &id).await?).await?))
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
    #[schema(value_type = Option<String>)]
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
    let act = SetAsideAct::parse(form.act.text()).map_err(ApiError::bad_request)?;
    let (reason, receipt) = (form.reason.text(), form.receipt.text());
    let amount = form.amount.integer();
    if act == SetAsideAct::Dismiss {
        actor.not_own(find(&app, &id).await?.player())?;
        let permit = &Permit::plain(Who::admin(&actor.admin), app.clock().now());
        return decide(&app, &id, Decision { act, reason, amount, receipt, permit }).await;
    }
    let (decision, reason, receipt) = (act.into_str().to_owned(), reason.to_owned(), receipt.to_owned());
    actor.does(&app, MoneyAct::DecideSetAside { id, decision, reason, amount, receipt }).await
}

/// Closes a case by its decision's permit.
pub(crate) async fn decide(app: &App, id: &str, decision: Decision<'_>) -> Result<Response, ApiError> {
    let case = find(app, id).await?;
    let (act, by) = (decision.act, decision.permit.who.clone());
    if let (Case::Prompt(payment), SetAsideAct::Credit) = (&case, act) {
        check_word(app, payment, &decision).await?;
    }
    let done = set_asides::decide(app, &case, decision).await?;
    tracing::info!(by = ?by.person(), case = id, act = act.into_str(), ?done, "set-aside");
    match done {
        Ok(()) => Ok(Json(whole(app, find(app, id).await?).await?).into_response()),
        Err(error) if error.is_conflict() => Err(ApiError::conflict(error)),
        Err(error) => Err(ApiError::bad_request(error)),
    }
}

/// That M-Pesa, asked now, does not say otherwise, and that the receipt is no other prompt's.
async fn check_word(app: &App, payment: &Payment, decision: &Decision<'_>) -> Result<(), ApiError> {
    let receipt = set_asides::receipt_of(payment, decision.receipt).ok();
    let receipt = receipt.and_then(|receipt| ReceiptCode::parse(&receipt).ok());
    let (Some(receipt), Some(amount)) = (receipt, decision.amount.map(Kes::new)) else { return Ok(()) };
    if payment.state != prompt::State::SetAside {
        return Ok(());
    }
    let known = mpesa_word::check(app, &receipt, None, amount).await?.map_err(ApiError::conflict)?;
    let checked = set_asides::check_receipt(app, payment, (&receipt, amount), known.as_ref()).await?;
    checked.map_err(ApiError::conflict)
}

pub(crate) async fn find(app: &App, id: &str) -> Result<Case, ApiError> {
    let no_such = || ApiError::not_found("There is no such case.");
    if !is_hex_id(id) {
        return Err(no_such());
    }
    set_asides::find(app, id).await?.ok_or_else(no_such)
}
