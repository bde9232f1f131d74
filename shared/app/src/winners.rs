//! Paying the winners: asked for once (by the button or the schedule), then a message per league
//! whose teams were read ([`crate::settling`]). Done is a gameweek with no league left: never a count.

use domain::{
    EntryAmount, GameweekId, Kes,
    gameweek::{Calendar, Gameweek, State},
    league,
};
use jiff::SignedDuration;
use store::{
    audit::{self, Act, Who},
    collecting::What,
    leagues::LeagueId,
    marks::Mark,
    scores::Stage,
};

use crate::{
    App, AppError, draw, gameweeks,
    queues::{Collect, ForGameweek, Settle, SettleLeague},
    scores,
};

/// Leagues that are left are sent a message again after this long: by then a league waits, or its
/// message is lost.
const FANNED_OUT_AGAIN_AFTER: SignedDuration = SignedDuration::from_mins(5);

/// So long the leagues wait for that last reading; then they are paid on the two that agree.
const HELD_UP_AT_MOST: SignedDuration = SignedDuration::from_hours(24);

/// An outage lasts when the official game was asked this often in vain.
const LASTING: u32 = 5;

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
pub async fn process(
    app: &App,
    asked: Option<u8>,
    who: Who,
) -> Result<Result<Progress, ProcessError>, AppError> {
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
            let again = changing(id, |gameweek| {
                gameweek.settling_since.get_or_insert(now);
                gameweek.fanned_out_at = None;
            });
            let act = Act::new(who, audit::What::ProcessWinners, format!("gameweek {id}"), now)
                .from_to(gameweek.state(now).word(), "settling");
            app.store().update_calendar_by_hand(again, &act).await?;
            app.send(&Settle(ForGameweek { gameweek: id }), SignedDuration::ZERO).await?;
        }
        State::Settled => {}
    }
    Ok(Ok(progress(app, id).await?))
}

/// The gameweek that the button means: the one asked for, or the oldest closed one that is not
/// settled, or the current one.
pub(crate) async fn chosen(app: &App, asked: Option<u8>) -> Result<Option<(Calendar, Gameweek)>, AppError> {
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

/// How far a gameweek's payment is: from what was drawn and its leagues' marks.
///
/// # Errors
/// The table does not answer.
pub async fn progress(app: &App, id: GameweekId) -> Result<Progress, AppError> {
    let gameweek = gameweek(app, id).await?;
    let fee = fee_percent(app, &gameweek);
    let marks = app.store().marks(id).await?;
    let settled = |mark: &&Mark| mark.settled_at.is_some();
    let mut to_pay = Kes::ZERO;
    for amount in EntryAmount::ALL {
        let Some(list) = app.store().entry_list(id, amount).await? else { continue };
        for size in league::sizes(list.count) {
            let collected = amount.kes().times(size);
            to_pay = to_pay + collected - collected.percent_rounded_down(fee);
        }
    }
    let settled = marks.iter().filter(settled).count();
    let held_up = gameweek.held_up.is_some();
    let waits = |mark: &&Mark| mark.waiting.is_some();
    Ok(Progress {
        number: id.number,
        state: gameweek.state(app.clock().now()),
        leagues: marks.len(),
        settled,
        waiting: if held_up { marks.len() - settled } else { marks.iter().filter(waits).count() },
        to_pay,
    })
}

/// Takes up the payment of a gameweek: refunds who has no league, sends a message for each league
/// that can be settled and, where none is left, marks the gameweek as settled.
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
        let held_for =
            gameweek.settling_since.map_or(SignedDuration::ZERO, |since| now.duration_since(since));
        if let Err(error) = read_again(app, id).await
            && held_for < HELD_UP_AT_MOST
        {
            tracing::warn!(gameweek = %id, %error, "the winners wait for the official game");
            return mark(app, id, |gameweek| {
                gameweek.settling_since.get_or_insert(now);
                gameweek.held_up = Some(error.to_string());
            })
            .await;
        }
    }
    let marks = app.store().marks(id).await?;
    let left: Vec<LeagueId> =
        marks.iter().filter(|mark| mark.settled_at.is_none()).map(Mark::league).collect::<Result<_, _>>()?;
    if due {
        fan_out(app, id, &left).await?;
    }
    mark(app, id, |gameweek| {
        gameweek.settling_since.get_or_insert(now);
        gameweek.held_up = None;
        if left.is_empty() {
            gameweek.settled_at.get_or_insert(now);
        } else if due {
            gameweek.fanned_out_at = Some(now);
        }
    })
    .await?;
    tracing::info!(gameweek = %id, left = left.len(), "settling");
    Ok(())
}

/// Reads the final points once more before the first league is paid: a correction up to then counts.
/// Teams that it touches do not agree any more, and are read again.
async fn read_again(app: &App, id: GameweekId) -> Result<(), AppError> {
    let Some(before) = app.store().scores(id).await?.filter(|kept| kept.stage == Stage::Final) else {
        // Not read at all yet: that comes with the teams.
        return Ok(());
    };
    let now = match scores::read_final(app, id).await {
        Ok(now) => now,
        // A season that the official game does not show any more is paid on what was read of it.
        Err(_) if gameweeks::official_season(app).await.is_ok_and(|season| season != id.season) => {
            before.clone()
        }
        Err(error) => return Err(error),
    };
    if now.points != before.points {
        app.store().hasten_collecting(id, What::Results).await?;
        app.send(&Collect {}, SignedDuration::ZERO).await?;
    }
    Ok(())
}

/// A message for each league whose teams were read; the others get theirs when that is done.
async fn fan_out(app: &App, id: GameweekId, left: &[LeagueId]) -> Result<(), AppError> {
    let collected = app.store().collected(id, What::Results).await?;
    let reached: Option<LeagueId> = collected.after.as_deref().and_then(|id| id.parse().ok());
    // After an outage that lasts, the others are to say that they wait: the admin can act then.
    let all = collected.round_ended_at.is_some() || collected.outages >= LASTING;
    let read = |league: &&LeagueId| all || Some(**league) <= reached;
    let messages: Vec<SettleLeague> =
        left.iter().filter(read).map(|league| SettleLeague { league: league.to_string() }).collect();
    app.send_all(&messages).await
}

/// The fee that a gameweek is bound to: as recorded when it opened.
#[must_use]
pub fn fee_percent(app: &App, gameweek: &Gameweek) -> u8 {
    gameweek.opening.as_ref().map_or(app.config().fee_percent, |opening| opening.fee_percent)
}

pub(crate) async fn gameweek(app: &App, id: GameweekId) -> Result<Gameweek, AppError> {
    let calendar = app.calendar().await?.filter(|calendar| calendar.season == id.season);
    let gameweek = calendar.and_then(|calendar| calendar.gameweek(id.number).cloned());
    gameweek.ok_or_else(|| AppError::Internal(format!("there is no gameweek {id}")))
}

async fn mark(app: &App, id: GameweekId, change: impl Fn(&mut Gameweek)) -> Result<(), AppError> {
    Ok(app.store().update_calendar(changing(id, change)).await?)
}

/// The calendar with one gameweek of it changed.
fn changing(id: GameweekId, change: impl Fn(&mut Gameweek)) -> impl Fn(Option<Calendar>) -> Option<Calendar> {
    move |known| {
        let mut known = known.filter(|known| known.season == id.season)?;
        change(known.gameweeks.iter_mut().find(|g| g.number == id.number)?);
        Some(known)
    }
}
