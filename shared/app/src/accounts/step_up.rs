//! An admin who moves money must have given a code of the second factor just now, at the log-in or by
//! `POST /api/admin/step-up` (docs/decisions.md, "What an admin may do, and what carries it"). Only full safeguards ask
//! for it.

use jiff::SignedDuration;
use store::accounts::{players::Player, sessions::Session};

use crate::{App, platform::flow::Refusal};

/// A code is good for acts of so long.
pub const FRESH_FOR: SignedDuration = SignedDuration::from_mins(5);

/// What is missing; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StepUpError {
    #[error("Set up codes of an authenticator app first, on the panel's page \"Log-in\".")]
    NotEnrolled,
    #[error("Enter the code from your authenticator app.")]
    NoFreshCode,
}

impl Refusal for StepUpError {}

/// Whether an admin may move money in this session now.
pub fn check(app: &App, admin: &Player, session: &Session) -> Result<(), StepUpError> {
    let now = app.clock().now();
    let fresh = session.stepped_up_at.is_some_and(|at| now < at + FRESH_FOR);
    match (app.config().safeguards.are_full(), admin.totp, fresh) {
        (false, ..) | (true, true, true) => Ok(()),
        (true, false, _) => Err(StepUpError::NotEnrolled),
        (true, true, false) => Err(StepUpError::NoFreshCode),
    }
}
