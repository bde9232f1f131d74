//! Postings, withdrawals, prompts and taxes of a period as tables, in pages that are appended to each other: an
//! answer of a function has at most 6 MB, and a season has more.

use app::{
    App,
    admin::exports::{self, Export, Period, Row},
};
use axum::{
    extract::{Path, State},
    response::Response,
};
use domain::{Kes, ledger::reconciliation::day_of, payments::prompt::PaymentState};
use jiff::civil::Date;
use serde::Deserialize;
use store::{ledger::wallets::DatedPosting, payments::prompts::Payment, withdrawals::Withdrawal};
use utoipa::IntoParams;

use crate::platform::http::{
    Admin, ApiError, OneOf, Query, Refusal,
    csv::{self, Cell},
    cursor,
};

type ExportWord = OneOf<Export>;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// The first day, in Kenya: `2026-11-01`. By default the first of the current month.
    #[param(format = Date, example = "2026-08-01")]
    from: Option<String>,
    /// The last day, in Kenya. By default today.
    #[param(format = Date, example = "2026-08-31")]
    to: Option<String>,
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

/// A table of what came about in a period of Kenya's days, oldest first: `postings` (every movement of money), `withdrawals`
/// (by when they were asked for), `payments` (prompts, by when they were sent) or `taxes` (withholding tax, by when a
/// withdrawal was paid, and excise, by when a deposit was credited, with the month). The first page has the
/// head: the pages make one file.
#[utoipa::path(get, path = "/api/admin/exports/{what}", tag = "admin", security(("bearer" = [])),
    params(("what" = inline(ExportWord), Path, description = "`postings`, `withdrawals`, `payments` or `taxes`"), ExportQuery),
    responses(
        (status = 200, description = "At most 1,000 rows", content_type = "text/csv", body = String,
            example = "at,userId,cause,kind,amount,balanceAfter,receipt,legs\r\n"),
        (status = 400, description = "Not a day, or not a cursor", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such table", body = Refusal),
    ))]
pub async fn export_table(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(what): Path<String>,
    Query(query): Query<ExportQuery>,
) -> Result<Response, ApiError> {
    let export: Export = what.parse().map_err(|_| ApiError::not_found("There is no such table."))?;
    let period = Period::asked(&app, date(query.from.as_deref())?, date(query.to.as_deref())?);
    let Period { from, to } = period;
    let after = cursor(query.cursor.as_deref())?;
    let page = exports::page(&app, export, period, after).await?;
    tracing::info!(admin = %admin.id, what, %from, %to, rows = page.items.len(), "export");
    let head = after.is_none().then(|| head(export));
    Ok(csv::page(&format!("{what}-{from}-{to}"), head, page.items.into_iter().map(row), page.cursor))
}

fn date(sent: Option<&str>) -> Result<Option<Date>, ApiError> {
    let parsed = sent.map(str::parse).transpose();
    parsed.map_err(|_| ApiError::bad_request("A day is written 2026-11-20."))
}

fn head(export: Export) -> &'static [&'static str] {
    match export {
        Export::Postings => &["at", "userId", "cause", "kind", "amount", "balanceAfter", "receipt", "legs"],
        Export::Withdrawals => &[
            "id",
            "createdAt",
            "userId",
            "username",
            "mpesaNumber",
            "amount",
            "status",
            "endedAt",
            "reason",
            "payout",
            "receipt",
            "recipientName",
            "flagged",
            "trouble",
            "tax",
            "pays",
            "corrected",
        ],
        Export::Taxes => &["month", "tax", "at", "userId", "cause", "ratePercent", "amount"],
        Export::Payments => &[
            "id",
            "createdAt",
            "userId",
            "phone",
            "amount",
            "gameweek",
            "entryAmount",
            "state",
            "entered",
            "receipt",
            "decidedAt",
            "reason",
            "flagged",
            "checkoutRequestId",
            "credited",
        ],
    }
}

fn row(row: Row) -> Vec<Cell> {
    match row {
        Row::Posting(dated) => posting(*dated),
        Row::Withdrawal(requested) => withdrawal(*requested),
        Row::Payment(sent) => payment(*sent),
        Row::Tax(dated, which, amount) => tax(*dated, which, amount),
    }
}

fn posting(dated: DatedPosting) -> Vec<Cell> {
    let player = dated.user_id().map(str::to_owned);
    let posting = dated.posting;
    let leg = |leg: &domain::ledger::postings::Leg| format!("{} {}", leg.account, leg.amount.get());
    let legs: Vec<String> = posting.legs.iter().map(leg).collect();
    vec![
        posting.at.to_string().into(),
        player.into(),
        posting.cause.into(),
        posting.kind.into(),
        posting.amount.get().into(),
        posting.version.map(|_| posting.balance_after.get()).into(),
        posting.receipt.into(),
        legs.join("; ").into(),
    ]
}

/// Of a correction or a reversal the amount may be negative: it is not kept back after all. The month is Kenya's.
fn tax(dated: DatedPosting, which: &'static str, amount: Kes) -> Vec<Cell> {
    let player = dated.user_id().map(str::to_owned);
    let posting = dated.posting;
    vec![
        day_of(posting.at).strftime("%Y-%m").to_string().into(),
        which.into(),
        posting.at.to_string().into(),
        player.into(),
        posting.cause.clone().into(),
        posting.tax.map(|tax| tax.rate.percent().to_string()).into(),
        amount.get().into(),
    ]
}

fn withdrawal(withdrawal: Withdrawal) -> Vec<Cell> {
    let flags = withdrawal.flags();
    let came_back = withdrawal.has_come_back();
    let [tax, pays] =
        [withdrawal.withheld(), withdrawal.paid_amount()].map(|amount| (!came_back).then_some(amount.get()));
    let payout = withdrawal.payout;
    vec![
        withdrawal.id.into(),
        withdrawal.created_at.to_string().into(),
        withdrawal.user_id.to_string().into(),
        withdrawal.username.to_string().into(),
        withdrawal.phone.local().into(),
        withdrawal.amount.get().into(),
        withdrawal.status.into_str().into(),
        withdrawal.ended_at.map(|at| at.to_string()).into(),
        withdrawal.reason.into(),
        payout.as_ref().map(|payout| payout.state.into_str()).into(),
        payout.as_ref().and_then(|payout| payout.receipt.clone()).into(),
        payout.and_then(|payout| payout.recipient).into(),
        (!flags.is_empty()).into(),
        withdrawal.trouble.into(),
        tax.into(),
        pays.into(),
        withdrawal.corrected.map(|correction| correction.into_str()).into(),
    ]
}

fn payment(payment: Payment) -> Vec<Cell> {
    let entry = payment.entry;
    let credited =
        (payment.state == PaymentState::Success).then(|| payment.credited.unwrap_or(payment.amount));
    vec![
        payment.id.into(),
        payment.created_at.to_string().into(),
        payment.user_id.to_string().into(),
        payment.phone.local().into(),
        payment.amount.get().into(),
        entry.map(|entry| entry.gameweek.to_string()).into(),
        entry.map(|entry| entry.amount.kes().get()).into(),
        payment.state.into_str().into(),
        payment.entered.into(),
        payment.receipt.into(),
        payment.decided_at.map(|at| at.to_string()).into(),
        payment.reason.into(),
        payment.flagged.into(),
        payment.checkout_request_id.into(),
        credited.map(Kes::get).into(),
    ]
}
