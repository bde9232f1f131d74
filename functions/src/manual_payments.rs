//! Top-up by a typed M-Pesa code (spec §2 "Top up", §4 "Manual payment"): a player sends the code in,
//! an admin confirms it with its amount, or rejects it.

use app::{
    App,
    idempotency::{self, Look},
    limits,
};
use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use domain::{
    Kes,
    account::is_hex_id,
    idempotency::{Call, KeyError},
    manual_payment::{self, ManualPaymentError, PROMPTS_LOOKED_AT, ReceiptCode, Status},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{
    idempotency::Binding,
    manual_payments::{Confirmed, ManualPayment, Submitted, as_prompt},
    payments::Payment,
    players::Player,
    random_id,
};
use utoipa::{IntoParams, ToSchema};

use crate::http::{Admin, ApiError, Body, Loose, Refusal, Spender, Submission, cursor};

/// Typed codes on one page: each is shown with its player's prompts.
const PAGE: usize = 25;

/// What a player reads of a reason at the most, in characters.
const LONGEST_REASON: usize = 200;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TypedCode {
    /// From M-Pesa's message; spaces and case do not matter.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "NLJ7RT61SV")]
    mpesa_code: Loose,
}

/// The code is before an admin.
#[derive(Serialize, ToSchema)]
pub struct CodeTaken {
    message: &'static str,
    #[serde(rename = "_id")]
    id: String,
}

/// Sends a typed code in. It is credited once an admin has confirmed it; nobody holds it before.
#[utoipa::path(post, path = "/api/manual-payment", tag = "manual payments", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = TypedCode, responses(
        (status = 200, description = "This player's same code waits already: that request", body = CodeTaken),
        (status = 201, description = "Taken", body = CodeTaken),
        (status = 400, description = "Not an M-Pesa code", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 409, description = "This code has been credited, or the key is another request's",
            body = Refusal),
        (status = 429, description = "Too many codes today", body = Refusal),
    ))]
pub async fn submit_manual_payment(
    State(app): State<App>,
    Spender(player): Spender,
    Submission { form, key }: Submission<TypedCode>,
) -> Result<(StatusCode, Json<CodeTaken>), ApiError> {
    let look = async || idempotency::look(&app, &player.id, Call::ManualPayment, key.as_ref()).await;
    let binding = match look().await?? {
        Look::Again(id) => return Ok(taken(StatusCode::CREATED, id)),
        Look::Act(binding) => binding,
    };
    match submit(&app, &player, &form, binding).await {
        // Of two at once, the one that is refused because the other has acted has its answer too.
        Err(refused) if key.is_some() => match look().await?? {
            Look::Again(id) => Ok(taken(StatusCode::CREATED, id)),
            Look::Act(_) => Err(refused),
        },
        outcome => outcome,
    }
}

async fn submit(
    app: &App,
    player: &Player,
    form: &TypedCode,
    binding: Option<Binding>,
) -> Result<(StatusCode, Json<CodeTaken>), ApiError> {
    let code = ReceiptCode::parse(form.mpesa_code.text()).map_err(ApiError::bad_request)?;
    let manual = ManualPayment {
        id: random_id(),
        user_id: player.id.clone(),
        username: player.username.clone(),
        code,
        status: Status::Pending,
        created_at: app.clock().now(),
        ended_at: None,
        ended_by: None,
        amount: None,
        reason: None,
    };
    let counter = limits::manual_codes(&player.id);
    match app.store().submit_manual_payment(&manual, &counter, binding.as_ref()).await? {
        Submitted::New => Ok(taken(StatusCode::CREATED, manual.id)),
        // Nothing was made for a key to stand for; the code itself is the key.
        Submitted::Waiting(id) => Ok(taken(StatusCode::OK, id)),
        Submitted::AlreadyCredited => Err(ApiError::conflict(ManualPaymentError::AlreadyCredited)),
        Submitted::Limited(limited) => Err(limited.into()),
        Submitted::KeyTaken => Err(KeyError::UnderWay.into()),
    }
}

