//! Leagues that cannot be settled by the figures alone, and an admin's ways out of it
//! (docs/decisions.md, "A team that vanishes"). Each way is the league's settlement record, written under the same
//! once-only condition as any other. And what the official game corrected after it was paid.

use domain::{
    FplId, GameweekId,
    gameweeks::calendar::{Calendar, Gameweek},
};
use jiff::{SignedDuration, Timestamp};
use store::{
    accounts::players::Player,
    admin::audit::{self, Who},
    leagues::{League, LeagueId, status::LeagueStatus},
    settlement::record::{Basis, Decision, Recorded, Settlement},
};

use crate::{
    App, AppError,
    platform::queues::{ImportPicks, SettleLeague},
    settlement::{
        settling::{self, Readings},
        winners,
    },
};

/// A league has to have waited this long before an admin decides.
pub const DECIDED_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// What an admin can do about a league that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WaitingAct {
    /// Asks the official game again, now.
    Retry,
    /// Settles it on the official figures where only our own computation disagrees.
    OfficialFigures,
    /// Settles it on our own figures where the official ones are missing for a team.
    OwnFigures,
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
    #[error("Your own entry is in that league. Another admin has to decide it.")]
    Own,
    #[error("That league can be decided from {0} on.")]
    TooEarly(Timestamp),
    #[error("Team {0} has no official score: the official figures do not settle this league.")]
    NoOfficialFigures(FplId),
    #[error("Team {0} has no official score either: leave it out too.")]
    NoScoreEither(FplId),
    #[error("Team {0} is not in that league.")]
    NotAMember(FplId),
    #[error(
        "The official game has the scores of {0} of the {1} teams in that league: nobody is left out and nothing \
         is given back. Settle it on the official figures, or on our own where a team has none."
    )]
    Answered(usize, usize),
    #[error("The official game has a score of every team in that league: it is settled on these.")]
    NoneMissing,
    #[error("The final points of the footballers are not read yet.")]
    NoScores,
    #[error("Neither the picks nor the official score of team {0} could be read yet.")]
    Unread(FplId),
    #[error("Nothing is known of any team in that league: its entries can be given back.")]
    NothingKnown,
}

/// A league that waits.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub league: League,
    pub why: String,
    pub since: Timestamp,
    pub readings: Vec<Readings>,
    /// Whether the footballers' points are there that it would be settled on.
    has_scores: bool,
    /// It has waited so long that what could not be read of a team counts as not to be read at all.
    given_up: bool,
}

impl Waiting {
    /// From when an admin may decide.
    #[must_use]
    pub fn decided_from(&self) -> Timestamp {
        self.since + DECIDED_AFTER
    }

    /// What an admin could decide about it, in the words of the call.
    #[must_use]
    pub fn decisions(&self) -> Vec<&'static str> {
        let unscored = self.readings.iter().filter(|reading| reading.official.is_none());
        let unscored: Vec<FplId> = unscored.map(|reading| reading.fpl_id).collect();
        let possible = [
            ("official-figures", official_figures(self).is_ok()),
            ("own-figures", own_figures(self).is_ok()),
            ("refund", refunded(self).is_ok()),
            ("leave-out", left_out(self, &unscored).is_ok()),
        ];
        possible.into_iter().filter(|(_, possible)| *possible).map(|(word, _)| word).collect()
    }
}

/// The leagues that wait, former seasons' included, oldest gameweek first.
///
/// # Errors
/// The table does not answer.
pub async fn list(app: &App) -> Result<Vec<Waiting>, AppError> {
    let mut waiting = Vec::new();
    for (id, final_at) in owed(app).await? {
        let scores = settling::scores_since(app, id, final_at).await?;
        let former = app.is_former(id.season).await?;
        for status in app.store().league_statuses(id).await? {
            let Some((why, since)) = status.waiting.clone().zip(status.waiting_since) else { continue };
            let Some(league) = app.store().league(status.league()?).await? else { continue };
            let readings = settling::readings(&league, scores.as_ref(), former);
            let given_up = is_given_up(app, since);
            waiting.push(Waiting { league, why, since, readings, has_scores: scores.is_some(), given_up });
        }
    }
    Ok(waiting)
}

