//! The status of each refusal in the area `teams`.

use app::teams::{
    link::{LinkError, TeamError},
    proofs::ProofError,
};
use http::StatusCode;

use crate::platform::http::{ApiError, RefusalCode};

impl From<TeamError> for ApiError {
    fn from(error: TeamError) -> Self {
        match error {
            TeamError::Unknown => Self::bad_request(error).code(RefusalCode::TeamUnknown),
            TeamError::NotAnswering => Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
                .code(RefusalCode::OfficialGameNotAnswering)
                .retry_after(30),
        }
    }
}

impl From<LinkError> for ApiError {
    fn from(error: LinkError) -> Self {
        match error {
            // A team belongs to a season, and none is known.
            LinkError::NoSeason => Self::new(StatusCode::SERVICE_UNAVAILABLE, error)
                .code(RefusalCode::SeasonUnknown)
                .retry_after(60),
            LinkError::Team(error) => error.into(),
            LinkError::Limited(limited) => limited.into(),
            LinkError::Taken => Self::conflict(error).code(RefusalCode::TeamTaken).with("taken", true),
            LinkError::LostTwice => Self::conflict(error).code(RefusalCode::TeamLost),
            LinkError::Paying => Self::conflict(error).code(RefusalCode::PaymentOpen),
            LinkError::AlreadyLinked => Self::conflict(error).code(RefusalCode::TeamAlreadyLinked),
        }
    }
}

impl From<ProofError> for ApiError {
    fn from(error: ProofError) -> Self {
        match error {
            ProofError::Link(error) => error.into(),
            ProofError::NoChallenge => Self::conflict(error).code(RefusalCode::NoProofAskedFor),
            ProofError::Expired => Self::conflict(error).code(RefusalCode::ProofExpired),
            ProofError::NotThere => Self::conflict(error).code(RefusalCode::ProofNotThere),
            ProofError::Anothers => Self::conflict(error).code(RefusalCode::TeamProvedByAnother),
            ProofError::Moved => Self::conflict(error).code(RefusalCode::ChangedMeanwhile),
        }
    }
}
