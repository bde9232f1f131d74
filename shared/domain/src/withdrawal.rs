//! Money out: what may be asked for, and how a withdrawal moves (spec §5 "Withdrawal").

use jiff::SignedDuration;
use serde::{Deserialize, Serialize};

use crate::Kes;

/// The least that is paid out (spec §9).
pub const MINIMUM: Kes = Kes::new(60);

/// M-Pesa moves no more than this in one transaction (facts/daraja.md, limits).
pub const MAXIMUM: Kes = Kes::new(250_000);

/// A withdrawal to a new number is flagged this long after a password reset (decisions, "Who may call
/// what"): whoever has reset it may not be the player.
pub const WATCHED_AFTER_RESET: SignedDuration = SignedDuration::from_hours(24);

/// Why a withdrawal is refused; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WithdrawalError {
    #[error("Please enter a valid amount.")]
    Amount,
    #[error("Minimum withdrawal amount is KES {}.", MINIMUM.get())]
    BelowMinimum,
    #[error("Maximum withdrawal amount is KES 250,000. Please withdraw in parts.")]
    AboveMaximum,
    #[error("Insufficient wallet balance.")]
    InsufficientBalance,
    #[error("Withdrawals are paused. Your money is safe. Please try again later.")]
    Paused,
}

/// Whether `amount` may be taken out of `balance`.
///
/// # Errors
/// In the order in which the form checks: a positive number, the minimum, the balance.
pub fn check(amount: Kes, balance: Kes) -> Result<(), WithdrawalError> {
    check_amount(amount)?;
    if amount > balance { Err(WithdrawalError::InsufficientBalance) } else { Ok(()) }
}

/// The part of [`check`] that needs no balance.
///
/// # Errors
/// Not positive, below the minimum, above the maximum.
pub fn check_amount(amount: Kes) -> Result<(), WithdrawalError> {
    if !amount.is_positive() {
        Err(WithdrawalError::Amount)
    } else if amount < MINIMUM {
        Err(WithdrawalError::BelowMinimum)
    } else if amount > MAXIMUM {
        Err(WithdrawalError::AboveMaximum)
    } else {
        Ok(())
    }
}

/// `pending` → `done` or `rejected`; nothing leaves those two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Pending,
    Done,
    Rejected,
}

impl Status {
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Done => "done",
            Self::Rejected => "rejected",
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(0, Err(WithdrawalError::Amount))]
    #[case(-5, Err(WithdrawalError::Amount))]
    #[case(59, Err(WithdrawalError::BelowMinimum))]
    #[case(60, Ok(()))]
    #[case(100, Ok(()))]
    #[case(101, Err(WithdrawalError::InsufficientBalance))]
    #[case(250_001, Err(WithdrawalError::AboveMaximum))]
    fn out_of_a_wallet_of_a_hundred(#[case] amount: i64, #[case] expected: Result<(), WithdrawalError>) {
        assert_eq!(check(Kes::new(amount), Kes::new(100)), expected);
    }

    #[test]
    fn says_what_the_spec_says() {
        assert_eq!(WithdrawalError::BelowMinimum.to_string(), "Minimum withdrawal amount is KES 60.");
    }
}
