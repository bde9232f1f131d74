//! The end of a withdrawal by hand, and the mail about it. Those that M-Pesa pays: `payouts`.

use domain::{
    MpesaPhone,
    withdrawal::{self, Status},
};
use store::{
    audit::{Act, What, Who},
    players::Player,
    withdrawals::Withdrawal,
};

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

/// Whether a withdrawal to `phone` is to be shown to the admin with a mark: within a day of a password
/// reset, to a number that this player has not asked to be paid at before.
///
/// # Errors
/// The table does not answer.
pub async fn is_to_be_watched(app: &App, player: &Player, phone: &MpesaPhone) -> Result<bool, AppError> {
    let now = app.clock().now();
    let recent = |reset| now < reset + withdrawal::WATCHED_AFTER_RESET;
    if !player.password_reset_at.is_some_and(recent) {
        return Ok(false);
    }
    let before = app.store().withdrawals_of(&player.id).await?;
    Ok(!before.iter().any(|withdrawal| withdrawal.phone == *phone))
}

/// Ends a withdrawal, if it is pending and no payout is sent, and has the player told. `false`: it had
/// ended before, or M-Pesa is paying it.
///
/// The message about it goes out before it ends, to be looked at a minute later, and once more
/// after: whatever dies in between, the player is told if and only if it has ended.
///
/// # Errors
/// The table does not answer, or the queue, before anything has changed.
pub async fn end(app: &App, withdrawal: &Withdrawal, ending: &Ending, who: Who) -> Result<bool, AppError> {
    if withdrawal.status != Status::Pending || withdrawal.payout.is_some() {
        return Ok(false);
    }
    app.mail_withdrawal_later(&withdrawal.id).await?;
    let on = format!("withdrawal {}", withdrawal.id);
    let act = Act::new(who, What::UpdateWithdrawal, on, app.clock().now())
        .of(&withdrawal.user_id)
        .from_to(Status::Pending.as_str(), format!("{}, {}", ending.status().as_str(), withdrawal.amount));
    let ended = match ending {
        Ending::Done => app.store().complete_withdrawal(withdrawal, &act).await?,
        Ending::Rejected { reason } => {
            app.store().reject_withdrawal(withdrawal, reason, &act.because(reason)).await?
        }
    };
    if ended {
        app.mail_withdrawal_now(&withdrawal.id).await;
    }
    Ok(ended)
}
