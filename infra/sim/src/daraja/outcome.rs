//! How a prompt can end, with Daraja's numbers and words (docs/daraja.md, "Its callback").

use serde::Deserialize;
use strum::{FromRepr, IntoStaticStr};

/// How a prompt ended, with Daraja's ResultCode; its name is that on `/sim/api`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, FromRepr, IntoStaticStr)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[repr(i64)]
pub(crate) enum Outcome {
    Success = 0,
    InsufficientFunds = 1,
    /// M-Pesa's own refusal; nobody can choose it.
    #[serde(skip_deserializing)]
    RuleLimited = 17,
    Cancelled = 1032,
    Unreachable = 1037,
    WrongPin = 2001,
}

impl Outcome {
    pub(super) fn code(self) -> i64 {
        self as i64
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
}
