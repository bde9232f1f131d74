//! Teams in the official game: whether one exists, what it is called, and whose it is this season.

use std::time::Duration;

use clients::fpl::FplError;
use domain::{FplId, Role, entries::join::JoinError, platform::limits::Limited};
use jiff::Timestamp;
use store::accounts::players::{Linked, Player};

use crate::{
    App, AppError,
    entries::awaited,
    platform::{
        flow::{Flow, FlowError, Refusal},
        limits,
    },
};

/// Somebody waits for the answer: no longer than this (real time).
const OFFICIAL_GAME_TIME_LIMIT: Duration = Duration::from_secs(4);

/// Why a team cannot be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TeamError {
    #[error("There is no team with this FPL ID. Check the number in the address of your Points page.")]
    Unknown,
    #[error("The official game is not answering, so your team could not be checked. Please try again.")]
    NotAnswering,
}

impl Refusal for TeamError {}

/// Why a team is not linked; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    #[error("The season could not be determined. Try again shortly.")]
    NoSeason,
    #[error(transparent)]
    Team(#[from] TeamError),
    #[error(transparent)]
    Limited(#[from] Limited),
    #[error(
        "This FPL ID is linked to another account this season. If it is yours, prove it: ask for a code."
    )]
    Taken,
    #[error("Another player has proved the team that you linked last. Prove the next one: ask for a code.")]
    LostTwice,
    #[error(
        "Your team for this season is linked already. If it is the wrong one, we can correct it: please contact us."
    )]
    AlreadyLinked,
    #[error("A payment of yours may still make an entry. Try again once that is decided.")]
    Paying,
}

impl Refusal for LinkError {}

/// The team that a player enters `season` with.
pub fn entering(player: &Player, season: u16, now: Timestamp) -> Result<FplId, JoinError> {
    match player.fpl_id {
        _ if player.frozen => return Err(JoinError::Frozen),
        _ if player.suspended => return Err(JoinError::Suspended),
        _ => player.restraints.check(now)?,
    }
    match player.fpl_id {
        None => Err(JoinError::NoTeam),
        Some(_) if player.season != season => Err(JoinError::AnotherSeason),
        Some(fpl_id) => Ok(fpl_id),
    }
}

/// Whether the player has to link a team before entering: there is none, or it is of a season that is over,
/// since entry ids are given out anew each year (docs/fpl.md, "Errors").
#[must_use]
pub fn is_needed(player: &Player, season: Option<u16>) -> bool {
    match player.fpl_id {
        None => player.role == Role::Player,
        Some(_) => season.is_some_and(|season| player.season < season),
    }
}

/// Makes `fpl_id` the player's team in the season of the calendar. Asked again for the same team, it
/// answers the same.
pub async fn link(app: &App, player: &Player, fpl_id: FplId) -> Flow<Player, LinkError> {
    let season = app.season().await?.ok_or(LinkError::NoSeason)?;
    if player.fpl_id.is_some() && player.season >= season {
        return Ok(linked_before(player, fpl_id)?);
    }
    // Once again after a loss: whoever claims what is others' for a third time has to prove it first.
    let lost = app.store().lost_teams(&player.id).await?;
    if lost.iter().filter(|team| team.season == season).count() > 1 {
        return Err(LinkError::LostTwice.into());
    }
    if !lost.is_empty() {
        check_no_entry_waits(app, player).await?;
    }
    limits::team_link(app, &player.id).await.map_err(FlowError::within)?;
    let holder = app.store().player_by_team(season, fpl_id).await?;
    if holder.is_some_and(|holder| holder.id != player.id) {
        return Err(LinkError::Taken.into());
    }
    let team_name = name_or_trust(app, fpl_id).await.map_err(LinkError::from)?;
    match app.store().link_team(&player.id, season, fpl_id, team_name.as_deref(), app.clock().now()).await? {
        Linked::Written => Ok(Player { fpl_id: Some(fpl_id), season, team_name, ..player.clone() }),
        Linked::Taken => Err(LinkError::Taken.into()),
        // Another click was a moment earlier.
        Linked::AlreadyLinked => match app.store().player(&player.id).await? {
            Some(now) => Ok(linked_before(&now, fpl_id)?),
            None => Err(AppError::Internal(format!("player {} is gone", player.id)).into()),
        },
    }
}

/// Refused after a deadline, while a prompt may still enter its gameweek: a team could be chosen by its picks.
pub(super) async fn check_no_entry_waits(app: &App, player: &Player) -> Flow<(), LinkError> {
    let now = app.clock().now();
    let awaited = awaited::awaited(app, &player.id, now).await?;
    match awaited::is_any_closed(app, &awaited, now).await? {
        true => Err(LinkError::Paying.into()),
        false => Ok(()),
    }
}

fn linked_before(player: &Player, fpl_id: FplId) -> Result<Player, LinkError> {
    if player.fpl_id == Some(fpl_id) { Ok(player.clone()) } else { Err(LinkError::AlreadyLinked) }
}

/// The name of a team; `None` where the official game does not answer. It is taken on trust then, and asked
/// for again before the first entry.
pub(crate) async fn name_or_trust(app: &App, fpl_id: FplId) -> Result<Option<String>, TeamError> {
    match look_up(app, fpl_id).await {
        Err(TeamError::NotAnswering) => Ok(None),
        known => known.map(Some),
    }
}

/// The name of a team.
pub async fn look_up(app: &App, fpl_id: FplId) -> Result<String, TeamError> {
    match tokio::time::timeout(OFFICIAL_GAME_TIME_LIMIT, app.fpl().entry(u64::from(fpl_id.get()))).await {
        Ok(Ok(entry)) => Ok(entry.name),
        Ok(Err(FplError::NotFound)) => Err(TeamError::Unknown),
        Ok(Err(error)) => {
            tracing::warn!(?error, "a team could not be looked up");
            Err(TeamError::NotAnswering)
        }
        Err(_) => Err(TeamError::NotAnswering),
    }
}

/// The player with a team that is known to exist: asked for where it was taken on trust.
pub async fn checked(app: &App, player: Player) -> Flow<Player, TeamError> {
    let Some(fpl_id) = player.fpl_id.filter(|_| player.team_name.is_none()) else { return Ok(player) };
    let name = look_up(app, fpl_id).await?;
    app.store().keep_team_name(&player.id, (player.season, fpl_id), &name).await?;
    Ok(Player { team_name: Some(name), ..player })
}
