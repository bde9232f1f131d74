//! The status of each refusal in the area `admin`.

use app::{
    admin::players::{ChangeError, TooShort},
    teams::link::LinkError,
};

use crate::platform::http::ApiError;

impl From<TooShort> for ApiError {
    fn from(error: TooShort) -> Self {
        Self::bad_request(error)
    }
}

impl From<ChangeError> for ApiError {
    fn from(error: ChangeError) -> Self {
        match error {
            ChangeError::NoPlayer => Self::not_found(error),
            ChangeError::StepUp(error) => error.into(),
            ChangeError::Team(error @ (LinkError::NoSeason | LinkError::Team(_))) => error.into(),
            ChangeError::Team(_)
            | ChangeError::SameTeam
            | ChangeError::NothingToRelease
            | ChangeError::Moved => Self::conflict(error),
        }
    }
}
