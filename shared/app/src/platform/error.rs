//! What can go wrong in a flow, apart from a refusal that the flow's own answer names. For the log.

use clients::{daraja::DarajaError, fpl::FplError};
use store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("secret {name}: {problem}")]
    Secret { name: &'static str, problem: String },
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
