//! Settling one league: its record is written first, once, and paid from; each prize is one player's
//! transaction under the league's key. Run twice, at once or after a crash, it pays the same.
//!
//! Nothing is paid before two readings agree: our own computation from the frozen squad, and the
//! official figures (decisions, "Leagues"). A team that the official game does not know any more changes nothing
//! for the others: it is ranked on our own figures, and its stake stays.

use domain::{
    FplId, GameweekId, Kes,
    calling_off::CalledOff,
    gameweek::Gameweek,
    ledger::Posting,
    prize::{self, Standing},
    ranking::Figures,
};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use store::{
    leagues::{League, LeagueId, Reading},
    scores::Scores,
    settlements::{Basis, Decision, Ranked, Recorded, Settlement},
};

use crate::{
    App, AppError,
    queues::{ForGameweek, Settle},
    winners,
};

/// So long a league waits for a team that the official game does not know any more, though it knows others of the
/// league: a day until an admin can decide it, and half a day for that.
pub const VANISHED_AWAITED_FOR: SignedDuration = SignedDuration::from_hours(36);

/// A waiting league's reasons that are written out; of more only how many.
const REASONS_SHOWN: usize = 3;

/// A member's two readings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readings {
    pub fpl_id: FplId,
    pub own: Option<Figures>,
    pub official: Option<Figures>,
    /// The official game was asked and has no score of this team any more, or cannot be asked any more.
    pub no_score: bool,
    /// The chip, by the official game's name.
    pub chip: Option<String>,
}

/// Why a league cannot be settled yet.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Wait {
    #[error("The official points are not final.")]
    NotFinal,
    #[error("The final points of the footballers are not read yet.")]
    NoScores,
    #[error("Nothing was played, and the official game has points for team {0}.")]
    PointsOfNothing(FplId),
    #[error("{}", listed(.0))]
    Teams(Vec<TeamWaits>),
}

/// Why a team keeps its league waiting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TeamWaits {
    #[error("Team {0}: its official score is not read yet.")]
    Unread(FplId),
    #[error("Team {0}: it has no official score for this gameweek.")]
    NoScore(FplId),
    #[error("Team {0}: its squad cannot be read.")]
    NoSquad(FplId),
    #[error(
        "Team {team}: we count {} points ({} on the bench, transfers {}), the official game {} ({}, {}).",
        own.gross, own.points_on_bench, own.transfers_cost,
        official.gross, official.points_on_bench, official.transfers_cost
    )]
    Disagree { team: FplId, own: Figures, official: Figures },
}

fn listed(teams: &[TeamWaits]) -> String {
    let mut shown: Vec<String> = teams.iter().take(REASONS_SHOWN).map(ToString::to_string).collect();
    if teams.len() > REASONS_SHOWN {
        shown.push(format!("And {} more.", teams.len() - REASONS_SHOWN));
    }
    shown.join(" ")
}

impl Readings {
    /// Whether the official game does not say now what this team has scored.
    #[must_use]
    pub fn lacks_official(&self) -> bool {
        self.official.is_none() || self.no_score
    }

    fn waits(&self) -> Option<TeamWaits> {
        let team = self.fpl_id;
        match (self.own, self.official) {
            (_, None) if self.no_score => Some(TeamWaits::NoScore(team)),
            (_, None) => Some(TeamWaits::Unread(team)),
            (None, Some(_)) => Some(TeamWaits::NoSquad(team)),
            (Some(own), Some(official)) if own == official => None,
            (Some(_), Some(_)) if self.no_score => Some(TeamWaits::NoScore(team)),
            (Some(own), Some(official)) => Some(TeamWaits::Disagree { team, own, official }),
        }
    }
}

/// The two readings of each member, in the league's order. Of a former season nothing is read any more.
#[must_use]
pub fn readings(league: &League, scores: Option<&Scores>, former: bool) -> Vec<Readings> {
    let of = |at: usize| {
        let none = Reading::default();
        let reading = league.reading(at).unwrap_or(&none);
        let (squad, official) = (reading.squad(), reading.official.as_ref());
        let chip = official.and_then(|official| official.chip.clone());
        Readings {
            fpl_id: league.members[at].fpl_id,
            no_score: reading.no_score || (former && official.is_none()),
            official: official.map(|official| official.figures),
            chip: chip.or_else(|| squad.as_ref()?.chip().map(|chip| chip.name().to_owned())),
            own: squad.zip(scores).map(|(squad, scores)| squad.settled(&scores.points)),
        }
    };
    (0..league.members.len()).map(of).collect()
}

/// Whether the official game has a score of any of these teams.
#[must_use]
pub fn has_answered(readings: &[Readings]) -> bool {
    readings.iter().any(|reading| reading.official.is_some())
}

/// The footballers' points that a gameweek is settled on, final since `since`. Of a former season the last ones
/// that were read after its end: there are no others.
///
/// # Errors
/// The table does not answer.
pub(crate) async fn scores_since(
    app: &App,
    id: GameweekId,
    since: Timestamp,
) -> Result<Option<Scores>, AppError> {
    let former = app.is_former(id.season).await?;
    let kept = app.store().scores(id).await?;
    Ok(kept.filter(|scores| scores.is_final_since(since) || (former && scores.ended)))
}

