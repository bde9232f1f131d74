//! A player's movements of money.

use app::{App, ledger::transactions};
use axum::extract::State;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::ledger::wallets::StoredPosting;
use utoipa::{IntoParams, ToSchema};

use super::wire::WithheldTax;
use crate::platform::http::{ApiError, Caller, Paged, Query, Refusal, cursor};

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
    /// Of a withdrawal the withholding tax that is kept back, where there is one: M-Pesa pays the rest. Of a deposit the excise
    /// that was taken, beside `amount`; of a `reversal` the excise that went back.
    tax: Option<WithheldTax>,
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
            tax: posting.tax.map(WithheldTax::from),
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
    let page = transactions::page(&app, &caller.id, cursor(query.cursor.as_deref())?).await?;
    let body = page.items.into_iter().map(Transaction::from).collect();
    Ok(Paged { body, cursor: page.cursor })
}
