//! Results that Daraja posts after it has taken an order on: of payouts, of transaction status and of
//! account balance, all in one envelope (docs/daraja.md).
//!
//! Invariants: read, never believed here; only a listed code says that a payout failed; whatever else
//! is not understood says nothing.

use serde_json::Value;

use super::{
    CallbackAmount, CallbackError, Party, ResultCode,
    callback::{amount, plain, read},
    debug_shows,
    wire::ResultBody,
    words::kept,
};

/// What Daraja says became of an order.
#[derive(Clone, PartialEq)]
pub struct LateResult {
    pub code: ResultCode,
    /// Without long numbers.
    pub description: String,
    /// The id that we gave the order, where it is a payout.
    pub originator_conversation_id: String,
    /// The id that Daraja gave it.
    pub conversation_id: String,
    parameters: Vec<(String, Value)>,
}

// The parameters name people.
debug_shows!(LateResult: code, description, originator_conversation_id, conversation_id);

/// What a result says about a payout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PayoutOutcome {
    Paid {
        amount: Option<CallbackAmount>,
        receipt: Option<String>,
        recipient: Party,
    },
    Failed(PayoutFailure),
    /// Not a documented code: nothing may be concluded from it.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum PayoutFailure {
    /// The shortcode's float does not cover it: ours to fill.
    FloatTooLow,
    /// Below or above what M-Pesa moves, or the recipient's limits.
    Limits,
    Inactive,
    NotRegistered,
    BadPhone,
    /// Our initiator's role, password or product: ours to mend.
    Ours,
}

/// Reads the body that Daraja posts to a `ResultURL` or a `QueueTimeOutURL`.
pub fn parse_result(body: &[u8]) -> Result<LateResult, CallbackError> {
    let result = read::<ResultBody>(body)?.result;
    let parameters = result.result_parameters.map(|parameters| parameters.result_parameter.into_list());
    let named = parameters.unwrap_or_default().into_iter().map(|one| (one.key, one.value));
    Ok(LateResult {
        code: result.result_code,
        description: kept(&result.result_desc),
        originator_conversation_id: result.originator_conversation_id,
        conversation_id: result.conversation_id,
        parameters: named.filter(|(_, value)| !value.is_null()).collect(),
    })
}

impl LateResult {
    pub fn payout(&self) -> PayoutOutcome {
        use PayoutFailure as Why;
        match self.code.as_str() {
            "0" => PayoutOutcome::Paid {
                amount: self.amount("TransactionAmount"),
                receipt: self.text("TransactionReceipt"),
                recipient: self.party("ReceiverPartyPublicName"),
            },
            "1" => PayoutOutcome::Failed(Why::FloatTooLow),
            "2" | "3" | "4" | "8" => PayoutOutcome::Failed(Why::Limits),
            "11" | "2006" => PayoutOutcome::Failed(Why::Inactive),
            "2040" => PayoutOutcome::Failed(Why::NotRegistered),
            "SFC_IC0003" => PayoutOutcome::Failed(Why::BadPhone),
            "21" | "2001" | "2028" | "8006" => PayoutOutcome::Failed(Why::Ours),
            _ => PayoutOutcome::Unknown,
        }
    }

    pub(super) fn text(&self, key: &str) -> Option<String> {
        self.value(key).and_then(plain)
    }

    pub(super) fn amount(&self, key: &str) -> Option<CallbackAmount> {
        self.value(key).map(amount)
    }

    pub(super) fn party(&self, key: &str) -> Party {
        self.text(key).map(|text| Party::parse(&text)).unwrap_or_default()
    }

    fn value(&self, key: &str) -> Option<&Value> {
        self.parameters.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }
}

impl PayoutFailure {
    /// One plain sentence for the player.
    pub fn player_message(self) -> &'static str {
        match self {
            Self::FloatTooLow | Self::Ours => "M-Pesa could not make this payment for us at the moment.",
            Self::Limits => "This would pass an M-Pesa limit of the receiving number.",
            Self::Inactive => "The M-Pesa account of this number is not active.",
            Self::NotRegistered => "This number is not registered with M-Pesa.",
            Self::BadPhone => "M-Pesa does not know this number.",
        }
    }
}

#[cfg(test)]
#[path = "result_tests.rs"]
mod tests;
