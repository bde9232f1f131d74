//! The status of each refusal in the area.

use app::settlement::{waiting::ActError, winners::ProcessError};
use domain::settlement::waiting::NotDecidable;

use crate::platform::http::ApiError;

impl From<ProcessError> for ApiError {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::NoGameweek => Self::bad_request(error),
            ProcessError::StillOpen(_) | ProcessError::NotFinal(_) => Self::conflict(error),
        }
    }
}

impl From<ActError> for ApiError {
    fn from(error: ActError) -> Self {
        match error {
            ActError::NoLeague => Self::not_found(error),
            ActError::NotDecidable(NotDecidable::NotAMember(_)) => Self::bad_request(error),
            _ => Self::conflict(error),
        }
    }
}
