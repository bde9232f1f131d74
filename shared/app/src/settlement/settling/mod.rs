//! Settling one league: its record is written first, once, and paid from; each prize is one player's
//! transaction under the league's key. Run twice, at once or after a crash, it pays the same.
//!
//! Nothing is paid before two readings agree: our own computation from the frozen squad, and the
//! official figures (docs/decisions.md, "A team that vanishes"). A team that the official game does not know any more
//! changes nothing for the others: it is ranked on our own figures, and its stake stays.

mod readings;

use domain::{
    GameweekId, Kes,
    gameweeks::calendar::{CalledOff, Gameweek},
    leagues::ranking::Figures,
    ledger::postings::Posting,
    settlement::{
        prize::{self, MemberStanding},
        readings::{Basis, Readings, Wait, basis, counted, has_waited, is_vanished},
    },
};
use jiff::{SignedDuration, Timestamp};
pub use readings::readings;
use sha2::{Digest, Sha256};
use store::{
    leagues::{League, LeagueId, points::GameweekPoints},
    settlement::record::{Ranked, Settlement, SettlementDecision, SettlementRecorded},
};

use crate::{
    App, AppError,
    gameweeks::seasons,
    platform::{
        flow::{Flow, Refusal},
        push::{self, rounds::Round},
        queues::{ForGameweek, Settle},
        reasons,
    },
    settlement::winners,
};

/// The footballers' points that a gameweek is settled on, final since `since`. Of a former season the last ones
/// that were read after its end: there are no others.
pub(crate) async fn scores_since(
    app: &App,
    id: GameweekId,
    since: Timestamp,
) -> Result<Option<GameweekPoints>, AppError> {
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
        None => match recorded(app, &league).await {
            Ok(record) => record,
            Err(error) => {
                let NotSettled { why, vanished } = error.refusal()?;
                tracing::warn!(league = %id, %why, "a league waits");
                let why = why.to_string();
                app.store().mark_league_waiting(id, (why.as_str(), vanished), app.clock().now()).await?;
                return Ok(false);
            }
        },
    };
    pay(app, id, &record).await?;
    push::begin(app, Round::Settled { league: id.to_string() }, SignedDuration::ZERO).await;
    let prizes = record.ranking.iter().map(|member| member.prize).sum();
    app.store().mark_league_settled(id, prizes, app.clock().now()).await?;
    // The last one has the gameweek looked at, at once; the schedule does so in any case.
    if app.store().seems_settled(id.gameweek).await? {
        app.send(&Settle(ForGameweek { gameweek: id.gameweek }), SignedDuration::ZERO).await?;
    }
    Ok(true)
}

/// Pays what the record says, one player at a time. A mail that cannot be asked for keeps nobody from being paid: it
/// fails the step at its end, and what is paid is not paid again.
async fn pay(app: &App, id: LeagueId, record: &Settlement) -> Result<(), AppError> {
    let now = app.clock().now();
    let mut unmailed = Ok(());
    for member in &record.ranking {
        if member.prize.is_positive() {
            let posting = Posting::prize(&member.user_id, id.gameweek, &id.to_string(), member.prize);
            app.store().credit_wallet(&member.user_id, &posting, now).await?;
            unmailed = unmailed.and(app.mail_posting(&member.user_id, &posting, None).await);
        }
        if member.refund.is_positive() {
            let posting = Posting::refund(&member.user_id, id.gameweek, member.refund);
            app.store().credit_wallet(&member.user_id, &posting, now).await?;
            let why = why_refunded(record);
            unmailed = unmailed.and(app.mail_posting(&member.user_id, &posting, Some(&why)).await);
        }
    }
    unmailed
}

