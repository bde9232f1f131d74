//! What an admin corrects in a player's wallet (docs/decisions.md, "What is taken back").

use app::{App, admin::acts::MoneyAct, ledger::corrections::BookedCorrection};
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{
    accounts::account::is_hex_id,
    ledger::corrections::{CorrectionError, check_correction},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    admin::approvals::ProposalItem,
    ledger::transactions::Transaction,
    platform::http::{Actor, ApiError, Body, Lenient, Refusal},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WalletCorrection {
    /// The caller's own, 32 hex digits: the same correction sent again is booked once.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    correction_id: Lenient,
    /// Whole KES: more than 0 is given, less than 0 is taken. What the wallet does not cover is written off.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = -400)]
    amount: Lenient,
    /// Why, in at most 200 characters; the player reads it.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "A code was confirmed with 500 in the place of 100.")]
    reason: Lenient,
}

/// A correction, as it is booked.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CorrectedWallet {
    /// In KES.
    #[schema(example = 450)]
    wallet: i64,
    /// What the player owes after it, in KES.
    #[schema(example = 0)]
    owed: i64,
    /// What the wallet did not cover, in KES: the operator's loss.
    #[schema(example = 0)]
    written_off: i64,
    /// Whether it was booked under this id before: nothing has moved now, and `transaction` says when it was booked and why.
    #[schema(example = false)]
    repeated: bool,
    transaction: Transaction,
}

/// Corrects a player's wallet: gives, or takes what should not be the player's. With full safeguards another
/// admin approves it, whatever the amount.
#[utoipa::path(post, path = "/api/admin/players/{id}/corrections", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The player's `_id`")), request_body = WalletCorrection, responses(
        (status = 200, description = "Booked, now or before under this id", body = CorrectedWallet),
        (status = 202, description = "Another admin has to approve it", body = ProposalItem),
        (status = 400, description = "No amount, no id or no reason", body = Refusal),
        (status = 403, description = "Not an admin, one's own account, or a code is wanted first", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
        (status = 409, description = "The id is another correction's", body = Refusal),
    ))]
pub async fn correct_wallet(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<WalletCorrection>,
) -> Result<Response, ApiError> {
    let amount = check_correction(form.amount.integer())?;
    let correction = Some(form.correction_id.text()).filter(|id| is_hex_id(id));
    let correction = correction.ok_or(CorrectionError::Id)?.to_owned();
    let reason = form.reason.reason()?;
    actor.does(&app, MoneyAct::CorrectWallet { id, correction, amount, reason }).await
}

impl From<BookedCorrection> for CorrectedWallet {
    fn from(BookedCorrection { posting, wallet, written_off, repeated }: BookedCorrection) -> Self {
        Self {
            wallet: wallet.balance.get(),
            owed: wallet.debt.get(),
            written_off: written_off.get(),
            repeated,
            transaction: posting.into(),
        }
    }
}
