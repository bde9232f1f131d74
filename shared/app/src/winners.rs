//! Paying the winners: asked for once (by the button or the schedule), then a message per league.
//! Each league's record is written first, once, and paid from; each prize is one player's
//! transaction under the league's key. Run twice, at once or after a crash, it pays the same.

use clients::fpl::{FplError, HistoryRow};
use domain::{
    EntryAmount, FplId, GameweekId, Kes,
    gameweek::{Calendar, Gameweek, State},
    ledger::Posting,
    prize,
    ranking::{self, Figures},
};
use jiff::SignedDuration;
use sha2::{Digest, Sha256};
use store::{
    leagues::{League, LeagueId, Ranked, Settlement},
    teams::OfficialResult,
};

use crate::{
    App, AppError, draw,
    queues::{ForGameweek, Settle, SettleLeague},
};

/// Leagues read at once.
const PAGE: i32 = 100;

/// Leagues that are left are sent a message again after this long: by then a league waits, or its
/// message is lost.
const FANNED_OUT_AGAIN_AFTER: SignedDuration = SignedDuration::from_mins(5);

/// Why the winners cannot be paid; the text is what the admin reads.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProcessError {
    #[error("Gameweek {0} is still open.")]
    StillOpen(u8),
    #[error("Official points for gameweek {0} are not final yet.")]
    NotFinal(u8),
    #[error("There is no gameweek to end.")]
    NoGameweek,
}

/// How far a gameweek's payment is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    pub number: u8,
    pub state: State,
    pub leagues: usize,
    pub settled: usize,
    /// Leagues that cannot be settled yet.
    pub waiting: usize,
    /// What all leagues pay together, in KES: collected less the fee.
    pub to_pay: Kes,
}

/// Asks for the winners of a gameweek to be paid; again, it answers how far that is.
///
/// # Errors
/// The table or the queue do not answer; the inner error is the admin's.
pub async fn process(app: &App, asked: Option<u8>) -> Result<Result<Progress, ProcessError>, AppError> {
    let now = app.clock().now();
    let Some((calendar, gameweek)) = chosen(app, asked).await? else {
        return Ok(Err(ProcessError::NoGameweek));
    };
    let id = calendar.id(gameweek.number);
    match gameweek.state(now) {
        State::Open => return Ok(Err(ProcessError::StillOpen(gameweek.number))),
        State::Closed => return Ok(Err(ProcessError::NotFinal(gameweek.number))),
        State::Final | State::Settling => {
            // Pressed again, what is left is taken up again.
            mark(app, id, |gameweek| {
                gameweek.settling_since.get_or_insert(now);
                gameweek.fanned_out_at = None;
            })
            .await?;
            app.send(&Settle(ForGameweek { gameweek: id }), SignedDuration::ZERO).await?;
        }
        State::Settled => {}
    }
    Ok(Ok(progress(app, id).await?))
}

/// The gameweek that the button means: the one asked for, or the oldest closed one that is not
/// settled, or the current one.
async fn chosen(app: &App, asked: Option<u8>) -> Result<Option<(Calendar, Gameweek)>, AppError> {
    let Some(calendar) = app.calendar().await? else { return Ok(None) };
    let now = app.clock().now();
    let gameweek = match asked {
        Some(number) => calendar.gameweek(number).cloned(),
        None => match calendar.oldest_unsettled(now) {
            Some(oldest) => Some(oldest.clone()),
            None => app.current_gameweek().await?.map(|(_, current)| current),
        },
    };
    Ok(gameweek.map(|gameweek| (calendar, gameweek)))
}

/// How far a gameweek's payment is, from its leagues as they are.
///
/// # Errors
/// The table does not answer.
pub async fn progress(app: &App, id: GameweekId) -> Result<Progress, AppError> {
    let gameweek = gameweek(app, id).await?;
    let fee = fee_percent(app, &gameweek);
    let mut progress = Progress {
        number: id.number,
        state: gameweek.state(app.clock().now()),
        leagues: 0,
        settled: 0,
        waiting: 0,
        to_pay: Kes::ZERO,
    };
    for amount in EntryAmount::ALL {
        let mut pages = Pages::of(id, amount);
        while let Some(leagues) = pages.next(app).await? {
            for league in &leagues {
                let collected = amount.kes().times(league.members.len());
                progress.leagues += 1;
                progress.settled += usize::from(league.settled_at.is_some());
                progress.waiting += usize::from(league.waiting.is_some());
                progress.to_pay = progress.to_pay + collected - collected.percent_rounded_down(fee);
            }
        }
    }
    Ok(progress)
}

