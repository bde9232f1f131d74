//! What an initiator orders: a payout (B2C), a transaction's status, the accounts' balance. Daraja only
//! accepts an order; its result is posted later (`result.rs`).
//!
//! Invariants: the caller's id makes a payout safe to send twice, since Daraja refuses the second one;
//! nothing is sent that breaks the documents' rules for the fields.

use std::fmt;

use serde_json::json;

use super::{
    Daraja, DarajaError, debug_shows, masked,
    push::{has_banned_word, is_kenyan_msisdn},
    reply::{self, OrderAccepted},
};

/// A shortcode, among the kinds of parties that there are.
const SHORTCODE: &str = "4";

/// Daraja's API user of the shortcode, who signs orders and questions. `Debug` does not show the credential.
#[derive(Clone, PartialEq, Eq)]
pub struct Initiator {
    pub name: String,
    /// From [`super::Certificate::encrypt`].
    pub security_credential: String,
}

debug_shows!(Initiator: name);

/// Where an order's result is posted, and where that it timed out in Daraja's queue.
#[derive(Clone, PartialEq, Eq)]
pub struct ResultUrls {
    pub result: String,
    pub timeout: String,
}

// The addresses carry their macs.
debug_shows!(ResultUrls:);

#[derive(Clone, PartialEq, Eq)]
pub struct PayoutOrder {
    /// Ours and stable (OriginatorConversationID): Daraja takes one payout of an id.
    pub id: String,
    /// The shortcode that pays.
    pub shortcode: String,
    /// Twelve digits: `2547…` or `2541…`.
    pub phone: String,
    /// Whole KES, at least 1.
    pub amount: i64,
    /// 2 to 100 characters.
    pub remarks: String,
    pub urls: ResultUrls,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusOf<'a> {
    Receipt(&'a str),
    /// The id that we gave a payout.
    Payout(&'a str),
}

impl Daraja {
    /// Orders a payout. An error leaves it open whether it was accepted, unless
    /// [`DarajaError::definitely_not_sent`] says otherwise.
    pub async fn pay_out(
        &self,
        token: &str,
        initiator: &Initiator,
        payout: &PayoutOrder,
    ) -> Result<OrderAccepted, DarajaError> {
        payout.check()?;
        let body = json!({
            "OriginatorConversationID": payout.id,
            "InitiatorName": initiator.name,
            "SecurityCredential": initiator.security_credential,
            "CommandID": "BusinessPayment",
            "Amount": payout.amount.to_string(),
            "PartyA": payout.shortcode,
            "PartyB": payout.phone,
            "Remarks": payout.remarks,
            "QueueTimeOutURL": payout.urls.timeout,
            "ResultURL": payout.urls.result,
            // Safaricom's own spelling.
            "Occassion": "",
        });
        self.post("/mpesa/b2c/v3/paymentrequest", token, &body, reply::order_accepted).await
    }

    /// Asks what became of a transaction of `shortcode`. The answer is posted to `urls`.
    pub async fn ask_status(
        &self,
        token: &str,
        initiator: &Initiator,
        of: StatusOf<'_>,
        shortcode: &str,
        urls: &ResultUrls,
    ) -> Result<OrderAccepted, DarajaError> {
        urls.check()?;
        let mut body = json!({
            "Initiator": initiator.name,
            "SecurityCredential": initiator.security_credential,
            "CommandID": "TransactionStatusQuery",
            "TransactionID": "",
            "PartyA": shortcode,
            "IdentifierType": SHORTCODE,
            "ResultURL": urls.result,
            "QueueTimeOutURL": urls.timeout,
            "Remarks": "OK",
            "Occasion": "OK",
        });
        match of {
            StatusOf::Receipt(receipt) => body["TransactionID"] = json!(receipt),
            StatusOf::Payout(id) => {
                // The documents call the same id by both names.
                body["OriginatorConversationID"] = json!(id);
                body["OriginalConversationID"] = json!(id);
            }
        }
        self.post("/mpesa/transactionstatus/v1/query", token, &body, reply::order_accepted).await
    }

    /// Asks what is in the accounts of `shortcode`. The answer is posted to `urls`.
    pub async fn ask_balance(
        &self,
        token: &str,
        initiator: &Initiator,
        shortcode: &str,
        urls: &ResultUrls,
    ) -> Result<OrderAccepted, DarajaError> {
        urls.check()?;
        let body = json!({
            "Initiator": initiator.name,
            "SecurityCredential": initiator.security_credential,
            "CommandID": "AccountBalance",
            "PartyA": shortcode,
            "IdentifierType": SHORTCODE,
            "Remarks": "OK",
            "QueueTimeOutURL": urls.timeout,
            "ResultURL": urls.result,
        });
        self.post("/mpesa/accountbalance/v1/query", token, &body, reply::order_accepted).await
    }
}

impl PayoutOrder {
    fn check(&self) -> Result<(), DarajaError> {
        let rules = [
            (!self.id.is_empty(), "the payout has no id"),
            (self.amount >= 1, "the amount is below KES 1"),
            ((2..=100).contains(&self.remarks.chars().count()), "the remarks are not of 2 to 100 characters"),
            (is_kenyan_msisdn(&self.phone), "the phone is not 2547 or 2541 and eight digits"),
        ];
        match rules.iter().find(|(kept, _)| !kept) {
            Some((_, broken)) => Err(DarajaError::Invalid(broken)),
            None => self.urls.check(),
        }
    }
}

impl ResultUrls {
    fn check(&self) -> Result<(), DarajaError> {
        if has_banned_word(&self.result) || has_banned_word(&self.timeout) {
            return Err(DarajaError::Invalid("a result's address has a word that Safaricom refuses"));
        }
        Ok(())
    }
}

impl fmt::Debug for PayoutOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Payout")
            .field("id", &self.id)
            .field("phone", &masked(&self.phone))
            .field("amount", &self.amount)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn payout() -> PayoutOrder {
        PayoutOrder {
            id: "0a".into(),
            shortcode: "600992".into(),
            phone: "254705912645".into(),
            amount: 60,
            remarks: "Withdrawal".into(),
            urls: ResultUrls { result: "https://x.test/r/1b".into(), timeout: "https://x.test/t/1b".into() },
        }
    }

    #[rstest]
    #[case::no_id(PayoutOrder { id: String::new(), ..payout() })]
    #[case::nothing(PayoutOrder { amount: 0, ..payout() })]
    #[case::local_form(PayoutOrder { phone: "0705912645".into(), ..payout() })]
    #[case::short_remarks(PayoutOrder { remarks: "W".into(), ..payout() })]
    #[case::banned_word(PayoutOrder {
        urls: ResultUrls { result: "https://x.test/query".into(), timeout: String::new() }, ..payout() })]
    fn a_payout_that_daraja_would_refuse_is_not_sent(#[case] payout: PayoutOrder) {
        let error = payout.check().expect_err("it breaks a rule");
        assert!(matches!(error, DarajaError::Invalid(_)) && error.definitely_not_sent());
    }

    #[test]
    fn nothing_secret_is_shown() {
        let initiator = Initiator { name: "api".into(), security_credential: "the-credential".into() };
        let shown = format!("{initiator:?} {:?} {:?}", payout(), payout().urls);
        for hidden in ["the-credential", "254705912645", "/1b"] {
            assert!(!shown.contains(hidden), "{shown}");
        }
        assert_eq!(payout().check(), Ok(()));
    }
}
