//! What can go wrong in a flow, apart from a refusal that the flow's own answer names. For the log.

use std::{error::Error, fmt::Debug};

use aws_sdk_dynamodb::error::{DisplayErrorContext, ProvideErrorMetadata, SdkError};
use clients::{daraja::DarajaError, fpl::FplError};
use store::{StoreError, is_not_set_up};

#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It is missing, not ours to read, or not in order.
    #[error("secret {name}: {problem}")]
    Secret { name: &'static str, problem: String },
    /// A queue or a rule, or the right to use it so, is missing.
    #[error("not set up: {0}")]
    NotSetUp(String),
    /// Something of AWS's that did not answer: it may at the next try.
    #[error("not answering: {0}")]
    Unavailable(String),
    #[error("queue {queue}: {problem}")]
    Queue { queue: &'static str, problem: String },
    #[error("mail: {0}")]
    Mail(String),
    #[error("rule of the fence: {0}")]
    Rule(String),
    #[error("M-Pesa: {0}")]
    Daraja(#[from] DarajaError),
    #[error("the official game: {0}")]
    Fpl(#[from] FplError),
    #[error("{0}")]
    Internal(String),
}

impl AppError {
    /// Whether nothing goes well before the operator has set something up: a secret, a grant, a table, a queue.
    #[must_use]
    pub fn is_not_set_up(&self) -> bool {
        matches!(self, Self::Secret { .. } | Self::NotSetUp(_) | Self::Store(StoreError::NotSetUp(_)))
    }

    /// The log line's field `alarm`, where somebody has to look.
    #[must_use]
    pub fn alarm(&self) -> Option<&'static str> {
        self.is_not_set_up().then_some("setup")
    }
}

/// What a call to AWS has failed for: something that is not set up, or what `failed` makes of its text.
pub(crate) fn of_aws<E, R>(error: SdkError<E, R>, failed: impl FnOnce(String) -> AppError) -> AppError
where
    E: Error + ProvideErrorMetadata + 'static,
    R: Debug,
{
    let missing = is_not_set_up(error.as_service_error().and_then(ProvideErrorMetadata::code));
    let text = DisplayErrorContext(error).to_string();
    if missing { AppError::NotSetUp(text) } else { failed(text) }
}

/// The result of a job that runs every minute: the first trouble of its parts that is more than an outage of the
/// official game. Such an outage is logged and, after a day, rings the alarm `calendar`. If the job failed on it, AWS
/// would retry each run twice and keep it as a dead letter, and a hundred of those would hide a payment's.
pub(crate) fn beyond_an_outage(troubles: Vec<AppError>) -> Result<(), AppError> {
    for trouble in &troubles {
        tracing::warn!(error = %trouble, alarm = trouble.alarm(), "a part of the job could not be done");
    }
    troubles.into_iter().find(|trouble| !matches!(trouble, AppError::Fpl(_))).map_or(Ok(()), Err)
}

/// Goes on where what is only shown could not be kept: no money waits for it. The log says so.
pub(crate) fn only_shown(what: &str, kept: Result<(), StoreError>) {
    if let Err(error) = kept.map_err(AppError::from) {
        tracing::warn!(what, %error, alarm = error.alarm(), "what is only shown could not be kept");
    }
}