/// Takes up the payment of a gameweek: refunds who has no league, sends a message for each league
/// that is not settled and, where there is none, marks the gameweek as settled.
///
/// # Errors
/// The table or the queue do not answer: asked again, it goes on.
pub async fn settle_gameweek(app: &App, id: GameweekId) -> Result<(), AppError> {
    let gameweek = gameweek(app, id).await?;
    if gameweek.settled_at.is_some() || gameweek.final_at.is_none() || gameweek.drawn_at.is_none() {
        return Ok(());
    }
    let now = app.clock().now();
    let due = gameweek.fanned_out_at.is_none_or(|last| now >= last + FANNED_OUT_AGAIN_AFTER);
    if gameweek.fanned_out_at.is_none() {
        draw::sweep(app, id).await?;
    }
    let mut left = 0;
    for amount in EntryAmount::ALL {
        let mut pages = Pages::of(id, amount);
        while let Some(leagues) = pages.next(app).await? {
            for league in leagues.iter().filter(|league| league.settled_at.is_none()) {
                left += 1;
                if due {
                    let message = SettleLeague { league: league.id().to_string() };
                    app.send(&message, SignedDuration::ZERO).await?;
                }
            }
        }
    }
    mark(app, id, |gameweek| {
        gameweek.settling_since.get_or_insert(now);
        if left == 0 {
            gameweek.settled_at.get_or_insert(now);
        } else if due {
            gameweek.fanned_out_at = Some(now);
        }
    })
    .await?;
    tracing::info!(gameweek = %id, left, "settling");
    Ok(())
}

/// Settles one league: its record first, then the prizes from the record. A league whose official
/// figures cannot be had waits, and says why. `true`: it is settled.
///
/// # Errors
/// The table does not answer: asked again, it goes on.
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
                tracing::warn!(league = %id, why, "a league waits");
                app.store().mark_league_waiting(id, &why).await?;
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
            app.mail_posting(&member.user_id, &posting, None).await?;
        }
    }
    Ok(())
}

/// The league's record, written once. The inner error: why it waits.
async fn recorded(app: &App, league: &League) -> Result<Result<Settlement, String>, AppError> {
    let gameweek = gameweek(app, league.gameweek).await?;
    if gameweek.final_at.is_none() {
        return Ok(Err("The official points are not final.".to_owned()));
    }
    let mut figures = Vec::with_capacity(league.members.len());
    for member in &league.members {
        match official(app, member.fpl_id, league.gameweek).await? {
            Ok(result) => figures.push(result.figures),
            Err(why) => return Ok(Err(format!("Team {}: {why}", member.fpl_id))),
        }
    }
    let deduct = app.store().switches().await?.deducts_transfers_at(gameweek.deadline);
    let record = settlement(app, league, &gameweek, &figures, deduct);
    Ok(Ok(app.store().record_settlement(league.id(), &record).await?))
}

fn settlement(
    app: &App,
    league: &League,
    gameweek: &Gameweek,
    figures: &[Figures],
    deduct_transfer_points: bool,
) -> Settlement {
    let fee_percent = fee_percent(app, gameweek);
    let scores: Vec<_> = figures.iter().map(|figures| figures.score(deduct_transfer_points)).collect();
    let division = prize::divide(league.amount, &scores, fee_percent);
    let members: Vec<usize> = (0..league.members.len()).collect();
    let ranking = ranking::rank(members, |i| scores[*i]).into_iter().map(|(rank, i)| {
        let member = &league.members[i];
        Ranked {
            rank,
            user_id: member.user_id.clone(),
            username: member.username.clone(),
            fpl_id: member.fpl_id,
            team_name: member.team_name.clone(),
            figures: figures[i],
            score: scores[i],
            prize: if division.winners.contains(&i) { division.prize } else { Kes::ZERO },
            refund: Kes::ZERO,
        }
    });
    Settlement {
        league: league.id().to_string(),
        at: app.clock().now(),
        deduct_transfer_points,
        fee_percent,
        collected: division.collected,
        fee: division.fee,
        rounding: division.rounding,
        ranking: ranking.collect(),
        figures_hash: figures_hash(league, figures),
    }
}

