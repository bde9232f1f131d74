//! What a transaction status query's result says (docs/daraja.md, "Asking about a transaction (status)").
//!
//! The words for a transaction that did not happen are not in Safaricom's documents; those here are its
//! portal's. Any other word says that nothing is final.

use std::fmt;

use jiff::{Timestamp, civil::DateTime};

use super::{CallbackAmount, LateResult, client::EAST_AFRICA_TIME, masked, push::is_kenyan_msisdn};

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

/// `254705912645 - NICHOLAS JOHN SONGOK`, taken apart.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Party {
    /// A phone in twelve digits, or a shortcode.
    pub number: Option<String>,
    pub name: Option<String>,
}

impl LateResult {
    /// The transaction, where the query found it.
    #[must_use]
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
    #[must_use]
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

impl Party {
    pub(super) fn parse(text: &str) -> Self {
        let (number, name) = match text.split_once('-') {
            Some((number, name)) => (number.trim(), name.trim()),
            None => (text.trim(), ""),
        };
        let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
        let name = if is_number { name } else { text.trim() };
        Self {
            number: is_number.then(|| number.to_owned()),
            name: (!name.is_empty()).then(|| name.split_whitespace().collect::<Vec<_>>().join(" ")),
        }
    }

    /// Its number, where that is a whole phone number.
    #[must_use]
    pub fn phone(&self) -> Option<&str> {
        self.number.as_deref().filter(|number| is_kenyan_msisdn(number))
    }
}

impl fmt::Debug for Party {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Party({})", self.number.as_deref().map(masked).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("254705912645 - NICHOLAS JOHN SONGOK", Some("254705912645"), Some("NICHOLAS JOHN SONGOK"))]
    #[case("254705912645-JANE  DOE", Some("254705912645"), Some("JANE DOE"))]
    #[case("600782 - FPL Leagues", Some("600782"), Some("FPL Leagues"))]
    #[case("254705912645", Some("254705912645"), None)]
    #[case("2547 ***** 126 - JANE", None, Some("2547 ***** 126 - JANE"))]
    #[case("JANE-ANN DOE", None, Some("JANE-ANN DOE"))]
    #[case("", None, None)]
    fn a_party_is_a_number_and_a_name(
        #[case] text: &str,
        #[case] number: Option<&str>,
        #[case] name: Option<&str>,
    ) {
        let party = Party::parse(text);
        assert_eq!((party.number.as_deref(), party.name.as_deref()), (number, name));
    }

    #[test]
    fn a_shortcode_is_no_phone_and_nobody_is_named_in_a_log() {
        assert_eq!(Party::parse("600782 - FPL Leagues").phone(), None);
        let party = Party::parse("254705912645 - NICHOLAS JOHN SONGOK");
        assert_eq!(party.phone(), Some("254705912645"));
        assert_eq!(format!("{party:?}"), "Party(…645)");
    }
}
