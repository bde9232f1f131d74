//! The status of each refusal in the area.

use app::settlement::{waiting::WaitingLeagueError, winners::ProcessError};
use domain::settlement::waiting::NotDecidable;

use crate::platform::http::{ApiError, RefusalCode};

impl From<ProcessError> for ApiError {
    fn from(error: ProcessError) -> Self {
        match error {
            ProcessError::NoGameweek => Self::bad_request(error).code(RefusalCode::NotAGameweek),
            ProcessError::StillOpen(_) | ProcessError::NotFinal(_) => Self::conflict(error),
        }
    }
}

impl From<WaitingLeagueError> for ApiError {
    fn from(error: WaitingLeagueError) -> Self {
        match error {
            WaitingLeagueError::NoLeague => Self::not_found(error),
            WaitingLeagueError::NotDecidable(NotDecidable::NotAMember(_)) => Self::bad_request(error),
            _ => Self::conflict(error),
        }
    }
}
