//! A player stops playing for a time (docs/decisions.md, "Stopping"). The password is asked for: a phone that lies around
//! must not shut its owner out for five years.

use domain::{
    Password,
    accounts::stopping::{StopError, StopFor, Stopped},
    platform::limits::{Limit, Limited},
};
use store::{StoreError, accounts::players::Player, platform::limits::Counter};

use crate::{
    App, AppError,
    accounts::passwords,
    platform::{
        flow::{Flow, Refusal},
        security_log::{SecurityEntry, SecurityEvent},
    },
};

/// What is theirs may change this often in a row before we give up.
const TRIES: u32 = 8;

/// Why a player has not stopped; the text is what they read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StoppingError {
    #[error(transparent)]
    Stop(#[from] StopError),
    #[error("That password is not right.")]
    WrongPassword,
    #[error(transparent)]
    Limited(#[from] Limited),
}

impl Refusal for StoppingError {}

/// Stops `player` for as long as `how_long` says (`1d` … `5y`). Nothing ends it before its time.
pub async fn stop(
    app: &App,
    player: &Player,
    how_long: &str,
    password: &str,
) -> Flow<Stopped, StoppingError> {
    let how_long: StopFor = how_long.parse().map_err(StoppingError::from)?;
    show_password(app, player, password).await?;
    for _ in 0..TRIES {
        let now = app.clock().now();
        let gone = || AppError::Internal(format!("player {} is gone", player.id));
        let player = app.store().player(&player.id).await?.ok_or_else(gone)?;
        let wanted = how_long.from(now);
        let stopped = match player.restraints.stopped {
            Some(before) => before.followed_by(wanted, now).map_err(StoppingError::from)?,
            None => wanted,
        };
        let numbers = app.store().numbers_last_of(&player.id).await?;
        let numbers: Vec<_> = numbers.into_iter().map(|number| number.phone).collect();
        app.mail_stopped_later(&player.id, stopped.until).await?;
        if app.store().stop(&player, &stopped, &numbers).await? {
            app.log_security(SecurityEntry::new(SecurityEvent::Stopped).of(&player.id)).await;
            app.mail_stopped_now(&player.id, stopped.until).await;
            return Ok(stopped);
        }
    }
    Err(AppError::from(StoreError::Contended("a player's claims")).into())
}

/// Wrong ones are counted, so that whoever has stolen a session cannot go on guessing.
async fn show_password(app: &App, player: &Player, password: &str) -> Flow<(), StoppingError> {
    let password = Password::parse(password).map_err(|_| StoppingError::WrongPassword)?;
    let (counter, at) = (Counter::new(Limit::Passwords, &[player.id.as_str()]), app.clock().now());
    app.store().take_limit(&counter, at).await?.map_err(StoppingError::Limited)?;
    let kept = app.store().password_hash(&player.id).await?;
    if !passwords::verify(password, kept).await? {
        return Err(StoppingError::WrongPassword.into());
    }
    Ok(app.store().give_limit_back(&counter, at).await?)
}
