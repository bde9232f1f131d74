//! The status of each refusal in the area `leagues`.

use app::leagues::{draw::published::NoGameweek, list::ListError, points::PointsError};

use crate::platform::http::{ApiError, RefusalCode};

impl From<ListError> for ApiError {
    fn from(error: ListError) -> Self {
        let code = match error {
            ListError::NoGameweek => RefusalCode::NotAGameweek,
            ListError::NotACursor => RefusalCode::NotACursor,
            ListError::NotALeague => RefusalCode::NotALeague,
        };
        Self::bad_request(error).code(code)
    }
}

impl From<PointsError> for ApiError {
    fn from(error: PointsError) -> Self {
        match error {
            PointsError::NobodysTeam => Self::not_found(error).code(RefusalCode::NobodysTeam),
            PointsError::NoGameweek => Self::bad_request(error).code(RefusalCode::NotAGameweek),
        }
    }
}

impl From<NoGameweek> for ApiError {
    fn from(error: NoGameweek) -> Self {
        Self::not_found(error).code(RefusalCode::NoSuchGameweek)
    }
}
