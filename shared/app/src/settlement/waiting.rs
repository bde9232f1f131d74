//! Leagues that cannot be settled by the figures alone, and an admin's ways out of it
//! (docs/decisions.md, "A team that vanishes"). Each way is the league's settlement record, written under the same
//! once-only condition as any other. And what the official game corrected after it was paid.

use std::collections::BTreeMap;

use domain::{
    GameweekId,
    gameweeks::calendar::{Calendar, Gameweek},
    settlement::{
        readings::{self, Basis, Readings},
        waiting::{DECIDED_AFTER, NotDecidable, WaitingDecision, WaitingKnowledge},
    },
};
use jiff::{SignedDuration, Timestamp};
use store::{
    accounts::players::Player,
    admin::audit::{AuditAction, AuditRecord, Who},
    leagues::{League, LeagueId, status::LeagueStatus},
    platform::concurrency::try_map,
    settlement::record::{Settlement, SettlementDecision, SettlementRecorded},
};

use crate::{
    App, AppError,
    gameweeks::seasons,
    platform::{
        flow::{Flow, FlowError, Refusal},
        queues::{ImportPicks, SettleLeague},
    },
    settlement::settling,
};

/// Why an act is refused; the text is what the admin reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WaitingLeagueError {
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
    #[error(transparent)]
    NotDecidable(#[from] NotDecidable),
}

impl Refusal for WaitingLeagueError {}

/// A league that waits.
#[derive(Debug, Clone)]
pub struct Waiting {
    pub league: League,
    pub why: String,
    /// While the points were not final nothing could be decided: that time does not count.
    pub since: Timestamp,
    pub readings: Vec<Readings>,
    /// Whether the footballers' points are there that it would be settled on.
    has_scores: bool,
    /// By these points nothing was played.
    void: bool,
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
        self.known().decisions()
    }

    fn known(&self) -> WaitingKnowledge<'_> {
        let Self { readings, has_scores, void, given_up, .. } = self;
        WaitingKnowledge { readings, has_scores: *has_scores, void: *void, given_up: *given_up }
    }
}

/// Leagues on one page: an answer with all of them could be longer than a function's may be.
const PAGE: usize = 50;