/// The gameweeks, oldest first, whose points are final and which are not paid in full, with since when they are.
async fn owed(app: &App) -> Result<Vec<(GameweekId, Timestamp)>, AppError> {
    let calendars = app.calendars().await?;
    let owed = |g: &&Gameweek| g.settled_at.is_none() && g.called_off.is_none();
    let of = |calendar: &Calendar| {
        let owed = calendar.gameweeks.iter().filter(owed);
        owed.filter_map(|g| Some((calendar.id(g.number), g.final_at?))).collect::<Vec<_>>()
    };
    Ok(calendars.iter().flat_map(of).collect())
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
    let (calendars, mut found, now) = (app.calendars().await?, Vec::new(), app.clock().now());
    for (id, _) in
        calendars.iter().flat_map(|calendar| crate::settlement::corrections::watched(calendar, now))
    {
        for status in app.store().league_statuses(id).await? {
            let league = status.league()?;
            found.extend(status.corrected.map(|what| Correction { league, what }));
        }
    }
    Ok(found)
}

/// Does `act` on a league that waits. Answers its record, if it has one by that.
///
/// # Errors
/// The table or the queue do not answer; the inner error is the admin's.
pub async fn act(
    app: &App,
    id: LeagueId,
    act: WaitingAct,
    admin: &Player,
    reason: &str,
) -> Result<Result<Option<Settlement>, ActError>, AppError> {
    let waiting = match waits(app, id).await? {
        Ok(waiting) => waiting,
        Err(ActError::Settled) if act == WaitingAct::OwnFigures => return settled_so(app, id).await,
        Err(why) => return Ok(Err(why)),
    };
    let on = format!("league {id}");
    let audited =
        audit::AuditRecord::new(Who::admin(admin), audit::AuditAction::DecideLeague, on, app.clock().now());
    let audited = audited.because(reason);
    let basis = match act {
        WaitingAct::Retry => {
            app.store().hasten_all_imports(id.gameweek, &audited.to("looked at again")).await?;
            app.send(&ImportPicks {}, SignedDuration::ZERO).await?;
            app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
            return Ok(Ok(None));
        }
        _ if waiting.league.members.iter().any(|member| member.user_id == admin.id) => {
            return Ok(Err(ActError::Own));
        }
        _ if app.clock().now() < waiting.decided_from() => {
            return Ok(Err(ActError::TooEarly(waiting.decided_from())));
        }
        WaitingAct::OfficialFigures => official_figures(&waiting),
        WaitingAct::OwnFigures => own_figures(&waiting),
        WaitingAct::Refund => refunded(&waiting),
        WaitingAct::LeaveOut(teams) => left_out(&waiting, &teams),
    };
    let basis = match basis {
        Ok(basis) => basis,
        Err(why) => return Ok(Err(why)),
    };
    let gameweek = winners::gameweek(app, id.gameweek).await?;
    let decision = Decision { admin: admin.id.clone(), reason: reason.to_owned() };
    let made = (basis, Some(decision));
    let record = settling::settlement(app, &waiting.league, &gameweek, &waiting.readings, made).await?;
    let audited = audited.from_to(format!("waits: {}", waiting.why), basis.into_str());
    match app.store().record_settlement(id, &record, Some(&audited)).await? {
        Recorded::Written => {
            tracing::info!(league = %id, admin = %admin.id, basis = basis.into_str(), "a waiting league is decided");
            app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
            Ok(Ok(Some(record)))
        }
        Recorded::Before(_) => Ok(Err(ActError::Settled)),
    }
}

