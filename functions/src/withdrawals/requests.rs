//! Money out (spec §4, §5 "Withdrawal"): asked for by the player, ended by an admin, or sent by M-Pesa
//! and ended by what M-Pesa says.

use std::collections::BTreeSet;

use app::{
    App,
    platform::{
        idempotency::{self, KeyCheck},
        security_log::{Event, SecurityEntry},
    },
    withdrawals::{
        payouts::{self, PayError},
        requests::{self, Ending, RequestError},
    },
};
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::{
    Kes, MpesaPhone, Role, UserId,
    accounts::account::is_hex_id,
    ledger::postings::Posting,
    platform::idempotency::{Call, KeyError},
    withdrawals::requests::{Flag, Status, WithdrawalError},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{
    accounts::players::Player,
    admin::{audit::Who, permits::Permit},
    platform::idempotency::Binding,
    withdrawals::Withdrawal,
};
use utoipa::{IntoParams, ToSchema};

use crate::{
    admin::{acts::MoneyAct, approvals::ProposalItem},
    platform::http::{
        Actor, ApiError, Body, Caller, CallerAddress, Failure, Lenient, Refusal, Submission, cursor,
    },
};

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
    /// For the admin: whether there are flags.
    #[schema(example = false)]
    flagged: bool,
    /// For the admin, what to look at before paying: `new-number`, `after-reset`, `never-played`, `suspended`,
    /// `frozen`.
    #[schema(example = json!(["new-number"]))]
    flags: Vec<&'static str>,
    /// RFC 3339, UTC: it is not paid before then. Null: it does not wait, or has ended.
    waits_until: Option<String>,
    /// By M-Pesa: `sent` until it says what became of it, then `done` or `failed`; null where it was not
    /// sent.
    payout: Option<&'static str>,
    /// M-Pesa's, of a payout that is done.
    receipt: Option<String>,
    /// Whom M-Pesa has registered under the number, once it has said so.
    recipient_name: Option<String>,
    /// For the admin: what does not add up about it.
    trouble: Option<String>,
    /// What M-Pesa has said after it had ended: `paid` (the money that had gone back is taken again),
    /// `failed` (it is back in the wallet), `paid-twice` (the operator's loss).
    corrected: Option<&'static str>,
}

impl From<Withdrawal> for WithdrawalItem {
    fn from(withdrawal: Withdrawal) -> Self {
        let flags = withdrawal.flags();
        let waits_until = withdrawal.waits_until().filter(|_| withdrawal.status == Status::Pending);
        let payout = withdrawal.payout;
        Self {
            flagged: !flags.is_empty(),
            flags: flags.into_iter().map(|flag| flag.into_str()).collect(),
            waits_until: waits_until.map(|until| until.to_string()),
            payout: payout.as_ref().map(|payout| payout.state.into_str()),
            receipt: payout.as_ref().and_then(|payout| payout.receipt.clone()),
            recipient_name: payout.and_then(|payout| payout.recipient),
            trouble: withdrawal.trouble,
            corrected: withdrawal.corrected.map(|correction| correction.into_str()),
            id: withdrawal.id,
            user_id: withdrawal.user_id.to_string(),
            username: withdrawal.username.to_string(),
            mpesa_number: withdrawal.phone.local(),
            amount: withdrawal.amount.get(),
            status: withdrawal.status.into_str(),
            created_at: withdrawal.created_at.to_string(),
            reason: withdrawal.reason,
        }
    }
}

impl WithdrawalItem {
    /// What does not add up, and what looks odd, is the admin's to know.
    fn for_player(self) -> Self {
        Self { trouble: None, flagged: false, flags: Vec::new(), ..self }
    }

    /// With how its account stands now.
    fn of(self, player: Option<&Player>) -> Self {
        let now = [
            (Flag::Suspended, player.is_some_and(|p| p.suspended)),
            (Flag::Frozen, player.is_some_and(|p| p.frozen)),
        ];
        let mut flags = self.flags;
        for (flag, _) in now
            .into_iter()
            .filter(|(flag, is_so)| *is_so && !flags.contains(&flag.into_str()))
            .collect::<Vec<_>>()
        {
            flags.push(flag.into_str());
        }
        Self { flagged: !flags.is_empty(), flags, ..self }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
    /// For an admin: this player's, ended ones too.
    #[param(pattern = "^[0-9a-f]{32}$", example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
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
        let all = app.store().withdrawals_of(&of).await?;
        let shown = match player.role {
            Role::Admin => shown_to_admin(&app, all).await?,
            Role::Player => all.into_iter().map(|one| WithdrawalItem::from(one).for_player()).collect(),
        };
        return Ok(Json(shown).into_response());
    }
    let page = app.store().pending_withdrawals(cursor(query.cursor.as_deref())?, PAGE).await?;
    let body = Json(shown_to_admin(&app, page.items).await?);
    Ok(match page.cursor {
        Some(cursor) => ([("x-next-cursor", cursor)], body).into_response(),
        None => body.into_response(),
    })
}