/// Why a league's refunds were made, in the words that its members read.
#[must_use]
pub fn why_refunded(record: &Settlement) -> String {
    match (record.basis, &record.decision) {
        (Basis::Void, _) => reasons::NOTHING_PLAYED.to_owned(),
        (Basis::LeftOut, _) => reasons::NO_SCORE.to_owned(),
        (Basis::CalledOff, Some(decision)) => format!("{}{}", reasons::CALLED_OFF, decision.reason),
        (_, Some(decision)) => decision.reason.clone(),
        (_, None) => reasons::NOT_SETTLED.to_owned(),
    }
}

/// That a league is not settled now.
#[derive(Debug, thiserror::Error)]
#[error("{why}")]
struct NotSettled {
    why: Wait,
    /// Nothing is waited for but teams that have vanished.
    vanished: bool,
}

impl Refusal for NotSettled {}

impl From<Wait> for NotSettled {
    fn from(why: Wait) -> Self {
        Self { why, vanished: false }
    }
}

/// The league's record, written once; or why it waits.
async fn recorded(app: &App, league: &League) -> Flow<Settlement, NotSettled> {
    let gameweek = seasons::gameweek(app, league.gameweek).await?;
    let record = match &gameweek.called_off {
        Some(called_off) => called_off_record(app, league, &gameweek, called_off).await?,
        None => judged(app, league, &gameweek).await?,
    };
    Ok(match app.store().record_settlement(league.id(), &record, None).await? {
        SettlementRecorded::Written => record,
        SettlementRecorded::Before(before) => *before,
    })
}

/// The record of a league whose gameweek is called off: every stake goes back, whole.
async fn called_off_record(
    app: &App,
    league: &League,
    gameweek: &Gameweek,
    called_off: &CalledOff,
) -> Result<Settlement, AppError> {
    let decision = SettlementDecision { admin: called_off.admin.clone(), reason: called_off.reason.clone() };
    let readings = readings(league, None, false);
    settlement(app, league, gameweek, &readings, (Basis::CalledOff, Some(decision))).await
}

/// The record that the figures make of a league; or why it waits.
async fn judged(app: &App, league: &League, gameweek: &Gameweek) -> Flow<Settlement, NotSettled> {
    let since = gameweek.final_at.ok_or_else(|| NotSettled::from(Wait::NotFinal))?;
    let scores =
        scores_since(app, league.gameweek, since).await?.ok_or_else(|| NotSettled::from(Wait::NoScores))?;
    let former = app.is_former(league.gameweek.season).await?;
    let readings = readings(league, Some(&scores), former);
    let basis = match basis(&readings, scores.nothing_was_played()) {
        Ok(basis) => basis,
        Err(why) => {
            let vanished = is_vanished(&why, &readings);
            if !vanished || !are_given_up(app, league.id(), since).await? {
                return Err(NotSettled { why, vanished }.into());
            }
            Basis::OwnFigures
        }
    };
    Ok(settlement(app, league, gameweek, &readings, (basis, None)).await?)
}

async fn are_given_up(app: &App, id: LeagueId, final_at: Timestamp) -> Result<bool, AppError> {
    let since = app.store().league_status(id).await?.and_then(|status| status.vanished_since);
    Ok(since.is_some_and(|since| has_waited(since, final_at, app.clock().now())))
}

/// A league's record on the figures as they were read, or with every entry given back.
pub async fn settlement(
    app: &App,
    league: &League,
    gameweek: &Gameweek,
    readings: &[Readings],
    (basis, decision): (Basis, Option<SettlementDecision>),
) -> Result<Settlement, AppError> {
    let deduct_transfer_points = app.store().switches().await?.deducts_transfers_at(gameweek.deadline);
    let counted = |reading| counted(reading, basis, deduct_transfer_points);
    let figures: Vec<Option<Figures>> = readings.iter().map(counted).collect();
    let standings: Vec<MemberStanding> = figures
        .iter()
        .map(|figures| match figures {
            _ if basis.gives_everything_back() => MemberStanding::LeftOut,
            Some(figures) => MemberStanding::Scored(figures.score(deduct_transfer_points)),
            None if basis == Basis::OwnFigures => MemberStanding::Last,
            None => MemberStanding::LeftOut,
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
