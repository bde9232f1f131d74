//! Own numbers (docs/decisions.md, "What makes a number a player's own"; the rule is `domain::payments::own_number`):
//! a phone is one player's, by the first prompt to it that was paid.

use domain::{MpesaPhone, UserId, payments::prompt::PaymentState};
use jiff::Timestamp;
use store::{
    accounts::players::Player,
    admin::audit::{AuditAction, AuditRecord, Who},
    payments::{numbers::Claimed, prompts::Payment},
};

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, Refusal},
        security_log::{SecurityEntry, SecurityEvent},
    },
};

/// Whose a number is that money is to be paid to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payee {
    /// The player's own for money that is paid in or asked for now: proved a day before, and not near a new password.
    Own,
    Other,
    /// It is, or was, another player's who has stopped playing: nobody else is paid there meanwhile.
    Barred,
}

/// Whether `phone` is `player`'s own for money that is paid in or asked for at `at`.
pub async fn is_own(app: &App, player: &Player, phone: &MpesaPhone, at: Timestamp) -> Result<bool, AppError> {
    Ok(payee(app, player, phone, at).await? == Payee::Own)
}

/// Whose `phone` is for a withdrawal of `player` at `at`.
pub async fn payee(app: &App, player: &Player, phone: &MpesaPhone, at: Timestamp) -> Result<Payee, AppError> {
    let Some(own) = app.store().own_number(phone).await? else { return Ok(Payee::Other) };
    if own.is_of(&player.id) {
        let counts = own.proof.counts(player.password_reset_at, at);
        return Ok(if counts { Payee::Own } else { Payee::Other });
    }
    let barred = own.is_barred(&player.id, at)
        || own.is_anothers(&player.id, at) && {
            // One that became theirs after they had stopped.
            let holder = app.store().player(&own.user_id).await?;
            holder.is_some_and(|holder| holder.restraints.stopped(at).is_some())
        };
    Ok(if barred { Payee::Barred } else { Payee::Other })
}

/// Makes the number of a prompt that was paid its player's own, where it is nobody's. To be called after the
/// credit, and again each time the payment is processed: what was lost in between is made good then.
///
/// One that was credited on the callback alone or by an admin, or that does not add up, proves nothing.
///
/// # Errors
/// The table or the queue do not answer: the step is to be repeated.
pub(crate) async fn claim_paid(app: &App, payment: &Payment) -> Result<(), AppError> {
    if payment.state != PaymentState::Success || payment.flagged || payment.closed.is_some() {
        return Ok(());
    }
    // An account that is erased owns no number.
    let player = app.store().player(&payment.user_id).await?.filter(|player| player.erasing_at.is_none());
    let Some(player) = player else { return Ok(()) };
    let claimed = app.store().claim_number(payment, player.password_reset_at, app.clock().now()).await?;
    if claimed == Claimed::Now {
        let line = SecurityEntry::new(SecurityEvent::NumberClaimed).of(&player.id).number(&payment.phone);
        app.log_security(line).await;
    }
    if matches!(claimed, Claimed::Now | Claimed::Own) {
        app.mail_own_number(&payment.id).await?;
    }
    Ok(())
}

/// Why a number stays whose it is; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReleaseError {
    #[error("There is no such player.")]
    NoPlayer,
    #[error("This number is not this player's own.")]
    NotOwn,
}

impl Refusal for ReleaseError {}

/// Takes a number from the player whose own it is: it is nobody's until the next prompt to it is paid.
pub async fn release(
    app: &App,
    player: &UserId,
    phone: &MpesaPhone,
    admin: &Player,
    reason: &str,
) -> Flow<(), ReleaseError> {
    let holder = app.store().player(player).await?.ok_or(ReleaseError::NoPlayer)?;
    let act = AuditRecord::by_admin(
        Who::admin(admin),
        AuditAction::ReleaseNumber,
        format!("player {player}"),
        app.clock().now(),
    )
    .of(player)
    .from_to(format!("own number {}", phone.masked()), "released")
    .because(reason);
    if !app.store().release_number(&holder, phone, &act).await? {
        return Err(ReleaseError::NotOwn.into());
    }
    let line = SecurityEntry::new(SecurityEvent::NumberReleased).of(player).number(phone).by(&admin.id);
    app.log_security(line).await;
    Ok(())
}
