//! What becomes of a prompt, from all that is known of it (docs/architecture.md, "Walkthrough: a deposit").
//!
//! A failure is provisional, a success is not; a callback is believed only as far as M-Pesa's own
//! answer to a question bears it out, for as long as M-Pesa can be asked.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::Kes;

/// The most that M-Pesa moves at once, in to us or out to a player, in KES (docs/daraja.md, "Delivery and limits").
pub const MAXIMUM: Kes = Kes::new(250_000);

/// Without a clear answer a callback stands alone after this long.
pub const CALLBACK_STANDS_AFTER: SignedDuration = SignedDuration::from_mins(5);
/// A contradiction is asked about for this long.
const CONTRADICTION_SET_ASIDE_AFTER: SignedDuration = SignedDuration::from_hours(1);
/// A prompt that nothing was heard of for this long is for an admin.
const SILENCE_SET_ASIDE_AFTER: SignedDuration = SignedDuration::from_hours(24);
/// A second prompt for the same gameweek waits until the first is this old.
pub const PROMPT_HOLDS_FOR: SignedDuration = SignedDuration::from_mins(3);
/// A prompt is asked about for the first time after this long.
pub const FIRST_QUESTION_AFTER: SignedDuration = SignedDuration::from_mins(1);
/// The longest pause between two questions (and the longest that a queue delays a message).
const LONGEST_PAUSE: SignedDuration = SignedDuration::from_mins(15);

/// Why a deposit is refused (spec §5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DepositError {
    #[error("Enter a valid deposit amount greater than 0.")]
    Amount,
    #[error("M-Pesa moves at most KSh 250,000 at once.")]
    AboveMaximum,
}

/// Whether `amount` can be asked for by a prompt.
///
/// # Errors
/// It is not positive, or more than [`MAXIMUM`].
pub fn check_deposit(amount: Kes) -> Result<(), DepositError> {
    if !amount.is_positive() {
        Err(DepositError::Amount)
    } else if amount > MAXIMUM {
        Err(DepositError::AboveMaximum)
    } else {
        Ok(())
    }
}

/// Where a payment stands. `Failed` can still become `Success`; `SetAside` waits for an admin;
/// An admin ends it by `Dismissed`: nothing credits it by itself after that, and a success that M-Pesa reports then sets it
/// aside again, for an admin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
pub enum PaymentState {
    Pending,
    Success,
    Failed,
    SetAside,
    Dismissed,
}

impl PaymentState {
    /// What the player's call shows: a payment set aside is not decided yet.
    #[must_use]
    pub const fn shown(self) -> ShownState {
        match self {
            Self::Success => ShownState::Success,
            Self::Failed | Self::Dismissed => ShownState::Failed,
            Self::Pending | Self::SetAside => ShownState::Pending,
        }
    }
}

/// Where a payment stands, as players see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE", const_into_str)]
pub enum ShownState {
    Success,
    Failed,
    Pending,
}

/// What a callback claimed, once its path, ids and shape were found in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CallbackClaim {
    /// When the first callback with this claim arrived.
    pub at: Timestamp,
    pub paid: bool,
    /// Whole KES, where it was one.
    pub amount: Option<Kes>,
    pub receipt: Option<String>,
    /// For the player, where it was not paid.
    pub reason: String,
}

/// What M-Pesa said when asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PromptAnswer {
    Paid,
    Failed {
        reason: String,
    },
    Pending,
    /// Not reached, not understood, or there is nothing to ask by.
    None,
}

impl PromptAnswer {
    /// For whoever looks into a payment.
    #[must_use]
    pub fn text(&self) -> &str {
        match self {
            Self::Paid => "paid",
            Self::Failed { reason } => reason,
            Self::Pending => "pending",
            Self::None => "no answer",
        }
    }
}

/// What to do with a payment now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Credit it. `flagged`: on the callback alone, for an admin to see.
    Credit {
        receipt: Option<String>,
        flagged: bool,
    },
    Fail {
        reason: String,
    },
    SetAside {
        reason: &'static str,
    },
    AskAgain,
}

/// Decides, from when the prompt was sent, its amount, the callback's claim and M-Pesa's answer.
#[must_use]
pub fn decide(
    sent: Timestamp,
    amount: Kes,
    claim: Option<&CallbackClaim>,
    answer: &PromptAnswer,
    now: Timestamp,
) -> Verdict {
    if claim.is_some_and(|claim| claim.paid && claim.amount != Some(amount)) {
        return Verdict::SetAside { reason: "M-Pesa reports another amount than was asked for." };
    }
    let receipt = || claim.filter(|c| c.paid).and_then(|c| c.receipt.clone());
    match (claim, answer) {
        (_, PromptAnswer::Paid) => Verdict::Credit { receipt: receipt(), flagged: false },
        (Some(claim), PromptAnswer::Failed { .. }) if claim.paid => {
            if now < claim.at + CONTRADICTION_SET_ASIDE_AFTER {
                Verdict::AskAgain
            } else {
                Verdict::SetAside { reason: "The callback says paid, M-Pesa's answer says not." }
            }
        }
        (_, PromptAnswer::Failed { reason }) => Verdict::Fail { reason: reason.clone() },
        (Some(claim), PromptAnswer::Pending | PromptAnswer::None)
            if now >= claim.at + CALLBACK_STANDS_AFTER =>
        {
            if claim.paid {
                Verdict::Credit { receipt: receipt(), flagged: true }
            } else {
                Verdict::Fail { reason: claim.reason.clone() }
            }
        }
        (None, PromptAnswer::Pending | PromptAnswer::None) if now >= sent + SILENCE_SET_ASIDE_AFTER => {
            Verdict::SetAside { reason: "M-Pesa has said nothing for a day." }
        }
        (_, PromptAnswer::Pending | PromptAnswer::None) => Verdict::AskAgain,
    }
}

