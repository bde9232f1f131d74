//! What an admin corrects in a player's wallet (docs/decisions.md, "What is taken back").

use app::{App, admin::approvals::Stakes, ledger::taking_back};
use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::{
    Kes, UserId,
    accounts::account::is_hex_id,
    ledger::{
        postings::Cause,
        taking_back::{CorrectionError, check_correction},
    },
};
use serde::{Deserialize, Serialize};
use store::{
    accounts::players::Player,
    admin::{audit::AuditAction, permits::Permit},
    ledger::corrections::Correction,
};
use utoipa::ToSchema;

use crate::{
    accounts::profile::Transaction,
    admin::{acts::MoneyAct, approvals::ProposalItem},
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
    wallet: i64,
    /// What the player owes after it, in KES.
    owed: i64,
    /// What the wallet did not cover, in KES: the operator's loss.
    written_off: i64,
    transaction: Transaction,
}

/// Corrects a player's wallet: gives, or takes what should not be the player's. With full safeguards another
/// admin approves it, whatever the amount.
#[utoipa::path(post, path = "/api/admin/players/{id}/corrections", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The player's `_id`")), request_body = WalletCorrection, responses(
        (status = 200, description = "Booked, now or by the same call before", body = CorrectedWallet),
        (status = 202, description = "Another admin has to approve it", body = ProposalItem),
        (status = 400, description = "No amount, no id or no reason", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
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
    let amount = check_correction(form.amount.integer()).map_err(ApiError::bad_request)?;
    let correction = Some(form.correction_id.text()).filter(|id| is_hex_id(id));
    let correction = correction.ok_or_else(|| ApiError::bad_request(CorrectionError::Id))?.to_owned();
    let reason = form.reason.reason()?;
    actor.does(&app, MoneyAct::CorrectWallet { id, correction, amount, reason }).await
}

/// What is at stake with a correction: two admins, whatever the amount.
pub(crate) async fn stakes(
    app: &App,
    id: &str,
    (correction, amount): (&str, Kes),
    reason: &str,
) -> Result<Stakes, ApiError> {
    let player = find(app, id).await?;
    let cause = Cause::Correction { id: correction.to_owned() }.key();
    let booked = app.store().posting(&player.id, &cause).await?;
    let moved = if amount.is_positive() { amount } else { -amount };
    let on = format!("player {}, correction {correction}", player.id);
    let stakes = Stakes::of(AuditAction::CorrectWallet, on, (&player.id, &player.username), moved);
    Ok(Stakes { always_two: true, is_open: booked.is_none(), reason: Some(reason.to_owned()), ..stakes })
}

/// Books a correction by `permit`.
pub(crate) async fn book(
    app: &App,
    id: &str,
    (correction, amount): (&str, Kes),
    reason: &str,
    permit: &Permit,
) -> Result<Response, ApiError> {
    let player = find(app, id).await?;
    let booked = taking_back::correct(app, &player, (correction, amount), reason, permit).await?;
    tracing::info!(by = ?permit.who.person(), player = %player.id, amount = amount.get(), "correction");
    let (Correction::Done(posting) | Correction::Before(posting)) = booked else {
        return Err(ApiError::conflict(CorrectionError::Another));
    };
    let wallet = app.store().wallet(&player.id).await?;
    let lost = posting.legs.iter().filter(|leg| leg.account == "losses").map(|leg| -leg.amount.get()).sum();
    let (wallet, owed) = (wallet.balance.get(), wallet.debt.get());
    let body = CorrectedWallet { wallet, owed, written_off: lost, transaction: posting.into() };
    Ok(Json(body).into_response())
}

async fn find(app: &App, id: &str) -> Result<Player, ApiError> {
    let no_such = || ApiError::not_found("There is no such player.");
    let id = UserId::parse(id).map_err(|_| no_such())?;
    app.store().player(&id).await?.ok_or_else(no_such)
}
