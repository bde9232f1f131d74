//! STK push: every check that Daraja documents, in turn, then a prompt on the phone.

use axum::{
    Json,
    body::{Body, to_bytes},
    extract::State,
    http::HeaderMap,
};
use jiff::SignedDuration;
use serde_json::{Map, Value, json};

use super::{
    DarajaError, auth, callbacks,
    prompts::{self, NewPrompt},
    stamps,
};
use crate::{Sim, faults::DarajaFault};

const MAX_BODY: usize = 64 * 1024;
const MAX_AMOUNT: i64 = 250_000;
const MAX_REFERENCE: usize = 12;
const MAX_DESCRIPTION: usize = 13;
/// How far a request's Timestamp may be from the clock.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_hours(24);
/// Words that Daraja refuses in a callback address.
const BANNED: [&str; 7] = ["mpesa", "m-pesa", "safaricom", "exe", "cmd", "sql", "query"];

/// `POST /mpesa/stkpush/v1/processrequest`.
pub(super) async fn process_request(
    State(sim): State<Sim>,
    headers: HeaderMap,
    body: Body,
) -> Result<Json<Value>, DarajaError> {
    auth::require_token(&sim, &headers)?;
    let fields = read_object(body).await?;
    let new = check(&sim, &fields)?;
    let fault = sim.faults().daraja;
    if fault == DarajaFault::Reject {
        return Err(sim.next_refusal());
    }
    let early = fault == DarajaFault::Early;
    let prompt = prompts::push(sim.db(), &new, sim.now(), early)?.ok_or(DarajaError::SubscriberLocked)?;
    if early {
        let body = callbacks::body(&prompt, prompt.amount).to_string();
        callbacks::send(sim.http(), &prompt.checkout_id, &prompt.callback_url, body).await;
    }
    sim.changed().notify_one();
    Ok(Json(json!({
        "MerchantRequestID": prompt.merchant_id,
        "CheckoutRequestID": prompt.checkout_id,
        "ResponseCode": "0",
        "ResponseDescription": "Success. Request accepted for processing",
        "CustomerMessage": "Success. Request accepted for processing",
    })))
}

pub(super) async fn read_object(body: Body) -> Result<Map<String, Value>, DarajaError> {
    let invalid = || DarajaError::Invalid("Request Payload");
    let bytes = to_bytes(body, MAX_BODY).await.map_err(|_| invalid())?;
    serde_json::from_slice(&bytes).map_err(|_| invalid())
}

fn check(sim: &Sim, fields: &Map<String, Value>) -> Result<NewPrompt, DarajaError> {
    check_caller(sim, fields)?;
    let shortcode = &sim.secrets().shortcode;
    match text(fields, "TransactionType")? {
        "CustomerPayBillOnline" if digits(fields, "PartyB")? != *shortcode => {
            return Err(DarajaError::Invalid("PartyB"));
        }
        "CustomerPayBillOnline" => {}
        "CustomerBuyGoodsOnline" if is_shortcode(&digits(fields, "PartyB")?) => {}
        "CustomerBuyGoodsOnline" => return Err(DarajaError::Invalid("PartyB")),
        _ => return Err(DarajaError::Invalid("TransactionType")),
    }
    let amount = digits(fields, "Amount")?
        .parse()
        .ok()
        .filter(|amount| (1..=MAX_AMOUNT).contains(amount))
        .ok_or(DarajaError::Invalid("Amount"))?;
    for name in ["PartyA", "PhoneNumber"] {
        if !stamps::is_msisdn(&digits(fields, name)?) {
            return Err(DarajaError::Invalid(name));
        }
    }
    let callback_url = callback_url(text(fields, "CallBackURL")?)?;
    let reference = short_text(fields, "AccountReference", MAX_REFERENCE)?;
    short_text(fields, "TransactionDesc", MAX_DESCRIPTION)?;
    Ok(NewPrompt { phone: digits(fields, "PhoneNumber")?, amount, reference, callback_url })
}

/// Shortcode, Timestamp and Password: what push and query have in common.
pub(super) fn check_caller(sim: &Sim, fields: &Map<String, Value>) -> Result<(), DarajaError> {
    let secrets = sim.secrets();
    let shortcode = digits(fields, "BusinessShortCode")?;
    if !is_shortcode(&shortcode) {
        return Err(DarajaError::Invalid("BusinessShortCode"));
    }
    let timestamp = text(fields, "Timestamp")?;
    let at = stamps::parse_eat(timestamp).ok_or(DarajaError::Invalid("Timestamp"))?;
    if at.duration_since(sim.now()).abs() > CLOCK_SKEW {
        return Err(DarajaError::Invalid("Timestamp"));
    }
    if shortcode != secrets.shortcode {
        return Err(DarajaError::MerchantUnknown);
    }
    if text(fields, "Password")? != stamps::password(secrets, timestamp) {
        return Err(DarajaError::WrongCredentials);
    }
    Ok(())
}

fn is_shortcode(text: &str) -> bool {
    (5..=7).contains(&text.len())
}

/// A field that is a string.
pub(super) fn text<'a>(fields: &'a Map<String, Value>, name: &'static str) -> Result<&'a str, DarajaError> {
    fields.get(name).and_then(Value::as_str).ok_or(DarajaError::Invalid(name))
}

/// A field that is a whole number, written as a number or as a string of digits.
fn digits(fields: &Map<String, Value>, name: &'static str) -> Result<String, DarajaError> {
    let found = match fields.get(name) {
        Some(Value::Number(number)) => number.as_u64().map(|number| number.to_string()),
        Some(Value::String(text)) => Some(text.clone()),
        _ => None,
    };
    found
        .filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()))
        .ok_or(DarajaError::Invalid(name))
}

fn short_text(fields: &Map<String, Value>, name: &'static str, most: usize) -> Result<String, DarajaError> {
    let text = text(fields, name)?;
    let fits = !text.trim().is_empty() && text.chars().count() <= most;
    fits.then(|| text.to_owned()).ok_or(DarajaError::Invalid(name))
}

/// An https address without a banned word; plain http only to this machine.
fn callback_url(text: &str) -> Result<String, DarajaError> {
    let invalid = DarajaError::Invalid("CallBackURL");
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
