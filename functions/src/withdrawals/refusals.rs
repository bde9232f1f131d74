//! The status of each refusal in the area.

use app::withdrawals::{cancellation::CancelError, payouts::PayError, requests::RequestError};
use domain::withdrawals::requests::WithdrawalError;
use http::StatusCode;

use crate::platform::http::{ApiError, RefusalCode};

impl From<RequestError> for ApiError {
    fn from(error: RequestError) -> Self {
        match error {
            RequestError::Key(error) => error.into(),
            RequestError::Limited(limited) => limited.into(),
            RequestError::Phone(_) => Self::bad_request(error).code(RefusalCode::InvalidWithdrawalPhone),
            RequestError::Withdrawal(error) => error.into(),
            RequestError::Unproved { team, .. } => {
                Self::conflict(error).code(RefusalCode::TeamUnproved).with("prove", team.fpl_id.to_string())
            }
            RequestError::Number => Self::conflict(error).code(RefusalCode::NumberNotPaid),
            RequestError::SetAside { .. } => Self::conflict(error).code(RefusalCode::WonWithAnotherTeam),
        }
    }
}

impl From<WithdrawalError> for ApiError {
    fn from(error: WithdrawalError) -> Self {
        let (status, code) = match error {
            WithdrawalError::Amount => (StatusCode::BAD_REQUEST, RefusalCode::InvalidAmount),
            WithdrawalError::BelowMinimum => (StatusCode::BAD_REQUEST, RefusalCode::BelowMinimum),
            WithdrawalError::AboveMaximum => (StatusCode::BAD_REQUEST, RefusalCode::WithdrawalAboveMaximum),
            WithdrawalError::InsufficientBalance => {
                (StatusCode::BAD_REQUEST, RefusalCode::InsufficientBalance)
            }
            WithdrawalError::Frozen => (StatusCode::CONFLICT, RefusalCode::AccountFrozen),
            WithdrawalError::Owes(_) => (StatusCode::BAD_REQUEST, RefusalCode::InDebt),
        };
        Self::new(status, error).code(code)
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
            CancelError::Invalid => Self::bad_request(error).code(RefusalCode::InvalidLink),
            CancelError::Over => Self::conflict(error).code(RefusalCode::CancelledNoMore),
            CancelError::TooLate(_) => Self::conflict(error).code(RefusalCode::TooLateToCancel),
        }
    }
}
