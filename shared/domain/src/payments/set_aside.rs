//! What does not add up and waits for an admin: which acts there are for it
//! (docs/decisions.md, "What does not add up is an admin's, with its story").
//!
//! Credit and dismiss are for prompts: credited under the payment's own cause, with a receipt; dismissed
//! for good, unless M-Pesa reports a success afterwards. Paid and return are for payouts that M-Pesa does
//! not answer for. What has ended and is only shown can be dismissed.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{
    payments::prompt,
    withdrawals::requests::{PayoutState, WithdrawalStatus},
};

/// A reason has at most this many characters.
const LONGEST_REASON: usize = 200;

/// What an admin does with a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum SetAsideAct {
    /// A prompt: into its player's wallet.
    Credit,
    /// A prompt: credits nothing, for good. What has ended: seen.
    Dismiss,
    /// A payout: M-Pesa's portal shows that it was paid.
    Paid,
    /// A payout: M-Pesa's portal shows that it was not; the money goes back into the wallet.
    Return,
}

/// Why an act is refused; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SetAsideError {
    #[error("The act has to be credit, dismiss, paid or return.")]
    Act,
    #[error("This act is not for this case.")]
    NotForThis,
    #[error("Give a reason of at most 200 characters: it is kept with the case.")]
    Reason,
    #[error("Please enter a valid amount.")]
    Amount,
    #[error("Give the M-Pesa receipt of this payment.")]
    Receipt,
    #[error("M-Pesa names another receipt for this payment.")]
    AnotherReceipt,
    #[error("This M-Pesa code has already been credited.")]
    ReceiptTaken,
    #[error("This receipt is another prompt's, which was credited before its receipt was known.")]
    AnotherPrompts,
    #[error(
        "Another prompt of this amount is open, or credited without a receipt so far: the receipt may be that \
         prompt's."
    )]
    MayBeAnothers,
    #[error(
        "M-Pesa says that another number has paid this, or that it was paid at another time than this prompt."
    )]
    NotThisPrompts,
    #[error("This payment names another player's account: it is credited to that player, by itself.")]
    AnothersAccount,
    #[error("This case is closed already.")]
    Closed,
    #[error("M-Pesa has reported something new meanwhile. Look at the case once more.")]
    ReportedSince,
}

impl SetAsideAct {
    /// The act of this name, as an admin's call has it.
    ///
    /// # Errors
    /// There is no such act.
    pub fn parse(text: &str) -> Result<Self, SetAsideError> {
        Self::VARIANTS.iter().copied().find(|act| act.into_str() == text).ok_or(SetAsideError::Act)
    }
}

/// The acts for a prompt. `flagged`: credited, and not as it should be.
#[must_use]
pub fn for_prompt(state: prompt::PaymentState, flagged: bool) -> &'static [SetAsideAct] {
    match state {
        prompt::PaymentState::SetAside => &[SetAsideAct::Credit, SetAsideAct::Dismiss],
        prompt::PaymentState::Success if flagged => &[SetAsideAct::Dismiss],
        _ => &[],
    }
}

/// The acts for a withdrawal that has trouble.
#[must_use]
pub fn for_payout(status: WithdrawalStatus, payout: Option<PayoutState>) -> &'static [SetAsideAct] {
    match (status, payout) {
        (WithdrawalStatus::Pending, Some(PayoutState::Sent)) => &[SetAsideAct::Paid, SetAsideAct::Return],
        (WithdrawalStatus::Pending, _) => &[],
        (WithdrawalStatus::Done | WithdrawalStatus::Rejected, _) => &[SetAsideAct::Dismiss],
    }
}

/// A reason, as it is kept: without spaces around it.
///
/// # Errors
/// It is empty, or has more than 200 characters.
pub fn check_reason(text: &str) -> Result<&str, SetAsideError> {
    let text = text.trim();
    let fits = !text.is_empty() && text.chars().count() <= LONGEST_REASON;
    fits.then_some(text).ok_or(SetAsideError::Reason)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("credit", Ok(SetAsideAct::Credit))]
    #[case("return", Ok(SetAsideAct::Return))]
    #[case("Credit", Err(SetAsideError::Act))]
    #[case("", Err(SetAsideError::Act))]
    fn an_act_is_one_of_four(#[case] text: &str, #[case] act: Result<SetAsideAct, SetAsideError>) {
        assert_eq!(SetAsideAct::parse(text), act);
    }

    #[test]
    fn what_is_not_open_has_no_acts() {
        use prompt::PaymentState::{Dismissed, Failed, Pending, SetAside, Success};
        assert_eq!(for_prompt(SetAside, false), [SetAsideAct::Credit, SetAsideAct::Dismiss]);
        assert_eq!(for_prompt(Success, true), [SetAsideAct::Dismiss]);
        for (state, flagged) in [(Success, false), (Pending, false), (Failed, true), (Dismissed, true)] {
            assert!(for_prompt(state, flagged).is_empty());
        }
        assert_eq!(
            for_payout(WithdrawalStatus::Pending, Some(PayoutState::Sent)),
            [SetAsideAct::Paid, SetAsideAct::Return]
        );
        assert_eq!(for_payout(WithdrawalStatus::Rejected, None), [SetAsideAct::Dismiss]);
        assert!(for_payout(WithdrawalStatus::Pending, None).is_empty());
    }

    #[rstest]
    #[case("  Seen in the portal. ", true)]
    #[case(" ", false)]
    #[case(&"x".repeat(200), true)]
    #[case(&"é".repeat(201), false)]
    fn a_reason_is_given_and_short(#[case] text: &str, #[case] fits: bool) {
        assert_eq!(check_reason(text).is_ok(), fits);
    }
}
