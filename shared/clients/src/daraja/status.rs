//! What a transaction status query's result says (docs/daraja.md, "Asking about a transaction (status)").
//!
//! The words for a transaction that did not happen are not in Safaricom's documents; those here are its
//! portal's. Any other word says that nothing is final.

use jiff::{Timestamp, civil::DateTime};

use super::{CallbackAmount, LateResult, Party, client::EAST_AFRICA_TIME};

/// A transaction as M-Pesa has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionStatus {
    pub state: TransactionState,
    /// Its M-Pesa receipt: the query's own transaction is another one.
    pub receipt: Option<String>,
    pub amount: Option<CallbackAmount>,
    pub payer: Party,
    pub payee: Party,
    /// `YYYYMMDDHHmmss`, East Africa Time.
    pub finalised: Option<String>,
    /// The id that Daraja gave it, where it was ordered through the API.
    pub conversation_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransactionState {
    Completed,
    /// It was made, and taken back.
    Reversed,
    /// It did not happen and will not.
    Failed,
    /// In M-Pesa's own word; nothing is final.
    Open(String),
}

impl LateResult {
    pub fn transaction(&self) -> Option<TransactionStatus> {
        let state = match self.text("TransactionStatus").filter(|_| self.code.is_paid())? {
            word if word == "Completed" => TransactionState::Completed,
            word if word == "Reversed" => TransactionState::Reversed,
            word if ["Failed", "Cancelled", "Declined", "Expired"].contains(&word.as_str()) => {
                TransactionState::Failed
            }
            word => TransactionState::Open(word),
        };
        Some(TransactionStatus {
            state,
            receipt: self.text("ReceiptNo"),
            amount: self.amount("Amount"),
            payer: self.party("DebitPartyName"),
            payee: self.party("CreditPartyName"),
            finalised: self.text("FinalisedTime"),
            conversation_id: self.text("ConversationID"),
        })
    }
}

impl TransactionStatus {
    /// When it was finalised, where that is told.
    pub fn finalised_at(&self) -> Option<Timestamp> {
        instant(self.finalised.as_deref()?)
    }
}

/// The instant that `YYYYMMDDHHmmss` in East Africa Time means.
pub(super) fn instant(text: &str) -> Option<Timestamp> {
    if text.len() != 14 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let time = DateTime::strptime("%Y%m%d%H%M%S", text).ok()?;
    EAST_AFRICA_TIME.to_timestamp(time).ok()
}