/// A page of the waiting leagues that follow `after`, former seasons' included, oldest gameweek first. The second value
/// is the league after which the next page begins, if there is one.
pub async fn list(app: &App, after: Option<LeagueId>) -> Result<(Vec<Waiting>, Option<LeagueId>), AppError> {
    let (mut waiting, mut reached) = (Vec::new(), after);
    for (id, final_at) in owed(app).await? {
        if after.is_some_and(|after| id < after.gameweek) {
            continue;
        }
        let left = PAGE - waiting.len();
        let mut found = BTreeMap::new();
        app.store()
            .each_league_status(id, |league, status| {
                let noted = status.waiting.zip(status.waiting_since);
                found.extend(noted.filter(|_| Some(league) > after).map(|noted| (league, noted)));
                // The page's, and whether there is one after them.
                if found.len() > left + 1 {
                    found.pop_last();
                }
            })
            .await?;
        let more = found.len() > left;
        if more {
            found.pop_last();
        }
        reached = found.last_key_value().map(|(league, _)| *league).or(reached);
        let scores = settling::scores_since(app, id, final_at).await?;
        let former = app.is_former(id.season).await?;
        let scores = scores.as_ref();
        let read = try_map(found, |(league, (why, since))| async move {
            let league = app.store().league(league).await?;
            Ok::<_, AppError>(league.map(|league| {
                let readings = settling::readings(&league, scores, former);
                let given_up = readings::has_waited(since, final_at, app.clock().now());
                let since = since.max(final_at);
                let void = scores.is_some_and(|scores| scores.nothing_was_played());
                Waiting { league, why, since, readings, has_scores: scores.is_some(), void, given_up }
            }))
        });
        waiting.extend(read.await?.into_iter().flatten());
        if more {
            return Ok((waiting, reached));
        }
    }
    Ok((waiting, None))
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
pub struct CorrectedResults {
    pub league: LeagueId,
    pub what: String,
}

/// So many corrected leagues are named.
const CORRECTED: usize = 100;

/// What was corrected in gameweeks that are paid: at most a hundred leagues, and how many more there are.
pub async fn corrections(app: &App) -> Result<(Vec<CorrectedResults>, usize), AppError> {
    let (calendars, now) = (app.calendars().await?, app.clock().now());
    let (mut found, mut count) = (Vec::new(), 0);
    for (id, _) in
        calendars.iter().flat_map(|calendar| crate::settlement::corrections::watched(calendar, now))
    {
        let mut of_gameweek = BTreeMap::new();
        app.store()
            .each_league_status(id, |league, status| {
                let Some(what) = status.corrected else { return };
                count += 1;
                of_gameweek.insert(league, what);
                if of_gameweek.len() > CORRECTED {
                    of_gameweek.pop_last();
                }
            })
            .await?;
        found.extend(of_gameweek.into_iter().map(|(league, what)| CorrectedResults { league, what }));
    }
    found.truncate(CORRECTED);
    let more = count - found.len();
    Ok((found, more))
}

/// Has the official game asked again about a league that waits, now.
pub async fn retry(app: &App, id: LeagueId, admin: &Player) -> Flow<(), WaitingLeagueError> {
    find(app, id).await?;
    app.store().hasten_all_imports(id.gameweek, &audited(app, id, admin).to("looked at again")).await?;
    app.send(&ImportPicks {}, SignedDuration::ZERO).await?;
    app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
    Ok(())
}

/// Settles a league that waits by an admin's `decision`. Answers its record.
pub async fn decide(
    app: &App,
    id: LeagueId,
    decision: &WaitingDecision,
    admin: &Player,
    reason: &str,
) -> Flow<Settlement, WaitingLeagueError> {
    let waiting = match find(app, id).await {
        Err(FlowError::Refused(WaitingLeagueError::Settled)) if *decision == WaitingDecision::OwnFigures => {
            return settled_so(app, id).await;
        }
        found => found?,
    };
    if waiting.league.members.iter().any(|member| member.user_id == admin.id) {
        return Err(WaitingLeagueError::Own.into());
    }
    if app.clock().now() < waiting.decided_from() {
        return Err(WaitingLeagueError::TooEarly(waiting.decided_from()).into());
    }
    let basis = waiting.known().basis(decision).map_err(WaitingLeagueError::from)?;
    let gameweek = seasons::gameweek(app, id.gameweek).await?;
    let made = (basis, Some(SettlementDecision { admin: admin.id.clone(), reason: reason.to_owned() }));
    let record = settling::settlement(app, &waiting.league, &gameweek, &waiting.readings, made).await?;
    let audited = audited(app, id, admin).because(reason);
    let audited = audited.from_to(format!("waits: {}", waiting.why), basis.into_str());
    match app.store().record_settlement(id, &record, Some(&audited)).await? {
        SettlementRecorded::Written => {
            tracing::info!(league = %id, admin = %admin.id, basis = basis.into_str(), "a waiting league is decided");
            app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
            Ok(record)
        }
        SettlementRecorded::Before(_) => Err(WaitingLeagueError::Settled.into()),
    }
}

fn audited(app: &App, id: LeagueId, admin: &Player) -> AuditRecord {
    let (who, on) = (Who::admin(admin), format!("league {id}"));
    AuditRecord::by_admin(who, AuditAction::DecideLeague, on, app.clock().now())
}

/// The league, if it waits. A record that is written and not paid in full goes on being paid.
async fn find(app: &App, id: LeagueId) -> Flow<Waiting, WaitingLeagueError> {
    let league = app.store().league(id).await?.ok_or(WaitingLeagueError::NoLeague)?;
    let status: Option<LeagueStatus> = app.store().league_status(id).await?;
    let recorded = app.store().settlement(id).await?.is_some();
    if recorded {
        app.send(&SettleLeague { league: id.to_string() }, SignedDuration::ZERO).await?;
    }
    if recorded || league.settled_at.is_some() {
        return Err(WaitingLeagueError::Settled.into());
    }
    let noted = status.and_then(|status| status.waiting.zip(status.waiting_since));
    let (why, since) = noted.ok_or(WaitingLeagueError::NotWaiting)?;
    let gameweek = seasons::gameweek(app, id.gameweek).await?;
    // Points that are not final, or a gameweek that is called off, leave nothing to decide.
    let final_at =
        gameweek.final_at.filter(|_| gameweek.called_off.is_none()).ok_or(WaitingLeagueError::NotWaiting)?;
    let scores = settling::scores_since(app, id.gameweek, final_at).await?;
    let readings = settling::readings(&league, scores.as_ref(), app.is_former(id.gameweek.season).await?);
    let given_up = readings::has_waited(since, final_at, app.clock().now());
    let since = since.max(final_at);
    let void = scores.as_ref().is_some_and(|scores| scores.nothing_was_played());
    Ok(Waiting { league, why, since, readings, has_scores: scores.is_some(), void, given_up })
}

/// What was asked for came about by itself, or the answer to it was lost.
async fn settled_so(app: &App, id: LeagueId) -> Flow<Settlement, WaitingLeagueError> {
    let record = app.store().settlement(id).await?.filter(|record| record.basis == Basis::OwnFigures);
    Ok(record.ok_or(WaitingLeagueError::Settled)?)
}
