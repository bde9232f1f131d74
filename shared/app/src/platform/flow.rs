//! How a flow ends that may be refused: with its outcome, with the rule that refused it, or with a failure
//! of ours. `?` takes each of these where the function answers a [`Flow`].

use store::StoreError;

use crate::AppError;

/// What a flow answers: `T`, or why not. `R` is the flow's own refusals.
pub type Flow<T, R> = Result<T, FlowError<R>>;

/// A rule that can refuse a flow; its text is for whoever asked.
pub trait Refusal: std::error::Error {}

/// Why a flow has no outcome.
#[derive(Debug, thiserror::Error)]
pub enum FlowError<R> {
    /// By the rules: whoever asked is told why.
    #[error(transparent)]
    Refused(R),
    /// On our side: it is logged, and whoever asked may try again.
    #[error(transparent)]
    Failed(AppError),
}

impl<R: Refusal> From<R> for FlowError<R> {
    fn from(refusal: R) -> Self {
        Self::Refused(refusal)
    }
}

impl<R> From<AppError> for FlowError<R> {
    fn from(failure: AppError) -> Self {
        Self::Failed(failure)
    }
}

impl<R> From<StoreError> for FlowError<R> {
    fn from(failure: StoreError) -> Self {
        Self::Failed(failure.into())
    }
}

/// For a flow that cannot go on without the other, whoever is to blame.
impl<R: Into<AppError>> From<FlowError<R>> for AppError {
    fn from(error: FlowError<R>) -> Self {
        match error {
            FlowError::Refused(refusal) => refusal.into(),
            FlowError::Failed(failure) => failure,
        }
    }
}

impl<R> FlowError<R> {
    /// The same in the words of the flow that has called this one: `.map_err(FlowError::within)?`.
    pub fn within<Outer: From<R>>(self) -> FlowError<Outer> {
        match self {
            Self::Refused(refusal) => FlowError::Refused(refusal.into()),
            Self::Failed(failure) => FlowError::Failed(failure),
        }
    }

    /// The refusal, for who goes on after one; a failure of ours is passed on.
    pub fn refusal(self) -> Result<R, AppError> {
        match self {
            Self::Refused(refusal) => Ok(refusal),
            Self::Failed(failure) => Err(failure),
        }
    }
}
