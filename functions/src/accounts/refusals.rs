//! The status of each refusal in the area `accounts`.

use app::accounts::{
    access::InvalidToken, log_in::LogInError, second_factor::SecondFactorError, sessions::RefreshError,
    step_up::StepUpError,
};
use domain::accounts::account::{AccountError, InvalidResetToken};
use http::StatusCode;

use super::log_in::LogInRefused;
use crate::platform::http::ApiError;

/// For a call that names a player by an id that is nobody's.
pub(crate) fn no_such_player() -> ApiError {
    ApiError::not_found("There is no such player.")
}

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        Self::bad_request(error)
    }
}

impl From<InvalidResetToken> for ApiError {
    fn from(error: InvalidResetToken) -> Self {
        Self::bad_request(error)
    }
}

impl From<InvalidToken> for ApiError {
    fn from(_: InvalidToken) -> Self {
        Self::unauthorized()
    }
}

impl From<RefreshError> for ApiError {
    fn from(error: RefreshError) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, error)
    }
}

impl From<LogInError> for ApiError {
    fn from(error: LogInError) -> Self {
        let not_logged_in = |status: LogInRefused| {
            Self::new(StatusCode::UNAUTHORIZED, error).with("status", status.into_str())
        };
        match error {
            LogInError::WrongPassword => not_logged_in(LogInRefused::NotExist),
            LogInError::CodeWanted | LogInError::WrongCode => not_logged_in(LogInRefused::Totp),
            LogInError::Frozen => Self::new(StatusCode::FORBIDDEN, error).with("status", "frozen"),
            LogInError::Limited(limited) => limited.into(),
        }
    }
}

impl From<SecondFactorError> for ApiError {
    fn from(error: SecondFactorError) -> Self {
        match error {
            SecondFactorError::WrongCode | SecondFactorError::WrongPassword => Self::bad_request(error),
            SecondFactorError::Enrolled | SecondFactorError::NotStarted | SecondFactorError::NotEnrolled => {
                Self::conflict(error)
            }
            SecondFactorError::Limited(limited) => limited.into(),
        }
    }
}

/// With `stepUp`: give a code, then the same call again; with `enrol`: there is no second factor.
impl From<StepUpError> for ApiError {
    fn from(error: StepUpError) -> Self {
        let field = match error {
            StepUpError::NotEnrolled => "enrol",
            StepUpError::NoFreshCode => "stepUp",
        };
        Self::new(StatusCode::FORBIDDEN, error).with(field, true)
    }
}
