//! M-Pesa's result codes: which are final, what each means, and what the player is told.
//!
//! Invariant: only a code that is listed here ends a payment; any other one is unknown, and unknown
//! is not failed.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

/// The code M-Pesa ends a payment with: a number in a callback, text in a query's answer, and
/// sometimes not a number at all ("SFC_IC0003").
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct ResultCode(String);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptOutcome {
    Paid,
    /// Still being processed: ask again.
    Pending,
    Failed(FailureReason),
    /// Not a documented code: nothing may be concluded from it.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum FailureReason {
    InsufficientBalance,
    BelowMinimum,
    AboveMaximum,
    DailyLimit,
    /// The receiving side's balance would pass M-Pesa's limit.
    BalanceLimit,
    /// The same amount from the same phone within two minutes.
    RepeatedTooSoon,
    SystemBusy,
    /// Another transaction of that phone is under way.
    PhoneBusy,
    Expired,
    PromptNotDelivered,
    Cancelled,
    NoAnswer,
    WrongPin,
    PinLocked,
    /// The business is not allowed this, or is not set up for it: ours to mend.
    NotPermitted,
}

impl ResultCode {
    pub fn new(code: impl Into<String>) -> Self {
        Self(code.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_paid(&self) -> bool {
        self.outcome() == PromptOutcome::Paid
    }

    /// Whether only somebody who holds the phone can have brought it about: a PIN was typed there.
    pub fn is_of_phones_holder(&self) -> bool {
        let reason = match self.outcome() {
            PromptOutcome::Failed(reason) => reason,
            PromptOutcome::Paid | PromptOutcome::Pending | PromptOutcome::Unknown => return false,
        };
        matches!(reason, FailureReason::WrongPin | FailureReason::InsufficientBalance)
    }

    /// What the code means (Safaricom's result codes for STK push).
    pub fn outcome(&self) -> PromptOutcome {
        use FailureReason as Why;
        match self.0.as_str() {
            "0" => PromptOutcome::Paid,
            "4999" => PromptOutcome::Pending,
            "1" => PromptOutcome::Failed(Why::InsufficientBalance),
            "2" => PromptOutcome::Failed(Why::BelowMinimum),
            "3" => PromptOutcome::Failed(Why::AboveMaximum),
            "4" => PromptOutcome::Failed(Why::DailyLimit),
            "8" => PromptOutcome::Failed(Why::BalanceLimit),
            "17" => PromptOutcome::Failed(Why::RepeatedTooSoon),
            "26" => PromptOutcome::Failed(Why::SystemBusy),
            "1001" => PromptOutcome::Failed(Why::PhoneBusy),
            "1019" => PromptOutcome::Failed(Why::Expired),
            "1025" | "9999" => PromptOutcome::Failed(Why::PromptNotDelivered),
            "1032" => PromptOutcome::Failed(Why::Cancelled),
            "1037" => PromptOutcome::Failed(Why::NoAnswer),
            "2001" => PromptOutcome::Failed(Why::WrongPin),
            "2028" | "SFC_IC0003" => PromptOutcome::Failed(Why::NotPermitted),
            "8006" => PromptOutcome::Failed(Why::PinLocked),
            _ => PromptOutcome::Unknown,
        }
    }

    /// One plain sentence or two for the player.
    pub fn player_message(&self) -> &'static str {
        match self.outcome() {
            PromptOutcome::Paid => "M-Pesa has taken the payment.",
            PromptOutcome::Pending => "M-Pesa is still processing the payment.",
            PromptOutcome::Failed(reason) => reason.player_message(),
            PromptOutcome::Unknown => {
                "M-Pesa has not said yet whether the payment went through. Please check later."
            }
        }
    }
}

impl FailureReason {
    /// One plain sentence or two for the player.
    pub fn player_message(self) -> &'static str {
        match self {
            Self::InsufficientBalance => {
                "There was not enough money in your M-Pesa account. Top it up and try again."
            }
            Self::BelowMinimum => "The amount is below the least that M-Pesa accepts.",
            Self::AboveMaximum => "The amount is above the most that M-Pesa accepts at once.",
            Self::DailyLimit => "This would pass your M-Pesa limit for today.",
            Self::BalanceLimit => "This would pass an M-Pesa balance limit.",
            Self::RepeatedTooSoon => {
                "M-Pesa refuses the same amount twice within two minutes. Wait a little and try again."
            }
            Self::SystemBusy => "M-Pesa was busy. Please try again in a moment.",
            Self::PhoneBusy => {
                "Another M-Pesa request was open on your phone. Wait a few minutes and try again."
            }
            Self::Expired => "The request expired before it was approved. Please try again.",
            Self::PromptNotDelivered => "M-Pesa could not send the request to your phone. Please try again.",
            Self::Cancelled => "You cancelled the request on your phone.",
            Self::NoAnswer => "There was no answer on the phone. Keep it on and unlocked, and try again.",
            Self::WrongPin => "The M-Pesa PIN was wrong. Please try again.",
            Self::PinLocked => "Your M-Pesa PIN is locked. Unlock it with Safaricom first.",
            Self::NotPermitted => {
                "M-Pesa does not accept this payment to us at the moment. Please contact us."
            }
        }
    }
}