/// With what is odd about them, and about their accounts now.
async fn shown_to_admin(app: &App, withdrawals: Vec<Withdrawal>) -> Result<Vec<WithdrawalItem>, ApiError> {
    let ids: BTreeSet<UserId> = withdrawals.iter().map(|withdrawal| withdrawal.user_id.clone()).collect();
    let players = app.store().players(&ids.into_iter().collect::<Vec<_>>()).await?;
    let of = |withdrawal: &Withdrawal| players.iter().find(|player| player.id == withdrawal.user_id);
    Ok(withdrawals
        .into_iter()
        .map(|one| {
            let player = of(&one);
            WithdrawalItem::from(one).of(player)
        })
        .collect())
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalRequest {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0712345678")]
    mpesa_number: Lenient,
    /// Whole KES, at least 60.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 450)]
    amount: Lenient,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WithdrawalRequested {
    message: &'static str,
    /// After the money has left it, in KES.
    wallet_balance: i64,
    #[serde(rename = "_id")]
    id: String,
    /// RFC 3339, UTC: to a number that is not the player's own it is not paid before then. Null: it does not
    /// wait.
    waits_until: Option<String>,
}

/// Takes the money out of the wallet and puts the request before an admin.
#[utoipa::path(post, path = "/api/withdraw", tag = "withdrawals", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = WithdrawalRequest, responses(
        (status = 201, description = "Requested", body = WithdrawalRequested),
        (status = 400, description = "A field is not in order, or the wallet does not cover it", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 409, description = "The key is another request's, the account is frozen, or a prize is touched whose team is not proved (`prove`)", body = Refusal),
    ))]
pub async fn request_withdrawal(
    State(app): State<App>,
    Caller(player): Caller,
    address: CallerAddress,
    Submission { form, key }: Submission<WithdrawalRequest>,
) -> Result<Response, ApiError> {
    let check = async || idempotency::check(&app, &player.id, Call::Withdraw, key.as_ref()).await;
    let binding = match check().await? {
        KeyCheck::Again(id) => return first_answer(&app, &player, id).await,
        KeyCheck::Act(binding) => binding,
    };
    match withdraw(&app, &player, address, &form, binding).await {
        // Of two at once, the one that is refused because the other has acted has its answer too.
        Err(refused) if key.is_some() => match check().await? {
            KeyCheck::Again(id) => first_answer(&app, &player, id).await,
            KeyCheck::Act(_) => Err(refused),
        },
        outcome => outcome,
    }
}

async fn withdraw(
    app: &App,
    player: &Player,
    address: CallerAddress,
    form: &WithdrawalRequest,
    binding: Option<Binding>,
) -> Result<Response, ApiError> {
    let phone = MpesaPhone::for_withdrawal(form.mpesa_number.text()).map_err(ApiError::bad_request)?;
    let amount = form.amount.integer().map(Kes::new).ok_or(WithdrawalError::Amount);
    let amount = amount.map_err(ApiError::bad_request)?;
    let request = requests::Request { phone, amount, binding };
    let (withdrawal, balance) = requests::request(app, player, &request).await?.map_err(refused)?;
    let line = SecurityEntry::new(Event::WithdrawalRequested).of(&player.id).on(&withdrawal.id);
    app.log_security(line.from(address.ip())).await;
    Ok(accepted(&withdrawal, balance))
}

fn refused(error: RequestError) -> ApiError {
    match error {
        RequestError::Key(error) => error.into(),
        RequestError::Withdrawal(WithdrawalError::Frozen) => ApiError::conflict(error),
        RequestError::Withdrawal(_) => ApiError::bad_request(error),
        RequestError::Unproved { team, .. } => {
            ApiError::conflict(error).with("prove", team.fpl_id.to_string())
        }
        RequestError::SetAside { .. } => ApiError::conflict(error),
    }
}
/// The answer that a request had when it was accepted: its posting carries the balance after it.
async fn first_answer(app: &App, player: &Player, id: String) -> Result<Response, ApiError> {
    let withdrawal = app.store().withdrawal(&id).await?.ok_or(KeyError::UnderWay)?;
    let cause = Posting::withdrawal_requested(&player.id, &id, withdrawal.amount).cause().key();
    let posting = app.store().posting(&player.id, &cause).await?.ok_or(KeyError::UnderWay)?;
    Ok(accepted(&withdrawal, posting.balance_after))
}

fn accepted(withdrawal: &Withdrawal, balance: Kes) -> Response {
    let body = WithdrawalRequested {
        message: "Withdrawal request submitted successfully!",
        wallet_balance: balance.get(),
        id: withdrawal.id.clone(),
        waits_until: withdrawal.waits_until().map(|until| until.to_string()),
    };
    (StatusCode::CREATED, Json(body)).into_response()
}

