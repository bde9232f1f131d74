//! The books as the last nightly reading has them, for an admin.

use std::collections::BTreeSet;

use app::{
    App,
    ledger::reconciliation::{self, FloatReport, Report},
};
use axum::{Json, extract::State};
use domain::{
    Kes, UserId,
    ledger::reconciliation::{Day, Difference, Figure},
};
use jiff::civil::Date;
use serde::Serialize;
use store::{ledger::reconciliation::Run, payments::receipts::DatedReceipt};
use utoipa::ToSchema;

use crate::{
    admin::switches::SwitchView,
    platform::http::{Admin, ApiError, Refusal},
};

/// Payments taken back that are shown.
const SHOWN_REVERSALS: usize = 50;
/// The days of the picture.
const SHOWN_DAYS: usize = 90;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Books {
    /// What the accounts below are of; null before the first reading. RFC 3339, UTC.
    as_of: Option<String>,
    /// Every account by the postings. What came in or is owed by somebody else is negative: together they
    /// are 0.
    accounts: Vec<AccountItem>,
    /// The last reading that was ended.
    report: Option<BooksReport>,
    /// By day, oldest first, at most 90; a day is Kenya's.
    days: Vec<BooksDay>,
    /// Whether payouts are paused, by whom and why.
    payouts: SwitchView,
    /// Since when a reading is under way. RFC 3339, UTC.
    reading_since: Option<String>,
    /// Payments that M-Pesa has taken back, newest first, at most 50.
    reversals: Vec<ReversalItem>,
}

/// A payment that M-Pesa has taken back.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReversalItem {
    /// M-Pesa's.
    receipt: String,
    user_id: String,
    username: String,
    /// In KES.
    amount: i64,
    /// What came out of the player's wallet, in KES.
    from_wallet: i64,
    /// What the player owed for it, in KES.
    owed: i64,
    /// What the operator has lost, in KES.
    lost: i64,
    /// RFC 3339, UTC.
    at: String,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountItem {
    /// `wallets`, `debts` (what players owe), `mpesa:in`, `mpesa:out`, `pot:2026-03`, `withdrawals`, `fees`,
    /// `rounding`, `losses` or `corrections`.
    name: String,
    /// In KES.
    amount: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BooksReport {
    /// Kenya's day.
    day: String,
    /// RFC 3339, UTC.
    started_at: String,
    finished_at: String,
    /// How many were read.
    wallets: u64,
    /// Of those, how many moved whenever they were read again: of them nothing is known.
    moving: u64,
    /// How many differences there are; at most 100 are shown.
    found: usize,
    differences: Vec<DifferenceItem>,
    /// Whether payouts were paused for them: not where each was known the night before.
    paused_payouts: bool,
    /// Prompts that wait for an admin, and what M-Pesa reports of them, in KES.
    set_aside: i64,
    set_asides: u64,
    /// Paid to the paybill in the last seven days and in nobody's wallet, in KES.
    unclaimed: i64,
    unclaimed_payments: u64,
    float: FloatItem,
}

/// Two figures that should be one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceItem {
    kind: &'static str,
    text: &'static str,
    /// Kenya's day, of sums by day.
    day: Option<String>,
    /// The player, payment, withdrawal, code or gameweek; empty of a whole day.
    on: String,
    /// By the postings, in KES; of `movements` a count.
    expected: i64,
    found: i64,
}

/// What M-Pesa says of the account that withdrawals are paid from. In KES cents.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FloatItem {
    /// `fits`, `differs`, `first` (there was nothing to compare with), `not-asked`, `not-answered`,
    /// `unreadable` or `no-account`.
    said: &'static str,
    cents: Option<i64>,
    /// Since M-Pesa told it last.
    change_cents: Option<i64>,
    /// By the postings.
    expected_change_cents: Option<i64>,
}

/// What moved on a day, in KES.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BooksDay {
    day: String,
    deposits: i64,
    entries: i64,
    prizes: i64,
    fees: i64,
    rounding: i64,
    /// Paid out.
    withdrawals: i64,
    refunds: i64,
}

impl From<&(Date, Day)> for BooksDay {
    fn from((date, day): &(Date, Day)) -> Self {
        let figure = |figure| day.figure(figure).get();
        Self {
            day: date.to_string(),
            deposits: figure(Figure::Deposits),
            entries: figure(Figure::Entries),
            prizes: figure(Figure::Prizes),
            fees: figure(Figure::Fees),
            rounding: figure(Figure::Rounding),
            withdrawals: figure(Figure::Withdrawals),
            refunds: figure(Figure::Refunds),
        }
    }
}

