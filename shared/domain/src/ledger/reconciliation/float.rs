//! What our account with M-Pesa holds, against what moved in the books since M-Pesa last told it. Only
//! changes are compared: what the operator has put in or taken out, and M-Pesa's charges, are in no
//! posting, and show as a difference once.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{SETTLED_AFTER, Scope, Totals};
use crate::Kes;

/// The account as M-Pesa told it, beside the books of the same instant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FloatSeen {
    pub at: Timestamp,
    /// In KES cents: M-Pesa's charges are not whole shillings.
    pub cents: i64,
    /// What came in less what went out, by the books, since the beginning.
    pub booked: Kes,
    /// What may have been on its way.
    pub uncertain: Kes,
}

/// What a comparison says; in KES cents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FloatVerdict {
    /// There is nothing to compare with yet.
    First,
    Fits {
        change: i64,
        expected: i64,
    },
    Differs {
        change: i64,
        expected: i64,
    },
}

/// Compares what the account has gained since `before` with what the books have.
#[must_use]
pub fn judge_float(before: Option<&FloatSeen>, now: &FloatSeen) -> FloatVerdict {
    let Some(before) = before else { return FloatVerdict::First };
    let change = now.cents - before.cents;
    let expected = (now.booked - before.booked).get() * 100;
    let uncertain = (now.uncertain + before.uncertain).get() * 100;
    if (change - expected).abs() <= uncertain {
        FloatVerdict::Fits { change, expected }
    } else {
        FloatVerdict::Differs { change, expected }
    }
}

impl Totals {
    /// Money that went into our account with M-Pesa, or (negative) out of it, as of `at`.
    pub fn move_float(&mut self, scope: &Scope, at: Timestamp, amount: Kes) {
        let Some(told) = scope.float_at else { return };
        if at < told {
            self.float = self.float + amount;
        }
        if at.duration_since(told).abs() < SETTLED_AFTER {
            self.may_move(amount);
        }
    }

    /// Money that may have moved at M-Pesa without our knowing.
    pub fn may_move(&mut self, amount: Kes) {
        self.uncertain = self.uncertain + Kes::new(amount.get().abs());
    }
}