/// Whether M-Pesa's answer "failed" contradicts a success that reached us before (`heard`), though no callback that
/// says so is processed yet. For an hour M-Pesa is asked again, as with a processed callback.
#[must_use]
pub fn is_contradicted(heard: Option<Timestamp>, now: Timestamp) -> bool {
    heard.is_some_and(|heard| now < heard + CONTRADICTION_SET_ASIDE_AFTER)
}

/// From this question on the pause is the longest.
pub const LONGEST_PAUSE_FROM: u32 = 4;

/// How long to wait before question number `asked + 1` about a payment.
#[must_use]
pub fn pause_before_next_question(asked: u32) -> SignedDuration {
    let minutes = 1_i64.checked_shl(asked.min(8)).unwrap_or(i64::MAX);
    SignedDuration::from_mins(minutes).min(LONGEST_PAUSE)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn minutes(n: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_mins(n)
    }

    fn claim(paid: bool, amount: i64) -> CallbackClaim {
        let reason = "Request cancelled by user.".to_owned();
        CallbackClaim {
            at: minutes(1),
            paid,
            amount: Some(Kes::new(amount)),
            receipt: Some("R1".into()),
            reason,
        }
    }

    fn credit(receipt: Option<&str>, flagged: bool) -> Verdict {
        Verdict::Credit { receipt: receipt.map(str::to_owned), flagged }
    }

    fn fail(reason: &str) -> Verdict {
        Verdict::Fail { reason: reason.into() }
    }

    fn failed() -> PromptAnswer {
        PromptAnswer::Failed { reason: "No answer.".into() }
    }

    #[rstest]
    #[case::both_say_paid(Some(claim(true, 50)), PromptAnswer::Paid, 2, credit(Some("R1"), false))]
    #[case::only_the_answer(None, PromptAnswer::Paid, 2, credit(None, false))]
    #[case::failed_then_success(Some(claim(false, 50)), PromptAnswer::Paid, 2, credit(None, false))]
    #[case::not_clear_yet(Some(claim(true, 50)), PromptAnswer::Pending, 5, Verdict::AskAgain)]
    #[case::callback_stands_alone(Some(claim(true, 50)), PromptAnswer::None, 6, credit(Some("R1"), true))]
    #[case::contradiction(Some(claim(true, 50)), failed(), 60, Verdict::AskAgain)]
    #[case::failure(None, failed(), 2, fail("No answer."))]
    #[case::failure_both(Some(claim(false, 50)), failed(), 2, fail("No answer."))]
    #[case::failure_on_the_callback(
        Some(claim(false, 50)),
        PromptAnswer::None,
        6,
        fail("Request cancelled by user.")
    )]
    #[case::silence(None, PromptAnswer::None, 24 * 60 - 1, Verdict::AskAgain)]
    fn what_becomes_of_a_prompt(
        #[case] claim: Option<CallbackClaim>,
        #[case] answer: PromptAnswer,
        #[case] now: i64,
        #[case] expected: Verdict,
    ) {
        assert_eq!(decide(minutes(0), Kes::new(50), claim.as_ref(), &answer, minutes(now)), expected);
    }

    #[rstest]
    #[case::one_more(Some(claim(true, 51)), PromptAnswer::Paid, 2)]
    #[case::one_less(Some(claim(true, 49)), PromptAnswer::Paid, 2)]
    #[case::nothing(Some(claim(true, 0)), PromptAnswer::Pending, 2)]
    #[case::contradiction_for_an_hour(Some(claim(true, 50)), failed(), 61)]
    #[case::silence_for_a_day(None, PromptAnswer::Pending, 24 * 60)]
    fn what_does_not_add_up_is_set_aside(
        #[case] claim: Option<CallbackClaim>,
        #[case] answer: PromptAnswer,
        #[case] now: i64,
    ) {
        let verdict = decide(minutes(0), Kes::new(50), claim.as_ref(), &answer, minutes(now));
        assert!(matches!(verdict, Verdict::SetAside { .. }), "{verdict:?}");
    }

    #[rstest]
    #[case::at_once(Some(1), 1, true)]
    #[case::within_the_hour(Some(1), 60, true)]
    #[case::after_an_hour(Some(1), 61, false)]
    #[case::nothing_was_heard(None, 1, false)]
    fn a_failure_contradicts_a_success_of_the_last_hour(
        #[case] heard: Option<i64>,
        #[case] now: i64,
        #[case] contradicted: bool,
    ) {
        assert_eq!(is_contradicted(heard.map(minutes), minutes(now)), contradicted);
    }

    #[rstest]
    #[case(-1, Err(DepositError::Amount))]
    #[case(0, Err(DepositError::Amount))]
    #[case(1, Ok(()))]
    #[case(250_000, Ok(()))]
    #[case(250_001, Err(DepositError::AboveMaximum))]
    fn a_prompt_asks_for_what_m_pesa_moves_at_once(
        #[case] amount: i64,
        #[case] checked: Result<(), DepositError>,
    ) {
        assert_eq!(check_deposit(Kes::new(amount)), checked);
    }

    #[test]
    fn a_failure_is_told_with_its_reason() {
        let told = [PromptAnswer::Paid, failed()].map(|answer| answer.text().to_owned());
        assert_eq!(told, ["paid", "No answer."]);
    }

    #[test]
    fn questions_come_less_and_less_often() {
        let pauses: Vec<i64> = (0..6).map(|n| pause_before_next_question(n).as_mins()).collect();
        assert_eq!(pauses, [1, 2, 4, 8, 15, 15]);
    }
}
