//! The end of a withdrawal, and the mail about it.

use domain::withdrawal::Status;
use store::withdrawals::Withdrawal;

use crate::{App, AppError};

/// How a withdrawal ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// The money was sent.
    Done,
    /// The money goes back into the wallet; the player reads why.
    Rejected { reason: String },
}

impl Ending {
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Self::Done => Status::Done,
            Self::Rejected { .. } => Status::Rejected,
        }
    }
}

/// Ends a withdrawal, if it is pending, and has the player told. `false`: it had ended before.
///
/// The message about it goes out before it ends, to be looked at a minute later, and once more
/// after: whatever dies in between, the player is told if and only if it has ended.
///
/// # Errors
/// The table does not answer, or the queue, before anything has changed.
pub async fn end(app: &App, withdrawal: &Withdrawal, ending: &Ending) -> Result<bool, AppError> {
    if withdrawal.status != Status::Pending {
        return Ok(false);
    }
    app.mail_withdrawal_later(&withdrawal.id).await?;
    let now = app.clock().now();
    let ended = match ending {
        Ending::Done => app.store().complete_withdrawal(withdrawal, now).await?,
        Ending::Rejected { reason } => app.store().reject_withdrawal(withdrawal, reason, now).await?,
    };
    if ended {
        app.mail_withdrawal_now(&withdrawal.id).await;
    }
    Ok(ended)
}
