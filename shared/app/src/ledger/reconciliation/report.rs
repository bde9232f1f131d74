//! What came of a reading: kept, shown, and where the books are off told, with payouts paused.

use std::collections::BTreeMap;

use domain::{
    Kes,
    ledger::reconciliation::{
        CategoryTotal, DayTotals, Difference, FloatSeen, Totals, day_of, has_new_difference,
    },
};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};
use store::ledger::reconciliation::ReconciliationRun;

use super::{
    float::{FloatReport, compare},
    sum_tree::TreeTop,
    trust,
};
use crate::{App, AppError, admin::switches};

/// So many differences are kept one by one.
const MOST_SHOWN: usize = 100;
/// The days that are kept for the picture.
const DAYS: usize = 400;

/// The books as of an instant, and what is off in them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub day: Date,
    pub started_at: Timestamp,
    pub finished_at: Timestamp,
    pub as_of: Timestamp,
    pub accounts: BTreeMap<String, Kes>,
    pub days: Vec<(Date, DayTotals)>,
    pub wallets: u64,
    pub moving: u64,
    /// All prompts that wait for an admin, and what of their money is in nobody's wallet.
    pub set_aside: CategoryTotal,
    /// Payments to the paybill that are in nobody's wallet and are not set aside.
    pub unclaimed: CategoryTotal,
    pub differences: Vec<Difference>,
    /// All of them, shown or not.
    pub found: usize,
    /// Whether it paused payouts.
    pub paused: bool,
    pub float: FloatReport,
    /// What M-Pesa told last, for the next comparison.
    #[serde(default)]
    pub float_seen: Option<FloatSeen>,
}

/// What came of the last reading.
///
/// # Errors
/// The table does not answer, or the report was written by something else.
pub async fn latest(app: &App) -> Result<Option<Report>, AppError> {
    let Some(text) = app.store().reconciliation_report().await? else { return Ok(None) };
    let report = serde_json::from_str(&text);
    report.map(Some).map_err(|error| AppError::Internal(format!("a report of the books: {error}")))
}

/// Ends a reading. Dying in the midst of it, or doing it twice, comes to the same: the pause first, the
/// end last.
pub(super) async fn conclude(
    app: &App,
    run: &ReconciliationRun,
    totals: &Totals,
    top: Option<TreeTop>,
    (differences, left_out): (Vec<Difference>, usize),
) -> Result<(), AppError> {
    let before = latest(app).await?;
    let now = app.clock().now();
    if before.as_ref().is_some_and(|before| before.started_at == run.started_at) {
        return finish(app, run, now).await;
    }
    let seen_before = before.as_ref().and_then(|before| before.float_seen.as_ref());
    let (float, float_seen) = compare(app, run, totals, seen_before).await?;
    let known = before.as_ref().map_or(&[][..], |before| &before.differences);
    let found = differences.len() + left_out;
    let more = found > before.as_ref().map_or(0, |before| before.found);
    let paused = more || has_new_difference(known, &differences[..differences.len().min(MOST_SHOWN)]);
    let day = day_of(run.as_of);
    if let Some(first) = differences.first() {
        tracing::error!(%day, found, ?first, alarm = "books", "the books are off");
        if paused {
            switches::pause_payouts_by_machine(app, &why(day, first, found)).await?;
        }
    }
    if let FloatReport::Differs { change, expected, .. } = float {
        tracing::error!(%day, change, expected, alarm = "float", "the float is not what the books say");
    }
    trust::tell(app, run, totals, top, (float_seen.as_ref(), found)).await?;
    let days = totals.days.iter().rev().take(DAYS).map(|(date, day)| (*date, *day)).collect();
    let report = Report {
        day,
        started_at: run.started_at,
        finished_at: now,
        as_of: run.as_of,
        accounts: totals.accounts.clone(),
        days,
        wallets: totals.wallets,
        moving: totals.moving,
        set_aside: CategoryTotal(totals.set_aside.0, totals.set_asides),
        unclaimed: totals.unclaimed_beside_set_aside(),
        found,
        differences: differences.into_iter().take(MOST_SHOWN).collect(),
        paused,
        float,
        float_seen: float_seen.or_else(|| before.and_then(|before| before.float_seen)),
    };
    let text = serde_json::to_string(&report).expect("a report is plain values");
    app.store().put_reconciliation_report(run, text).await?;
    tracing::info!(run = run.id, %day, found = report.found, "the books are read");
    finish(app, run, now).await
}

async fn finish(app: &App, run: &ReconciliationRun, now: Timestamp) -> Result<(), AppError> {
    let ended = ReconciliationRun { finished_at: Some(now), ..run.clone() };
    app.store().put_reconciliation_run(&ended, Some(run)).await?;
    Ok(())
}

fn why(day: Date, first: &Difference, found: usize) -> String {
    let others = if found > 1 { format!(" There are {} more.", found - 1) } else { String::new() };
    format!("The books of {day} are off: {}{others}", first.kind.text())
}
