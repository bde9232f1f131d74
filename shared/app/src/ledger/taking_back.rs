//! Taking money back: what covers it, and whose loss it is (docs/decisions.md, "What is taken back").

use domain::{MpesaPhone, UserId, withdrawals::requests::WithdrawalStatus};
use store::{
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::Permit,
    },
    withdrawals::Withdrawal,
};

use crate::{App, AppError};

/// Whether what the wallet does not cover is owed by `player`: the money came from, or went to, the player's
/// own number. What somebody else may have done nobody is made to owe.
pub async fn owes(app: &App, player: &UserId, phone: &MpesaPhone) -> Result<bool, AppError> {
    Ok(app.store().own_number(phone).await?.is_some_and(|own| own.is_of(player)))
}

/// A player who asks anew for what goes back is met this often in a row before we give up.
pub(crate) const ROUNDS: u32 = 16;

/// What a player has asked for, and nobody has paid, goes back into the wallet, for what is about to be taken out
/// of it; the player is told as of any rejection. Each is a transaction of its own: whatever dies here, the next
/// try finds what is left.
pub(crate) async fn give_back(
    app: &App,
    unpaid: &[Withdrawal],
    who: &Who,
    reason: &str,
) -> Result<(), AppError> {
    give_back_by(app, unpaid, &Permit::plain(who.clone(), app.clock().now()), reason).await
}

/// The same before an act that `permit` is for: the transaction of each rejection asks what the act's own one will ask. So
/// nothing is rejected once the act's proposal is refused, or one of its admins has lost the role.
pub(crate) async fn give_back_by(
    app: &App,
    unpaid: &[Withdrawal],
    permit: &Permit,
    reason: &str,
) -> Result<(), AppError> {
    for withdrawal in unpaid {
        app.mail_withdrawal_later(&withdrawal.id).await?;
        let (on, now) = (format!("withdrawal {}", withdrawal.id), app.clock().now());
        let rejected = format!("{}, {}", WithdrawalStatus::Rejected.into_str(), withdrawal.amount);
        let step = permit.for_earlier_step(now);
        let act = AuditRecord::permitted(&step, AuditAction::UpdateWithdrawal, on, now)
            .of(&withdrawal.user_id)
            .from_to(WithdrawalStatus::Pending.into_str(), rejected)
            .because(reason);
        // One that is being paid by now stays as it is.
        if app.store().reject_withdrawal(withdrawal, reason, &act).await? {
            tracing::warn!(withdrawal = withdrawal.id, player = %withdrawal.user_id, "it covers what is taken back");
            app.mail_withdrawal_now(&withdrawal.id).await;
        }
    }
    Ok(())
}
