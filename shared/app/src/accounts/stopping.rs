//! A player stops playing for a time (docs/decisions.md, "Stopping"). The password is asked for, and a code where there is a
//! second factor: a phone that lies around must not shut its owner out for five years.

use domain::accounts::stopping::{StopError, StopFor, Stopped};
use store::{StoreError, accounts::players::Player};

use crate::{
    App, AppError,
    accounts::credentials::{self, CredentialsError, Shown},
    platform::{
        flow::{Flow, FlowError, Refusal},
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
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
}

impl Refusal for StoppingError {}

/// Stops `player` for as long as `how_long` says (`1d` … `5y`), who shows the password and the code. Nothing ends it before
/// its time.
pub async fn stop(
    app: &App,
    player: &Player,
    how_long: &str,
    shown: Shown<'_>,
) -> Flow<Stopped, StoppingError> {
    let how_long: StopFor = how_long.parse().map_err(StoppingError::from)?;
    credentials::show(app, player, shown).await.map_err(FlowError::within)?;
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
