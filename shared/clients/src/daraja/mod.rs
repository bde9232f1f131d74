//! Safaricom's Daraja (M-Pesa): sign-in, STK push, STK query and the push's callback, as
//! Safaricom's documents have them.
//!
//! Invariants: what a push did to the phone is never guessed: [`DarajaError::definitely_not_sent`]
//! is true only where nothing can have reached it; only a listed result code is a failure; no
//! `Debug` or `Display` here shows a secret or a whole phone number.

mod callback;
mod client;
mod error;
mod push;
mod reply;
mod result_code;
mod wire;

pub use callback::{CallbackAmount, CallbackError, StkCallback, parse_stk_callback};
pub use client::{AccessToken, Daraja, DarajaConfig, DarajaCredentials, PushAccepted, QueryAnswer};
pub use error::DarajaError;
pub use push::StkPush;
pub use result_code::{FailureReason, Outcome, ResultCode};

/// A phone number for a log line: its last three digits.
fn masked(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().collect();
    let tail = digits.len().saturating_sub(3);
    format!("…{}", digits[tail..].iter().collect::<String>())
}
