//! What M-Pesa says it holds of ours, beside what the books say.

use domain::ledger::reconciliation::{FloatSeen, FloatVerdict, Totals, judge_float};
use serde::{Deserialize, Serialize};
use store::ledger::reconciliation::ReconciliationRun;

use crate::{App, AppError, ledger::float::held};

/// What M-Pesa says of our account; in KES cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "said", rename_all = "kebab-case")]
pub enum FloatReport {
    /// It was not asked.
    NotAsked,
    NotAnswered,
    Unreadable,
    /// It did not tell of the account that withdrawals are paid from.
    NoAccount,
    First {
        cents: i64,
    },
    Fits {
        cents: i64,
        change: i64,
        expected: i64,
    },
    Differs {
        cents: i64,
        change: i64,
        expected: i64,
    },
}

/// Compares what M-Pesa says of our account with the books, as far as it says anything.
pub(super) async fn compare(
    app: &App,
    run: &ReconciliationRun,
    totals: &Totals,
    before: Option<&FloatSeen>,
) -> Result<(FloatReport, Option<FloatSeen>), AppError> {
    let Some(float) = app.store().float().await? else { return Ok((FloatReport::NotAsked, None)) };
    if float.is_unread() {
        return Ok((FloatReport::Unreadable, None));
    }
    let (Some(at), Some((answered_at, _))) = (run.float_at, float.balances()) else {
        return Ok((FloatReport::NotAnswered, None));
    };
    if answered_at != at {
        return Ok((FloatReport::NotAnswered, None));
    }
    let Some(cents) = held(&float.accounts) else { return Ok((FloatReport::NoAccount, None)) };
    let now = FloatSeen { at, cents, booked: totals.float, uncertain: totals.uncertain };
    let said = match judge_float(before, &now) {
        FloatVerdict::First => FloatReport::First { cents },
        FloatVerdict::Fits { change, expected } => FloatReport::Fits { cents, change, expected },
        FloatVerdict::Differs { change, expected } => FloatReport::Differs { cents, change, expected },
    };
    Ok((said, Some(now)))
}
