//! Reading every team once at a set pace: its frozen picks after the deadline, its official result
//! once that is final. One reader at a time walks over the leagues, keeps how far it is, and goes on
//! there after an outage or a crash. What is missing or disagrees is asked for again, ever less often.

mod team;

use std::sync::atomic::{AtomicU32, Ordering};

use clients::fpl::FplError;
use domain::{
    EntryAmount, GameweekId,
    gameweeks::calendar::{Calendar, Gameweek},
    leagues::draw::LEAGUE_SIZE,
};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use store::{
    leagues::{
        League, LeagueId, Reading, number_key,
        picks_import::{ImportProgress, ImportStep},
        points::GameweekPoints,
    },
    platform::concurrency::try_map,
    random_id,
};
use team::TeamReading;

use crate::{
    App, AppError,
    leagues::points,
    platform::queues::{ImportPicks, SettleLeague},
};

/// Teams read in one run: at two requests a second well inside the function's time.
const TEAMS_PER_RUN: u32 = 200;
/// More teams than this, about which there is no answer in a run, are an outage of the whole game.
const UNANSWERED_AT_MOST: u32 = 5;
/// A reader that has not been heard of for this long is dead.
const LEASE: SignedDuration = SignedDuration::from_mins(5);
/// Less than its function has, by more than a league takes where every answer is late.
const READS_FOR: SignedDuration = SignedDuration::from_mins(3);
/// Leagues read at once.
const PAGE: i32 = 25;
/// After an outage the official game is left alone for this long at least.
const AFTER_OUTAGE: SignedDuration = SignedDuration::from_mins(1);
/// What is missing is asked for again after this long, then twice as long, up to the longest.
const AGAIN_AFTER: SignedDuration = SignedDuration::from_mins(15);
const DOUBLINGS: u32 = 3;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// Nothing is left to read now.
    Done,
    /// There is more, for another run.
    More,
    /// The official game does not answer: later.
    Interrupted,
}

/// Asks for what is to be read, if anything is due now.
pub async fn remind(app: &App, calendar: &Calendar) -> Result<(), AppError> {
    for (id, gameweek) in unsettled(calendar) {
        for what in wanted(&gameweek) {
            let so_far = app.store().import_progress(id, *what).await?;
            if is_due(app, id, &so_far, since(&gameweek, *what)).await? {
                return app.send(&ImportPicks {}, SignedDuration::ZERO).await;
            }
        }
    }
    Ok(())
}

/// Whether there is something to be read now: also where all is, and the points are others since.
async fn is_due(
    app: &App,
    id: GameweekId,
    so_far: &ImportProgress,
    since: Option<Timestamp>,
) -> Result<bool, AppError> {
    let is_due = so_far.is_due(app.clock().now(), since);
    Ok(is_due || (so_far.complete_at.is_some() && !are_held_against(app, id, so_far).await?))
}

/// Whether the points are still those that the results were held against in the last round.
async fn are_held_against(app: &App, id: GameweekId, so_far: &ImportProgress) -> Result<bool, AppError> {
    if so_far.held_against.is_none() {
        return Ok(true);
    }
    let scores = app.store().scores(id).await?;
    Ok(scores.as_ref().map(hash) == so_far.held_against)
}

fn unsettled(calendar: &Calendar) -> impl Iterator<Item = (GameweekId, Gameweek)> + '_ {
    let due = |g: &&Gameweek| g.drawn_at.is_some() && g.settled_at.is_none() && g.called_off.is_none();
    let due = calendar.gameweeks.iter().filter(due);
    due.map(|gameweek| (calendar.id(gameweek.number), gameweek.clone()))
}

/// What was read before this does not count.
fn since(gameweek: &Gameweek, what: ImportStep) -> Option<Timestamp> {
    gameweek.final_at.filter(|_| what == ImportStep::Results)
}

fn wanted(gameweek: &Gameweek) -> &'static [ImportStep] {
    if gameweek.final_at.is_some() {
        &[ImportStep::Squads, ImportStep::Results]
    } else {
        &[ImportStep::Squads]
    }
}