/// The league, if it waits. A record that is written and not paid in full goes on being paid.
async fn waits(app: &App, id: LeagueId) -> Result<Result<Waiting, ActError>, AppError> {
    let Some(league) = app.store().league(id).await? else { return Ok(Err(ActError::NoLeague)) };
    let status: Option<LeagueStatus> = app.store().league_status(id).await?;
    let recorded = app.store().settlement(id).await?.is_some();
    if recorded {
        app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
    }
    if recorded || league.settled_at.is_some() {
        return Ok(Err(ActError::Settled));
    }
    let noted = status.and_then(|status| status.waiting.zip(status.waiting_since));
    let Some((why, since)) = noted else { return Ok(Err(ActError::NotWaiting)) };
    let gameweek = winners::gameweek(app, id.gameweek).await?;
    // Points that are not final, or a gameweek that is called off, leave nothing to decide.
    let Some(final_at) = gameweek.final_at.filter(|_| gameweek.called_off.is_none()) else {
        return Ok(Err(ActError::NotWaiting));
    };
    let scores = settling::scores_since(app, id.gameweek, final_at).await?;
    let readings = settling::readings(&league, scores.as_ref(), app.is_former(id.gameweek.season).await?);
    let given_up = is_given_up(app, since);
    Ok(Ok(Waiting { league, why, since, readings, has_scores: scores.is_some(), given_up }))
}

/// As long as for a team that has vanished.
fn is_given_up(app: &App, since: Timestamp) -> bool {
    app.clock().now() >= since + settling::VANISHED_AWAITED_FOR
}

/// What was asked for came about by itself, or the answer to it was lost.
async fn settled_so(app: &App, id: LeagueId) -> Result<Result<Option<Settlement>, ActError>, AppError> {
    let record = app.store().settlement(id).await?.filter(|record| record.basis == Basis::OwnFigures);
    Ok(record.map(Some).ok_or(ActError::Settled))
}

fn official_figures(waiting: &Waiting) -> Result<Basis, ActError> {
    match waiting.readings.iter().find(|reading| reading.lacks_official()) {
        Some(reading) => Err(ActError::NoOfficialFigures(reading.fpl_id)),
        None => Ok(Basis::OfficialFigures),
    }
}

fn own_figures(waiting: &Waiting) -> Result<Basis, ActError> {
    let readings = &waiting.readings;
    if !readings.iter().any(Readings::lacks_official) {
        return Err(ActError::NoneMissing);
    }
    if !waiting.has_scores {
        return Err(ActError::NoScores);
    }
    let nothing = |reading: &&Readings| reading.official.is_none() && reading.own.is_none();
    if readings.iter().all(|reading| nothing(&reading)) {
        return Err(ActError::NothingKnown);
    }
    // A team of which neither can be read for so long, though others are, must not keep the stakes for ever: it is
    // last, as one that vanished before its picks were read.
    let given_up = waiting.given_up && settling::has_answered(readings);
    match readings.iter().filter(nothing).find(|reading| !reading.no_score) {
        Some(unread) if !given_up => Err(ActError::Unread(unread.fpl_id)),
        _ => Ok(Basis::OwnFigures),
    }
}

/// Whoever makes a team vanish must not take anything from those whom the official game knows.
fn nobody_answered(waiting: &Waiting) -> Result<(), ActError> {
    let readings = &waiting.readings;
    match readings.iter().filter(|reading| reading.official.is_some()).count() {
        0 => Ok(()),
        answered => Err(ActError::Answered(answered, readings.len())),
    }
}

fn refunded(waiting: &Waiting) -> Result<Basis, ActError> {
    nobody_answered(waiting).map(|()| Basis::Refunded)
}

fn left_out(waiting: &Waiting, teams: &[FplId]) -> Result<Basis, ActError> {
    let members = || waiting.league.members.iter();
    if let Some(stranger) = teams.iter().find(|team| members().all(|member| member.fpl_id != **team)) {
        return Err(ActError::NotAMember(*stranger));
    }
    nobody_answered(waiting)?;
    match members().find(|member| !teams.contains(&member.fpl_id)) {
        Some(member) => Err(ActError::NoScoreEither(member.fpl_id)),
        None => Ok(Basis::LeftOut),
    }
}
