//! The books as the last nightly reading has them, for an admin.

use app::{
    App,
    ledger::{
        overview::{Overview, overview},
        reconciliation::{FloatReport, Report},
    },
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    Kes, Username,
    ledger::reconciliation::{DayTotals, Difference, Figure, Kind},
};
use http::HeaderMap;
use jiff::{Timestamp, civil::Date};
use serde::Serialize;
use store::payments::receipts::DatedReceipt;
use utoipa::ToSchema;

use crate::{
    admin::switches::SwitchView,
    platform::http::{Admin, ApiError, OneOf, Refusal, csv},
};

type DifferenceWord = OneOf<Kind>;

/// The days of the picture.
const SHOWN_DAYS: usize = 90;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Reconciliation {
    /// What the accounts below are of; null before the first reading.
    as_of: Option<Timestamp>,
    /// Every account by the postings. What came in or is owed by somebody else is negative: together they
    /// are 0.
    accounts: Vec<AccountItem>,
    /// The last reading that was ended.
    report: Option<ReconciliationReport>,
    /// By day, oldest first, at most 90; a day is Kenya's.
    days: Vec<ReconciledDay>,
    /// Whether payouts are paused, by whom and why.
    payouts: SwitchView,
    /// Since when a reading is under way.
    reading_since: Option<Timestamp>,
    /// Payments that M-Pesa has taken back, newest first, at most 50.
    reversals: Vec<ReversalItem>,
}

/// A payment that M-Pesa has taken back.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReversalItem {
    /// M-Pesa's.
    #[schema(example = "NLJ7RT61SV")]
    receipt: String,
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: String,
    #[schema(example = "Wanjiku")]
    username: String,
    /// In KES.
    #[schema(example = 500)]
    amount: i64,
    /// What came out of the player's wallet, in KES.
    #[schema(example = 300)]
    from_wallet: i64,
    /// What the player owed for it, in KES.
    #[schema(example = 0)]
    owed: i64,
    /// What the operator has lost, in KES.
    #[schema(example = 0)]
    lost: i64,
    /// What of it was excise, in KES: it is not owed to the state any more.
    #[schema(example = 0)]
    excise: i64,
    at: Timestamp,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountItem {
    /// `wallets`, `debts` (what players owe), `mpesa:in`, `mpesa:out`, `pot:2026-03`, `withdrawals`,
    /// `tax:excise`, `tax:withholding`, `fees`, `rounding`, `losses` or `corrections`.
    #[schema(example = "wallets")]
    name: String,
    /// In KES.
    #[schema(example = 4500)]
    amount: i64,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReconciliationReport {
    /// Kenya's day.
    #[schema(example = "2026-08-20")]
    day: String,
    started_at: Timestamp,
    finished_at: Timestamp,
    /// How many were read.
    #[schema(example = 137)]
    wallets: u64,
    /// Of those, how many moved whenever they were read again: of them nothing is known.
    #[schema(example = 0)]
    moving: u64,
    /// How many differences there are; at most 100 are shown.
    #[schema(example = 1)]
    found: usize,
    differences: Vec<DifferenceItem>,
    /// Whether payouts were paused for them: not where each was known the night before.
    #[schema(example = true)]
    paused_payouts: bool,
    /// What M-Pesa reports of the prompts that wait for an admin, and is in nobody's wallet, in KES.
    #[schema(example = 600)]
    set_aside: i64,
    /// All prompts that wait for an admin.
    #[schema(example = 1)]
    set_asides: u64,
    /// Paid to the paybill in the last seven days, in nobody's wallet and not set aside, in KES.
    #[schema(example = 0)]
    unclaimed: i64,
    #[schema(example = 0)]
    unclaimed_payments: u64,
    float: FloatItem,
}

/// Two figures that should be one.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DifferenceItem {
    #[schema(inline)]
    kind: DifferenceWord,
    #[schema(example = "A wallet is not what its postings say, or is below zero.")]
    text: &'static str,
    /// Kenya's day, of sums by day.
    #[schema(example = json!(null))]
    day: Option<String>,
    /// The player, payment, withdrawal, code or gameweek; empty of a whole day.
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    on: String,
    /// By the postings, in KES; of `movements` a count.
    #[schema(example = 500)]
    expected: i64,
    #[schema(example = 450)]
    found: i64,
}

#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FloatSaid {
    Fits,
    Differs,
    /// There was nothing to compare with.
    First,
    NotAsked,
    NotAnswered,
    Unreadable,
    NoAccount,
}

