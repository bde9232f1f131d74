//! Daraja's refusals, with the codes, statuses and words of its documents.

use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde_json::json;
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DarajaError {
    InvalidAuthType,
    InvalidGrantType,
    /// Each product has its own code for it.
    InvalidAccessToken(Product, String),
    /// "Bad Request - Invalid {field}".
    Invalid(&'static str),
    MerchantUnknown,
    WrongCredentials,
    SubscriberLocked,
    /// A second payout of an id.
    Duplicate,
    /// Only from the query: the prompt is still on the phone.
    BeingProcessed,
    ResourceNotFound,
    MethodNotAllowed,
    Internal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Product {
    /// Prompts and reversals.
    Stk,
    Payouts,
    /// Transaction status and account balance.
    Status,
    Paybill,
}

impl Product {
    /// The refusal of a token that is not good. That of the paybill repeats the token, as Safaricom's does.
    fn invalid_token(self, sent: &str) -> (StatusCode, &'static str, String) {
        let text = "Invalid Access Token";
        match self {
            Self::Stk => (StatusCode::NOT_FOUND, "404.001.03", text.into()),
            Self::Payouts => (StatusCode::UNAUTHORIZED, "401.002.01", format!("Error Occurred - {text}")),
            Self::Status => (StatusCode::BAD_REQUEST, "400.003.01", text.into()),
            Self::Paybill => {
                (StatusCode::UNAUTHORIZED, "401.003.01", format!("Error Occurred - {text} - {sent}"))
            }
        }
    }
}

impl DarajaError {
    fn parts(&self) -> (StatusCode, &'static str, String) {
        let bad = StatusCode::BAD_REQUEST;
        let failed = StatusCode::INTERNAL_SERVER_ERROR;
        let missing = StatusCode::NOT_FOUND;
        match self {
            Self::InvalidAuthType => (bad, "400.008.01", "Invalid Authentication passed".into()),
            Self::InvalidGrantType => (bad, "400.008.02", "Invalid grant type passed".into()),
            Self::InvalidAccessToken(product, sent) => product.invalid_token(sent),
            Self::Invalid(field) => (bad, "400.002.02", format!("Bad Request - Invalid {field}")),
            Self::MerchantUnknown => (failed, "500.001.1001", "Merchant does not exist".into()),
            Self::WrongCredentials => (failed, "500.001.1001", "Wrong credentials".into()),
            Self::SubscriberLocked => (
                failed,
                "500.001.1001",
                "Unable to lock subscriber, a transaction is already in process for the current \
                 subscriber"
                    .into(),
            ),
            Self::Duplicate => (failed, "500.002.1001", "Duplicate OriginatorConversationID.".into()),
            Self::BeingProcessed => (failed, "500.001.1001", "The transaction is being processed".into()),
            Self::ResourceNotFound => (missing, "404.001.01", "Resource not found".into()),
            Self::MethodNotAllowed => {
                (StatusCode::METHOD_NOT_ALLOWED, "405.001", "Method Not Allowed".into())
            }
            Self::Internal => (failed, "500.003.1001", "Internal Server Error".into()),
        }
    }
}

impl From<anyhow::Error> for DarajaError {
    fn from(error: anyhow::Error) -> Self {
        tracing::error!(error = format!("{error:#}"), "the simulated M-Pesa failed");
        Self::Internal
    }
}

impl IntoResponse for DarajaError {
    fn into_response(self) -> Response {
        let (status, code, message) = self.parts();
        let request = Uuid::new_v4().simple().to_string();
        let body = json!({ "requestId": request, "errorCode": code, "errorMessage": message });
        (status, Json(body)).into_response()
    }
}
