//! Whether a machine credits a typed code (docs/decisions.md, "A machine credits what nobody could dispute";
//! docs/daraja.md, "A typed code"). It does so only where M-Pesa's own answer says it: a payment to us, lately, by a
//! number that is this player's own. Everything else is the admin's to judge, with the reason shown.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{Kes, MpesaPhone, payments::typed_code::check_amount};

/// Payments that are older than this are for an admin.
const LATELY: SignedDuration = SignedDuration::from_hours(7 * 24);
/// M-Pesa's time of a payment may be so far ahead of our clock. (Which prompt it fits is held to seconds, by `receipt_match`.)
const MPESA_AHEAD_AT_MOST: SignedDuration = SignedDuration::from_mins(5);

/// What M-Pesa answered about a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The payment was made, and stands.
    pub completed: bool,
    /// It was made, and M-Pesa has taken it back.
    #[serde(default)]
    pub reversed: bool,
    /// To our paybill.
    pub to_us: bool,
    /// Whole KES, where it was that.
    pub amount: Option<Kes>,
    /// The payer's whole number, where M-Pesa tells it.
    pub payer: Option<MpesaPhone>,
    pub finalised_at: Option<Timestamp>,
}

/// What M-Pesa, asked afresh, says against a credit: nobody credits against it, an admin neither. The text is
/// what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MpesaSays {
    #[error("M-Pesa says that this payment was taken back.")]
    Reversed,
    #[error("M-Pesa says that no payment was made under this code.")]
    Unpaid,
    #[error("M-Pesa says that this payment was not made to our paybill.")]
    NotToUs,
    #[error("M-Pesa says that this payment is {0}.")]
    AnotherAmount(Kes),
}

/// What `answered`, an answer to a question that was asked just now, says against crediting `amount`.
///
/// # Errors
/// The weightiest of it: it was taken back, was not made, was not to us, or is of another amount.
pub fn bears_out(answered: &Answered, amount: Kes) -> Result<(), MpesaSays> {
    if answered.reversed {
        Err(MpesaSays::Reversed)
    } else if !answered.completed {
        Err(MpesaSays::Unpaid)
    } else if !answered.to_us {
        Err(MpesaSays::NotToUs)
    } else {
        match answered.amount {
            Some(said) if said != amount => Err(MpesaSays::AnotherAmount(said)),
            _ => Ok(()),
        }
    }
}

/// Why a machine does not credit a code; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotByMachine {
    #[error("M-Pesa has not answered yet.")]
    NotAnswered,
    #[error("M-Pesa does not know this code as a payment that was made.")]
    NotCompleted,
    #[error("M-Pesa has taken this payment back.")]
    Reversed,
    #[error("This payment was not made to our paybill.")]
    NotToUs,
    #[error("M-Pesa tells no whole amount.")]
    NoAmount,
    #[error("M-Pesa confirmed another amount before.")]
    AmountsDiffer,
    #[error("The payment is older than a week, or M-Pesa does not tell its time.")]
    NotLately,
    #[error("M-Pesa does not tell the payer's number.")]
    NoPayer,
    #[error("The payer's number is not this player's own, or was not a day before it was paid.")]
    AnotherPayer,
    #[error("The payment names another player's account.")]
    AnothersAccount,
    #[error(
        "A prompt of this amount is open, or credited without a receipt so far: the code may be that prompt's."
    )]
    Prompts,
    #[error("The setting that lets verified codes be credited is off.")]
    Off,
}

