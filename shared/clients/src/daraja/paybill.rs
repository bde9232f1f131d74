//! Payments to the paybill (C2B, docs/daraja.md): where M-Pesa confirms them, and what it confirms.
//!
//! Invariant: a confirmation is read, never believed here; its phone is masked, so it says who paid
//! only nearly.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    CallbackAmount, CallbackError, Daraja, DarajaError,
    callback::{self, amount, plain},
    debug_shows,
    push::has_banned_word,
    reply,
    status::instant,
    wire::ConfirmationBody,
};

/// Where M-Pesa confirms payments, and where it would ask before one (it is not asked to).
#[derive(Clone, PartialEq, Eq)]
pub struct PaybillUrls {
    pub confirmation: String,
    pub validation: String,
}

// The addresses carry their macs.
debug_shows!(PaybillUrls:);

#[derive(Clone, PartialEq, Eq)]
pub struct PaybillConfirmation {
    pub receipt: String,
    pub amount: CallbackAmount,
    pub shortcode: String,
    /// The account that the payer entered.
    pub account_reference: Option<String>,
    /// `2547 ***** 126`.
    pub phone: Option<String>,
    pub name: Option<String>,
    /// `YYYYMMDDHHmmss`, East Africa Time.
    pub time: Option<String>,
}

debug_shows!(PaybillConfirmation: receipt, amount, shortcode);

impl PaybillConfirmation {
    /// When M-Pesa took the payment, to the second, where that is told.
    pub fn paid_at(&self) -> Option<Timestamp> {
        instant(self.time.as_deref()?)
    }
}

impl Daraja {
    /// Has M-Pesa confirm the payments to `shortcode` at `urls`. What cannot be asked is completed.
    pub async fn register_paybill(
        &self,
        token: &str,
        shortcode: &str,
        urls: &PaybillUrls,
    ) -> Result<(), DarajaError> {
        if has_banned_word(&urls.confirmation) || has_banned_word(&urls.validation) {
            return Err(DarajaError::Invalid("the paybill's address has a word that Safaricom refuses"));
        }
        let body = json!({
            "ShortCode": shortcode,
            "ResponseType": "Completed",
            "ConfirmationURL": urls.confirmation,
            "ValidationURL": urls.validation,
        });
        self.post("/mpesa/c2b/v2/registerurl", token, &body, reply::accepted).await
    }
}

/// Reads the body that M-Pesa posts to the confirmation's address.
pub fn parse_confirmation(body: &[u8]) -> Result<PaybillConfirmation, CallbackError> {
    let parsed: ConfirmationBody = callback::read(body)?;
    let needed = |value: &Value, name: &str| {
        plain(value).ok_or_else(|| CallbackError::new(format!("{name} is empty")))
    };
    let receipt = needed(&Value::String(parsed.trans_id), "TransID")?;
    let names = [&parsed.first_name, &parsed.middle_name, &parsed.last_name];
    let name = names.into_iter().filter_map(plain).collect::<Vec<_>>().join(" ");
    Ok(PaybillConfirmation {
        receipt,
        amount: amount(&parsed.trans_amount),
        shortcode: needed(&parsed.business_short_code, "BusinessShortCode")?,
        account_reference: plain(&parsed.bill_ref_number),
        phone: plain(&parsed.msisdn),
        name: (!name.is_empty()).then_some(name),
        time: plain(&parsed.trans_time),
    })
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn documented() -> Value {
        json!({"TransactionType": "Pay Bill", "TransID": "RKL51ZDR4F", "TransTime": "20231121121325",
            "TransAmount": "5.00", "BusinessShortCode": "600966", "BillRefNumber": "Sample Transaction",
            "InvoiceNumber": "", "OrgAccountBalance": "25.00", "ThirdPartyTransID": "",
            "MSISDN": "2547 ***** 126", "FirstName": "NICHOLAS", "MiddleName": "", "LastName": ""})
    }

    fn read(body: &Value) -> Result<PaybillConfirmation, CallbackError> {
        parse_confirmation(body.to_string().as_bytes())
    }

    #[test]
    fn the_documented_body_is_read() {
        let confirmation = read(&documented()).expect("a confirmation");
        assert_eq!(confirmation.receipt, "RKL51ZDR4F");
        assert_eq!(confirmation.amount, CallbackAmount::Whole(5));
        assert_eq!(confirmation.shortcode, "600966");
        assert_eq!(confirmation.account_reference.as_deref(), Some("Sample Transaction"));
        assert_eq!(confirmation.phone.as_deref(), Some("2547 ***** 126"));
        assert_eq!(confirmation.name.as_deref(), Some("NICHOLAS"));
        assert_eq!(confirmation.paid_at(), Some("2023-11-21T09:13:25Z".parse().expect("a time")));
        let shown = format!("{confirmation:?}");
        assert!(!shown.contains("NICHOLAS") && !shown.contains("126"), "{shown}");
    }

    #[rstest]
    #[case::no_receipt("TransID", json!(""))]
    #[case::a_receipt_that_is_none("TransID", json!(7))]
    #[case::no_shortcode("BusinessShortCode", json!(null))]
    fn what_cannot_be_told_apart_is_refused(#[case] field: &str, #[case] value: Value) {
        let mut body = documented();
        body[field] = value;
        assert!(read(&body).is_err());
    }

    #[test]
    fn an_amount_that_is_not_whole_is_seen_as_such() {
        for (sent, seen) in [
            (json!("5.50"), CallbackAmount::Other("5.50".into())),
            (json!(5), CallbackAmount::Whole(5)),
            (json!("-5"), CallbackAmount::Whole(-5)),
        ] {
            let mut body = documented();
            body["TransAmount"] = sent;
            assert_eq!(read(&body).expect("a confirmation").amount, seen);
        }
    }
}