/// What M-Pesa says of the account that withdrawals are paid from. In KES cents.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FloatItem {
    #[schema(inline)]
    said: FloatSaid,
    #[schema(example = 1_250_000)]
    cents: Option<i64>,
    /// Since M-Pesa told it last.
    #[schema(example = 135_000)]
    change_cents: Option<i64>,
    /// By the postings.
    #[schema(example = 135_000)]
    expected_change_cents: Option<i64>,
}

/// What moved on a day, in KES.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReconciledDay {
    #[schema(example = "2026-08-20")]
    day: String,
    #[schema(example = 1350)]
    deposits: i64,
    #[schema(example = 1350)]
    entries: i64,
    #[schema(example = 1215)]
    prizes: i64,
    #[schema(example = 134)]
    fees: i64,
    #[schema(example = 1)]
    rounding: i64,
    /// Paid out by M-Pesa, with what it has corrected on that day: below zero, where more turned out not to be paid.
    #[schema(example = 60)]
    withdrawals: i64,
    #[schema(example = 0)]
    refunds: i64,
}

impl From<&(Date, DayTotals)> for ReconciledDay {
    fn from((date, day): &(Date, DayTotals)) -> Self {
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
            kind: OneOf(difference.kind),
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
            FloatReport::NotAsked => silent(FloatSaid::NotAsked),
            FloatReport::NotAnswered => silent(FloatSaid::NotAnswered),
            FloatReport::Unreadable => silent(FloatSaid::Unreadable),
            FloatReport::NoAccount => silent(FloatSaid::NoAccount),
            FloatReport::First { cents } => Self { cents: Some(cents), ..silent(FloatSaid::First) },
            FloatReport::Fits { cents, change, expected } => {
                compared(FloatSaid::Fits, cents, change, expected)
            }
            FloatReport::Differs { cents, change, expected } => {
                compared(FloatSaid::Differs, cents, change, expected)
            }
        }
    }
}

impl From<Report> for ReconciliationReport {
    fn from(report: Report) -> Self {
        Self {
            day: report.day.to_string(),
            started_at: report.started_at,
            finished_at: report.finished_at,
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

impl From<Overview> for Reconciliation {
    fn from(Overview { report, reading_since, payouts_paused, reversals }: Overview) -> Self {
        let account =
            |(name, amount): (&String, &Kes)| AccountItem { name: name.clone(), amount: amount.get() };
        let accounts = report.iter().flat_map(|report| &report.accounts);
        let newest_first = report.iter().flat_map(|report| &report.days).take(SHOWN_DAYS);
        let mut days: Vec<ReconciledDay> = newest_first.map(ReconciledDay::from).collect();
        days.reverse();
        Self {
            as_of: report.as_ref().map(|report| report.as_of),
            accounts: accounts.map(account).collect(),
            days,
            payouts: payouts_paused.into(),
            reading_since,
            reversals: reversals.into_iter().filter_map(|(dated, name)| reversal(&dated, name)).collect(),
            report: report.map(ReconciliationReport::from),
        }
    }
}

fn reversal(dated: &DatedReceipt, name: Option<Username>) -> Option<ReversalItem> {
    let (receipt, reversal) = (&dated.receipt, dated.receipt.reversal?);
    Some(ReversalItem {
        receipt: dated.code().to_owned(),
        user_id: receipt.user_id.to_string(),
        username: name.map(|name| name.to_string()).unwrap_or_default(),
        amount: reversal.amount().get(),
        from_wallet: reversal.wallet.get(),
        owed: reversal.debt.get(),
        lost: reversal.loss.get(),
        excise: reversal.excise.get(),
        at: reversal.at,
    })
}

/// The accounts, what was off in them, and what moved by day. With `Accept: text/csv` a table of the accounts.
#[utoipa::path(get, path = "/api/admin/books", tag = "admin", security(("bearer" = [])), responses(
    (status = 200, description = "As the last reading has them", content(
        (Reconciliation = "application/json"), (String = "text/csv", example = "account,amount\r\nwallets,4500\r\n"))),
    (status = 403, description = "Not an admin", body = Refusal),
))]
pub async fn get_books(State(app): State<App>, _: Admin, headers: HeaderMap) -> Result<Response, ApiError> {
    let books = Reconciliation::from(overview(&app).await?);
    if csv::is_wanted(&headers) {
        let rows = books.accounts.into_iter().map(|account| vec![account.name.into(), account.amount.into()]);
        return Ok(csv::page("books", Some(&["account", "amount"]), rows, None));
    }
    Ok(Json(books).into_response())
}
