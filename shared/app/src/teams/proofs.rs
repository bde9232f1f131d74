//! Proving a team: a challenge is issued, put into the official team's name by whoever manages it, and looked
//! for there. A proved claim takes a team from an unproved one; what was entered with it stays as it is.

use domain::{FplId, UserId, platform::limits::Limited, teams::proof};
use store::{
    accounts::players::Player,
    teams::proofs::{Challenge, Proved, TeamHolder, TeamOf},
};

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, FlowError, Refusal},
        limits,
        secrets::random_32,
        security_log::{SecurityEntry, SecurityEvent},
    },
    teams::link::{self, LinkError, TeamError},
};

/// Why a team is not proved; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error("Ask for a code first.")]
    NoChallenge,
    #[error("This code is not good any more. Ask for a new one.")]
    Expired,
    #[error("The code is not in your team's name yet. Save the name in the official game, then try again.")]
    NotThere,
    #[error("Another player has proved this team. If it is yours, please contact us.")]
    Anothers,
    #[error("Something has changed meanwhile. Please try again.")]
    Moved,
}

impl Refusal for ProofError {}

impl From<TeamError> for ProofError {
    fn from(error: TeamError) -> Self {
        Self::Link(error.into())
    }
}

impl From<Limited> for ProofError {
    fn from(limited: Limited) -> Self {
        Self::Link(limited.into())
    }
}

/// How far a player is with proving a team.
#[derive(Debug, Clone)]
pub struct ProofProgress {
    /// The team in question: the challenge's, or the player's own; `None`: there is none.
    pub team: Option<FplId>,
    pub proved: bool,
    /// One that can still be met.
    pub challenge: Option<Challenge>,
}

pub async fn progress(app: &App, player: &Player) -> Result<ProofProgress, AppError> {
    let now = app.clock().now();
    let season = app.season().await?.unwrap_or(player.season);
    let challenge = app.store().challenge(&player.id).await?;
    let challenge = challenge.filter(|c| c.used_at.is_none() && now < c.expires_at && c.season == season);
    let own = player.fpl_id.filter(|_| player.season == season);
    let team = challenge.as_ref().map(|challenge| challenge.fpl_id).or(own);
    let proved = match team {
        Some(fpl_id) => is_proved_by(app, player, TeamOf { season, fpl_id }).await?,
        None => false,
    };
    Ok(ProofProgress { team, proved, challenge })
}

async fn is_proved_by(app: &App, player: &Player, team: TeamOf) -> Result<bool, AppError> {
    let held = app.store().team_held(team).await?;
    Ok(held.is_some_and(|held| held.proved && held.by == player.id))
}

/// Issues a challenge for a team of this season: the player's own, or, for who has none, any that nobody has
/// proved.
pub async fn start(app: &App, player: &Player, fpl_id: FplId) -> Flow<Challenge, ProofError> {
    let season = app.season().await?.ok_or(ProofError::Link(LinkError::NoSeason))?;
    let own = player.fpl_id.filter(|_| player.season == season);
    if own.is_some_and(|own| own != fpl_id) {
        return Err(ProofError::Link(LinkError::AlreadyLinked).into());
    }
    let held = not_barred(app, player, TeamOf { season, fpl_id }).await?;
    if held.is_some_and(|held| held.proved && held.by != player.id) {
        return Err(ProofError::Anothers.into());
    }
    limits::team_proof(app, &player.id).await.map_err(FlowError::within)?;
    let name = link::look_up(app, fpl_id).await.map_err(ProofError::from)?;
    let now = app.clock().now();
    let expires_at = now + proof::LASTS_FOR;
    let challenge = Challenge {
        season,
        fpl_id,
        code: absent_from(&name),
        team_name: name,
        expires_at,
        used_at: None,
        // Kept for longer, so that whoever comes too late is told so.
        ttl: (expires_at + proof::LASTS_FOR * 7).as_second(),
    };
    app.store().put_challenge(&player.id, &challenge).await?;
    Ok(challenge)
}

