//! The status of each refusal in the area.

use app::withdrawals::{cancellation::CancelError, payouts::PayError, requests::RequestError};
use domain::withdrawals::requests::WithdrawalError;
use http::StatusCode;

use crate::platform::http::ApiError;

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Key(error) => error.into(),
            RequestError::Phone(_) => Self::bad_request(error),
            RequestError::Withdrawal(WithdrawalError::Frozen) => Self::conflict(error),
            RequestError::Withdrawal(_) => Self::bad_request(error),
            RequestError::Unproved { team, .. } => {
                Self::conflict(error).with("prove", team.fpl_id.to_string())
            }
            RequestError::SetAside { .. } => Self::conflict(error),
        }
    }
}

impl From<PayError> for ApiError {
    fn from(error: PayError) -> Self {
        match error {
            PayError::NoWithdrawal => Self::not_found(error),
            PayError::Own(error) => error.into(),
            PayError::NotSent(_) => Self::new(StatusCode::SERVICE_UNAVAILABLE, error),
            _ => Self::conflict(error),
        }
    }
}

impl From<CancelError> for ApiError {
    fn from(error: CancelError) -> Self {
        match error {
            CancelError::Invalid => Self::bad_request(error),
            CancelError::TooLate(_) => Self::conflict(error),
        }
    }
}
