//! Money out: what may be asked for, and how a withdrawal moves (spec §5 "Withdrawal"; docs/decisions.md, "A payout is
//! M-Pesa's to end").
//!
//! Once a payout is sent, only M-Pesa's word on it ends the withdrawal. A word that contradicts what has ended
//! is asked about; M-Pesa's answer to that question corrects the books, once
//! (docs/decisions.md, "M-Pesa's word after the end").

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{Kes, ledger::taking_back::Owes, payments::prompt::MAXIMUM};

/// The least that is paid out, in KES (spec §9). The most is what M-Pesa moves at once ([`MAXIMUM`]).
pub const MINIMUM: Kes = Kes::new(60);

/// A withdrawal is flagged this long after a password reset: whoever has reset it may not be the player.
pub const WATCHED_AFTER_RESET: SignedDuration = SignedDuration::from_hours(24);

/// A withdrawal to a number that is not the player's own waits this long before it can be paid or marked as
/// done (docs/decisions.md, "Withdrawals to a new number"): time to read the mail about it, and to cancel it.
pub const WAITS_FOR: SignedDuration = SignedDuration::from_hours(24);

/// What an admin is to look at before paying.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum Flag {
    /// To a number that was not the player's own when it was asked for.
    NewNumber,
    /// Asked for within a day of a password reset.
    AfterReset,
    /// It takes out deposits that never were in an entry.
    NeverPlayed,
    Suspended,
    /// Nothing of this account moves.
    Frozen,
}

/// What is known when a withdrawal is asked for.
#[derive(Debug, Clone, Copy)]
pub struct RequestFacts {
    pub amount: Kes,
    /// To the player's own number.
    pub own_number: bool,
    pub password_reset_at: Option<Timestamp>,
    /// What of the wallet came out of an entry, or went into one before.
    pub played: Kes,
    pub suspended: bool,
}

/// What an admin is to look at, of a withdrawal that is asked for at `now`.
#[must_use]
pub fn flags(asked: &RequestFacts, now: Timestamp) -> Vec<Flag> {
    let recent = |reset| now < reset + WATCHED_AFTER_RESET;
    let found = [
        (Flag::NewNumber, !asked.own_number),
        (Flag::AfterReset, asked.password_reset_at.is_some_and(recent)),
        (Flag::NeverPlayed, asked.amount > asked.played),
        (Flag::Suspended, asked.suspended),
    ];
    found.into_iter().filter(|(_, is_so)| *is_so).map(|(flag, _)| flag).collect()
}

/// Until when a withdrawal with these flags, asked for at `now`, cannot be paid or marked as done. `None`: it does
/// not wait.
#[must_use]
pub fn waits_until(flags: &[Flag], now: Timestamp) -> Option<Timestamp> {
    flags.contains(&Flag::NewNumber).then(|| now + WAITS_FOR)
}

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
    #[error("Your account is frozen: nothing can be paid out of it. Please contact us.")]
    Frozen,
    #[error(transparent)]
    Owes(#[from] Owes),
}

/// Whether `amount` may be taken out of `balance`.
///
/// # Errors
/// In the order in which the form checks: a positive number, the minimum, the maximum, the balance.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum WithdrawalStatus {
    Pending,
    Done,
    Rejected,
}

/// A payout that M-Pesa has said nothing final of for this long is shown to an admin.
pub const PAYOUT_OVERDUE_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// Where a payout by M-Pesa stands. `Sent` from before M-Pesa is called until it says what became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum PayoutState {
    Sent,
    Done,
    Failed,
}

/// What M-Pesa says became of a payout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayoutReport {
    Paid,
    /// Paid, and not what was asked for.
    PaidOtherwise,
    Failed,
    /// Nothing final.
    Open,
}

/// What M-Pesa's word has made of a withdrawal that had ended otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum PayoutCorrection {
    /// The money had gone back, and M-Pesa has paid it: it is taken out of the wallet again.
    Paid,
    /// It was marked as done by hand, and M-Pesa has paid it too: the operator's loss.
    PaidTwice,
    /// It counted as paid, and M-Pesa has not paid it: the money is in the wallet again.
    Failed,
}

