//! What is limited, in which period, and what uses it.

use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, Weekday},
};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

use crate::{KENYA, Kes};

/// What is limited.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, EnumString, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum OwnLimit {
    DepositDay,
    DepositWeek,
    DepositMonth,
    EntryDay,
    EntryWeek,
    EntryMonth,
    /// Entries less prizes and refunds.
    LossMonth,
}

/// Of Kenya: days from midnight, weeks from Monday, calendar months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Period {
    Day,
    Week,
    Month,
}

impl Period {
    /// The first day, in Kenya, of the one that `at` is in.
    #[must_use]
    pub fn start(self, at: Timestamp) -> Date {
        let today = KENYA.to_datetime(at).date();
        match self {
            Self::Day => today,
            Self::Week => {
                let since_monday = today.weekday().since(Weekday::Monday);
                today.saturating_sub(SignedDuration::from_hours(24 * i64::from(since_monday)))
            }
            Self::Month => today.first_of_month(),
        }
    }

    /// The first day, in Kenya, of the next one.
    #[must_use]
    pub fn next(self, at: Timestamp) -> Date {
        let days = |date: Date, days: i64| date.saturating_add(SignedDuration::from_hours(24 * days));
        let start = self.start(at);
        match self {
            Self::Day => days(start, 1),
            Self::Week => days(start, 7),
            Self::Month => days(start.last_of_month(), 1),
        }
    }
}

impl OwnLimit {
    #[must_use]
    pub fn period(self) -> Period {
        match self {
            Self::DepositDay | Self::EntryDay => Period::Day,
            Self::DepositWeek | Self::EntryWeek => Period::Week,
            Self::DepositMonth | Self::EntryMonth | Self::LossMonth => Period::Month,
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::DepositDay => "a day for deposits",
            Self::DepositWeek => "a week for deposits",
            Self::DepositMonth => "a month for deposits",
            Self::EntryDay => "a day for entries",
            Self::EntryWeek => "a week for entries",
            Self::EntryMonth => "a month for entries",
            Self::LossMonth => "a month for losses",
        }
    }

    pub(super) fn is_of_deposits(self) -> bool {
        matches!(self, Self::DepositDay | Self::DepositWeek | Self::DepositMonth)
    }

    /// What a movement of the wallet uses of it (negative: gives back). An entry that is refunded stays counted among
    /// the entries, for it comes back in another period mostly; of a loss it is none.
    pub(super) fn used_by(self, movement: &DatedMovement<'_>) -> Kes {
        let kind = movement.kind();
        let (paid_in, entry) = (is_paid_in(kind), kind == "entry");
        let back = matches!(kind, "prize" | "refund");
        match self {
            Self::DepositDay | Self::DepositWeek | Self::DepositMonth if paid_in => movement.change,
            Self::EntryDay | Self::EntryWeek | Self::EntryMonth if entry => -movement.change,
            Self::LossMonth if entry || back => -movement.change,
            _ => Kes::ZERO,
        }
    }
}

pub(super) fn is_paid_in(kind: &str) -> bool {
    matches!(kind, "deposit" | "manual" | "paybill")
}

/// A movement of a wallet: its posting's key, what the wallet gained (of a deposit the whole amount, with its excise), and
/// when.
#[derive(Debug, Clone, Copy)]
pub struct DatedMovement<'a> {
    pub cause: &'a str,
    pub change: Kes,
    pub at: Timestamp,
}

impl<'a> DatedMovement<'a> {
    pub(super) fn kind(&self) -> &'a str {
        self.cause.split_once('#').map_or(self.cause, |(kind, _)| kind)
    }

    /// What it is about: a withdrawal's id, for one.
    pub(super) fn id(&self) -> &'a str {
        self.cause.split_once('#').map_or("", |(_, id)| id)
    }
}
