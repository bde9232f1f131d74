//! Whole Kenyan shillings. M-Pesa moves nothing smaller, so neither does the product.

use std::{
    fmt,
    iter::Sum,
    ops::{Add, Neg, Sub},
};

use serde::{Deserialize, Serialize};

/// An amount in whole KES; a difference or what is taken is negative, a wallet's balance never.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kes(i64);

impl Kes {
    pub const ZERO: Self = Self(0);

    #[must_use]
    pub const fn new(shillings: i64) -> Self {
        Self(shillings)
    }

    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    #[must_use]
    pub const fn is_positive(self) -> bool {
        self.0 > 0
    }

    /// `self` taken `n` times.
    #[must_use]
    pub fn times(self, n: usize) -> Self {
        let n = i64::try_from(n).expect("a count of players fits an i64");
        Self(self.0.checked_mul(n).expect("amounts stay far below 2^63 KES"))
    }

    /// `percent` of it, rounded down to whole KES, as the fee is.
    #[must_use]
    pub fn percent_rounded_down(self, percent: u8) -> Self {
        let share = self.0.checked_mul(i64::from(percent)).expect("amounts stay far below 2^63 KES");
        Self(share.div_euclid(100))
    }

    /// Split into `n` equal parts of whole KES; the second value is what does not divide.
    #[must_use]
    pub fn split(self, n: usize) -> (Self, Self) {
        let n = i64::try_from(n).expect("a count of winners fits an i64");
        assert!(n > 0, "an amount is split among somebody");
        (Self(self.0.div_euclid(n)), Self(self.0.rem_euclid(n)))
    }
}

impl Add for Kes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.checked_add(other.0).expect("amounts stay far below 2^63 KES"))
    }
}

impl Sub for Kes {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.checked_sub(other.0).expect("amounts stay far below 2^63 KES"))
    }
}

impl Neg for Kes {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Kes {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// `KSh 1,000`, as people in Kenya write it.
impl fmt::Display for Kes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.unsigned_abs().to_string();
        let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
        for (i, digit) in digits.chars().enumerate() {
            if i > 0 && (digits.len() - i).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        write!(f, "KSh {}{grouped}", if self.0 < 0 { "-" } else { "" })
    }
}

/// What an entry costs (spec §9): 50, 100 or 250 KES.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub enum EntryAmount {
    Fifty,
    Hundred,
    TwoFifty,
}

/// "Choose an entry amount of 50, 100 or 250."
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Choose an entry amount of 50, 100 or 250.")]
pub struct NotAnEntryAmount;

impl EntryAmount {
    pub const ALL: [Self; 3] = [Self::Fifty, Self::Hundred, Self::TwoFifty];

    #[must_use]
    pub const fn kes(self) -> Kes {
        Kes::new(match self {
            Self::Fifty => 50,
            Self::Hundred => 100,
            Self::TwoFifty => 250,
        })
    }
}

impl TryFrom<i64> for EntryAmount {
    type Error = NotAnEntryAmount;
    fn try_from(shillings: i64) -> Result<Self, NotAnEntryAmount> {
        Self::ALL.into_iter().find(|amount| amount.kes().get() == shillings).ok_or(NotAnEntryAmount)
    }
}

impl From<EntryAmount> for i64 {
    fn from(amount: EntryAmount) -> Self {
        amount.kes().get()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, "KSh 0")]
    #[case(999, "KSh 999")]
    #[case(1_000, "KSh 1,000")]
    #[case(-1_234_567, "KSh -1,234,567")]
    fn is_written_as_people_write_it(#[case] shillings: i64, #[case] text: &str) {
        assert_eq!(Kes::new(shillings).to_string(), text);
    }

    #[rstest]
    #[case(500, 10, 50)]
    #[case(55, 10, 5)]
    #[case(99, 10, 9)]
    #[case(9, 10, 0)]
    fn the_fee_is_rounded_down(#[case] collected: i64, #[case] percent: u8, #[case] fee: i64) {
        assert_eq!(Kes::new(collected).percent_rounded_down(percent), Kes::new(fee));
    }

    #[test]
    fn only_three_amounts_enter() {
        let accepted: Vec<i64> = (-300..=300).filter(|n| EntryAmount::try_from(*n).is_ok()).collect();
        assert_eq!(accepted, [50, 100, 250]);
        assert_eq!(EntryAmount::ALL.map(i64::from), [50, 100, 250]);
    }
}