fn taken(status: StatusCode, id: String) -> (StatusCode, Json<CodeTaken>) {
    (status, Json(CodeTaken { message: "Success wallet updated shortly", id }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ManualPaymentItem {
    #[serde(rename = "_id")]
    id: String,
    user_id: String,
    username: String,
    mpesa_code: String,
    /// `pending`, `confirmed` or `rejected`.
    status: &'static str,
    /// RFC 3339, UTC.
    created_at: String,
    /// What it was confirmed with, in KES.
    amount: Option<i64>,
    /// Why it was rejected.
    reason: Option<String>,
    /// What is strange about the date in the code, where something is.
    warning: Option<String>,
    /// The player's prompts of the last 48 hours that this code may belong to: open, set aside, or
    /// credited without a receipt. Empty once the payment has ended.
    prompts: Vec<PossiblePrompt>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PossiblePrompt {
    checkout_id: String,
    /// In KES.
    amount: i64,
    /// `PENDING`, `SUCCESS` or `SET_ASIDE`.
    state: &'static str,
    /// Whether a confirmation with this amount is refused because of it.
    holds_back: bool,
    /// RFC 3339, UTC.
    at: String,
}

impl ManualPaymentItem {
    fn new(manual: ManualPayment, prompts: Vec<PossiblePrompt>, now: jiff::Timestamp) -> Self {
        Self {
            warning: manual.code.warning(now),
            id: manual.id,
            user_id: manual.user_id.to_string(),
            username: manual.username.to_string(),
            mpesa_code: manual.code.to_string(),
            status: manual.status.as_str(),
            created_at: manual.created_at.to_string(),
            amount: manual.amount.map(Kes::get),
            reason: manual.reason,
            prompts,
        }
    }
}

fn possible_prompt(payment: &Payment, now: jiff::Timestamp) -> Option<PossiblePrompt> {
    let holds_back = as_prompt(payment).is_without_receipt(now);
    let shown = holds_back || payment.state == domain::payment::State::SetAside;
    shown.then(|| PossiblePrompt {
        checkout_id: payment.id.clone(),
        amount: payment.amount.get(),
        state: payment.state.as_str(),
        holds_back,
        at: payment.created_at.to_string(),
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// The typed codes that wait for an admin, oldest first, each with its player's prompts that it may
/// belong to.
#[utoipa::path(get, path = "/api/manual-payment/pending", tag = "manual payments",
    security(("bearer" = [])), params(ListQuery), responses(
        (status = 200, description = "At most 25", body = Vec<ManualPaymentItem>),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_manual_payments(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    let now = app.clock().now();
    let page = app.store().pending_manual_payments(cursor(query.cursor.as_deref())?, PAGE).await?;
    let mut items = Vec::with_capacity(page.items.len());
    for manual in page.items {
        let prompts = app.store().payments_since(&manual.user_id, now - PROMPTS_LOOKED_AT).await?;
        let prompts = prompts.iter().filter_map(|payment| possible_prompt(payment, now)).collect();
        items.push(ManualPaymentItem::new(manual, prompts, now));
    }
    Ok(match page.cursor {
        Some(cursor) => ([("x-next-cursor", cursor)], Json(items)).into_response(),
        None => Json(items).into_response(),
    })
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    payment_id: Loose,
    /// The player is the stored payment's; one that is sent has to be the same.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    user_id: Loose,
    /// What M-Pesa received, in whole KES.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 500)]
    amount: Loose,
}

/// Credits a typed code with its amount, once: the receipt is claimed in the same transaction.
#[utoipa::path(post, path = "/api/manual-payment/confirm", tag = "manual payments",
    security(("bearer" = [])), request_body = Confirmation, responses(
        (status = 200, description = "Confirmed with this amount, now or before", body = ManualPaymentItem),
        (status = 400, description = "Not an amount", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such payment", body = Refusal),
        (status = 409, description = "Ended another way, another player's, its receipt is credited, or a prompt \
            of this amount has no receipt yet", body = Refusal),
    ))]
pub async fn confirm_manual_payment(
    State(app): State<App>,
    Admin(admin): Admin,
    Body(form): Body<Confirmation>,
) -> Result<Json<ManualPaymentItem>, ApiError> {
    let amount = manual_payment::check_amount(form.amount.integer()).map_err(ApiError::bad_request)?;
    let manual = find(&app, form.payment_id.text()).await?;
    if !form.user_id.is_absent() && form.user_id.text() != manual.user_id.as_str() {
        return Err(ApiError::conflict(ManualPaymentError::AnotherPlayer));
    }
    let now = app.clock().now();
    let confirmed = app.store().confirm_manual_payment(&manual, amount, &admin.id, now).await?;
    tracing::info!(admin = %admin.id, payment = manual.id, amount = amount.get(), ?confirmed, "manual payment");
    let manual = find(&app, &manual.id).await?;
    match against(&manual, amount, confirmed) {
        None => Ok(Json(ManualPaymentItem::new(manual, Vec::new(), now))),
        Some(error) => Err(ApiError::conflict(error)),
    }
}

/// What stands against `manual` being confirmed with `amount`, as it stands after the attempt.
fn against(manual: &ManualPayment, amount: Kes, attempt: Confirmed) -> Option<ManualPaymentError> {
    match manual.status {
        Status::Confirmed if manual.amount == Some(amount) => None,
        Status::Confirmed => Some(ManualPaymentError::AnotherAmount(manual.amount.unwrap_or_default())),
        Status::Rejected => Some(ManualPaymentError::Ended(Status::Rejected)),
        Status::Pending if attempt == Confirmed::OwnPrompt => Some(ManualPaymentError::OwnPrompt),
        Status::Pending => Some(ManualPaymentError::AlreadyCredited),
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rejection {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    payment_id: Loose,
    /// Why, in at most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reason: Loose,
}

/// Rejects a typed code: nothing is credited for this request.
#[utoipa::path(post, path = "/api/manual-payment/reject", tag = "manual payments",
    security(("bearer" = [])), request_body = Rejection, responses(
        (status = 200, description = "Rejected, now or before", body = ManualPaymentItem),
        (status = 400, description = "The reason is too long", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such payment", body = Refusal),
        (status = 409, description = "It is confirmed", body = Refusal),
    ))]
pub async fn reject_manual_payment(
    State(app): State<App>,
    Admin(admin): Admin,
    Body(form): Body<Rejection>,
) -> Result<Json<ManualPaymentItem>, ApiError> {
    let reason = form.reason.text().trim();
    if reason.chars().count() > LONGEST_REASON {
        return Err(ApiError::bad_request("A reason has at most 200 characters."));
    }
    let manual = find(&app, form.payment_id.text()).await?;
    let now = app.clock().now();
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    let rejected = app.store().reject_manual_payment(&manual.id, reason, &admin.id, now).await?;
    tracing::info!(admin = %admin.id, payment = manual.id, rejected, "manual payment");
    let manual = find(&app, &manual.id).await?;
    match manual.status {
        Status::Rejected => Ok(Json(ManualPaymentItem::new(manual, Vec::new(), now))),
        ended => Err(ApiError::conflict(ManualPaymentError::Ended(ended))),
    }
}

async fn find(app: &App, id: &str) -> Result<ManualPayment, ApiError> {
    let no_such = || ApiError::not_found("There is no such payment.");
    if !is_hex_id(id) {
        return Err(no_such());
    }
    app.store().manual_payment(id).await?.ok_or_else(no_such)
}
