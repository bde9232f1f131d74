//! The status of each refusal in the area `leagues`.

use app::leagues::{draw::published::NoGameweek, list::ListError, points::PointsError};

use crate::platform::http::ApiError;

impl From<ListError> for ApiError {
    fn from(error: ListError) -> Self {
        Self::bad_request(error)
    }
}

impl From<PointsError> for ApiError {
    fn from(error: PointsError) -> Self {
        match error {
            PointsError::NobodysTeam => Self::not_found(error),
            PointsError::NoGameweek => Self::bad_request(error),
        }
    }
}

impl From<NoGameweek> for ApiError {
    fn from(error: NoGameweek) -> Self {
        Self::not_found(error)
    }
}
