//! What a person decides about a prompt or a payout that is open, and what comes of that.

use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

/// How late something is sent that is asked to be late.
const LATE: SignedDuration = SignedDuration::from_secs(5 * 60);

/// How often and when M-Pesa tells the shop.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Delivery {
    #[default]
    Once,
    Duplicate,
    Late,
    Never,
}

impl Delivery {
    pub(super) fn times(self, now: Timestamp) -> Vec<Timestamp> {
        match self {
            Self::Once => vec![now],
            Self::Duplicate => vec![now, now],
            Self::Late => vec![now + LATE],
            Self::Never => Vec::new(),
        }
    }
}

pub(crate) enum Decided {
    Done { receipt: Option<String> },
    Unknown,
    NotPending,
}
