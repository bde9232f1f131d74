//! The status of each refusal in the area `teams`.

use app::teams::{
    link::{LinkError, TeamError},
    proofs::ProofError,
};
use http::StatusCode;

use crate::platform::http::ApiError;

impl From<TeamError> for ApiError {
    fn from(error: TeamError) -> Self {
        match error {
            TeamError::Unknown => Self::bad_request(error),
            TeamError::NotAnswering => Self::new(StatusCode::SERVICE_UNAVAILABLE, error).retry_after(30),
        }
    }
}

impl From<LinkError> for ApiError {
    fn from(error: LinkError) -> Self {
        match error {
            // A team belongs to a season, and none is known.
            LinkError::NoSeason => Self::new(StatusCode::SERVICE_UNAVAILABLE, error).retry_after(60),
            LinkError::Team(error) => error.into(),
            LinkError::Limited(limited) => limited.into(),
            LinkError::Taken => Self::conflict(error).with("taken", true),
            LinkError::LostTwice | LinkError::AlreadyLinked => Self::conflict(error),
        }
    }
}

impl From<ProofError> for ApiError {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::Link(error) => error.into(),
            ProofError::NoChallenge
            | ProofError::Expired
            | ProofError::NotThere
            | ProofError::Anothers
            | ProofError::Moved => Self::conflict(error),
        }
    }
}
