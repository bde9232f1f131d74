//! Leagues that cannot be settled by the figures alone, and an admin's ways out of it (decisions,
//! "Leagues"). Each way is the league's settlement record, written under the same once-only
//! condition as any other. And what the official game corrected after it was paid.

use domain::{FplId, GameweekId};
use jiff::{SignedDuration, Timestamp};
use store::{
    audit::{self, Who},
    leagues::{League, LeagueId},
    marks::Mark,
    players::Player,
    scores::{Scores, Stage},
    settlements::{Basis, Decision, Recorded, Settlement},
};

use crate::{
    App, AppError,
    queues::{Collect, SettleLeague},
    settling::{self, Readings},
    winners,
};

/// A league has to have waited this long before an admin decides.
pub const DECIDED_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// What an admin can do about a league that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Asks the official game again, now.
    Retry,
    /// Settles it on the official figures where only our own computation disagrees.
    OfficialFigures,
    /// Gives every entry back.
    Refund,
    /// Leaves out these, who have no official score.
    LeaveOut(Vec<FplId>),
}

/// Why an act is refused; the text is what the admin reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActError {
    #[error("There is no such league.")]
    NoLeague,
    #[error("That league is settled.")]
    Settled,
    #[error("That league does not wait.")]
    NotWaiting,
    #[error("That league can be decided from {0} on.")]
    TooEarly(Timestamp),
    #[error("Team {0} has no official score: the official figures do not settle this league.")]
    NoOfficialFigures(FplId),
    #[error("Team {0} has an official score and cannot be left out.")]
    HasScore(FplId),
    #[error("Team {0} has no official score either: leave it out too.")]
    NoScoreEither(FplId),
    #[error("Team {0} is not in that league.")]
    NotAMember(FplId),
}

/// A league that waits.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub league: League,
    pub why: String,
    pub since: Timestamp,
    pub readings: Vec<Readings>,
}

impl Waiting {
    /// From when an admin may decide.
    #[must_use]
    pub fn decided_from(&self) -> Timestamp {
        self.since + DECIDED_AFTER
    }
}

/// The leagues of this season that wait, oldest gameweek first.
///
/// # Errors
/// The table does not answer.
pub async fn list(app: &App) -> Result<Vec<Waiting>, AppError> {
    let Some(calendar) = app.calendar().await? else { return Ok(Vec::new()) };
    let mut waiting = Vec::new();
    for gameweek in calendar.gameweeks.iter().filter(|g| g.final_at.is_some() && g.settled_at.is_none()) {
        let id = calendar.id(gameweek.number);
        let scores = final_scores(app, id).await?;
        for mark in app.store().marks(id).await? {
            let Some((why, since)) = mark.waiting.clone().zip(mark.waiting_since) else { continue };
            let Some(league) = app.store().league(mark.league()?).await? else { continue };
            let readings = readings(&league, scores.as_ref());
            waiting.push(Waiting { league, why, since, readings });
        }
    }
    Ok(waiting)
}

/// A league whose official figures changed after it was paid: nothing that was paid changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    pub league: LeagueId,
    pub what: String,
}

/// What was corrected in gameweeks that are paid.
///
/// # Errors
/// The table does not answer.
pub async fn corrections(app: &App) -> Result<Vec<Correction>, AppError> {
    let Some(calendar) = app.calendar().await? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for (id, _) in crate::corrections::watched(&calendar, app.clock().now()) {
        for mark in app.store().marks(id).await? {
            let league = mark.league()?;
            found.extend(mark.corrected.map(|what| Correction { league, what }));
        }
    }
    Ok(found)
}

async fn final_scores(app: &App, id: GameweekId) -> Result<Option<Scores>, AppError> {
    Ok(app.store().scores(id).await?.filter(|scores| scores.stage == Stage::Final))
}

fn readings(league: &League, scores: Option<&Scores>) -> Vec<Readings> {
    match scores {
        Some(scores) => settling::readings(league, scores),
        None => Vec::new(),
    }
}

