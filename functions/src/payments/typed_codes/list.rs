//! The admin's list of typed codes, each with everything that is known of it.

use app::{App, payments::typed_codes};
use axum::{
    Json,
    extract::{Query, State},
    response::{IntoResponse, Response},
};
use domain::{
    Kes,
    payments::{
        prompt,
        receipt::{HELD_FOR, Meeting, Told, meet},
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::payments::{
    paybill::PaybillPayment,
    prompts::Payment,
    typed_codes::{TypedCode, told},
};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{Admin, ApiError, Refusal, cursor};

/// Typed codes on one page: each is shown with what is known of it.
const PAGE: usize = 25;

/// Other players' prompts that are shown beside one code, at most.
const OTHERS: usize = 10;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ManualPaymentItem)]
pub struct TypedCodeItem {
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
    /// Prompts of the last eight days that this code may belong to, by what M-Pesa tells of it: the player's own
    /// that are open, set aside, or credited without a receipt; and others' of the same amount that are open or
    /// credited without a receipt. Empty once the payment has ended.
    prompts: Vec<PossiblePrompt>,
    /// What M-Pesa says of the code; null until it has said anything.
    known: Option<KnownPayment>,
    /// Why no machine has credited it; null once the payment has ended.
    waits_because: Option<String>,
    /// The posting that the receipt was credited by before, where it was.
    credited_by: Option<String>,
}

/// A payment as M-Pesa has it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct KnownPayment {
    /// `status`: M-Pesa was asked. `confirmation`: what it confirmed when the paybill was paid.
    source: &'static str,
    /// Whether the payment was made.
    completed: bool,
    /// Whether it was made to us.
    to_us: bool,
    /// In KES.
    amount: Option<i64>,
    /// As far as M-Pesa tells it.
    payer_phone: Option<String>,
    payer_name: Option<String>,
    /// The account that the payer entered.
    account_reference: Option<String>,
    /// When M-Pesa said so: RFC 3339, UTC.
    at: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PossiblePrompt {
    checkout_id: String,
    user_id: String,
    /// In KES.
    amount: i64,
    /// `PENDING`, `SUCCESS` or `SET_ASIDE`.
    state: &'static str,
    /// Whether a confirmation with this amount is refused because of it.
    holds_back: bool,
    /// RFC 3339, UTC.
    at: String,
}

impl TypedCodeItem {
    /// One that has ended: nothing beside it matters any more.
    pub(super) fn ended(typed_code: TypedCode, now: Timestamp) -> Self {
        Self {
            warning: typed_code.code.warning(now),
            id: typed_code.id,
            user_id: typed_code.user_id.to_string(),
            username: typed_code.username.to_string(),
            mpesa_code: typed_code.code.to_string(),
            status: typed_code.status.into_str(),
            created_at: typed_code.created_at.to_string(),
            amount: typed_code.amount.map(Kes::get),
            reason: typed_code.reason,
            prompts: Vec::new(),
            known: None,
            waits_because: None,
            credited_by: None,
        }
    }
}

fn known(typed_code: &TypedCode, confirmed: Option<PaybillPayment>) -> Option<KnownPayment> {
    let reference = confirmed.as_ref().and_then(|confirmed| confirmed.account_reference.clone());
    // An answer that finds nothing says less than a confirmation.
    let answered = typed_code.known.as_ref().filter(|known| known.answered.completed || confirmed.is_none());
    if let Some(known) = answered {
        return Some(KnownPayment {
            source: "status",
            completed: known.answered.completed,
            to_us: known.answered.to_us,
            amount: known.answered.amount.map(Kes::get),
            payer_phone: known.answered.payer.as_ref().map(domain::MpesaPhone::local),
            payer_name: known.payer_name.clone(),
            account_reference: reference,
            at: known.at.to_string(),
        });
    }
    confirmed.map(|confirmed| KnownPayment {
        source: "confirmation",
        completed: true,
        to_us: true,
        amount: confirmed.amount.map(Kes::get),
        payer_phone: confirmed.phone,
        payer_name: confirmed.name,
        account_reference: reference,
        at: confirmed.at.to_string(),
    })
}

fn possible_prompt(payment: &Payment, told: &Told, own: bool, now: Timestamp) -> Option<PossiblePrompt> {
    let open = meet(told, &payment.as_sent(), now) != Meeting::Free;
    let shown = open || (own && payment.state == prompt::State::SetAside);
    shown.then(|| PossiblePrompt {
        checkout_id: payment.id.clone(),
        user_id: payment.user_id.to_string(),
        amount: payment.amount.get(),
        state: payment.state.into_str(),
        holds_back: own && open,
        at: payment.created_at.to_string(),
    })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// The typed codes that wait for an admin, oldest first, each with what M-Pesa says of it and with the
/// prompts that it may belong to.
#[utoipa::path(get, path = "/api/manual-payment/pending", tag = "manual payments",
    security(("bearer" = [])), params(ListQuery), responses(
        (status = 200, description = "At most 25", body = Vec<TypedCodeItem>),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn list_manual_payments(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    let page = app.store().pending_typed_codes(cursor(query.cursor.as_deref())?, PAGE).await?;
    let others = app.store().prompts_without_receipt(app.clock().now()).await?;
    let mut items = Vec::with_capacity(page.items.len());
    for typed_code in page.items {
        items.push(waiting(&app, typed_code, &others).await?);
    }
    Ok(match page.cursor {
        Some(cursor) => ([("x-next-cursor", cursor)], Json(items)).into_response(),
        None => Json(items).into_response(),
    })
}

/// A code that waits, with everything beside it.
async fn waiting(app: &App, typed_code: TypedCode, others: &[Payment]) -> Result<TypedCodeItem, ApiError> {
    let now = app.clock().now();
    let code = typed_code.code.as_str();
    let confirmed = app.store().paybill_payment(code).await?;
    let credited_by = app.store().receipt(code).await?.map(|receipt| receipt.cause);
    let waits_because = typed_codes::check(app, &typed_code).await?.err().map(|why| why.to_string());
    let own = app.store().payments_since(&typed_code.user_id, now - HELD_FOR).await?;
    let told = told(typed_code.known.as_ref(), confirmed.as_ref());
    let known = known(&typed_code, confirmed);
    let amount = known.as_ref().and_then(|known| known.amount);
    let anothers = others
        .iter()
        .filter(|prompt| prompt.user_id != typed_code.user_id && Some(prompt.amount.get()) == amount)
        .take(OTHERS);
    let prompts = own.iter().map(|prompt| (prompt, true)).chain(anothers.map(|prompt| (prompt, false)));
    let prompts = prompts.filter_map(|(prompt, own)| possible_prompt(prompt, &told, own, now)).collect();
    let item = TypedCodeItem::ended(typed_code, now);
    Ok(TypedCodeItem { prompts, known, waits_because, credited_by, ..item })
}
