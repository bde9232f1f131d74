//! Teams in the official game: whether one exists, and what it is called.

use std::time::Duration;

use clients::fpl::FplError;
use domain::FplId;
use store::players::Player;

use crate::{App, AppError};

/// Somebody waits for the answer: no longer than this (real time).
const PATIENCE: Duration = Duration::from_secs(4);

/// Why a team cannot be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TeamError {
    #[error("There is no team with this FPL ID. Check the number in the address of your Points page.")]
    Unknown,
    #[error("The official game is not answering, so your team could not be checked. Please try again.")]
    NotAnswering,
}

/// The name of a team.
///
/// # Errors
/// The official game has no such team, or does not answer.
pub async fn look_up(app: &App, fpl_id: FplId) -> Result<String, TeamError> {
    match tokio::time::timeout(PATIENCE, app.fpl().entry(u64::from(fpl_id.get()))).await {
        Ok(Ok(entry)) => Ok(entry.name),
        Ok(Err(FplError::NotFound)) => Err(TeamError::Unknown),
        Ok(Err(error)) => {
            tracing::warn!(?error, "a team could not be looked up");
            Err(TeamError::NotAnswering)
        }
        Err(_) => Err(TeamError::NotAnswering),
    }
}

/// The player with a team that is known to exist: asked for where it was taken on trust at sign-up.
///
/// # Errors
/// The table does not answer; the inner error is the player's.
pub async fn checked(app: &App, player: Player) -> Result<Result<Player, TeamError>, AppError> {
    let Some(fpl_id) = player.fpl_id.filter(|_| player.team_name.is_none()) else { return Ok(Ok(player)) };
    match look_up(app, fpl_id).await {
        Ok(name) => {
            app.store().keep_team_name(&player.id, &name).await?;
            Ok(Ok(Player { team_name: Some(name), ..player }))
        }
        Err(error) => Ok(Err(error)),
    }
}
