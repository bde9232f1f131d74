//! What can go wrong between us and the table. Its Display is for the log, never for a player.

use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Throttled, in conflict, or not reached, after all tries: the caller may try again later.
    #[error("the table is not answering: {0}")]
    Unavailable(String),
    /// An item does not have the form that its file gives it.
    #[error("an item of {entity} is not in order: {source}")]
    Corrupt { entity: &'static str, source: serde_dynamo::Error },
    /// The table, or the right to use it so, is missing: the operator's to mend.
    #[error("not set up: {0}")]
    NotSetUp(String),
    /// The table refused the call as such: a mistake of ours.
    #[error("the table refused: {0}")]
    Refused(String),
    /// What an admin's act carries beside its record did not hold: nothing was written.
    #[error("withheld: {0}")]
    Withheld(Withheld),
    /// Several tries at once kept moving the same item.
    #[error("{0} kept changing while it was being written")]
    Contended(&'static str),
}

/// Why an admin's act was not written, apart from what the act itself says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Withheld {
    #[error("This proposal does not wait any more.")]
    NotWaiting,
    #[error("Another admin has to approve this.")]
    NotApproved,
    /// Another act has changed a sum since it was read.
    #[error("Another act was done at the same time.")]
    SumMoved,
    /// Who paid was not known when it was weighed.
    #[error("M-Pesa has just said who paid this. Try again.")]
    NumberLearned,
    #[error("Today's ceiling for payouts is reached.")]
    Ceiling,
    #[error("Whoever acts here may not act as an admin any more.")]
    NotAdmin,
}

impl<E, R> From<SdkError<E, R>> for StoreError
where
    E: std::error::Error + ProvideErrorMetadata + 'static,
    R: std::fmt::Debug,
{
    fn from(error: SdkError<E, R>) -> Self {
        let text = DisplayErrorContext(&error).to_string();
        match &error {
            SdkError::ServiceError(service) if is_not_set_up(service.err().code()) => Self::NotSetUp(text),
            SdkError::ServiceError(service) if !is_transient(service.err().code()) => Self::Refused(text),
            SdkError::ConstructionFailure(_) => Self::Refused(text),
            _ => Self::Unavailable(text),
        }
    }
}

/// Whether an error of AWS's says that a resource, or the right to use it so, is missing.
#[must_use]
pub fn is_not_set_up(code: Option<&str>) -> bool {
    matches!(
        code,
        Some(
            "AccessDenied"
                | "AccessDeniedException"
                | "ResourceNotFoundException"
                | "ParameterNotFound"
                | "QueueDoesNotExist"
                | "AWS.SimpleQueueService.NonExistentQueue"
        )
    )
}

fn is_transient(code: Option<&str>) -> bool {
    matches!(
        code,
        Some(
            "ProvisionedThroughputExceededException"
                | "ThrottlingException"
                | "RequestLimitExceeded"
                | "InternalServerError"
                | "TransactionInProgressException"
                | "TransactionConflictException"
                | "TransactionCanceledException"
        )
    )
}
