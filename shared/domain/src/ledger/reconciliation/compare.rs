//! What does not agree. A difference between sums counts once a second reading has it too; one of a wallet
//! once the wallet was read again with its postings and had not moved meanwhile.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::{Category, Totals};
use crate::{GameweekId, Kes};

/// What does not agree with what.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Kind {
    /// A wallet's balance and the sum of its postings.
    Wallet,
    /// How many postings a wallet says to have, and how many there are.
    Movements,
    /// What a player owes and the sum of its postings.
    Debt,
    /// A posting's legs and zero.
    Posting,
    /// All accounts together and zero.
    Ledger,
    /// A gameweek's pot and zero: paid in full, or paid more than was in it.
    Pot,
    Prompts,
    #[serde(rename = "codes")]
    #[strum(serialize = "codes")]
    TypedCodes,
    Asked,
    Returned,
    PaidOut,
    /// A payment to the paybill and what it was credited with.
    Paybill,
    /// An item that cannot be read.
    Unreadable,
}

impl From<Category> for Kind {
    fn from(category: Category) -> Self {
        match category {
            Category::Prompts => Self::Prompts,
            Category::TypedCodes => Self::TypedCodes,
            Category::Asked => Self::Asked,
            Category::Returned => Self::Returned,
            Category::PaidOut => Self::PaidOut,
        }
    }
}

impl Kind {
    /// For the admin.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::Wallet => "A wallet is not what its postings say, or is below zero.",
            Self::Movements => "A wallet has moved more often, or less, than it has postings.",
            Self::Debt => {
                "What a player owes is not what its postings say, or lies beside money in the wallet."
            }
            Self::Posting => "A posting's sides are not equal.",
            Self::Ledger => "All accounts together are not zero.",
            Self::Pot => "A gameweek's pot is not empty after it was paid, or is below zero.",
            Self::Prompts => "Credited prompts and their postings are not equal.",
            Self::TypedCodes => "Confirmed codes and their postings are not equal.",
            Self::Asked => "Withdrawals and the postings that took the money are not equal.",
            Self::Returned => "Rejected withdrawals and the postings that gave the money back are not equal.",
            Self::PaidOut => "Paid withdrawals and their postings are not equal.",
            Self::Paybill => "A payment to the paybill was credited with another amount.",
            Self::Unreadable => "An item of the table cannot be read.",
        }
    }
}

/// Two figures that should be one: KES, or of `movements` a count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    pub kind: Kind,
    /// The day of sums by day.
    #[serde(default)]
    pub day: Option<Date>,
    /// The player, payment, withdrawal, code or gameweek; empty of a whole day.
    pub on: String,
    /// By the postings.
    pub expected: i64,
    pub found: i64,
}

impl Difference {
    #[must_use]
    pub fn of(kind: Kind, on: impl Into<String>, expected: i64, found: i64) -> Self {
        Self { kind, day: None, on: on.into(), expected, found }
    }
}

/// What does not agree in `totals`; `paid` are the gameweeks that owe nobody anything.
#[must_use]
pub fn compare(totals: &Totals, paid: &[GameweekId]) -> Vec<Difference> {
    let mut found = Vec::new();
    let sum: Kes = totals.accounts.values().copied().sum();
    if sum != Kes::ZERO {
        found.push(Difference::of(Kind::Ledger, "", 0, sum.get()));
    }
    for (name, amount) in &totals.accounts {
        let Some(gameweek) = name.strip_prefix("pot:") else { continue };
        let is_paid = paid.iter().any(|paid| paid.to_string() == gameweek);
        if *amount < Kes::ZERO || (is_paid && *amount != Kes::ZERO) {
            found.push(Difference::of(Kind::Pot, gameweek, 0, amount.get()));
        }
    }
    for (date, day) in &totals.days {
        for category in Category::ALL {
            let sides = day.category(category);
            if sides.booked != sides.recorded {
                found.extend(of_category(totals, category, *date));
            }
        }
    }
    found
}

