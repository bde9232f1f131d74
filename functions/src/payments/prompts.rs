//! A player's prompts.

use app::App;
use axum::{Json, extract::State};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::StateWord;
use crate::{
    ledger::wire::WithheldTax,
    platform::http::{ApiError, Caller, OneOf},
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    #[schema(example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    checkout_id: String,
    /// In KES.
    #[schema(example = 500)]
    amount: i64,
    /// The excise of it: the rest is the stake, or comes to the wallet.
    tax: Option<WithheldTax>,
    /// The entry it pays for, in KES; absent for a deposit.
    #[schema(example = 50)]
    entry_amount: Option<i64>,
    /// `SUCCESS`, `FAILED` or `PENDING`.
    #[schema(inline)]
    state: StateWord,
    /// Why it failed or made no entry, or what of it has paid a debt.
    #[schema(example = "The number is not registered for M-Pesa.")]
    reason: Option<String>,
    /// Whether it made the entry it was for.
    #[schema(example = true)]
    entered: bool,
    /// RFC 3339, UTC.
    #[schema(example = "2026-08-20T09:00:00Z")]
    at: Timestamp,
}

/// The caller's M-Pesa prompts of the last day, newest first: one that was decided after the page was
/// closed is seen here.
#[utoipa::path(get, path = "/api/me/payments", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "Prompts of the last 24 hours", body = Vec<Prompt>),
))]
pub async fn list_payments(
    State(app): State<App>,
    Caller(caller): Caller,
) -> Result<Json<Vec<Prompt>>, ApiError> {
    let since = app.clock().now() - SignedDuration::from_hours(24);
    let payments = app.store().payments_since(&caller.id, since).await?;
    let shown = payments.into_iter().map(|payment| Prompt {
        tax: payment.excise_of(payment.amount).map(WithheldTax::from),
        checkout_id: payment.id,
        amount: payment.amount.get(),
        entry_amount: payment.entry.map(|entry| entry.amount.into()),
        state: OneOf(payment.state.shown()),
        reason: payment.reason,
        entered: payment.entered,
        at: payment.created_at,
    });
    Ok(Json(shown.collect()))
}
