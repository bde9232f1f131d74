//! Taking money back: whose loss it is, and an admin's corrections (decisions, "Taking back").

use domain::{Kes, MpesaPhone, UserId, ledger::Cause};
use store::{
    audit::{Act, What},
    corrections::Correction,
    permits::Permit,
    players::Player,
};

use crate::{App, AppError};

/// Whether what the wallet does not cover is owed by `player`: the money came from, or went to, the player's
/// own number. What somebody else may have done nobody is made to owe.
///
/// # Errors
/// The table does not answer.
pub async fn owes(app: &App, player: &UserId, phone: &MpesaPhone) -> Result<bool, AppError> {
    Ok(app.store().own_number(phone).await?.is_some_and(|own| own.is_of(player)))
}

/// Books an admin's correction by `permit`, and has the player told. Done again it is the same correction.
///
/// # Errors
/// The table or the queue do not answer.
pub async fn correct(
    app: &App,
    player: &Player,
    (id, amount): (&str, Kes),
    reason: &str,
    permit: &Permit,
) -> Result<Correction, AppError> {
    let now = app.clock().now();
    let cause = Cause::Correction { id: id.to_owned() };
    app.mail_taken_back_later(&player.id, &cause).await?;
    let on = format!("player {}, correction {id}", player.id);
    let act = Act::permitted(permit, What::CorrectWallet, on, now)
        .of(&player.id)
        .to(format!("{amount}"))
        .because(reason);
    let booked = app.store().correct_wallet(&player.id, (id, amount), &act, now).await?;
    app.mail_taken_back_now(&player.id, &cause).await;
    Ok(booked)
}