/// Whose a team is, where it is somebody's. Refused where whoever has it, or has given it up, has stopped: nobody else can have
/// it until then.
async fn not_barred(app: &App, player: &Player, team: TeamOf) -> Flow<Option<TeamHolder>, ProofError> {
    let held = app.store().team_last_held(team).await?;
    if held.as_ref().is_some_and(|held| held.is_barred(&player.id, app.clock().now())) {
        return Err(ProofError::Anothers.into());
    }
    Ok(held.filter(|held| !held.released))
}

fn absent_from(name: &str) -> String {
    loop {
        let mut random = [0; proof::LENGTH * 2];
        random.copy_from_slice(&random_32()[..proof::LENGTH * 2]);
        let code = proof::code(random);
        if !proof::carries(name, &code) {
            return code;
        }
    }
}

/// Looks for the challenge in the official team's name. Where it is there, the team is the player's from now
/// on, whoever had it without proof. Asked again, it answers the same.
pub async fn check(app: &App, player: &Player) -> Flow<FplId, ProofError> {
    let now = app.clock().now();
    let challenge = app.store().challenge(&player.id).await?.ok_or(ProofError::NoChallenge)?;
    // The official game shows one season: the id that a code was issued for is another team in the next one.
    if app.season().await? != Some(challenge.season) {
        return Err(ProofError::Expired.into());
    }
    let team = TeamOf { season: challenge.season, fpl_id: challenge.fpl_id };
    let held = not_barred(app, player, team).await?;
    match &held {
        Some(held) if held.proved && held.by == player.id => {
            finish(app, player, team, held.taken_from.as_ref()).await?;
            return Ok(team.fpl_id);
        }
        Some(held) if held.proved => return Err(ProofError::Anothers.into()),
        _ => {}
    }
    if challenge.used_at.is_some() || now >= challenge.expires_at {
        return Err(ProofError::Expired.into());
    }
    if player.fpl_id.is_none() {
        link::check_no_entry_waits(app, player).await.map_err(FlowError::within)?;
    }
    limits::team_check(app, &player.id).await.map_err(FlowError::within)?;
    let name = link::look_up(app, team.fpl_id).await.map_err(ProofError::from)?;
    if !proof::carries(&name, &challenge.code) {
        return Err(ProofError::NotThere.into());
    }
    take(app, player, &challenge, held.as_ref()).await?;
    Ok(team.fpl_id)
}

async fn take(
    app: &App,
    player: &Player,
    challenge: &Challenge,
    held: Option<&TeamHolder>,
) -> Flow<(), ProofError> {
    let team = TeamOf { season: challenge.season, fpl_id: challenge.fpl_id };
    let loser = held.map(|held| &held.by).filter(|by| **by != player.id);
    if let Some(loser) = loser {
        // Whatever dies from here on: it is looked at in a minute.
        app.mail_team_lost_later(loser, team).await?;
    }
    match app.store().prove_team(player, challenge, held, app.clock().now()).await? {
        Proved::Moved => Err(ProofError::Moved.into()),
        Proved::Done => {
            let id = team.fpl_id.to_string();
            app.log_security(SecurityEntry::new(SecurityEvent::TeamProved).of(&player.id).on(&id)).await;
            Ok(finish(app, player, team, loser).await?)
        }
    }
}

/// What follows where somebody else had the team.
async fn finish(app: &App, player: &Player, team: TeamOf, loser: Option<&UserId>) -> Result<(), AppError> {
    match loser.filter(|loser| **loser != player.id) {
        Some(loser) => take_from_former_holder(app, loser, team).await.map(drop),
        None => Ok(()),
    }
}

/// Takes a team off the profile of who had it without proof, and has them told. `false`: the team is not
/// lost. Run again, it changes nothing.
pub async fn take_from_former_holder(app: &App, loser: &UserId, team: TeamOf) -> Result<bool, AppError> {
    let held = app.store().team_held(team).await?;
    if !held.is_some_and(|held| held.by != *loser && held.taken_from.as_ref() == Some(loser)) {
        return Ok(false);
    }
    if app.store().lose_team(loser, team).await? {
        let id = team.fpl_id.to_string();
        app.log_security(SecurityEntry::new(SecurityEvent::TeamLost).of(loser).on(&id)).await;
        tracing::warn!(player = %loser, team = id, alarm = "team", "a team was claimed by who does not manage it");
        app.mail_team_lost_now(loser, team).await;
    }
    Ok(true)
}