impl PayoutCorrection {
    /// What does not add up, while M-Pesa is asked about it.
    #[must_use]
    pub const fn question(self) -> &'static str {
        match self {
            Self::Paid => "The money went back, and M-Pesa has paid it.",
            Self::PaidTwice => "It was marked as done, and M-Pesa has paid it too.",
            Self::Failed => "It counts as paid, and M-Pesa says that it failed.",
        }
    }

    /// What the player reads beside the posting.
    #[must_use]
    pub const fn note(self) -> &'static str {
        match self {
            Self::Paid => "M-Pesa has paid a withdrawal after its money had gone back to your wallet.",
            Self::PaidTwice => "M-Pesa has paid a withdrawal that was paid already.",
            Self::Failed => "M-Pesa has not paid a withdrawal that counted as paid.",
        }
    }

    fn is_said_by(self, report: PayoutReport) -> bool {
        match self {
            Self::Paid | Self::PaidTwice => report == PayoutReport::Paid,
            Self::Failed => report == PayoutReport::Failed,
        }
    }
}

/// Where a withdrawal stands when M-Pesa says something of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WithdrawalState {
    pub status: WithdrawalStatus,
    pub payout: Option<PayoutState>,
    pub corrected: Option<PayoutCorrection>,
}

/// How M-Pesa has said it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Said {
    /// By itself: it could be an old message, or anybody's who has learned the address.
    Posted,
    /// As the answer to a question.
    Asked,
}

/// What follows from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PayoutVerdict {
    Done,
    /// The money goes back into the wallet.
    GiveBack,
    /// What had ended is corrected.
    Correct(PayoutCorrection),
    /// It contradicts what has ended: M-Pesa is asked, and an admin sees it.
    Ask(PayoutCorrection),
    /// For an admin; the text says why.
    Contest(&'static str),
    /// It is as it was before.
    Nothing,
    AskAgain,
}

/// Decides, from where the withdrawal and its payout stand and what M-Pesa says.
#[must_use]
pub fn decide_payout(standing: WithdrawalState, report: PayoutReport, said: Said) -> PayoutVerdict {
    use PayoutVerdict::{Ask, AskAgain, Contest, Correct, Done, GiveBack, Nothing};
    let WithdrawalState { status, payout, corrected } = standing;
    let sent = payout == Some(PayoutState::Sent);
    match (status, report) {
        (WithdrawalStatus::Pending, PayoutReport::Open) if sent => return AskAgain,
        (_, PayoutReport::Open) => return Nothing,
        (_, PayoutReport::PaidOtherwise) => {
            return Contest("M-Pesa reports another amount than was asked for.");
        }
        // Also where the call seemed not to have arrived: it had.
        (WithdrawalStatus::Pending, PayoutReport::Paid) => return Done,
        (WithdrawalStatus::Pending, PayoutReport::Failed) if sent => return GiveBack,
        _ => {}
    }
    if let Some(corrected) = corrected {
        let contradicts = "M-Pesa's word has corrected it once, and M-Pesa says something else now.";
        return if corrected.is_said_by(report) { Nothing } else { Contest(contradicts) };
    }
    let correction = match (status, report) {
        (WithdrawalStatus::Rejected, PayoutReport::Paid) => PayoutCorrection::Paid,
        (WithdrawalStatus::Done, PayoutReport::Paid) if payout != Some(PayoutState::Done) => {
            PayoutCorrection::PaidTwice
        }
        (WithdrawalStatus::Done, PayoutReport::Failed) if payout == Some(PayoutState::Done) => {
            PayoutCorrection::Failed
        }
        _ => return Nothing,
    };
    if said == Said::Asked { Correct(correction) } else { Ask(correction) }
}

#[cfg(test)]
#[path = "requests_tests.rs"]
mod tests;
