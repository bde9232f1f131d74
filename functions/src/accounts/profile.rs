//! The player's own: who they are, their wallet, their movements of money and their prompts.

use app::{App, accounts::transactions, payments::own_paybill, teams::link};
use axum::{
    Json,
    extract::{Path, Query, State},
};
use domain::{Email, UserId, Username};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use store::ledger::wallets::StoredPosting;
use utoipa::{IntoParams, ToSchema};

use super::wire::RoleWord;
use crate::{
    payments::wire::{OwnPaybill, StateWord},
    platform::http::{ApiError, Caller, OneOf, Paged, Refusal},
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    #[serde(rename = "_id")]
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: UserId,
    #[schema(value_type = String, example = "Wanjiku")]
    username: Username,
    #[schema(value_type = String, example = "wanjiku@example.co.ke")]
    email: Email,
    /// Empty for an admin without a team.
    #[schema(example = "118670")]
    fpl_id: String,
    /// Whether the team is of a season that is over: a new one has to be linked before entering.
    #[schema(example = false)]
    needs_team: bool,
    /// As the official game has it; null until it was asked.
    #[schema(example = "Nairobi Rangers")]
    team_name: Option<String>,
    /// Balance, in KES.
    #[schema(example = 450)]
    wallet: i64,
    /// What was taken back and was not in the wallet any more, in KES: whatever comes in pays it first.
    #[schema(example = 0)]
    owed: i64,
    /// `player` or `admin`.
    #[schema(inline)]
    role: RoleWord,
    /// Whether an admin has suspended the account: it enters nothing, and is no admin's while it lasts.
    #[schema(example = false)]
    suspended: bool,
    paybill: OwnPaybill,
}

/// Who is logged in, with the wallet's balance.
#[utoipa::path(get, path = "/api/user", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "The caller", body = User),
))]
pub async fn get_user(State(app): State<App>, Caller(player): Caller) -> Result<Json<User>, ApiError> {
    let wallet = app.store().wallet(&player.id).await?;
    let paybill = own_paybill::OwnPaybill::of(&app, &player).await?.into();
    Ok(Json(User {
        needs_team: link::is_needed(&player, app.season().await?),
        id: player.id,
        username: player.username,
        email: player.email,
        fpl_id: player.fpl_id.map(|id| id.to_string()).unwrap_or_default(),
        team_name: player.team_name,
        wallet: wallet.balance.get(),
        owed: wallet.debt.get(),
        role: OneOf(player.role),
        suspended: player.suspended,
        paybill,
    }))
}

#[derive(Serialize, ToSchema)]
pub struct WalletBalance {
    /// In KES.
    #[schema(example = 450)]
    wallet: i64,
    /// What is owed, in KES: whatever comes in pays it first.
    #[schema(example = 0)]
    owed: i64,
}

/// A wallet's balance: for its owner and for an admin.
#[utoipa::path(get, path = "/api/users/{userId}/wallet", tag = "account", security(("bearer" = [])),
    params(("userId" = String, Path, description = "The player's `_id`", pattern = "^[0-9a-f]{32}$",
        example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")),
    responses(
        (status = 200, description = "The balance", body = WalletBalance),
        (status = 403, description = "Another player's", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
    ))]
pub async fn get_wallet(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(user_id): Path<String>,
) -> Result<Json<WalletBalance>, ApiError> {
    if user_id != caller.id.as_str() && !caller.is_admin() {
        return Err(ApiError::forbidden());
    }
    let no_such = || ApiError::not_found("There is no such player.");
    let id = UserId::parse(&user_id).map_err(|_| no_such())?;
    app.store().player(&id).await?.ok_or_else(no_such)?;
    let wallet = app.store().wallet(&id).await?;
    Ok(Json(WalletBalance { wallet: wallet.balance.get(), owed: wallet.debt.get() }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Transaction {
    #[serde(rename = "_id")]
    #[schema(example = "entry#2026-03")]
    id: String,
    /// `deposit`, `manual`, `entry`, `prize`, `refund`, `withdrawal`, `withdrawal-done`, `withdrawal-rejected`;
    /// `reversal` where M-Pesa has taken a payment back, `correction`, and `debt-paid` where what came in has
    /// paid what was owed.
    #[schema(example = "entry")]
    kind: String,
    /// What the wallet gained, in KES; negative where it gave.
    #[schema(example = json!(-50))]
    amount: i64,
    /// In KES.
    #[schema(example = 450)]
    balance_after: i64,
    /// M-Pesa's, where there is one.
    #[schema(example = "NLJ7RT61SV")]
    receipt: Option<String>,
    /// Why, where the kind does not say it.
    #[schema(example = json!(null))]
    note: Option<String>,
    /// RFC 3339, UTC.
    #[schema(example = "2026-08-20T09:00:00Z")]
    at: Timestamp,
}

impl From<StoredPosting> for Transaction {
    fn from(posting: StoredPosting) -> Self {
        Self {
            id: posting.cause,
            kind: posting.kind,
            amount: posting.amount.get(),
            balance_after: posting.balance_after.get(),
            receipt: posting.receipt,
            note: posting.note,
            at: posting.at,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TransactionsQuery {
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// The caller's movements of money, newest first.
#[utoipa::path(get, path = "/api/me/transactions", tag = "account", security(("bearer" = [])),
    params(TransactionsQuery), responses(
        (status = 200, description = "At most 50 postings to the wallet", body = Vec<Transaction>),
        (status = 400, description = "Not a cursor", body = Refusal),
    ))]
pub async fn list_transactions(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<TransactionsQuery>,
) -> Result<Paged<Vec<Transaction>>, ApiError> {
    let page = transactions::page(&app, &caller.id, query.cursor.as_deref()).await?;
    let body = page.items.into_iter().map(Transaction::from).collect();
    Ok(Paged { body, cursor: page.cursor })
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    #[schema(example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    checkout_id: String,
    /// In KES.
    #[schema(example = 500)]
    amount: i64,
    /// The entry it pays for, in KES; absent for a deposit.
    #[schema(example = 50)]
    entry_amount: Option<i64>,
    /// `SUCCESS`, `FAILED` or `PENDING`.
    #[schema(inline)]
    state: StateWord,
    /// Why it failed, or why it made no entry.
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
