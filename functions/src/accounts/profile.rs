//! The player's own: who they are, their wallet, their movements of money and their prompts.

use std::fmt;

use app::{App, teams::link};
use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use domain::{Role, UserId};
use jiff::SignedDuration;
use serde::{Deserialize, Serialize};
use store::{accounts::players::Player, ledger::wallets::StoredPosting};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{ApiError, Caller, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    #[serde(rename = "_id")]
    id: String,
    username: String,
    email: String,
    /// Empty for an admin without a team.
    fpl_id: String,
    /// Whether the team is of a season that is over: a new one has to be linked before entering.
    needs_team: bool,
    /// As the official game has it; null until it was asked.
    team_name: Option<String>,
    /// Balance, in KES.
    wallet: i64,
    /// What was taken back and was not in the wallet any more, in KES: whatever comes in pays it first.
    owed: i64,
    /// `player` or `admin`.
    role: &'static str,
    paybill: OwnPaybill,
}

/// How money is sent by hand so that it is credited by itself.
#[derive(Serialize, ToSchema)]
pub struct OwnPaybill {
    /// The paybill's number.
    #[schema(example = "174379")]
    number: String,
    /// The player's own account there: six digits and a check digit.
    #[schema(example = "5720014")]
    account: String,
}

impl fmt::Display for OwnPaybill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with your account {}", self.number, self.account)
    }
}

impl OwnPaybill {
    /// The player's; one of before gets an account now.
    pub async fn of(app: &App, player: &Player) -> Result<Self, ApiError> {
        let account = app.store().paybill_account(player).await?.to_string();
        Ok(Self { number: app.config().paybill.number.clone(), account })
    }
}

/// Who is logged in, with the wallet's balance.
#[utoipa::path(get, path = "/api/user", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "The caller", body = User),
    (status = 401, description = "Not logged in", body = Refusal),
))]
pub async fn get_user(State(app): State<App>, Caller(player): Caller) -> Result<Json<User>, ApiError> {
    let wallet = app.store().wallet(&player.id).await?;
    let paybill = OwnPaybill::of(&app, &player).await?;
    Ok(Json(User {
        id: player.id.to_string(),
        username: player.username.to_string(),
        email: player.email.as_str().to_owned(),
        fpl_id: player.fpl_id.map(|id| id.to_string()).unwrap_or_default(),
        needs_team: link::is_needed(&player, app.calendar().await?.as_ref()),
        team_name: player.team_name,
        wallet: wallet.balance.get(),
        owed: wallet.debt.get(),
        role: crate::accounts::auth::role(player.role),
        paybill,
    }))
}

#[derive(Serialize, ToSchema)]
pub struct WalletBalance {
    /// In KES.
    wallet: i64,
    /// What is owed, in KES: whatever comes in pays it first.
    owed: i64,
}

/// A wallet's balance: for its owner and for an admin.
#[utoipa::path(get, path = "/api/users/{userId}/wallet", tag = "account", security(("bearer" = [])),
    params(("userId" = String, Path, description = "The player's `_id`")),
    responses(
        (status = 200, description = "The balance", body = WalletBalance),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Another player's", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
    ))]
pub async fn get_wallet(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(user_id): Path<String>,
) -> Result<Json<WalletBalance>, ApiError> {
    if user_id != caller.id.as_str() && caller.role != Role::Admin {
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
    id: String,
    /// `deposit`, `manual`, `entry`, `prize`, `refund`, `withdrawal`, `withdrawal-done`, `withdrawal-rejected`;
    /// `reversal` where M-Pesa has taken a payment back, `correction`, and `debt-paid` where what came in has
    /// paid what was owed.
    kind: String,
    /// What the wallet gained, in KES; negative where it gave.
    amount: i64,
    /// In KES.
    balance_after: i64,
    /// M-Pesa's, where there is one.
    receipt: Option<String>,
    /// Why, where the kind does not say it.
    note: Option<String>,
    /// RFC 3339, UTC.
    at: String,
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
            at: posting.at.to_string(),
        }
    }
}

/// Movements on one page.
const PAGE: usize = 50;

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
        (status = 401, description = "Not logged in", body = Refusal),
    ))]
pub async fn list_transactions(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<TransactionsQuery>,
) -> Result<Response, ApiError> {
    let (shown, next) = transactions_page(&app, &caller.id, query.cursor).await?;
    let body = Json(shown);
    Ok(match next {
        Some(cursor) => ([("x-next-cursor", cursor)], body).into_response(),
        None => body.into_response(),
    })
}

/// A page of a player's movements of money, and the next page's cursor.
pub(crate) async fn transactions_page(
    app: &App,
    player: &UserId,
    cursor: Option<String>,
) -> Result<(Vec<Transaction>, Option<String>), ApiError> {
    // The wallet's version numbers its postings: the cursor is the last one shown.
    let before = cursor.map_or(Ok(u64::MAX), |cursor| cursor.parse::<u64>());
    let before = before.map_err(|_| ApiError::bad_request("That is not a cursor."))?;
    let mut of_the_wallet: Vec<(u64, StoredPosting)> = app
        .store()
        .postings(player)
        .await?
        .into_iter()
        .filter_map(|posting| posting.version.filter(|version| *version < before).map(|v| (v, posting)))
        .collect();
    of_the_wallet.sort_by_key(|(version, _)| std::cmp::Reverse(*version));
    let more = of_the_wallet.len() > PAGE;
    of_the_wallet.truncate(PAGE);
    let next = of_the_wallet.last().filter(|_| more).map(|(version, _)| version.to_string());
    Ok((of_the_wallet.into_iter().map(|(_, posting)| posting.into()).collect(), next))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prompt {
    checkout_id: String,
    /// In KES.
    amount: i64,
    /// The entry it pays for, in KES; absent for a deposit.
    entry_amount: Option<i64>,
    /// `SUCCESS`, `FAILED` or `PENDING`.
    state: &'static str,
    /// Why it failed, or why it made no entry.
    reason: Option<String>,
    /// Whether it made the entry it was for.
    entered: bool,
    /// RFC 3339, UTC.
    at: String,
}

/// The caller's M-Pesa prompts of the last day, newest first: one that was decided after the page was
/// closed is seen here.
#[utoipa::path(get, path = "/api/me/payments", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "Prompts of the last 24 hours", body = Vec<Prompt>),
    (status = 401, description = "Not logged in", body = Refusal),
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
        state: payment.state.shown(),
        reason: payment.reason,
        entered: payment.entered,
        at: payment.created_at.to_string(),
    });
    Ok(Json(shown.collect()))
}