/// SHA-256 (hex) over a line for each member in the league's order: team, gross, cost, bench.
fn figures_hash(league: &League, figures: &[Figures]) -> String {
    let mut hash = Sha256::new();
    for (member, f) in league.members.iter().zip(figures) {
        let line = format!("{} {} {} {}\n", member.fpl_id, f.gross, f.transfers_cost, f.points_on_bench);
        hash.update(line.as_bytes());
    }
    hex::encode(hash.finalize())
}

/// A team's official result in a gameweek that is final: kept, or asked for and kept. The inner
/// error: why there is none.
///
/// # Errors
/// The table does not answer.
pub async fn official(
    app: &App,
    fpl_id: FplId,
    gameweek: GameweekId,
) -> Result<Result<OfficialResult, String>, AppError> {
    if let Some(kept) = app.store().official_result(fpl_id, gameweek).await? {
        return Ok(Ok(kept));
    }
    let history = match app.fpl().history(u64::from(fpl_id.get())).await {
        Ok(history) => history,
        Err(FplError::NotFound) => return Ok(Err("the official game does not know it.".to_owned())),
        Err(error) => return Ok(Err(error.to_string())),
    };
    let number = u32::from(gameweek.number);
    let Some(row) = history.current.iter().find(|row| row.event == number) else {
        return Ok(Err("it has no official score for this gameweek.".to_owned()));
    };
    let Some(figures) = figures(row) else {
        return Ok(Err("its official score is out of range.".to_owned()));
    };
    let chip = history.chips.iter().find(|chip| chip.event == number).map(|chip| chip.name.clone());
    let result = OfficialResult { fpl_id, figures, chip, as_of: app.clock().now() };
    app.store().keep_official_result(gameweek, &result).await?;
    Ok(Ok(result))
}

fn figures(row: &HistoryRow) -> Option<Figures> {
    Some(Figures {
        gross: i32::try_from(row.points).ok()?,
        transfers_cost: i32::try_from(row.event_transfers_cost).ok()?,
        points_on_bench: i32::try_from(row.points_on_bench).ok()?,
    })
}

/// The fee that a gameweek is bound to: as recorded when it opened.
#[must_use]
pub fn fee_percent(app: &App, gameweek: &Gameweek) -> u8 {
    gameweek.opening.as_ref().map_or(app.config().fee_percent, |opening| opening.fee_percent)
}

async fn gameweek(app: &App, id: GameweekId) -> Result<Gameweek, AppError> {
    let calendar = app.calendar().await?.filter(|calendar| calendar.season == id.season);
    let gameweek = calendar.and_then(|calendar| calendar.gameweek(id.number).cloned());
    gameweek.ok_or_else(|| AppError::Internal(format!("there is no gameweek {id}")))
}

async fn mark(app: &App, id: GameweekId, change: impl Fn(&mut Gameweek)) -> Result<(), AppError> {
    let changed = |known: Option<Calendar>| {
        let mut known = known.filter(|known| known.season == id.season)?;
        change(known.gameweeks.iter_mut().find(|g| g.number == id.number)?);
        Some(known)
    };
    Ok(app.store().update_calendar(changed).await?)
}

/// The leagues of a gameweek and amount, page by page.
struct Pages {
    gameweek: GameweekId,
    amount: EntryAmount,
    after: Option<String>,
    ended: bool,
}

impl Pages {
    fn of(gameweek: GameweekId, amount: EntryAmount) -> Self {
        Self { gameweek, amount, after: None, ended: false }
    }

    async fn next(&mut self, app: &App) -> Result<Option<Vec<League>>, AppError> {
        if self.ended {
            return Ok(None);
        }
        let after = self.after.as_deref();
        let page = app.store().leagues_page(self.gameweek, self.amount, after, PAGE).await?;
        self.ended = page.cursor.is_none();
        self.after = page.cursor;
        Ok(Some(page.items))
    }
}
