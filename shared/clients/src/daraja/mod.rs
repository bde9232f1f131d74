//! Safaricom's Daraja (M-Pesa), as Safaricom's documents have it: sign-in; STK push, query and
//! callback; payouts (B2C), transaction status and account balance with their later results; the
//! paybill's confirmations.
//!
//! Invariants: what a call did is never guessed: [`DarajaError::definitely_not_sent`] is true only
//! where it can have done nothing; only a listed result code is a failure; no `Debug` or `Display`
//! here shows a secret, an access token or a whole phone number.

mod balance;
mod callback;
mod client;
mod credential;
mod error;
mod party;
mod paybill;
mod payouts;
mod push;
mod reply;
mod result;
mod result_code;
mod status;
mod wire;
mod words;

pub use balance::{AccountBalance, BalanceError, parse_balances};
pub use callback::{CallbackAmount, CallbackError, StkCallback, parse_stk_callback};
pub use client::{Daraja, DarajaConfig, DarajaCredentials, Passkey};
pub use credential::{Certificate, CertificateError};
pub use error::DarajaError;
pub use party::Party;
pub use paybill::{PaybillConfirmation, PaybillUrls, parse_confirmation};
pub use payouts::{Initiator, PayoutOrder, ResultUrls, StatusOf};
pub use push::StkPush;
pub use reply::{AccessToken, OrderAccepted, PushAccepted, QueryAnswer};
pub use result::{LateResult, PayoutFailure, PayoutOutcome, parse_result};
pub use result_code::{FailureReason, PromptOutcome, ResultCode};
pub use status::{TransactionState, TransactionStatus};
pub use words::without_tokens;

/// `Debug` of a type with these of its fields; the others are secrets or name people.
macro_rules! debug_shows {
    ($type:ident: $($field:ident),*) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($type))$(.field(stringify!($field), &self.$field))*.finish_non_exhaustive()
            }
        }
    };
}
use debug_shows;

/// A phone number for a log line: its last three digits.
fn masked(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().collect();
    let tail = digits.len().saturating_sub(3);
    format!("…{}", digits[tail..].iter().collect::<String>())
}