/// The records that do not agree, where they were kept apart; else the day as a whole.
fn of_category(totals: &Totals, category: Category, date: Date) -> Vec<Difference> {
    let kind = Kind::from(category);
    let culprits = totals.culprits(category, date);
    if culprits.is_empty() {
        let sides = totals.days[&date].category(category);
        let (expected, found) = (sides.booked.0.get(), sides.recorded.0.get());
        return vec![Difference { kind, day: Some(date), on: String::new(), expected, found }];
    }
    let of_record = |(id, booked, recorded): (&str, Kes, Kes)| Difference {
        kind,
        day: Some(date),
        on: id.to_owned(),
        expected: booked.get(),
        found: recorded.get(),
    };
    culprits.into_iter().map(of_record).collect()
}

/// The differences of the second reading that the first one had too.
#[must_use]
pub fn confirmed(first: &[Difference], second: Vec<Difference>) -> Vec<Difference> {
    let had = |now: &Difference| {
        let same = |then: &&Difference| {
            then.kind == now.kind && then.day == now.day && (then.on == now.on || then.on.is_empty())
        };
        first.iter().any(|then| same(&then))
    };
    second.into_iter().filter(had).collect()
}

/// Whether something is off that was not off in the same way before.
#[must_use]
pub fn has_new_difference(before: &[Difference], now: &[Difference]) -> bool {
    now.iter().any(|difference| !before.contains(difference))
}

/// A wallet as it was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WalletSeen {
    pub balance: Kes,
    /// How many postings have changed it.
    pub version: u64,
    /// What its player owes.
    pub debt: Kes,
}

/// What a reading of a wallet and its postings says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalletVerdict {
    Fits,
    /// It has moved between the two readings of it: nothing is known.
    Moved,
    /// Its balance, or how often it moved, is not what the postings say.
    Differs {
        kind: Kind,
        expected: i64,
        found: i64,
    },
}

/// Judges a wallet that was read before and after its postings, which come to `posted`. No wallet at all is
/// one with nothing in it.
#[must_use]
pub fn judge_wallet(
    before: Option<WalletSeen>,
    posted: WalletSeen,
    after: Option<WalletSeen>,
) -> WalletVerdict {
    if before != after {
        return WalletVerdict::Moved;
    }
    let seen = after.unwrap_or(WalletSeen { balance: Kes::ZERO, version: 0, debt: Kes::ZERO });
    let differs = |kind, expected, found| WalletVerdict::Differs { kind, expected, found };
    if seen.balance != posted.balance {
        differs(Kind::Wallet, posted.balance.get(), seen.balance.get())
    } else if seen.balance < Kes::ZERO {
        differs(Kind::Wallet, 0, seen.balance.get())
    } else if seen.debt != posted.debt {
        differs(Kind::Debt, posted.debt.get(), seen.debt.get())
    } else if seen.debt.is_positive() && seen.balance.is_positive() {
        // Whatever comes into a wallet pays what is owed first.
        differs(Kind::Debt, 0, seen.debt.get())
    } else if seen.version != posted.version {
        let whole = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        differs(Kind::Movements, whole(posted.version), whole(seen.version))
    } else {
        WalletVerdict::Fits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_first_reading_did_not_have_is_not_confirmed() {
        let of = |kind, day: &str, on: &str| {
            let day = Some(day.parse().unwrap());
            Difference { day, ..Difference::of(kind, on, 1, 2) }
        };
        let first = [of(Kind::Prompts, "2026-08-20", ""), of(Kind::Asked, "2026-08-20", "w1")];
        let the_same = vec![of(Kind::Prompts, "2026-08-20", "c1"), of(Kind::Asked, "2026-08-20", "w1")];
        assert_eq!(confirmed(&first, the_same.clone()), the_same);
        let another_day = of(Kind::Prompts, "2026-08-21", "c1");
        let another_kind = of(Kind::PaidOut, "2026-08-20", "w1");
        let another_record = of(Kind::Asked, "2026-08-20", "w2");
        assert_eq!(confirmed(&first, vec![another_day, another_kind, another_record]), vec![]);
    }
}