/// Settles one league: its record first, then the prizes from the record. A league that cannot be
/// settled yet waits, and says why. `true`: it is settled.
///
/// # Errors
/// The table or the queue do not answer: asked again, it goes on.
pub async fn settle_league(app: &App, id: LeagueId) -> Result<bool, AppError> {
    let Some(league) = app.store().league(id).await? else {
        tracing::warn!(league = %id, "a message about a league that does not exist");
        return Ok(true);
    };
    if league.settled_at.is_some() {
        return Ok(true);
    }
    let record = match app.store().settlement(id).await? {
        Some(record) => record,
        None => match recorded(app, &league).await? {
            Ok(record) => record,
            Err(why) => {
                tracing::warn!(league = %id, %why, "a league waits");
                app.store().mark_league_waiting(id, &why.to_string(), app.clock().now()).await?;
                return Ok(false);
            }
        },
    };
    pay(app, id, &record).await?;
    app.store().mark_league_settled(id, app.clock().now()).await?;
    // The last one has the gameweek looked at, at once; the schedule does so in any case.
    if app.store().seems_settled(id.gameweek).await? {
        app.send(&Settle(ForGameweek { gameweek: id.gameweek }), SignedDuration::ZERO).await?;
    }
    Ok(true)
}

/// Pays what the record says, one player at a time.
async fn pay(app: &App, id: LeagueId, record: &Settlement) -> Result<(), AppError> {
    let now = app.clock().now();
    for member in &record.ranking {
        if member.prize.is_positive() {
            let posting = Posting::prize(&member.user_id, id.gameweek, &id.to_string(), member.prize);
            app.store().pay_out(&member.user_id, &posting, now).await?;
            app.mail_posting(&member.user_id, &posting, None).await?;
        }
        if member.refund.is_positive() {
            let posting = Posting::refund(&member.user_id, id.gameweek, member.refund);
            app.store().pay_out(&member.user_id, &posting, now).await?;
            app.mail_posting(&member.user_id, &posting, Some(&why_refunded(record))).await?;
        }
    }
    Ok(())
}

/// Why a league's refunds were made, in the words that its members read.
#[must_use]
pub fn why_refunded(record: &Settlement) -> String {
    match (record.basis, &record.decision) {
        (Basis::Void, _) => "Nothing was played in this gameweek.".to_owned(),
        (Basis::LeftOut, _) => "The official game has no score of your team.".to_owned(),
        (Basis::CalledOff, Some(decision)) => format!("The gameweek was called off: {}", decision.reason),
        (_, Some(decision)) => decision.reason.clone(),
        (_, None) => "The league could not be settled.".to_owned(),
    }
}

/// The league's record, written once. The inner error: why it waits.
async fn recorded(app: &App, league: &League) -> Result<Result<Settlement, Wait>, AppError> {
    let gameweek = winners::gameweek(app, league.gameweek).await?;
    let judged = match &gameweek.called_off {
        Some(called_off) => Ok(called_off_record(app, league, &gameweek, called_off).await?),
        None => judged(app, league, &gameweek).await?,
    };
    let record = match judged {
        Ok(record) => record,
        Err(why) => return Ok(Err(why)),
    };
    Ok(Ok(match app.store().record_settlement(league.id(), &record, None).await? {
        Recorded::Written => record,
        Recorded::Before(before) => *before,
    }))
}

/// The record of a league whose gameweek is called off: every stake goes back, whole.
async fn called_off_record(
    app: &App,
    league: &League,
    gameweek: &Gameweek,
    called_off: &CalledOff,
) -> Result<Settlement, AppError> {
    let decision = Decision { admin: called_off.admin.clone(), reason: called_off.reason.clone() };
    let readings = readings(league, None, false);
    settlement(app, league, gameweek, &readings, (Basis::CalledOff, Some(decision))).await
}

/// The record that the figures make of a league. The inner error: why it waits.
async fn judged(
    app: &App,
    league: &League,
    gameweek: &Gameweek,
) -> Result<Result<Settlement, Wait>, AppError> {
    let Some(since) = gameweek.final_at else { return Ok(Err(Wait::NotFinal)) };
    let Some(scores) = scores_since(app, league.gameweek, since).await? else {
        return Ok(Err(Wait::NoScores));
    };
    let former = app.is_former(league.gameweek.season).await?;
    let readings = readings(league, Some(&scores), former);
    let basis = match basis(&readings, scores.void) {
        Ok(basis) => basis,
        Err(why) if is_vanished(&why, &readings) && has_waited(app, league.id()).await? => Basis::OwnFigures,
        Err(why) => return Ok(Err(why)),
    };
    Ok(Ok(settlement(app, league, gameweek, &readings, (basis, None)).await?))
}

/// Whether nothing is waited for but teams that the official game does not know, though it knows others.
fn is_vanished(why: &Wait, readings: &[Readings]) -> bool {
    let vanished = |team: &TeamWaits| matches!(team, TeamWaits::NoScore(_));
    has_answered(readings) && matches!(why, Wait::Teams(teams) if teams.iter().all(vanished))
}

