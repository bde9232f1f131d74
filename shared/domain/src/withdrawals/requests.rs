//! Money out: what may be asked for, and how a withdrawal moves (spec §5 "Withdrawal"; docs/decisions.md, "A payout is
//! M-Pesa's to end").
//!
//! Once a payout is sent, only M-Pesa's word on it ends the withdrawal. A word that contradicts what has ended
//! is asked about; M-Pesa's answer to that question corrects the books, once
//! (docs/decisions.md, "M-Pesa's word after the end").

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{Kes, ledger::taking_back::Owes};

/// The least that is paid out (spec §9).
pub const MINIMUM: Kes = Kes::new(60);

/// M-Pesa moves no more than this in one transaction (docs/daraja.md, "Delivery and limits").
pub const MAXIMUM: Kes = Kes::new(250_000);

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

    #[rstest]
    #[case::nothing(true, None, 100, false, &[])]
    #[case::a_strangers_number(false, None, 100, false, &[Flag::NewNumber])]
    #[case::a_day_after_a_reset(true, Some(24), 100, false, &[])]
    #[case::within_a_day_of_a_reset(true, Some(23), 100, false, &[Flag::AfterReset])]
    #[case::more_than_was_played(true, None, 99, false, &[Flag::NeverPlayed])]
    #[case::suspended(true, None, 100, true, &[Flag::Suspended])]
    #[case::all(
        false, Some(0), 0, true,
        &[Flag::NewNumber, Flag::AfterReset, Flag::NeverPlayed, Flag::Suspended]
    )]
    fn what_an_admin_looks_at(
        #[case] own_number: bool,
        #[case] reset_hours_ago: Option<i64>,
        #[case] played: i64,
        #[case] suspended: bool,
        #[case] expected: &[Flag],
    ) {
        let now: Timestamp = "2026-08-20T09:00:00Z".parse().unwrap();
        let (amount, played) = (Kes::new(100), Kes::new(played));
        let password_reset_at = reset_hours_ago.map(|hours| now - SignedDuration::from_hours(hours));
        let asked = RequestFacts { amount, own_number, password_reset_at, played, suspended };
        assert_eq!(flags(&asked, now), expected);
    }

    #[test]
    fn only_what_goes_to_a_new_number_waits_and_for_a_day() {
        let now: Timestamp = "2026-08-20T09:00:00Z".parse().unwrap();
        let waits = |flags: &[Flag]| waits_until(flags, now).map(|until| until.to_string());
        assert_eq!(waits(&[Flag::Suspended, Flag::NewNumber]).as_deref(), Some("2026-08-21T09:00:00Z"));
        assert_eq!(waits(&[Flag::AfterReset, Flag::NeverPlayed, Flag::Suspended]), None);
    }

    fn standing(status: WithdrawalStatus, payout: Option<PayoutState>) -> WithdrawalState {
        WithdrawalState { status, payout, corrected: None }
    }

    #[rstest]
    #[case::paid(WithdrawalStatus::Pending, Some(PayoutState::Sent), PayoutReport::Paid, PayoutVerdict::Done)]
    #[case::failed(
        WithdrawalStatus::Pending,
        Some(PayoutState::Sent),
        PayoutReport::Failed,
        PayoutVerdict::GiveBack
    )]
    #[case::open(
        WithdrawalStatus::Pending,
        Some(PayoutState::Sent),
        PayoutReport::Open,
        PayoutVerdict::AskAgain
    )]
    #[case::arrived_after_all(WithdrawalStatus::Pending, None, PayoutReport::Paid, PayoutVerdict::Done)]
    #[case::never_sent(WithdrawalStatus::Pending, None, PayoutReport::Failed, PayoutVerdict::Nothing)]
    #[case::told_twice(
        WithdrawalStatus::Done,
        Some(PayoutState::Done),
        PayoutReport::Paid,
        PayoutVerdict::Nothing
    )]
    #[case::failed_twice(
        WithdrawalStatus::Rejected,
        Some(PayoutState::Failed),
        PayoutReport::Failed,
        PayoutVerdict::Nothing
    )]
    #[case::by_hand(WithdrawalStatus::Rejected, None, PayoutReport::Failed, PayoutVerdict::Nothing)]
    fn what_becomes_of_a_payout(
        #[case] status: WithdrawalStatus,
        #[case] payout: Option<PayoutState>,
        #[case] report: PayoutReport,
        #[case] verdict: PayoutVerdict,
    ) {
        for said in [Said::Posted, Said::Asked] {
            assert_eq!(decide_payout(standing(status, payout), report, said), verdict);
        }
    }

    /// What contradicts what has ended is asked about, and the answer corrects it: once.
    #[rstest]
    #[case::given_back(
        WithdrawalStatus::Rejected,
        Some(PayoutState::Failed),
        PayoutReport::Paid,
        PayoutCorrection::Paid
    )]
    #[case::rejected_by_hand(WithdrawalStatus::Rejected, None, PayoutReport::Paid, PayoutCorrection::Paid)]
    #[case::done_by_hand(WithdrawalStatus::Done, None, PayoutReport::Paid, PayoutCorrection::PaidTwice)]
    #[case::taken_back(
        WithdrawalStatus::Done,
        Some(PayoutState::Done),
        PayoutReport::Failed,
        PayoutCorrection::Failed
    )]
    fn what_contradicts_is_asked_about_and_corrected_once(
        #[case] status: WithdrawalStatus,
        #[case] payout: Option<PayoutState>,
        #[case] report: PayoutReport,
        #[case] correction: PayoutCorrection,
    ) {
        let ended = standing(status, payout);
        assert_eq!(decide_payout(ended, report, Said::Posted), PayoutVerdict::Ask(correction));
        assert_eq!(decide_payout(ended, report, Said::Asked), PayoutVerdict::Correct(correction));
        let corrected = WithdrawalState { corrected: Some(correction), ..ended };
        assert_eq!(decide_payout(corrected, report, Said::Asked), PayoutVerdict::Nothing);
        let other = if report == PayoutReport::Paid { PayoutReport::Failed } else { PayoutReport::Paid };
        assert!(matches!(decide_payout(corrected, other, Said::Asked), PayoutVerdict::Contest(_)));
    }

    #[test]
    fn another_amount_is_for_an_admin() {
        for (status, payout) in [
            (WithdrawalStatus::Pending, Some(PayoutState::Sent)),
            (WithdrawalStatus::Done, Some(PayoutState::Done)),
            (WithdrawalStatus::Rejected, None),
        ] {
            let verdict = decide_payout(standing(status, payout), PayoutReport::PaidOtherwise, Said::Asked);
            assert!(matches!(verdict, PayoutVerdict::Contest(_)));
        }
    }
}