impl From<Difference> for DifferenceItem {
    fn from(difference: Difference) -> Self {
        Self {
            kind: difference.kind.into_str(),
            text: difference.kind.text(),
            day: difference.day.map(|day| day.to_string()),
            on: difference.on,
            expected: difference.expected,
            found: difference.found,
        }
    }
}

impl From<FloatReport> for FloatItem {
    fn from(float: FloatReport) -> Self {
        let silent = |said| Self { said, cents: None, change_cents: None, expected_change_cents: None };
        let compared = |said, cents, change, expected| Self {
            said,
            cents: Some(cents),
            change_cents: Some(change),
            expected_change_cents: Some(expected),
        };
        match float {
            FloatReport::NotAsked => silent("not-asked"),
            FloatReport::NotAnswered => silent("not-answered"),
            FloatReport::Unreadable => silent("unreadable"),
            FloatReport::NoAccount => silent("no-account"),
            FloatReport::First { cents } => Self { cents: Some(cents), ..silent("first") },
            FloatReport::Fits { cents, change, expected } => compared("fits", cents, change, expected),
            FloatReport::Differs { cents, change, expected } => compared("differs", cents, change, expected),
        }
    }
}

impl From<Report> for BooksReport {
    fn from(report: Report) -> Self {
        Self {
            day: report.day.to_string(),
            started_at: report.started_at.to_string(),
            finished_at: report.finished_at.to_string(),
            wallets: report.wallets,
            moving: report.moving,
            found: report.found,
            differences: report.differences.into_iter().map(DifferenceItem::from).collect(),
            paused_payouts: report.paused,
            set_aside: report.set_aside.0.get(),
            set_asides: report.set_aside.1,
            unclaimed: report.unclaimed.0.get(),
            unclaimed_payments: report.unclaimed.1,
            float: report.float.into(),
        }
    }
}

fn view(report: Option<Report>, run: Option<Run>, payouts: SwitchView) -> Books {
    let account = |(name, amount): (&String, &Kes)| AccountItem { name: name.clone(), amount: amount.get() };
    let open = run.filter(|run| run.finished_at.is_none());
    let accounts = report.iter().flat_map(|report| &report.accounts);
    let newest_first = report.iter().flat_map(|report| &report.days).take(SHOWN_DAYS);
    let mut days: Vec<BooksDay> = newest_first.map(BooksDay::from).collect();
    days.reverse();
    Books {
        as_of: report.as_ref().map(|report| report.as_of.to_string()),
        accounts: accounts.map(account).collect(),
        days,
        payouts,
        reading_since: open.map(|run| run.started_at.to_string()),
        reversals: Vec::new(),
        report: report.map(BooksReport::from),
    }
}

/// The accounts, what was off in them, and what moved by day.
#[utoipa::path(get, path = "/api/admin/books", tag = "admin", security(("bearer" = [])), responses(
    (status = 200, description = "As the last reading has them", body = Books),
    (status = 401, description = "Not logged in", body = Refusal),
    (status = 403, description = "Not an admin", body = Refusal),
))]
pub async fn get_books(State(app): State<App>, _: Admin) -> Result<Json<Books>, ApiError> {
    let report = reconciliation::latest(&app).await?;
    let run = app.store().reconciliation_run().await?;
    let switches = app.store().switches().await?;
    let books = view(report, run, switches.payouts_paused.into());
    Ok(Json(Books { reversals: reversals(&app).await?, ..books }))
}

async fn reversals(app: &App) -> Result<Vec<ReversalItem>, ApiError> {
    let found = app.store().reversed_receipts(SHOWN_REVERSALS).await?;
    let ids: BTreeSet<UserId> = found.iter().map(|dated| dated.receipt.user_id.clone()).collect();
    let players = app.store().players(&ids.into_iter().collect::<Vec<_>>()).await?;
    let name = |id: &UserId| players.iter().find(|player| player.id == *id).map(|p| p.username.to_string());
    let item = |dated: &DatedReceipt| {
        let (receipt, reversal) = (&dated.receipt, dated.receipt.reversal?);
        Some(ReversalItem {
            receipt: dated.code().to_owned(),
            user_id: receipt.user_id.to_string(),
            username: name(&receipt.user_id).unwrap_or_default(),
            amount: reversal.amount().get(),
            from_wallet: reversal.wallet.get(),
            owed: reversal.debt.get(),
            lost: reversal.loss.get(),
            at: reversal.at.to_string(),
        })
    };
    Ok(found.iter().filter_map(item).collect())
}
