//! Money out (spec §4, §5 "Withdrawal"): asked for by the player, ended by an admin, or sent by M-Pesa
//! and ended by what M-Pesa says.

use app::{
    App,
    idempotency::{self, Look},
    payouts::{self, PayError},
    withdrawals::{self, Ending},
};
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::{
    Kes, MpesaPhone, Role, UserId,
    account::is_hex_id,
    idempotency::{Call, KeyError},
    ledger::Posting,
    withdrawal::{self, Status, WithdrawalError},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{
    audit::Who,
    idempotency::Binding,
    players::Player,
    time_ordered_id,
    withdrawals::{Requested, Withdrawal},
};
use utoipa::{IntoParams, ToSchema};

use crate::http::{Actor, ApiError, Body, Caller, Failure, Loose, Refusal, Submission, cursor};

/// Pending withdrawals on one page.
const PAGE: usize = 100;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalItem {
    #[serde(rename = "_id")]
    id: String,
    user_id: String,
    username: String,
    /// `07…` or `01…`.
    mpesa_number: String,
    /// In KES.
    amount: i64,
    /// `pending`, `done` or `rejected`.
    status: &'static str,
    /// RFC 3339, UTC.
    created_at: String,
    /// Why it was rejected.
    reason: Option<String>,
    /// To a new number within a day of a password reset: look twice.
    #[schema(example = false)]
    flagged: bool,
    /// By M-Pesa: `sent` until it says what became of it, then `done` or `failed`; null where it was not
    /// sent.
    payout: Option<&'static str>,
    /// M-Pesa's, of a payout that is done.
    receipt: Option<String>,
    /// Whom M-Pesa has registered under the number, once it has said so.
    recipient_name: Option<String>,
    /// For the admin: what does not add up about it.
    trouble: Option<String>,
}

impl From<Withdrawal> for WithdrawalItem {
    fn from(withdrawal: Withdrawal) -> Self {
        let payout = withdrawal.payout;
        Self {
            payout: payout.as_ref().map(|payout| payout.state.as_str()),
            receipt: payout.as_ref().and_then(|payout| payout.receipt.clone()),
            recipient_name: payout.and_then(|payout| payout.recipient),
            trouble: withdrawal.trouble,
            id: withdrawal.id,
            user_id: withdrawal.user_id.to_string(),
            username: withdrawal.username.to_string(),
            mpesa_number: withdrawal.phone.local(),
            amount: withdrawal.amount.get(),
            status: withdrawal.status.as_str(),
            created_at: withdrawal.created_at.to_string(),
            reason: withdrawal.reason,
            flagged: withdrawal.flagged,
        }
    }
}

impl WithdrawalItem {
    /// What does not add up is the admin's to know.
    fn for_player(self) -> Self {
        Self { trouble: None, ..self }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
    /// For an admin: this player's, ended ones too.
    user_id: Option<String>,
}

/// For an admin the withdrawals that wait, oldest first, or those of one player; for a player their
/// own, newest first.
#[utoipa::path(get, path = "/api/withdraw", tag = "withdrawals", security(("bearer" = [])),
    params(ListQuery), responses(
        (status = 200, description = "At most 100 withdrawals", body = Vec<WithdrawalItem>),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Another player's", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
    ))]