impl fmt::Display for ResultCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for ResultCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Wire {
            Number(i64),
            Text(String),
        }
        match Wire::deserialize(deserializer)? {
            Wire::Number(code) => Ok(Self(code.to_string())),
            Wire::Text(code) if code.trim().is_empty() => Err(de::Error::custom("an empty result code")),
            Wire::Text(code) => Ok(Self(code.trim().to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("0", "0")]
    #[case("1032", "1032")]
    #[case("\"1032\"", "1032")]
    #[case("\" 0 \"", "0")]
    #[case("\"SFC_IC0003\"", "SFC_IC0003")]
    fn reads_numbers_and_text(#[case] json: &str, #[case] code: &str) {
        let parsed: ResultCode = serde_json::from_str(json).expect("a code");
        assert_eq!(parsed.as_str(), code);
    }

    #[rstest]
    #[case("null")]
    #[case("\"\"")]
    #[case("0.5")]
    #[case("true")]
    #[case("[0]")]
    fn refuses_what_is_no_code(#[case] json: &str) {
        assert!(serde_json::from_str::<ResultCode>(json).is_err());
    }

    #[rstest]
    #[case("1", FailureReason::InsufficientBalance)]
    #[case("2", FailureReason::BelowMinimum)]
    #[case("3", FailureReason::AboveMaximum)]
    #[case("4", FailureReason::DailyLimit)]
    #[case("8", FailureReason::BalanceLimit)]
    #[case("17", FailureReason::RepeatedTooSoon)]
    #[case("26", FailureReason::SystemBusy)]
    #[case("1001", FailureReason::PhoneBusy)]
    #[case("1019", FailureReason::Expired)]
    #[case("1025", FailureReason::PromptNotDelivered)]
    #[case("9999", FailureReason::PromptNotDelivered)]
    #[case("1032", FailureReason::Cancelled)]
    #[case("1037", FailureReason::NoAnswer)]
    #[case("2001", FailureReason::WrongPin)]
    #[case("2028", FailureReason::NotPermitted)]
    #[case("SFC_IC0003", FailureReason::NotPermitted)]
    #[case("8006", FailureReason::PinLocked)]
    fn a_listed_code_is_a_failure(#[case] code: &str, #[case] reason: FailureReason) {
        let code = ResultCode::new(code);
        assert_eq!(code.outcome(), PromptOutcome::Failed(reason));
        assert_eq!(code.player_message(), reason.player_message());
        assert!(!code.is_paid());
    }

    #[test]
    fn zero_is_paid_and_4999_is_pending() {
        assert!(ResultCode::new("0").is_paid());
        assert_eq!(ResultCode::new("4999").outcome(), PromptOutcome::Pending);
    }

    proptest::proptest! {
        #[test]
        fn no_other_text_is_paid(code in "\\PC{0,8}") {
            proptest::prop_assume!(code != "0");
            proptest::prop_assert!(!ResultCode::new(code).is_paid());
        }

        #[test]
        fn an_unlisted_number_is_unknown(code in 10_000i64..) {
            proptest::prop_assert_eq!(ResultCode::new(code.to_string()).outcome(), PromptOutcome::Unknown);
        }
    }
}
