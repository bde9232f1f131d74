//! The callback of an STK push: what M-Pesa says became of a prompt.
//!
//! Invariants: it is read, never believed here (its path's mac, our own ids and amount and a query
//! are the caller's business); an amount that is not whole KES is visible as such.

use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{ResultCode, error::unreadable, masked, wire::CallbackBody};

/// Past this a double no longer holds every whole number.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

#[derive(Clone, PartialEq, Eq)]
pub struct StkCallback {
    pub merchant_request_id: String,
    pub checkout_request_id: String,
    pub result_code: ResultCode,
    pub result_desc: String,
    /// None for a failure: it carries no metadata.
    pub amount: Option<CallbackAmount>,
    /// The M-Pesa receipt.
    pub receipt: Option<String>,
    /// Twelve digits.
    pub phone: Option<String>,
    /// `YYYYMMDDHHmmss`, East Africa Time.
    pub transaction_date: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallbackAmount {
    /// Whole KES, as it is: it may be another amount than asked for, zero or negative too.
    Whole(i64),
    /// Anything else, as it was sent ("50.5", "abc").
    Other(String),
}

/// The body is not what M-Pesa posts there. Its text never shows the body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a body of Daraja's: {reason}")]
pub struct CallbackError {
    reason: String,
}

impl CallbackError {
    pub(super) fn new(reason: String) -> Self {
        Self { reason }
    }
}

/// A body that M-Pesa posts, as it stands on the wire.
pub(super) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, CallbackError> {
    serde_json::from_slice(body).map_err(|error| CallbackError::new(unreadable(&error)))
}

/// Reads the body that M-Pesa posts to a push's `CallBackURL`.
pub fn parse_stk_callback(body: &[u8]) -> Result<StkCallback, CallbackError> {
    let callback = read::<CallbackBody>(body)?.body.stk_callback;
    let items = callback.callback_metadata.map(|metadata| metadata.item.into_list()).unwrap_or_default();
    // `Balance` often has no value.
    let find = |name: &str| {
        let item = items.iter().find(|item| item.name == name);
        item.map(|item| &item.value).filter(|value| !value.is_null())
    };
    let text = |name| find(name).and_then(plain);
    Ok(StkCallback {
        merchant_request_id: callback.merchant_request_id,
        checkout_request_id: callback.checkout_request_id,
        result_code: callback.result_code,
        result_desc: callback.result_desc,
        amount: find("Amount").map(amount),
        receipt: text("MpesaReceiptNumber"),
        phone: text("PhoneNumber"),
        transaction_date: text("TransactionDate"),
    })
}

/// A number or a text as text; none where it is empty or neither.
pub(super) fn plain(value: &Value) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => {
            number.as_f64().and_then(whole).map_or_else(|| number.to_string(), |whole| whole.to_string())
        }
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

pub(super) fn amount(value: &Value) -> CallbackAmount {
    let exact = match value {
        Value::Number(number) => number.as_f64().and_then(whole),
        Value::String(text) => decimal_text(text.trim()),
        _ => None,
    };
    exact.map_or_else(
        || match value {
            Value::String(text) => CallbackAmount::Other(text.clone()),
            other => CallbackAmount::Other(other.to_string()),
        },
        CallbackAmount::Whole,
    )
}

/// "50", "50.00" or "-1": digits and, at most, a fraction of zeros.
fn decimal_text(text: &str) -> Option<i64> {
    let (units, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = units.strip_prefix('-').unwrap_or(units);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let zeros = !fraction.is_empty() && fraction.bytes().all(|byte| byte == b'0');
    (plain && zeros).then(|| units.parse().ok()).flatten()
}

fn whole(number: f64) -> Option<i64> {
    // Within this range the conversion is exact.
    #[allow(clippy::cast_possible_truncation)]
    (number.fract() == 0.0 && number.abs() < LARGEST_EXACT).then_some(number as i64)
}

impl fmt::Debug for StkCallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StkCallback")
            .field("merchant_request_id", &self.merchant_request_id)
            .field("checkout_request_id", &self.checkout_request_id)
            .field("result_code", &self.result_code)
            .field("result_desc", &self.result_desc)
            .field("amount", &self.amount)
            .field("receipt", &self.receipt)
            .field("phone", &self.phone.as_deref().map(masked))
            .field("transaction_date", &self.transaction_date)
            .finish()
    }
}

#[cfg(test)]
#[path = "callback_tests.rs"]
mod tests;