pub async fn list_withdrawals(
    State(app): State<App>,
    Caller(player): Caller,
    Query(query): Query<ListQuery>,
) -> Result<Response, ApiError> {
    let of = match query.user_id.as_deref() {
        None if player.role == Role::Admin => None,
        None => Some(player.id.clone()),
        Some(id) if player.role == Role::Admin || id == player.id.as_str() => {
            Some(UserId::parse(id).map_err(|_| ApiError::not_found("There is no such player."))?)
        }
        Some(_) => return Err(ApiError::forbidden()),
    };
    if let Some(of) = of {
        let all = app.store().withdrawals_of(&of).await?.into_iter().map(WithdrawalItem::from);
        let for_admin = player.role == Role::Admin;
        let shown = all.map(|item| if for_admin { item } else { item.for_player() });
        return Ok(Json(shown.collect::<Vec<_>>()).into_response());
    }
    let page = app.store().pending_withdrawals(cursor(query.cursor.as_deref())?, PAGE).await?;
    let body = Json(page.items.into_iter().map(WithdrawalItem::from).collect::<Vec<_>>());
    Ok(match page.cursor {
        Some(cursor) => ([("x-next-cursor", cursor)], body).into_response(),
        None => body.into_response(),
    })
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalRequest {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0712345678")]
    mpesa_number: Loose,
    /// Whole KES, at least 60.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 450)]
    amount: Loose,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalRequested {
    message: &'static str,
    /// After the money has left it, in KES.
    wallet_balance: i64,
    #[serde(rename = "_id")]
    id: String,
}

/// Takes the money out of the wallet and puts the request before an admin.
#[utoipa::path(post, path = "/api/withdraw", tag = "withdrawals", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = WithdrawalRequest, responses(
        (status = 201, description = "Requested", body = WithdrawalRequested),
        (status = 400, description = "A field is not in order, or the wallet does not cover it", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 409, description = "The key is another request's", body = Refusal),
    ))]
pub async fn request_withdrawal(
    State(app): State<App>,
    Caller(player): Caller,
    Submission { form, key }: Submission<WithdrawalRequest>,
) -> Result<Response, ApiError> {
    let look = async || idempotency::look(&app, &player.id, Call::Withdraw, key.as_ref()).await;
    let binding = match look().await?? {
        Look::Again(id) => return first_answer(&app, &player, id).await,
        Look::Act(binding) => binding,
    };
    match withdraw(&app, &player, &form, binding).await {
        // Of two at once, the one that is refused because the other has acted has its answer too.
        Err(refused) if key.is_some() => match look().await?? {
            Look::Again(id) => first_answer(&app, &player, id).await,
            Look::Act(_) => Err(refused),
        },
        outcome => outcome,
    }
}

async fn withdraw(
    app: &App,
    player: &Player,
    form: &WithdrawalRequest,
    binding: Option<Binding>,
) -> Result<Response, ApiError> {
    let phone = MpesaPhone::for_withdrawal(form.mpesa_number.text()).map_err(ApiError::bad_request)?;
    let amount = form.amount.integer().map(Kes::new).ok_or(WithdrawalError::Amount);
    let amount = amount.map_err(ApiError::bad_request)?;
    withdrawal::check_amount(amount).map_err(ApiError::bad_request)?;
    let flagged = withdrawals::is_to_be_watched(app, player, &phone).await?;
    let now = app.clock().now();
    let withdrawal = Withdrawal {
        id: time_ordered_id(now),
        user_id: player.id.clone(),
        username: player.username.clone(),
        phone,
        amount,
        status: Status::Pending,
        created_at: now,
        ended_at: None,
        reason: None,
        flagged,
        payout: None,
        trouble: None,
        next_question: None,
    };
    let requested = app.store().request_withdrawal(&withdrawal, binding.as_ref()).await?;
    match requested.map_err(ApiError::bad_request)? {
        Requested::Done(balance) => Ok(accepted(withdrawal.id, balance)),
        Requested::KeyTaken => Err(KeyError::UnderWay.into()),
    }
}

/// The answer that a request had when it was accepted: its posting carries the balance after it.
async fn first_answer(app: &App, player: &Player, id: String) -> Result<Response, ApiError> {
    let withdrawal = app.store().withdrawal(&id).await?.ok_or(KeyError::UnderWay)?;
    let cause = Posting::withdrawal_requested(&player.id, &id, withdrawal.amount).cause().key();
    let posting = app.store().posting(&player.id, &cause).await?.ok_or(KeyError::UnderWay)?;
    Ok(accepted(id, posting.balance_after))
}