/// Reads what is due, as much as one run can; asks for another run where there is more.
///
/// # Errors
/// The table or the queue do not answer: asked again, it goes on.
pub async fn collect(app: &App) -> Result<(), AppError> {
    let me = random_id();
    let now = app.clock().now();
    if !app.store().take_lease(&me, now, now + LEASE).await? {
        return Ok(());
    }
    let reader = Reader {
        app,
        me: &me,
        until: now + READS_FOR,
        left: AtomicU32::new(TEAMS_PER_RUN),
        unanswered: AtomicU32::new(0),
    };
    let ended = reader.everything().await;
    app.store().release_lease(&me).await?;
    if ended? == Ended::More {
        app.send(&ImportPicks {}, SignedDuration::ZERO).await?;
    }
    Ok(())
}

struct Reader<'a> {
    app: &'a App,
    me: &'a str,
    /// Then it hands over.
    until: Timestamp,
    /// Teams that this run may still read.
    left: AtomicU32,
    /// Teams about which the official game did not answer, while it answered otherwise.
    unanswered: AtomicU32,
}

impl Reader<'_> {
    async fn everything(&self) -> Result<Ended, AppError> {
        let Some(calendar) = self.app.calendar().await? else { return Ok(Ended::Done) };
        for (id, gameweek) in unsettled(&calendar) {
            for what in wanted(&gameweek) {
                let ended = self.round(id, *what, since(&gameweek, *what)).await?;
                if ended != Ended::Done {
                    return Ok(ended);
                }
            }
        }
        Ok(Ended::Done)
    }

    /// Goes on with a round over all leagues of a gameweek.
    async fn round(
        &self,
        id: GameweekId,
        what: ImportStep,
        since: Option<Timestamp>,
    ) -> Result<Ended, AppError> {
        let mut so_far = self.app.store().import_progress(id, what).await?;
        if !is_due(self.app, id, &so_far, since).await? {
            return Ok(Ended::Done);
        }
        let scores = match self.final_scores(id, since, &so_far).await {
            Ok(scores) => scores,
            Err(AppError::Fpl(error)) => return self.interrupted(id, what, so_far, &error).await,
            Err(error) => return Err(error),
        };
        let held_against = scores.as_ref().map(hash);
        if so_far.held_against != held_against {
            // Points that were corrected since: what agreed with those of before may not agree with these.
            (so_far.after, so_far.missing, so_far.held_against) = (None, false, held_against);
            so_far.complete_at = None;
        }
        let after: Option<LeagueId> = so_far.after.as_deref().and_then(|id| id.parse().ok());
        for amount in EntryAmount::ALL.into_iter().filter(|a| after.is_none_or(|id| *a >= id.amount)) {
            let mut cursor = after.filter(|id| id.amount == amount).map(|id| number_key(id.number));
            loop {
                let page = self.app.store().leagues_page(id, amount, cursor.as_deref(), PAGE).await?;
                let settling = self.settling(id).await?;
                for mut league in page.items.into_iter().filter(|league| league.settled_at.is_none()) {
                    match self.league(&mut league, what, scores.as_ref()).await {
                        Ok(all) => so_far.missing |= !all,
                        Err(AppError::Fpl(error)) => {
                            return self.interrupted(id, what, so_far, &error).await;
                        }
                        Err(error) => return Err(error),
                    }
                    self.progress(id, what, &mut so_far, &league).await?;
                    if what == ImportStep::Results && settling {
                        let message = SettleLeague { league: league.id().to_string() };
                        self.app.send(&message, SignedDuration::ZERO).await?;
                    }
                    if self.left.load(Ordering::Relaxed) == 0 || self.app.clock().now() >= self.until {
                        return Ok(Ended::More);
                    }
                }
                match page.cursor {
                    Some(next) => cursor = Some(next),
                    None => break,
                }
            }
        }
        self.ended(id, what, so_far).await
    }

    /// Whether the winners were asked for.
    async fn settling(&self, id: GameweekId) -> Result<bool, AppError> {
        let calendar = self.app.calendar().await?.filter(|calendar| calendar.season == id.season);
        let gameweek = calendar.as_ref().and_then(|calendar| calendar.gameweek(id.number));
        Ok(gameweek.is_some_and(|gameweek| gameweek.settling_since.is_some()))
    }

    /// The final scores that results are held against: read anew at the beginning of each round.
    async fn final_scores(
        &self,
        id: GameweekId,
        since: Option<Timestamp>,
        so_far: &ImportProgress,
    ) -> Result<Option<GameweekPoints>, AppError> {
        let Some(since) = since else { return Ok(None) };
        let kept = self.app.store().scores(id).await?.filter(|kept| kept.is_final_since(since));
        match kept {
            Some(kept) if so_far.after.is_some() => Ok(Some(kept)),
            _ => points::read_final(self.app, id).await.map(Some),
        }
    }

    /// So many as keep the set pace though an answer takes a while; the pace itself is the client's.
    fn teams_at_once(&self) -> usize {
        let for_two_seconds = self.app.config().fpl.requests_per_second.saturating_mul(2);
        usize::try_from(for_two_seconds).unwrap_or(LEAGUE_SIZE).clamp(1, LEAGUE_SIZE)
    }

    /// Reads what a league's teams lack. `false`: something is still missing.
    async fn league(
        &self,
        league: &mut League,
        what: ImportStep,
        scores: Option<&GameweekPoints>,
    ) -> Result<bool, AppError> {
        league.readings.resize_with(league.members.len(), Reading::default);
        let before = league.readings.clone();
        let (gameweek, mut outcome) = (league.gameweek, Ok(true));
        let mut teams: Vec<_> = league.readings.iter_mut().zip(&league.members).collect();
        for teams in teams.chunks_mut(self.teams_at_once()) {
            let read = try_map(teams, |(reading, member)| async move {
                match what {
                    ImportStep::Squads => self.squad(reading, member.fpl_id, gameweek).await,
                    ImportStep::Results => self.result(reading, member.fpl_id, gameweek, scores).await,
                }
            });
            match read.await {
                Ok(read) if read.contains(&TeamReading::Missing) => outcome = Ok(false),
                Ok(_) => {}
                Err(error) => {
                    outcome = Err(AppError::Fpl(error));
                    break;
                }
            }
        }
        if league.readings != before {
            self.app.store().keep_readings(league.id(), &league.readings).await?;
        }
        outcome
    }

    /// Keeps how far the round is, and the turn.
    async fn progress(
        &self,
        id: GameweekId,
        what: ImportStep,
        so_far: &mut ImportProgress,
        league: &League,
    ) -> Result<(), AppError> {
        so_far.after = Some(league.id().to_string());
        (so_far.trouble, so_far.not_before, so_far.outages) = (None, None, 0);
        self.app.store().keep_collected(id, what, so_far).await?;
        let now = self.app.clock().now();
        if self.app.store().take_lease(self.me, now, now + LEASE).await? {
            Ok(())
        } else {
            Err(AppError::Internal("another reader has taken the turn".to_owned()))
        }
    }

    async fn interrupted(
        &self,
        id: GameweekId,
        what: ImportStep,
        mut so_far: ImportProgress,
        error: &FplError,
    ) -> Result<Ended, AppError> {
        tracing::warn!(gameweek = %id, ?error, "reading the teams is interrupted");
        let asked = match error {
            FplError::RateLimited { retry_after: Some(wait) } => {
                SignedDuration::try_from(*wait).unwrap_or(AFTER_OUTAGE)
            }
            _ => AFTER_OUTAGE,
        };
        let wait = (AFTER_OUTAGE * (1 << so_far.outages.min(DOUBLINGS))).max(asked);
        so_far.outages += 1;
        so_far.complete_at = None;
        so_far.not_before = Some(self.app.clock().now() + wait);
        so_far.trouble = Some(error.to_string());
        self.app.store().keep_collected(id, what, &so_far).await?;
        Ok(Ended::Interrupted)
    }

    async fn ended(
        &self,
        id: GameweekId,
        what: ImportStep,
        mut so_far: ImportProgress,
    ) -> Result<Ended, AppError> {
        let now = self.app.clock().now();
        let missing = so_far.missing || !are_held_against(self.app, id, &so_far).await?;
        so_far.after = None;
        so_far.round_ended_at.get_or_insert(now);
        if missing {
            so_far.not_before = Some(now + AGAIN_AFTER * (1 << so_far.rounds.min(DOUBLINGS)));
            so_far.rounds += 1;
        } else {
            so_far.complete_at = Some(now);
        }
        tracing::info!(gameweek = %id, ?what, missing, "the teams are read");
        so_far.missing = false;
        self.app.store().keep_collected(id, what, &so_far).await?;
        Ok(Ended::Done)
    }
}

/// What is the same for the same points of every footballer.
fn hash(scores: &GameweekPoints) -> String {
    hex::encode(Sha256::digest(scores.points.pack()))
}
