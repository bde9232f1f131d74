//! How a prompt can end, with Daraja's numbers and words (docs/daraja.md, "Its callback").

use serde::Deserialize;

/// How a prompt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Success,
    InsufficientFunds,
    Cancelled,
    WrongPin,
    Unreachable,
    /// M-Pesa's own refusal; nobody can choose it.
    #[serde(skip_deserializing)]
    RuleLimited,
}

impl Outcome {
    const ALL: [Self; 6] = [
        Self::Success,
        Self::InsufficientFunds,
        Self::Cancelled,
        Self::WrongPin,
        Self::Unreachable,
        Self::RuleLimited,
    ];

    /// Daraja's ResultCode.
    pub(super) fn code(self) -> i64 {
        match self {
            Self::Success => 0,
            Self::InsufficientFunds => 1,
            Self::RuleLimited => 17,
            Self::Cancelled => 1032,
            Self::Unreachable => 1037,
            Self::WrongPin => 2001,
        }
    }

    /// Daraja's ResultDesc.
    pub(super) fn description(self) -> &'static str {
        match self {
            Self::Success => "The service request is processed successfully.",
            Self::InsufficientFunds => "The balance is insufficient for the transaction.",
            Self::RuleLimited => "Rule limited.",
            Self::Cancelled => "Request cancelled by user.",
            Self::Unreachable => "DS timeout user cannot be reached.",
            Self::WrongPin => "The initiator information is invalid.",
        }
    }

    /// Its name on `/sim/api`.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::InsufficientFunds => "insufficient_funds",
            Self::RuleLimited => "rule_limited",
            Self::Cancelled => "cancelled",
            Self::Unreachable => "unreachable",
            Self::WrongPin => "wrong_pin",
        }
    }

    pub(super) fn of_code(code: i64) -> Option<Self> {
        Self::ALL.into_iter().find(|outcome| outcome.code() == code)
    }
}
