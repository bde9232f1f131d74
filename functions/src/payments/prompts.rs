//! A player's prompts.

use app::App;
use axum::{Json, extract::State};
use domain::{
    Kes,
    payments::{prompt::ShownState, receipt_match::HELD_FOR},
};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use store::payments::prompts::Payment;
use utoipa::ToSchema;

use super::wire::StateWord;
use crate::{
    ledger::wire::WithheldTax,
    platform::http::{ApiError, Caller, OneOf},
};

/// For so long after it is decided a prompt is told.
const TOLD_FOR: SignedDuration = SignedDuration::from_hours(24);

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    #[schema(example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    checkout_id: String,
    /// In KES.
    #[schema(example = 500)]
    amount: i64,
    /// What it was credited with, in KES, where that is not its amount as a matter of course: by an admin, or nothing, as its
    /// receipt was credited by another way.
    #[schema(example = json!(null))]
    credited: Option<i64>,
    /// The excise of what is credited: the rest is the stake, or comes to the wallet.
    tax: Option<WithheldTax>,
    /// The entry it pays for, in KES; absent for a deposit.
    #[schema(example = 50)]
    entry_amount: Option<i64>,
    /// `SUCCESS`, `FAILED` or `PENDING`.
    #[schema(inline)]
    state: StateWord,
    /// Why it failed or made no entry, what of it has paid a debt, or why a person looks at it.
    #[schema(example = "The number is not registered for M-Pesa.")]
    reason: Option<String>,
    /// The number of the gameweek that this entry is for; absent for a deposit.
    #[schema(example = 3)]
    entry_gameweek: Option<u8>,
    /// Whether it made the entry it was for.
    #[schema(example = true)]
    entered: bool,
    /// RFC 3339, UTC.
    #[schema(example = "2026-08-20T09:00:00Z")]
    at: Timestamp,
}

/// The caller's M-Pesa prompts of the last day, newest first: one that was decided after the page was
/// closed is seen here. What is not decided yet is told for eight days, as long as money that came can be found to be its.
#[utoipa::path(get, path = "/api/me/payments", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "Those of the last 24 hours, or decided in them, or not decided yet", body = Vec<Prompt>),
))]
pub async fn list_payments(
    State(app): State<App>,
    Caller(caller): Caller,
) -> Result<Json<Vec<Prompt>>, ApiError> {
    let now = app.clock().now();
    let payments = app.store().payments_since(&caller.id, now - HELD_FOR).await?;
    let told = |payment: &Payment| {
        let last = payment.decided_at.unwrap_or(payment.created_at);
        last >= now - TOLD_FOR || payment.state.shown() == ShownState::Pending
    };
    let shown = payments.into_iter().filter(told).map(|payment| Prompt {
        tax: payment.excise_of(payment.credited.unwrap_or(payment.amount)).map(WithheldTax::from),
        credited: payment.credited.map(Kes::get),
        checkout_id: payment.id,
        amount: payment.amount.get(),
        entry_amount: payment.entry.as_ref().map(|entry| entry.amount.into()),
        entry_gameweek: payment.entry.as_ref().map(|entry| entry.gameweek.number),
        state: OneOf(payment.state.shown()),
        reason: payment.reason,
        entered: payment.entered,
        at: payment.created_at,
    });
    Ok(Json(shown.collect()))
}