/// The amount that M-Pesa's answer bears out, in KES. `confirmed` is what a stored confirmation of the
/// same receipt says, where there is one; `own`, whether the payer's number is this player's own.
///
/// # Errors
/// What stands against it, the weightiest first.
pub fn judge(
    answered: Option<&Answered>,
    confirmed: Option<Kes>,
    own: bool,
    now: Timestamp,
) -> Result<Kes, NotByMachine> {
    let answered = answered.ok_or(NotByMachine::NotAnswered)?;
    if answered.reversed {
        return Err(NotByMachine::Reversed);
    } else if !answered.completed {
        return Err(NotByMachine::NotCompleted);
    } else if !answered.to_us {
        return Err(NotByMachine::NotToUs);
    }
    let amount = check_amount(answered.amount.map(Kes::get)).map_err(|_| NotByMachine::NoAmount)?;
    if confirmed.is_some_and(|confirmed| confirmed != amount) {
        return Err(NotByMachine::AmountsDiffer);
    }
    let lately = |at: Timestamp| at <= now + MPESA_AHEAD_AT_MOST && now <= at + LATELY;
    if !answered.finalised_at.is_some_and(lately) {
        return Err(NotByMachine::NotLately);
    }
    match &answered.payer {
        None => Err(NotByMachine::NoPayer),
        Some(_) if own => Ok(amount),
        Some(_) => Err(NotByMachine::AnotherPayer),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn phone(tail: &str) -> MpesaPhone {
        MpesaPhone::for_withdrawal(&format!("07{tail}")).unwrap()
    }

    fn hours(n: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(n)
    }

    fn answered() -> Answered {
        Answered {
            completed: true,
            reversed: false,
            to_us: true,
            amount: Some(Kes::new(250)),
            payer: Some(phone("12345678")),
            finalised_at: Some(hours(999)),
        }
    }

    #[test]
    fn what_nobody_could_dispute_is_credited() {
        let amount = Ok(Kes::new(250));
        assert_eq!(judge(Some(&answered()), None, true, hours(1000)), amount);
        assert_eq!(judge(Some(&answered()), Some(Kes::new(250)), true, hours(1000)), amount);
        assert_eq!(judge(Some(&answered()), None, true, hours(999 + 7 * 24)), amount);
        let ahead = hours(1000) + SignedDuration::from_mins(5);
        let by_a_clock_ahead = Answered { finalised_at: Some(ahead), ..answered() };
        assert_eq!(judge(Some(&by_a_clock_ahead), None, true, hours(1000)), amount);
    }

    #[rstest]
    #[case::taken_back(Answered { completed: false, reversed: true, ..answered() }, Err(MpesaSays::Reversed))]
    #[case::not_made(Answered { completed: false, ..answered() }, Err(MpesaSays::Unpaid))]
    #[case::to_another(Answered { to_us: false, ..answered() }, Err(MpesaSays::NotToUs))]
    #[case::less(Answered { amount: Some(Kes::new(100)), ..answered() }, Err(MpesaSays::AnotherAmount(Kes::new(100))))]
    #[case::not_told(Answered { amount: None, ..answered() }, Ok(()))]
    #[case::masked(Answered { payer: None, ..answered() }, Ok(()))]
    fn nobody_credits_against_m_pesas_word(#[case] said: Answered, #[case] expected: Result<(), MpesaSays>) {
        assert_eq!(bears_out(&said, Kes::new(250)), expected);
    }

    #[rstest]
    #[case::silence(None, None, NotByMachine::NotAnswered)]
    #[case::taken_back(Some(Answered { completed: false, reversed: true, ..answered() }), None, NotByMachine::Reversed)]
    #[case::not_made(Some(Answered { completed: false, ..answered() }), None, NotByMachine::NotCompleted)]
    #[case::to_another(Some(Answered { to_us: false, ..answered() }), None, NotByMachine::NotToUs)]
    #[case::no_amount(Some(Answered { amount: None, ..answered() }), None, NotByMachine::NoAmount)]
    #[case::nothing(Some(Answered { amount: Some(Kes::ZERO), ..answered() }), None, NotByMachine::NoAmount)]
    #[case::too_much(Some(Answered { amount: Some(Kes::new(250_001)), ..answered() }), None, NotByMachine::NoAmount)]
    #[case::confirmed_otherwise(Some(answered()), Some(Kes::new(249)), NotByMachine::AmountsDiffer)]
    #[case::no_time(Some(Answered { finalised_at: None, ..answered() }), None, NotByMachine::NotLately)]
    #[case::tomorrow(Some(Answered { finalised_at: Some(hours(1001)), ..answered() }), None, NotByMachine::NotLately)]
    #[case::long_ago(Some(Answered { finalised_at: Some(hours(831)), ..answered() }), None, NotByMachine::NotLately)]
    #[case::masked(Some(Answered { payer: None, ..answered() }), None, NotByMachine::NoPayer)]
    fn what_somebody_could_dispute_is_the_admins(
        #[case] answered: Option<Answered>,
        #[case] confirmed: Option<Kes>,
        #[case] why: NotByMachine,
    ) {
        assert_eq!(judge(answered.as_ref(), confirmed, true, hours(1000)), Err(why));
    }

    #[test]
    fn what_a_stranger_paid_is_the_admins() {
        assert_eq!(judge(Some(&answered()), None, false, hours(1000)), Err(NotByMachine::AnotherPayer));
    }
}
