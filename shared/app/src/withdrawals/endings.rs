//! How an admin ends a withdrawal by hand: done (the money was sent) or rejected (it goes back into the wallet).

use domain::withdrawals::requests::WithdrawalStatus;
use store::{
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::Permit,
    },
    withdrawals::Withdrawal,
};

use crate::{
    App, AppError,
    admin::own_account::check_not_own_money,
    platform::{
        flow::{Flow, FlowError},
        security_log::SecurityEvent,
    },
    withdrawals::payouts::{self, PayError, find, log},
};

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
    pub fn status(&self) -> WithdrawalStatus {
        match self {
            Self::Done => WithdrawalStatus::Done,
            Self::Rejected { .. } => WithdrawalStatus::Rejected,
        }
    }
}

/// Marks a withdrawal as done by `permit`. Answers it as it stands then.
pub async fn mark_done(app: &App, id: &str, permit: &Permit) -> Flow<Withdrawal, PayError> {
    end_and_log(app, &find(app, id).await?, &Ending::Done, permit).await
}

/// Rejects a withdrawal that is not `admin`'s own, nor to a number of theirs: the player reads `reason`. Answers it as it
/// stands then.
pub async fn reject(app: &App, admin: &Player, id: &str, reason: String) -> Flow<Withdrawal, PayError> {
    let withdrawal = find(app, id).await?;
    let own = check_not_own_money(app, admin, &withdrawal.user_id, Some(&withdrawal.phone), None).await;
    own.map_err(FlowError::within)?;
    let permit = Permit::plain(Who::admin(admin), app.clock().now());
    end_and_log(app, &withdrawal, &Ending::Rejected { reason }, &permit).await
}

async fn end_and_log(
    app: &App,
    withdrawal: &Withdrawal,
    ending: &Ending,
    permit: &Permit,
) -> Flow<Withdrawal, PayError> {
    let ended = end(app, withdrawal, ending, permit).await?;
    let (status, by) = (ending.status(), permit.who.person());
    tracing::info!(?by, withdrawal = withdrawal.id, status = status.into_str(), ended, "withdrawal");
    if ended {
        let event = match ending {
            Ending::Done => SecurityEvent::WithdrawalDone,
            Ending::Rejected { .. } => SecurityEvent::WithdrawalRejected,
        };
        log(app, event, withdrawal, permit).await;
    }
    let now = find(app, &withdrawal.id).await?;
    // Told again where the first answer was lost. Not where M-Pesa or another admin has paid it: what was sent by hand came
    // a second time.
    let is_anothers =
        now.ended_by.as_ref().is_some_and(|admin| permit.who.person().is_none_or(|(id, _)| id != admin));
    let is_paid_twice = matches!(ending, Ending::Done) && (now.payout.is_some() || is_anothers);
    if now.status == status && !is_paid_twice {
        Ok(now)
    } else {
        Err(payouts::against(app, &now).await?.into())
    }
}

/// Ends a withdrawal, if it is pending and no payout is sent, and has the player told. `false`: it had
/// ended before, M-Pesa is paying it, or it may not be marked as done yet.
///
/// The message about it goes out before it ends, to be looked at a minute later, and once more
/// after: whatever dies in between, the player is told if and only if it has ended.
///
/// # Errors
/// The table does not answer, or the queue, before anything has changed.
pub async fn end(
    app: &App,
    withdrawal: &Withdrawal,
    ending: &Ending,
    permit: &Permit,
) -> Result<bool, AppError> {
    if withdrawal.status != WithdrawalStatus::Pending || withdrawal.payout.is_some() {
        return Ok(false);
    }
    app.mail_withdrawal_later(&withdrawal.id).await?;
    let on = format!("withdrawal {}", withdrawal.id);
    let act = AuditRecord::permitted(permit, AuditAction::UpdateWithdrawal, on, app.clock().now())
        .of(&withdrawal.user_id)
        .from_to(
            WithdrawalStatus::Pending.into_str(),
            format!("{}, {}", ending.status().into_str(), withdrawal.amount),
        );
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
