//! Settling one league: its record is written first, once, and paid from; each prize is one player's
//! transaction under the league's key. Run twice, at once or after a crash, it pays the same.
//!
//! Nothing is paid before two readings agree: our own computation from the frozen squad, and the
//! official figures (decisions, "Leagues").

use domain::{
    FplId, Kes,
    gameweek::Gameweek,
    ledger::Posting,
    prize,
    ranking::{Figures, Score},
};
use jiff::SignedDuration;
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

/// A waiting league's reasons that are written out; of more only how many.
const REASONS_SHOWN: usize = 3;

/// A member's two readings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Readings {
    pub fpl_id: FplId,
    pub own: Option<Figures>,
    pub official: Option<Figures>,
    /// The official game was asked and has no score of this team.
    pub no_score: bool,
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
    fn waits(&self) -> Option<TeamWaits> {
        let team = self.fpl_id;
        match (self.own, self.official) {
            (_, None) if self.no_score => Some(TeamWaits::NoScore(team)),
            (_, None) => Some(TeamWaits::Unread(team)),
            (None, Some(_)) => Some(TeamWaits::NoSquad(team)),
            (Some(own), Some(official)) if own == official => None,
            (Some(own), Some(official)) => Some(TeamWaits::Disagree { team, own, official }),
        }
    }
}

/// The two readings of each member, in the league's order.
#[must_use]
pub fn readings(league: &League, scores: &Scores) -> Vec<Readings> {
    let of = |at: usize| {
        let none = Reading::default();
        let reading = league.reading(at).unwrap_or(&none);
        Readings {
            fpl_id: league.members[at].fpl_id,
            own: reading.squad().map(|squad| squad.settled(&scores.points)),
            official: reading.official.as_ref().map(|official| official.figures),
            no_score: reading.no_score,
        }
    };
    (0..league.members.len()).map(of).collect()
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
            app.mail_posting(&member.user_id, &posting, Some(why_refunded(record))).await?;
        }
    }
    Ok(())
}

/// Why a league's refunds were made, in the words that its members read.
#[must_use]
pub fn why_refunded(record: &Settlement) -> &str {
    match (record.basis, &record.decision) {
        (Basis::Void, _) => "Nothing was played in this gameweek.",
        (Basis::LeftOut, _) => "The official game has no score of your team.",
        (_, Some(decision)) => &decision.reason,
        (_, None) => "The league could not be settled.",
    }
}

/// The league's record, written once. The inner error: why it waits.
async fn recorded(app: &App, league: &League) -> Result<Result<Settlement, Wait>, AppError> {
    let gameweek = winners::gameweek(app, league.gameweek).await?;
    let Some(since) = gameweek.final_at else { return Ok(Err(Wait::NotFinal)) };
    let scores = app.store().scores(league.gameweek).await?;
    let Some(scores) = scores.filter(|scores| scores.is_final_since(since)) else {
        return Ok(Err(Wait::NoScores));
    };
    let readings = readings(league, &scores);
    let basis = match basis(&readings, scores.void) {
        Ok(basis) => basis,
        Err(why) => return Ok(Err(why)),
    };
    let record = settlement(app, league, &gameweek, basis, None).await?;
    Ok(Ok(match app.store().record_settlement(league.id(), &record, None).await? {
        Recorded::Written => record,
        Recorded::Before(before) => *before,
    }))
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

/// A league's record on the official figures as they were read, or with every entry given back.
///
/// # Errors
/// The table does not answer.
pub async fn settlement(
    app: &App,
    league: &League,
    gameweek: &Gameweek,
    basis: Basis,
    decision: Option<Decision>,
) -> Result<Settlement, AppError> {
    let deduct_transfer_points = app.store().switches().await?.deducts_transfers_at(gameweek.deadline);
    let official: Vec<_> = (0..league.members.len())
        .map(|at| league.reading(at).and_then(|reading| reading.official.clone()))
        .collect();
    let figures: Vec<Option<Figures>> = official.iter().map(|o| o.as_ref().map(|o| o.figures)).collect();
    let all_refunded = matches!(basis, Basis::Void | Basis::Refunded);
    let score = |figures: &Option<Figures>| figures.map(|f| f.score(deduct_transfer_points));
    let scores: Vec<Option<Score>> =
        figures.iter().map(|figures| score(figures).filter(|_| !all_refunded)).collect();
    let fee_percent = winners::fee_percent(app, gameweek);
    let settled = prize::settle(league.amount, &scores, fee_percent);
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
            figures: figures[i],
            score: score(&figures[i]),
            chip: official[i].as_ref().and_then(|official| official.chip.clone()),
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
