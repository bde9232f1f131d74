//! What several calls have in common: those that send a prompt, whatever it pays for, and the admin's lists of money in.

use app::payments::{paybill_accounts, prompts::CHECK_YOUR_PHONE, receipts::CreditedReceipt};
use axum::Json;
use domain::{UserId, payments::prompt::ShownState};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::payments::prompts::Payment;
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{OneOf, RefusalCode};

/// A prompt is on its way.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prompted {
    #[schema(example = true)]
    success: bool,
    /// Unguessable; asks for the status.
    #[schema(example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    checkout_id: String,
    #[schema(example = "Check your phone to complete the payment")]
    message: &'static str,
}

impl Prompted {
    pub fn new(checkout_id: String) -> Json<Self> {
        Json(Self { success: true, checkout_id, message: CHECK_YOUR_PHONE })
    }
}

/// A refused prompt.
#[derive(Serialize, ToSchema)]
pub struct NotPrompted {
    #[schema(example = false)]
    success: bool,
    #[schema(example = "Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).")]
    message: String,
    /// Which rule it is.
    code: RefusalCode,
    /// The way that is left where no prompt is sent to this number.
    paybill: Option<OwnPaybill>,
}

/// How money is sent by hand so that it is credited by itself.
#[derive(Serialize, ToSchema)]
pub struct OwnPaybill {
    /// The paybill's number.
    #[schema(example = "174379")]
    number: String,
    /// The player's own account there: six digits and a check digit.
    #[schema(example = "5720014")]
    account: String,
}

impl From<paybill_accounts::OwnPaybill> for OwnPaybill {
    fn from(own: paybill_accounts::OwnPaybill) -> Self {
        Self { number: own.number, account: own.account.to_string() }
    }
}

/// The player who has the money of a receipt. Only an admin is told.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CreditedTo {
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: UserId,
    /// Empty where the account was erased.
    #[schema(example = "Wanjiku")]
    username: String,
    /// RFC 3339, UTC: when M-Pesa's taking back of the payment was booked; left out where it stands.
    #[schema(example = "2026-08-23T09:00:00Z")]
    #[serde(skip_serializing_if = "Option::is_none")]
    taken_back_at: Option<Timestamp>,
}

impl CreditedTo {
    /// The posting that credited a receipt, and to whom.
    pub fn of(credited: CreditedReceipt) -> (String, Self) {
        let CreditedReceipt { posting, player, username, taken_back_at } = credited;
        (posting, Self { user_id: player, username: username.to_string(), taken_back_at })
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct StatusQuery {
    /// As the call that sent the prompt answered it.
    #[param(required = true, pattern = "^[0-9a-f]{32}$", example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    pub checkout_id: Option<String>,
}

pub type StateWord = OneOf<ShownState>;

/// How a prompt stands.
#[derive(Serialize, ToSchema)]
pub struct PromptStatus {
    #[schema(example = true)]
    success: bool,
    /// `SUCCESS` (credited, and the entry made or given up), `FAILED` or `PENDING`.
    #[schema(inline)]
    status: StateWord,
    /// Why it failed or made no entry, or what of it has paid a debt.
    #[schema(example = "Payment failed. Please try again.")]
    message: Option<String>,
    /// Whether it made the entry it was for.
    #[schema(example = true)]
    entered: bool,
}

impl From<Payment> for PromptStatus {
    fn from(payment: Payment) -> Self {
        let status = OneOf(payment.state.shown());
        Self { success: true, status, message: payment.reason, entered: payment.entered }
    }
}
