//! The page behind the link in the mail about a withdrawal to a new number: what it is about, and a button
//! that cancels it. The link says who it is: no session is needed.

use app::{App, withdrawals::cancellation};
use axum::{
    Json,
    extract::{Path, State},
};
use jiff::Timestamp;
use serde::Serialize;
use store::withdrawals::Withdrawal;
use utoipa::ToSchema;

use crate::{
    platform::http::{ApiError, OneOf, Refusal},
    withdrawals::wire::{PayoutWord, StatusWord},
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Cancellable {
    /// In KES.
    #[schema(example = 500)]
    amount: i64,
    /// With stars in it.
    #[schema(example = "07******78")]
    mpesa_number: String,
    #[schema(inline)]
    status: StatusWord,
    /// `sent` until M-Pesa says what became of it, then `done` or `failed`; null where it was not sent.
    #[schema(inline)]
    payout: Option<PayoutWord>,
    created_at: Timestamp,
    /// It is not paid before then. Null: it does not wait.
    #[schema(example = json!(null))]
    waits_until: Option<Timestamp>,
    /// Whether the link cancels it: as long as nothing is sent, and where it waits, until that is over.
    #[schema(example = true)]
    cancellable: bool,
}

impl Cancellable {
    fn of(withdrawal: &Withdrawal, now: Timestamp) -> Self {
        Self {
            cancellable: cancellation::is_cancellable(withdrawal, now),
            amount: withdrawal.amount.get(),
            mpesa_number: withdrawal.phone.masked(),
            status: OneOf(withdrawal.status),
            payout: withdrawal.payout.as_ref().map(|payout| OneOf(payout.state)),
            created_at: withdrawal.created_at,
            waits_until: withdrawal.waits_until(),
        }
    }
}

/// What a link is about. Changes nothing: mail programs open links by themselves.
#[utoipa::path(get, path = "/api/cancel-withdrawal/{token}", tag = "withdrawals",
    params(("token" = String, Path, description = "From the link", example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae")),
    responses(
        (status = 200, description = "The withdrawal", body = Cancellable),
        (status = 400, description = "No link of ours, or a newer one has taken its place", body = Refusal),
    ))]
pub async fn get_cancellation(
    State(app): State<App>,
    Path(token): Path<String>,
) -> Result<Json<Cancellable>, ApiError> {
    let found = cancellation::find(&app, &token).await?;
    Ok(Json(Cancellable::of(&found, app.clock().now())))
}

/// Cancels the withdrawal: the money goes back into the wallet. Again, it answers the same.
#[utoipa::path(post, path = "/api/cancel-withdrawal/{token}", tag = "withdrawals",
    params(("token" = String, Path, description = "From the link", example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae")),
    responses(
        (status = 200, description = "It is not paid: as it stands now", body = Cancellable),
        (status = 400, description = "No link of ours, or a newer one has taken its place", body = Refusal),
        (status = 409, description = "M-Pesa is paying it, it is done, or the day that it waited is over", body = Refusal),
    ))]
pub async fn cancel_withdrawal(
    State(app): State<App>,
    Path(token): Path<String>,
) -> Result<Json<Cancellable>, ApiError> {
    let cancelled = cancellation::cancel(&app, &token).await?;
    Ok(Json(Cancellable::of(&cancelled, app.clock().now())))
}
