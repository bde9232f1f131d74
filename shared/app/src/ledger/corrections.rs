//! An admin's corrections of a wallet (docs/decisions.md, "What is taken back").

use domain::{
    Kes, UserId, Username,
    ledger::{corrections::CorrectionError, postings::Cause},
};
use store::{
    StoreError,
    admin::{
        audit::{AuditAction, AuditRecord},
        permits::Permit,
    },
    ledger::{
        corrections::CorrectionOutcome,
        wallets::{StoredPosting, Wallet},
    },
    withdrawals::Taking,
};

use crate::{
    App, AppError,
    admin::approvals::Stakes,
    ledger::taking_back::{ROUNDS, give_back_by},
    platform::flow::{Flow, Refusal},
};

/// What the player reads as the reason.
const FOR_A_CORRECTION: &str = "Your wallet had to be corrected, and this covers it.";

/// An admin's correction of a wallet, as it was asked for.
#[derive(Debug, Clone, Copy)]
pub struct AskedCorrection<'a> {
    /// Whose wallet.
    pub player: &'a str,
    /// The caller's own id for it.
    pub id: &'a str,
    pub amount: Kes,
    pub reason: &'a str,
}

/// A correction as it is booked, and the wallet after it.
#[derive(Debug, Clone)]
pub struct BookedCorrection {
    pub posting: StoredPosting,
    pub wallet: Wallet,
    /// What the wallet did not cover: the operator's loss.
    pub written_off: Kes,
    /// It was booked before: nothing has moved now.
    pub repeated: bool,
}

impl Refusal for CorrectionError {}

/// What is at stake with a correction: two admins, whatever the amount.
pub async fn stakes(app: &App, asked: AskedCorrection<'_>) -> Flow<Stakes, CorrectionError> {
    let (player, name) = find(app, asked.player).await?;
    let cause = Cause::Correction { id: asked.id.to_owned() }.key();
    let booked = app.store().posting(&player, &cause).await?;
    let moved = if asked.amount.is_positive() { asked.amount } else { -asked.amount };
    let on = format!("player {player}, correction {}", asked.id);
    let stakes = Stakes::of(AuditAction::CorrectWallet, on, (&player, &name), moved);
    let reason = Some(asked.reason.to_owned());
    Ok(Stakes { always_two: true, is_open: booked.is_none(), reason, ..stakes })
}

/// Books a correction by `permit`. Done again it is the same correction.
pub async fn book(
    app: &App,
    asked: AskedCorrection<'_>,
    permit: &Permit,
) -> Flow<BookedCorrection, CorrectionError> {
    let (player, _) = find(app, asked.player).await?;
    let booked = correct(app, &player, (asked.id, asked.amount), asked.reason, permit).await?;
    let (by, amount) = (permit.who.person(), asked.amount.get());
    tracing::info!(?by, %player, amount, "correction");
    let (posting, repeated) = match booked {
        CorrectionOutcome::Done(posting) => (posting, false),
        CorrectionOutcome::Before(posting) => (posting, true),
        CorrectionOutcome::Another => return Err(CorrectionError::Another.into()),
    };
    let wallet = app.store().wallet(&player).await?;
    let losses = posting.legs.iter().filter(|leg| leg.account == "losses");
    let written_off = losses.map(|leg| -leg.amount).sum();
    Ok(BookedCorrection { posting, wallet, written_off, repeated })
}

/// Whose wallet it is. That of an account which was erased is still there: what came into it too late and is paid out by
/// hand is taken out of the books by a correction.
async fn find(app: &App, player: &str) -> Flow<(UserId, Username), CorrectionError> {
    let id = UserId::parse(player).map_err(|_| CorrectionError::NoPlayer)?;
    match app.store().player(&id).await? {
        Some(player) => Ok((player.id, player.username)),
        None if app.store().has_wallet(&id).await? => Ok((id, Username::gone())),
        None => Err(CorrectionError::NoPlayer.into()),
    }
}

/// Books an admin's correction by `permit`, and has the player told. Done again it is the same correction.
pub async fn correct(
    app: &App,
    player: &UserId,
    (id, amount): (&str, Kes),
    reason: &str,
    permit: &Permit,
) -> Result<CorrectionOutcome, AppError> {
    let now = app.clock().now();
    let cause = Cause::Correction { id: id.to_owned() };
    app.mail_taken_back_later(player, &cause).await?;
    let on = format!("player {player}, correction {id}");
    let act = AuditRecord::permitted(permit, AuditAction::CorrectWallet, on, now)
        .of(player)
        .to(format!("{amount}"))
        .because(reason);
    for _ in 0..ROUNDS {
        match app.store().correct_wallet(player, (id, amount), &act, now).await? {
            Taking::Is(booked) => {
                app.mail_taken_back_now(player, &cause).await;
                return Ok(booked);
            }
            Taking::First(unpaid) => give_back_by(app, &unpaid, permit, FOR_A_CORRECTION).await?,
        }
    }
    Err(StoreError::Contended("a wallet").into())
}