/// Does `act` on a league that waits. Answers its record, if it has one by that.
///
/// # Errors
/// The table or the queue do not answer; the inner error is the admin's.
pub async fn act(
    app: &App,
    id: LeagueId,
    act: Act,
    admin: &Player,
    reason: &str,
) -> Result<Result<Option<Settlement>, ActError>, AppError> {
    let waiting = match waits(app, id).await? {
        Ok(waiting) => waiting,
        Err(why) => return Ok(Err(why)),
    };
    let on = format!("league {id}");
    let audited = audit::Act::new(Who::admin(admin), audit::What::DecideLeague, on, app.clock().now());
    let audited = audited.because(reason);
    let basis = match act {
        Act::Retry => {
            app.store().hasten_all_collecting(id.gameweek, &audited.to("looked at again")).await?;
            app.send(&Collect {}, SignedDuration::ZERO).await?;
            app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
            return Ok(Ok(None));
        }
        _ if app.clock().now() < waiting.decided_from() => {
            return Ok(Err(ActError::TooEarly(waiting.decided_from())));
        }
        Act::OfficialFigures => official_figures(&waiting),
        Act::Refund => Ok(Basis::Refunded),
        Act::LeaveOut(teams) => left_out(&waiting, &teams),
    };
    let basis = match basis {
        Ok(basis) => basis,
        Err(why) => return Ok(Err(why)),
    };
    let gameweek = winners::gameweek(app, id.gameweek).await?;
    let decision = Decision { admin: admin.id.clone(), reason: reason.to_owned() };
    let record = settling::settlement(app, &waiting.league, &gameweek, basis, Some(decision)).await?;
    let audited = audited.from_to(format!("waits: {}", waiting.why), basis.word());
    match app.store().record_settlement(id, &record, Some(&audited)).await? {
        Recorded::Written => {
            tracing::info!(league = %id, admin = %admin.id, basis = basis.word(), "a waiting league is decided");
            app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
            Ok(Ok(Some(record)))
        }
        Recorded::Before(_) => Ok(Err(ActError::Settled)),
    }
}

/// The league, if it waits. A record that is written and not paid in full goes on being paid.
async fn waits(app: &App, id: LeagueId) -> Result<Result<Waiting, ActError>, AppError> {
    let Some(league) = app.store().league(id).await? else { return Ok(Err(ActError::NoLeague)) };
    let mark: Option<Mark> = app.store().mark(id).await?;
    let recorded = app.store().settlement(id).await?.is_some();
    if recorded {
        app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
    }
    if recorded || league.settled_at.is_some() {
        return Ok(Err(ActError::Settled));
    }
    let noted = mark.and_then(|mark| mark.waiting.zip(mark.waiting_since));
    let Some((why, since)) = noted else { return Ok(Err(ActError::NotWaiting)) };
    let scores = final_scores(app, id.gameweek).await?;
    let readings = readings(&league, scores.as_ref());
    Ok(Ok(Waiting { league, why, since, readings }))
}

fn official_figures(waiting: &Waiting) -> Result<Basis, ActError> {
    let without = waiting.league.members.iter().enumerate().find(|(at, _)| !has_score(waiting, *at));
    match without {
        Some((_, member)) => Err(ActError::NoOfficialFigures(member.fpl_id)),
        None => Ok(Basis::OfficialFigures),
    }
}

fn left_out(waiting: &Waiting, teams: &[FplId]) -> Result<Basis, ActError> {
    let members = || waiting.league.members.iter().enumerate();
    if let Some(stranger) = teams.iter().find(|team| members().all(|(_, member)| member.fpl_id != **team)) {
        return Err(ActError::NotAMember(*stranger));
    }
    for (at, member) in members() {
        match (has_score(waiting, at), teams.contains(&member.fpl_id)) {
            (true, true) => return Err(ActError::HasScore(member.fpl_id)),
            (false, false) => return Err(ActError::NoScoreEither(member.fpl_id)),
            _ => {}
        }
    }
    Ok(Basis::LeftOut)
}

fn has_score(waiting: &Waiting, at: usize) -> bool {
    waiting.league.reading(at).is_some_and(|reading| reading.official.is_some())
}
