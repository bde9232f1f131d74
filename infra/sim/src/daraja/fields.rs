//! What requests are made of, and the checks that they have in common.

use axum::body::{Body, to_bytes};
use serde_json::{Map, Value};

use super::{DarajaError, stamps};
use crate::Sim;

const MAX_BODY: usize = 64 * 1024;
/// The most that M-Pesa moves at once, in KES.
pub(crate) const MAX_AMOUNT: i64 = 250_000;
/// Words that Daraja refuses in a callback address.
const BANNED: [&str; 7] = ["mpesa", "m-pesa", "safaricom", "exe", "cmd", "sql", "query"];

pub(super) type Fields = Map<String, Value>;

pub(super) async fn read_object(body: Body) -> Result<Fields, DarajaError> {
    let invalid = || DarajaError::Invalid("Request Payload");
    let bytes = to_bytes(body, MAX_BODY).await.map_err(|_| invalid())?;
    serde_json::from_slice(&bytes).map_err(|_| invalid())
}

/// Shortcode, Timestamp and Password: what push and query have in common.
pub(super) fn check_caller(sim: &Sim, fields: &Fields) -> Result<(), DarajaError> {
    let secrets = sim.secrets();
    let shortcode = digits(fields, "BusinessShortCode")?;
    if !is_shortcode(&shortcode) {
        return Err(DarajaError::Invalid("BusinessShortCode"));
    }
    let timestamp = text(fields, "Timestamp")?;
    // No document says how far it may be from M-Pesa's own clock; callers have the real one.
    stamps::parse_eat(timestamp).ok_or(DarajaError::Invalid("Timestamp"))?;
    if shortcode != secrets.shortcode {
        return Err(DarajaError::MerchantUnknown);
    }
    if text(fields, "Password")? != stamps::password(secrets, timestamp) {
        return Err(DarajaError::WrongCredentials);
    }
    Ok(())
}

pub(super) fn is_shortcode(text: &str) -> bool {
    (5..=7).contains(&text.len())
}

pub(super) fn text<'a>(fields: &'a Fields, name: &'static str) -> Result<&'a str, DarajaError> {
    fields.get(name).and_then(Value::as_str).ok_or(DarajaError::Invalid(name))
}

/// A field that is a whole number, written as a number or as a string of digits.
pub(super) fn digits(fields: &Fields, name: &'static str) -> Result<String, DarajaError> {
    let found = match fields.get(name) {
        Some(Value::Number(number)) => number.as_u64().map(|number| number.to_string()),
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    found
        .filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or(DarajaError::Invalid(name))
}

/// A text of `least` to `most` characters, not all of them blank.
pub(super) fn short_text(
    fields: &Fields,
    name: &'static str,
    least: usize,
    most: usize,
) -> Result<String, DarajaError> {
    let text = text(fields, name)?;
    let fits = !text.trim().is_empty() && (least..=most).contains(&text.chars().count());
    fits.then(|| text.to_owned()).ok_or(DarajaError::Invalid(name))
}

pub(super) fn amount(fields: &Fields, least: i64) -> Result<i64, DarajaError> {
    let amount = digits(fields, "Amount")?.parse().ok();
    amount.filter(|amount| (least..=MAX_AMOUNT).contains(amount)).ok_or(DarajaError::Invalid("Amount"))
}

pub(super) fn msisdn(fields: &Fields, name: &'static str) -> Result<String, DarajaError> {
    let number = digits(fields, name)?;
    if stamps::is_msisdn(&number) { Ok(number) } else { Err(DarajaError::Invalid(name)) }
}

/// An https address without a banned word; plain http only to this machine.
pub(super) fn address(fields: &Fields, name: &'static str) -> Result<String, DarajaError> {
    let invalid = DarajaError::Invalid(name);
    let text = text(fields, name)?;
    let Ok(url) = reqwest::Url::parse(text) else { return Err(invalid) };
    let here = matches!(url.host_str(), Some("localhost" | "127.0.0.1"));
    let allowed = match url.scheme() {
        "https" => url.has_host(),
        "http" => here,
        _ => false,
    };
    let lower = text.to_ascii_lowercase();
    if !allowed || BANNED.iter().any(|word| lower.contains(word)) {
        return Err(invalid);
    }
    Ok(text.to_owned())
}
