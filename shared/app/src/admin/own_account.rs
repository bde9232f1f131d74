//! That nobody acts on their own player's account.

use domain::{GameweekId, MpesaPhone, UserId};
use store::accounts::players::Player;

use crate::{
    App, AppError,
    platform::flow::{Flow, Refusal},
};

/// Nobody acts on what is their own player's, whatever the safeguards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("This is your own account's. Another admin has to do it.")]
pub struct OwnAccount;

impl Refusal for OwnAccount {}

/// That what is acted on is not the admin's own player's.
pub fn check_not_own(admin: &Player, whose: &UserId) -> Result<(), OwnAccount> {
    if admin.id == *whose { Err(OwnAccount) } else { Ok(()) }
}

/// That what is acted on is not the admin's own player's, nor money to or from a `number` of theirs, nor what stands
/// against a `receipt` that was credited to them.
pub async fn check_not_own_money(
    app: &App,
    admin: &Player,
    whose: &UserId,
    number: Option<&MpesaPhone>,
    receipt: Option<&str>,
) -> Flow<(), OwnAccount> {
    let about = About { player: Some(whose), gameweek: None, number };
    if is_own(app, admin, about).await? {
        return Err(OwnAccount.into());
    }
    let Some(code) = receipt else { return Ok(()) };
    let credited = app.store().receipt(code).await?;
    if credited.is_some_and(|receipt| receipt.user_id == admin.id) { Err(OwnAccount.into()) } else { Ok(()) }
}

/// What an act is about, as far as it may be an admin's own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct About<'a> {
    pub player: Option<&'a UserId>,
    pub gameweek: Option<GameweekId>,
    /// The number that the money goes to or came from.
    pub number: Option<&'a MpesaPhone>,
}

/// Whether an act is on the admin's own player's account, on a gameweek that they play, or on money that goes to or came
/// from a number of their own: a second account of theirs is theirs too.
pub(crate) async fn is_own(app: &App, admin: &Player, about: About<'_>) -> Result<bool, AppError> {
    if about.player == Some(&admin.id) {
        return Ok(true);
    }
    if let Some(gameweek) = about.gameweek
        && app.store().entry_of(&admin.id, gameweek).await?.is_some()
    {
        return Ok(true);
    }
    let Some(number) = about.number else { return Ok(false) };
    Ok(app.store().own_number(number).await?.is_some_and(|own| own.is_of(&admin.id)))
}
