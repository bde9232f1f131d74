//! Money out (spec §4, §5 "Withdrawal"): asked for by the player, ended by an admin, or sent by M-Pesa
//! and ended by what M-Pesa says.

use app::{
    App,
    admin::acts::MoneyAct,
    withdrawals::{
        endings::{self, Ending},
        list,
        requests::{self, Accepted, Request},
    },
};
use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::UserId;
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::{Page, accounts::players::Player};
use strum::{EnumString, IntoStaticStr, VariantArray};
use utoipa::{IntoParams, ToSchema};

use crate::{
    accounts::refusals::no_such_player,
    admin::approvals::ProposalItem,
    platform::http::{
        Actor, ApiError, Body, Caller, CallerAddress, Failure, Lenient, OneOf, Paged, Query, Refusal,
        Submission, cursor,
    },
    withdrawals::wire::WithdrawalItem,
};

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
        (status = 403, description = "Another player's", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
    ))]
pub async fn list_withdrawals(
    State(app): State<App>,
    Caller(player): Caller,
    Query(query): Query<ListQuery>,
) -> Result<Paged<Vec<WithdrawalItem>>, ApiError> {
    let after = cursor(query.cursor.as_deref())?;
    let page = match asked_player(&player, query.user_id.as_deref())? {
        Some(whose) => Page { items: list::of_player(&app, &whose, player.is_admin()).await?, cursor: None },
        None => list::pending(&app, after).await?,
    };
    let body = page.items.into_iter().map(WithdrawalItem::from).collect();
    Ok(Paged { body, cursor: page.cursor })
}

/// Whose withdrawals the caller may see; `None`: all that wait.
fn asked_player(caller: &Player, asked: Option<&str>) -> Result<Option<UserId>, ApiError> {
    match asked {
        None if caller.is_admin() => Ok(None),
        None => Ok(Some(caller.id.clone())),
        Some(id) if caller.is_admin() || id == caller.id.as_str() => {
            UserId::parse(id).map(Some).map_err(|_| no_such_player())
        }
        Some(_) => Err(ApiError::forbidden()),
    }
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
    #[schema(example = "Withdrawal request submitted successfully!")]
    message: &'static str,
    /// After the money has left it, in KES.
    #[schema(example = 0)]
    wallet_balance: i64,
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
    /// To a number that is not the player's own it is not paid before then. Null: it does not wait.
    #[schema(example = json!(null))]
    waits_until: Option<Timestamp>,
}

/// Takes the money out of the wallet and puts the request before an admin.
#[utoipa::path(post, path = "/api/withdraw", tag = "withdrawals", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = WithdrawalRequest, responses(
        (status = 201, description = "Requested", body = WithdrawalRequested),
        (status = 400, description = "A field is not in order, the wallet does not cover it, or the caller owes something", body = Refusal),
        (status = 409, description = "The key is another request's, the account is frozen, money cannot be sent to this number, or a \
            prize is touched whose team is not proved (`prove`) or not the caller's any more", body = Refusal),
        (status = 429, description = "Too many withdrawals today", body = Refusal),
    ))]
pub async fn request_withdrawal(
    State(app): State<App>,
    Caller(player): Caller,
    address: CallerAddress,
    Submission { form, key }: Submission<WithdrawalRequest>,
) -> Result<(StatusCode, Json<WithdrawalRequested>), ApiError> {
    let request = Request {
        phone: form.mpesa_number.text(),
        amount: form.amount.integer(),
        key: key.as_ref(),
        from: address.ip(),
    };
    let Accepted { withdrawal, balance } = requests::request(&app, &player, request).await?;
    let body = WithdrawalRequested {
        message: "Withdrawal request submitted successfully!",
        wallet_balance: balance.get(),
        waits_until: withdrawal.waits_until(),
        id: withdrawal.id,
    };
    Ok((StatusCode::CREATED, Json(body)))
}

type EndWord = OneOf<End>;

/// What an admin can make of a withdrawal that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "lowercase")]
enum End {
    Done,
    Rejected,
}

#[derive(Deserialize, ToSchema)]
pub struct WithdrawalUpdate {
    /// `done` or `rejected`.
    #[serde(default)]
    #[schema(value_type = EndWord, inline, required = true)]
    status: Lenient,
    /// Why it is rejected; the player reads it.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "The number is not registered for M-Pesa.")]
    reason: Lenient,
}

/// Ends a pending withdrawal: done (the money was sent), or rejected (the money goes back).
#[utoipa::path(put, path = "/api/withdraw/{id}", tag = "withdrawals", security(("bearer" = [])),
    params(("id" = String, Path, description = "The withdrawal's `_id`")),
    request_body = WithdrawalUpdate, responses(
        (status = 200, description = "As it stands now", body = WithdrawalItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 400, description = "Neither done nor rejected, or no reason", body = Refusal),
        (status = 403, description = "Not an admin, one's own account or number, or (for `done`) a code is wanted first", body = Refusal),
        (status = 404, description = "No such withdrawal", body = Refusal),
        (status = 409, description = "It has ended the other way, M-Pesa is paying it, it is said to be sent by hand, it still waits, \
            the account is frozen or owes something, or the day's ceiling is reached", body = Refusal),
    ))]
pub async fn update_withdrawal(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<WithdrawalUpdate>,
) -> Result<Response, ApiError> {
    let reason = match ending(&form)? {
        Ending::Done => return actor.does(&app, MoneyAct::MarkDone { id }).await,
        Ending::Rejected { reason } => reason,
    };
    let ended = endings::reject(&app, &actor.admin, &id, reason).await?;
    Ok(Json(WithdrawalItem::from(ended)).into_response())
}

/// Sends a pending withdrawal's money by M-Pesa. It stays pending until M-Pesa says what became of it:
/// done, or rejected with the money back.
#[utoipa::path(post, path = "/api/withdraw/{id}/pay", tag = "withdrawals", security(("bearer" = [])),
    params(("id" = String, Path, description = "The withdrawal's `_id`")),
    responses(
        (status = 200, description = "Sent", body = WithdrawalItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 403, description = "Not an admin, one's own account or number, or a code is wanted first", body = Refusal),
        (status = 404, description = "No such withdrawal", body = Refusal),
        (status = 409, description = "It has ended, M-Pesa is paying it, it is said to be sent by hand, it still waits, the account is \
            frozen or owes something, payouts are paused, or the day's ceiling is reached", body = Refusal),
        (status = 503, description = "M-Pesa did not accept it: nothing was sent", body = Failure),
    ))]
pub async fn pay_withdrawal(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    actor.does(&app, MoneyAct::Pay { id }).await
}

fn ending(form: &WithdrawalUpdate) -> Result<Ending, ApiError> {
    let status = form.status.text().parse();
    let status = status.map_err(|_| ApiError::bad_request("The status has to be done or rejected."))?;
    Ok(match status {
        End::Done => Ending::Done,
        End::Rejected => Ending::Rejected { reason: form.reason.reason()? },
    })
}