#[derive(Deserialize, ToSchema)]
pub struct WithdrawalUpdate {
    /// `done` or `rejected`.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "done")]
    status: Lenient,
    /// Why it is rejected; the player reads it.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reason: Lenient,
}

/// Ends a pending withdrawal: done (the money was sent), or rejected (the money goes back).
#[utoipa::path(put, path = "/api/withdraw/{id}", tag = "withdrawals", security(("bearer" = [])),
    params(("id" = String, Path, description = "The withdrawal's `_id`")),
    request_body = WithdrawalUpdate, responses(
        (status = 200, description = "As it stands now", body = WithdrawalItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 400, description = "Neither done nor rejected, or no reason", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such withdrawal", body = Refusal),
        (status = 409, description = "It has ended the other way, M-Pesa is paying it, it still waits, the account is frozen, or the day's ceiling", body = Refusal),
    ))]
pub async fn update_withdrawal(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<WithdrawalUpdate>,
) -> Result<Response, ApiError> {
    match ending(&form)? {
        Ending::Done => actor.does(&app, MoneyAct::MarkDone { id }).await,
        rejected @ Ending::Rejected { .. } => {
            let withdrawal = find(&app, &id).await?;
            actor.not_own(&withdrawal.user_id)?;
            let permit = Permit::plain(Who::admin(&actor.admin), app.clock().now());
            end(&app, &withdrawal, &rejected, &permit).await
        }
    }
}

/// Marks a withdrawal as done by `permit`.
pub(crate) async fn mark_done(app: &App, id: &str, permit: &Permit) -> Result<Response, ApiError> {
    end(app, &find(app, id).await?, &Ending::Done, permit).await
}

async fn end(
    app: &App,
    withdrawal: &Withdrawal,
    ending: &Ending,
    permit: &Permit,
) -> Result<Response, ApiError> {
    let ended = requests::end(app, withdrawal, ending, permit).await?;
    let status = ending.status();
    let by = permit.who.person();
    tracing::info!(?by, withdrawal = withdrawal.id, status = status.into_str(), ended, "withdrawal");
    if ended {
        log(app, event(status), withdrawal, permit).await;
    }
    let now = find(app, &withdrawal.id).await?;
    if now.status == status {
        Ok(Json(WithdrawalItem::from(now)).into_response())
    } else {
        Err(ApiError::conflict(payouts::against(app, &now).await?))
    }
}

/// Sends a pending withdrawal's money by M-Pesa. It stays pending until M-Pesa says what became of it:
/// done, or rejected with the money back.
#[utoipa::path(post, path = "/api/withdraw/{id}/pay", tag = "withdrawals", security(("bearer" = [])),
    params(("id" = String, Path, description = "The withdrawal's `_id`")),
    responses(
        (status = 200, description = "Sent", body = WithdrawalItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such withdrawal", body = Refusal),
        (status = 409, description = "It has ended, M-Pesa is paying it, it still waits, the account is frozen, payouts are paused, or the day's ceiling", body = Refusal),
        (status = 503, description = "M-Pesa did not accept it: nothing was sent", body = Failure),
    ))]
pub async fn pay_withdrawal(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    actor.does(&app, MoneyAct::Pay { id }).await
}

/// Sends a withdrawal by M-Pesa by `permit`.
pub(crate) async fn pay(app: &App, id: &str, permit: &Permit) -> Result<Response, ApiError> {
    let withdrawal = find(app, id).await?;
    let sent = payouts::pay(app, &withdrawal, permit).await?;
    tracing::info!(by = ?permit.who.person(), withdrawal = id, ?sent, "payout");
    if sent.is_ok() {
        log(app, Event::PayoutSent, &withdrawal, permit).await;
    }
    match sent {
        Ok(()) => Ok(Json(WithdrawalItem::from(find(app, id).await?)).into_response()),
        Err(error @ PayError::NotSent(_)) => Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, error)),
        Err(error) => Err(ApiError::conflict(error)),
    }
}

fn event(status: Status) -> Event {
    match status {
        Status::Rejected => Event::WithdrawalRejected,
        Status::Done | Status::Pending => Event::WithdrawalDone,
    }
}

async fn log(app: &App, event: Event, withdrawal: &Withdrawal, permit: &Permit) {
    let line = SecurityEntry::new(event).of(&withdrawal.user_id).on(&withdrawal.id);
    let line = match permit.who.person() {
        Some((admin, _)) => line.by(admin),
        None => line,
    };
    app.log_security(line).await;
}

pub(crate) async fn find(app: &App, id: &str) -> Result<Withdrawal, ApiError> {
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