async fn has_waited(app: &App, id: LeagueId) -> Result<bool, AppError> {
    let since = app.store().mark(id).await?.and_then(|mark| mark.waiting_since);
    Ok(since.is_some_and(|since| app.clock().now() >= since + VANISHED_AWAITED_FOR))
}

/// What a league can be settled on by the figures alone.
pub(crate) fn basis(readings: &[Readings], void: bool) -> Result<Basis, Wait> {
    if void {
        // The second reading of "nothing was played": no team has a point from it.
        let scored = |r: &&Readings| r.official.is_some_and(|f| (f.gross, f.points_on_bench) != (0, 0));
        let unread: Vec<TeamWaits> = readings
            .iter()
            .filter_map(Readings::waits)
            .filter(|w| matches!(w, TeamWaits::Unread(_)))
            .collect();
        return match readings.iter().find(scored) {
            Some(team) => Err(Wait::PointsOfNothing(team.fpl_id)),
            None if !unread.is_empty() => Err(Wait::Teams(unread)),
            None => Ok(Basis::Void),
        };
    }
    let waits: Vec<TeamWaits> = readings.iter().filter_map(Readings::waits).collect();
    if waits.is_empty() { Ok(Basis::TwoReadings) } else { Err(Wait::Teams(waits)) }
}

/// A league's record on the figures as they were read, or with every entry given back.
///
/// # Errors
/// The table does not answer.
pub async fn settlement(
    app: &App,
    league: &League,
    gameweek: &Gameweek,
    readings: &[Readings],
    (basis, decision): (Basis, Option<Decision>),
) -> Result<Settlement, AppError> {
    let deduct_transfer_points = app.store().switches().await?.deducts_transfers_at(gameweek.deadline);
    let counted = |reading| counted(reading, basis, deduct_transfer_points);
    let figures: Vec<Option<Figures>> = readings.iter().map(counted).collect();
    let standings: Vec<Standing> = figures
        .iter()
        .map(|figures| match figures {
            _ if basis.gives_everything_back() => Standing::LeftOut,
            Some(figures) => Standing::Scored(figures.score(deduct_transfer_points)),
            None if basis == Basis::OwnFigures => Standing::Last,
            None => Standing::LeftOut,
        })
        .collect();
    let fee_percent = winners::fee_percent(app, gameweek);
    let settled = prize::settle(league.amount, &standings, fee_percent);
    let mut ranking: Vec<Ranked> = league
        .members
        .iter()
        .enumerate()
        .map(|(i, member)| Ranked {
            rank: settled.shares[i].rank,
            user_id: member.user_id.clone(),
            username: member.username.clone(),
            fpl_id: member.fpl_id,
            team_name: member.team_name.clone(),
            own_figures: figures[i].is_some() && figures[i] != readings[i].official,
            figures: figures[i],
            score: figures[i].map(|figures| figures.score(deduct_transfer_points)),
            chip: figures[i].and_then(|_| readings[i].chip.clone()),
            prize: settled.shares[i].prize,
            refund: settled.shares[i].refund,
        })
        .collect();
    ranking.sort_by_key(|ranked| ranked.rank.unwrap_or(usize::MAX));
    Ok(Settlement {
        league: league.id().to_string(),
        at: app.clock().now(),
        basis,
        decision,
        deduct_transfer_points,
        fee_percent,
        collected: settled.collected,
        fee: settled.fee,
        rounding: settled.rounding,
        figures_hash: figures_hash(league, &figures),
        ranking,
    })
}

/// What a team is ranked by: the official figures; where there are none and it is settled so, our own. Of what
/// the official game said of a team and does not say any more, and our own, the lower: to vanish brings nothing.
fn counted(reading: &Readings, basis: Basis, deduct_transfers: bool) -> Option<Figures> {
    match (reading.official, reading.own) {
        (Some(said), Some(own)) if basis == Basis::OwnFigures && reading.no_score => {
            Some(std::cmp::min_by_key(said, own, |figures| figures.score(deduct_transfers)))
        }
        (Some(official), _) => Some(official),
        (None, own) => own.filter(|_| basis == Basis::OwnFigures),
    }
}

/// SHA-256 (hex) over a line for each member in the league's order: team, gross, cost, bench; a dash
/// for each figure that there is not.
fn figures_hash(league: &League, figures: &[Option<Figures>]) -> String {
    let mut hash = Sha256::new();
    for (member, figures) in league.members.iter().zip(figures) {
        let line = match figures {
            Some(f) => {
                format!("{} {} {} {}\n", member.fpl_id, f.gross, f.transfers_cost, f.points_on_bench)
            }
            None => format!("{} - - -\n", member.fpl_id),
        };
        hash.update(line.as_bytes());
    }
    hex::encode(hash.finalize())
}

/// What a record pays and gives back together, in KES.
#[must_use]
pub fn paid(record: &Settlement) -> Kes {
    record.ranking.iter().map(|ranked| ranked.prize + ranked.refund).sum()
}
