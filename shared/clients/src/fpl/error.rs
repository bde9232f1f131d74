//! Why the official API gave no answer that can be used. Each keeps the last good data in force.

use std::time::Duration;

use crate::http::HttpFailure;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FplError {
    /// The game is being updated, or the site answers with something that is no data.
    #[error("the official game is being updated")]
    Updating,
    /// No such team, or picks of a gameweek whose deadline has not passed.
    #[error("the official game does not have that")]
    NotFound,
    /// Too many requests; with the wait that was asked for, where it was given in seconds.
    #[error("the official game wants fewer requests")]
    RateLimited { retry_after: Option<Duration> },
    /// 403: most likely what we call ourselves is not liked.
    #[error("the official game does not let us in")]
    Forbidden,
    #[error("the official game cannot be reached")]
    Unreachable { reason: String },
    /// No answer, or no turn, within the time limit.
    #[error("the official game did not answer in time")]
    TimedOut,
    /// Data without a field that we need, cut off, or of another shape.
    #[error("the official game's answer cannot be read")]
    Malformed { reason: String },
}

impl FplError {
    pub(super) fn malformed(reason: impl Into<String>) -> Self {
        Self::Malformed { reason: reason.into() }
    }
}

impl From<HttpFailure> for FplError {
    fn from(failure: HttpFailure) -> Self {
        match failure {
            HttpFailure::NotSent(reason) | HttpFailure::Broken(reason) => Self::Unreachable { reason },
            HttpFailure::TimedOut => Self::TimedOut,
            HttpFailure::TooLarge => Self::malformed("the answer is too large"),
        }
    }
}
