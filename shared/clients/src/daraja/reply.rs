//! What Daraja's synchronous answers mean: pure functions from a status and a body.
//!
//! Invariants: "accepted" and "paid" need the whole documented body; an error ends as "refused"
//! only where Daraja's documents say that M-Pesa was not asked; everything else is unknown.

use reqwest::StatusCode;
use serde::de::DeserializeOwned;

use super::{
    DarajaError, PromptOutcome, ResultCode, debug_shows,
    error::unreadable,
    wire::{ErrorBody, PushReply, QueryReply, ReplyHead, TakenOnReply, TokenBody},
};
use crate::http::HttpAnswer;

/// A bearer token. Each sign-in ends the one before, so callers share one.
#[derive(Clone, PartialEq, Eq)]
pub struct AccessToken {
    pub token: String,
    pub expires_in_seconds: u32,
}

debug_shows!(AccessToken: expires_in_seconds);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushAccepted {
    pub merchant_request_id: String,
    pub checkout_request_id: String,
}

/// What Daraja says about a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryAnswer {
    Paid,
    /// One of the documented codes that end a payment without money.
    Failed(ResultCode),
    /// Still being processed: ask again.
    Pending,
    /// A code that is not documented: nothing may be concluded from it.
    Unknown(ResultCode),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderAccepted {
    /// Names the order in its result.
    pub conversation_id: String,
}

pub(super) fn token(answer: &HttpAnswer) -> Result<AccessToken, DarajaError> {
    if let Some(error) = error(answer) {
        // Here no token was sent: it is the key and the secret that were not accepted.
        return Err(match error {
            DarajaError::InvalidToken => {
                DarajaError::refused(http_code(answer.status), "the app's credentials")
            }
            other => other,
        });
    }
    let body: TokenBody = decode(&answer.body)?;
    if body.access_token.is_empty() {
        return Err(DarajaError::malformed("the access token is empty"));
    }
    Ok(AccessToken { token: body.access_token, expires_in_seconds: body.expires_in })
}

pub(super) fn push(answer: &HttpAnswer) -> Result<PushAccepted, DarajaError> {
    accepted(answer)?;
    let reply: PushReply = decode(&answer.body)?;
    if reply.checkout_request_id.is_empty() {
        return Err(DarajaError::malformed("the CheckoutRequestID is empty"));
    }
    Ok(PushAccepted {
        merchant_request_id: reply.merchant_request_id,
        checkout_request_id: reply.checkout_request_id,
    })
}

/// A payout, a status query or a balance query that Daraja has accepted: its result comes later.
pub(super) fn order_accepted(answer: &HttpAnswer) -> Result<OrderAccepted, DarajaError> {
    accepted(answer)?;
    let reply: TakenOnReply = decode(&answer.body)?;
    Ok(OrderAccepted { conversation_id: reply.conversation_id })
}

/// Pending has two shapes: an HTTP 500 that says so, and result code 4999.
pub(super) fn query(asked: &str, answer: &HttpAnswer) -> Result<QueryAnswer, DarajaError> {
    if says_being_processed(answer) {
        return Ok(QueryAnswer::Pending);
    }
    accepted(answer)?;
    let reply: QueryReply = decode(&answer.body)?;
    if reply.checkout_request_id != asked {
        return Err(DarajaError::malformed("the answer is about another CheckoutRequestID"));
    }
    Ok(match reply.result_code.outcome() {
        PromptOutcome::Paid => QueryAnswer::Paid,
        PromptOutcome::Pending => QueryAnswer::Pending,
        PromptOutcome::Failed(_) => QueryAnswer::Failed(reply.result_code),
        PromptOutcome::Unknown => QueryAnswer::Unknown(reply.result_code),
    })
}

fn says_being_processed(answer: &HttpAnswer) -> bool {
    serde_json::from_slice::<ErrorBody>(&answer.body).is_ok_and(|error| {
        error.error_code == "500.001.1001" && mentions(&error.error_message, "being processed")
    })
}

/// HTTP 200 and ResponseCode "0"; anything else is an error.
pub(super) fn accepted(answer: &HttpAnswer) -> Result<(), DarajaError> {
    if let Some(error) = error(answer) {
        return Err(error);
    }
    let head: ReplyHead = decode(&answer.body)?;
    if head.response_code.as_str() == "0" {
        Ok(())
    } else if mentions(&head.response_description, "invalid access token") {
        Err(DarajaError::InvalidToken)
    } else {
        let code = head.response_code.as_str();
        Err(DarajaError::refused(code, &head.response_description))
    }
}

/// The error that an answer is, or none for a 200 without an error body.
///
/// Every 401, and every message that says "invalid access token", means the token: the codes differ by
/// product, and new ones turn up (docs/daraja.md).
fn error(answer: &HttpAnswer) -> Option<DarajaError> {
    let status = answer.status;
    if status == StatusCode::UNAUTHORIZED {
        return Some(DarajaError::InvalidToken);
    }
    match serde_json::from_slice::<ErrorBody>(&answer.body) {
        Ok(body) => Some(coded_error(status, &body)),
        Err(_) if status == StatusCode::OK => None,
        Err(_) if is_refusal(status) => Some(DarajaError::refused(http_code(status), "")),
        Err(_) => Some(DarajaError::malformed(&http_code(status))),
    }
}

fn coded_error(status: StatusCode, body: &ErrorBody) -> DarajaError {
    let (code, message) = (body.error_code.as_str(), body.error_message.as_str());
    match code {
        // STK and reversal; B2C; status.
        "404.001.03" | "401.002.01" | "400.003.01" => DarajaError::InvalidToken,
        _ if mentions(message, "invalid access token") => DarajaError::InvalidToken,
        "500.003.02" | "500.003.03" => DarajaError::Busy,
        "500.002.1001" if mentions(message, "duplicate") => DarajaError::Duplicate,
        "500.001.1001" if mentions(message, "unable to lock subscriber") => DarajaError::SubscriberLocked,
        "500.001.1001"
            if mentions(message, "merchant does not exist") || mentions(message, "wrong credentials") =>
        {
            DarajaError::refused(code, message)
        }
        _ if is_refusal(status) => DarajaError::refused(code, message),
        _ => DarajaError::server_error(code, message),
    }
}

/// A status by which the server says that the request itself was at fault, so nothing was done.
fn is_refusal(status: StatusCode) -> bool {
    status.is_client_error() && status != StatusCode::REQUEST_TIMEOUT
}

fn mentions(message: &str, words: &str) -> bool {
    message.to_ascii_lowercase().contains(words)
}

fn http_code(status: StatusCode) -> String {
    format!("HTTP {}", status.as_u16())
}

fn decode<T: DeserializeOwned>(body: &[u8]) -> Result<T, DarajaError> {
    serde_json::from_slice(body).map_err(|error| DarajaError::malformed(&unreadable(&error)))
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