fn accepted(id: String, balance: Kes) -> Response {
    let body = WithdrawalRequested {
        message: "Withdrawal request submitted successfully!",
        wallet_balance: balance.get(),
        id,
    };
    (StatusCode::CREATED, Json(body)).into_response()
}

#[derive(Deserialize, ToSchema)]
pub struct WithdrawalUpdate {
    /// `done` or `rejected`.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "done")]
    status: Loose,
    /// Why it is rejected; the player reads it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reason: Loose,
}

/// Ends a pending withdrawal: done (the money was sent), or rejected (the money goes back).
#[utoipa::path(put, path = "/api/withdraw/{id}", tag = "withdrawals", security(("bearer" = [])),
    params(("id" = String, Path, description = "The withdrawal's `_id`")),
    request_body = WithdrawalUpdate, responses(
        (status = 200, description = "As it stands now", body = WithdrawalItem),
        (status = 400, description = "Neither done nor rejected, or no reason", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such withdrawal", body = Refusal),
        (status = 409, description = "It has ended the other way, or M-Pesa is paying it", body = Refusal),
    ))]
pub async fn update_withdrawal(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<WithdrawalUpdate>,
) -> Result<Json<WithdrawalItem>, ApiError> {
    let (ending, admin) = (ending(&form)?, &actor.admin);
    if ending == Ending::Done {
        actor.step_up(&app)?;
    }
    let withdrawal = find(&app, &id).await?;
    actor.not_own(&withdrawal.user_id)?;
    let ended = withdrawals::end(&app, &withdrawal, &ending, Who::admin(admin)).await?;
    let status = ending.status();
    tracing::info!(admin = %admin.id, withdrawal = id, status = status.as_str(), ended, "withdrawal");
    let now = find(&app, &id).await?;
    if now.status == status { Ok(Json(now.into())) } else { Err(ApiError::conflict(payouts::against(&now))) }
}

/// Sends a pending withdrawal's money by M-Pesa. It stays pending until M-Pesa says what became of it:
/// done, or rejected with the money back.
#[utoipa::path(post, path = "/api/withdraw/{id}/pay", tag = "withdrawals", security(("bearer" = [])),
    params(("id" = String, Path, description = "The withdrawal's `_id`")),
    responses(
        (status = 200, description = "Sent", body = WithdrawalItem),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such withdrawal", body = Refusal),
        (status = 409, description = "It has ended, M-Pesa is paying it, or payouts are paused", body = Refusal),
        (status = 503, description = "M-Pesa did not accept it: nothing was sent", body = Failure),
    ))]
pub async fn pay_withdrawal(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
) -> Result<Json<WithdrawalItem>, ApiError> {
    actor.step_up(&app)?;
    let admin = &actor.admin;
    let withdrawal = find(&app, &id).await?;
    actor.not_own(&withdrawal.user_id)?;
    let sent = payouts::pay(&app, &withdrawal, admin).await?;
    tracing::info!(admin = %admin.id, withdrawal = id, ?sent, "payout");
    match sent {
        Ok(()) => Ok(Json(find(&app, &id).await?.into())),
        Err(error @ PayError::NotSent(_)) => Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error)),
        Err(error) => Err(ApiError::conflict(error)),
    }
}

async fn find(app: &App, id: &str) -> Result<Withdrawal, ApiError> {
    let no_such = || ApiError::not_found("There is no such withdrawal.");
    if !is_hex_id(id) {
        return Err(no_such());
    }
    app.store().withdrawal(id).await?.ok_or_else(no_such)
}

fn ending(form: &WithdrawalUpdate) -> Result<Ending, ApiError> {
    match (form.status.text(), form.reason.text().trim()) {
        ("done", _) => Ok(Ending::Done),
        ("rejected", "") => Err(ApiError::bad_request("Give a reason: the player reads it.")),
        ("rejected", reason) => Ok(Ending::Rejected { reason: reason.to_owned() }),
        _ => Err(ApiError::bad_request("The status has to be done or rejected.")),
    }
}
