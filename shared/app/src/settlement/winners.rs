//! Paying the winners: asked for once (by the button or the schedule), then a message per league
//! whose teams were read ([`crate::settlement::settling`]). Done is a gameweek with no league left: never a count.

use domain::{
    EntryAmount, GameweekId, Kes,
    gameweeks::calendar::{Gameweek, GameweekState},
    leagues::draw as league,
};
use jiff::{SignedDuration, Timestamp};
use store::{
    admin::audit::{self, AuditRecord, Who},
    leagues::{LeagueId, picks_import::ImportStep, points::PointsStage},
};

use crate::{
    App, AppError,
    gameweeks::{
        seasons::{self, Named, changing},
        sync,
    },
    leagues::{draw, points},
    platform::{
        flow::{Flow, Refusal},
        queues::{ForGameweek, ImportPicks, Settle, SettleLeague},
    },
};

/// Asked again sooner than this, it only answers how far it is: whoever follows it on a page does so every two seconds.
const ASKED_AGAIN_AFTER: SignedDuration = SignedDuration::from_mins(1);
/// Leagues that are left are sent a message again after this long: by then a league waits, or its
/// message is lost.
const FANNED_OUT_AGAIN_AFTER: SignedDuration = SignedDuration::from_mins(5);

/// So long the leagues wait for that last reading; then they are paid on the two that agree.
const HELD_UP_AT_MOST: SignedDuration = SignedDuration::from_hours(24);

/// Messages that are held at once while a gameweek's leagues are sent theirs.
const MESSAGES_AT_ONCE: usize = 5_000;

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
    pub gameweek: GameweekId,
    pub state: GameweekState,
    /// Its stakes are given back.
    pub called_off: bool,
    pub leagues: usize,
    pub settled: usize,
    /// Leagues that cannot be settled yet.
    pub waiting: usize,
    /// What all leagues pay together, in KES: collected less the fee.
    pub to_pay: Kes,
}

impl Refusal for ProcessError {}

/// Whether the winners of a gameweek can be paid at `now`.
pub fn check(gameweek: &Gameweek, now: Timestamp) -> Result<(), ProcessError> {
    match gameweek.state(now) {
        GameweekState::Open => Err(ProcessError::StillOpen(gameweek.number)),
        GameweekState::Closed => Err(ProcessError::NotFinal(gameweek.number)),
        GameweekState::Final | GameweekState::Settling | GameweekState::Settled => Ok(()),
    }
}

/// Asks for the winners of a gameweek to be paid; again, it answers how far that is.
pub async fn start(app: &App, asked: Option<Named>, who: Who) -> Flow<Progress, ProcessError> {
    let now = app.clock().now();
    let (id, gameweek) = chosen(app, asked).await?.ok_or(ProcessError::NoGameweek)?;
    check(&gameweek, now)?;
    let state = gameweek.state(now);
    let taken_up = gameweek.fanned_out_at.or(gameweek.settling_since);
    let just_asked = taken_up.is_some_and(|last| now < last + ASKED_AGAIN_AFTER);
    if state != GameweekState::Settled && !just_asked {
        // Pressed again, what is left goes on.
        let again = changing(id, |gameweek| {
            gameweek.settling_since.get_or_insert(now);
            gameweek.fanned_out_at = None;
            true
        });
        let act = AuditRecord::new(who, audit::AuditAction::ProcessWinners, format!("gameweek {id}"), now)
            .from_to(state.into_str(), "settling");
        app.store().update_calendar_by_hand(id.season, again, &act).await?;
        app.send(&Settle(ForGameweek { gameweek: id }), SignedDuration::ZERO).await?;
    }
    Ok(progress(app, id).await?)
}

/// The gameweek that the button means: the one asked for, of any season. If none is asked for, it is the oldest closed
/// gameweek of this season that is not settled, or else the current one.
pub(crate) async fn chosen(
    app: &App,
    asked: Option<Named>,
) -> Result<Option<(GameweekId, Gameweek)>, AppError> {
    if let Some(named) = asked {
        return app.named_gameweek(named).await;
    }
    let Some(calendar) = app.calendar().await? else { return Ok(None) };
    let gameweek = match calendar.oldest_unsettled(app.clock().now()) {
        Some(oldest) => Some(oldest),
        None => app.current_of(&calendar),
    };
    Ok(gameweek.map(|gameweek| (calendar.id(gameweek.number), gameweek.clone())))
}

/// How far a gameweek's payment is: from what was drawn and its leagues' statuses.
pub async fn progress(app: &App, id: GameweekId) -> Result<Progress, AppError> {
    let gameweek = seasons::gameweek(app, id).await?;
    let fee = if gameweek.called_off.is_some() { 0 } else { fee_percent(app, &gameweek) };
    let (mut leagues, mut settled, mut waiting) = (0, 0, 0);
    app.store()
        .each_league_status(id, |_, status| {
            leagues += 1;
            settled += usize::from(status.settled_at.is_some());
            waiting += usize::from(status.waiting.is_some());
        })
        .await?;
    let mut to_pay = Kes::ZERO;
    for amount in EntryAmount::ALL {
        let Some(list) = app.store().entry_list(id, amount).await? else { continue };
        for size in league::sizes(list.count) {
            let collected = amount.kes().times(size);
            to_pay = to_pay + collected - collected.percent_rounded_down(fee);
        }
    }
    let held_up = gameweek.held_up.is_some();
    Ok(Progress {
        gameweek: id,
        state: gameweek.state(app.clock().now()),
        called_off: gameweek.called_off.is_some(),
        leagues,
        settled,
        waiting: if held_up { leagues - settled } else { waiting },
        to_pay,
    })
}

/// Goes on with the payment of a gameweek, or with the refunds of one that is called off. Refunds entries that have no
/// league, sends a message for each league that can be settled and, if none is left, marks the gameweek as settled.
///
/// # Errors
/// The table or the queue do not answer: asked again, it goes on.
pub async fn settle_gameweek(app: &App, id: GameweekId) -> Result<(), AppError> {
    let mut known = seasons::gameweek(app, id).await?;
    if known.called_off.is_some() && known.drawn_at.is_none() {
        // Its leagues are what the stakes are given back by.
        draw::advance(app, id).await?;
        known = seasons::gameweek(app, id).await?;
    }
    let decided = known.final_at.is_some() || known.called_off.is_some();
    if known.settled_at.is_some() || !decided || known.drawn_at.is_none() {
        return Ok(());
    }
    let now = app.clock().now();
    let due = known.fanned_out_at.is_none_or(|last| now >= last + FANNED_OUT_AGAIN_AFTER);
    if known.fanned_out_at.is_none() {
        if !draw::sweep(app, id).await? {
            // The schedule asks again every minute.
            tracing::info!(gameweek = %id, "the winners wait for the sweep");
            return Ok(());
        }
        if let Err(error) = read_again(app, id, &known).await
            && known.settling_since.is_none_or(|since| now < since + HELD_UP_AT_MOST)
        {
            tracing::warn!(gameweek = %id, %error, "the winners wait for the official game");
            return seasons::change(app, id, |gameweek| {
                gameweek.settling_since.get_or_insert(now);
                gameweek.held_up = Some(error.to_string());
            })
            .await;
        }
    }
    let (mut left, mut prizes) = (Vec::new(), Some(Kes::ZERO));
    app.store()
        .each_league_status(id, |league, status| {
            prizes = prizes.zip(status.prizes).map(|(all, paid)| all + paid);
            if status.settled_at.is_none() {
                left.push(league);
            }
        })
        .await?;
    left.sort_unstable();
    if due {
        fan_out(app, id, &known, &left).await?;
    }
    seasons::change(app, id, |gameweek| {
        gameweek.settling_since.get_or_insert(now);
        gameweek.held_up = None;
        if left.is_empty() {
            gameweek.settled_at.get_or_insert(now);
            gameweek.prizes = prizes;
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
async fn read_again(app: &App, id: GameweekId, gameweek: &Gameweek) -> Result<(), AppError> {
    if gameweek.called_off.is_some() || app.is_former(id.season).await? {
        // Its points decide nothing, or the official game does not show its season any more.
        return Ok(());
    }
    let Some(before) = app.store().scores(id).await?.filter(|kept| kept.stage == PointsStage::Final) else {
        // Not read at all yet: that comes with the teams.
        return Ok(());
    };
    let now = match points::read_final(app, id).await {
        Ok(now) => now,
        // A season that the official game does not show any more is paid on what was read of it.
        Err(_) if sync::official_season(app).await.is_ok_and(|season| season != id.season) => before.clone(),
        Err(error) => return Err(error),
    };
    if now.points != before.points {
        app.store().hasten_import(id, ImportStep::Results).await?;
        app.send(&ImportPicks {}, SignedDuration::ZERO).await?;
    }
    Ok(())
}

/// A message for each league whose teams were read; the others get theirs when that is done.
async fn fan_out(app: &App, id: GameweekId, gameweek: &Gameweek, left: &[LeagueId]) -> Result<(), AppError> {
    let progress = app.store().import_progress(id, ImportStep::Results).await?;
    let reached: Option<LeagueId> = progress.after.as_deref().and_then(|id| id.parse().ok());
    // After an outage that lasts, the others are to say that they wait: the admin can act then. And nothing more
    // is read of a gameweek that is called off, or of a former season.
    let all = progress.round_ended_at.is_some()
        || progress.outages >= LASTING
        || gameweek.called_off.is_some()
        || app.is_former(id.season).await?;
    let read = |league: &&LeagueId| all || Some(**league) <= reached;
    let read: Vec<_> = left.iter().filter(read).collect();
    for some in read.chunks(MESSAGES_AT_ONCE) {
        let messages: Vec<_> =
            some.iter().map(|league| SettleLeague { league: league.to_string() }).collect();
        app.send_all(&messages).await?;
    }
    Ok(())
}

/// The fee that a gameweek is bound to: as recorded when it opened.
#[must_use]
pub fn fee_percent(app: &App, gameweek: &Gameweek) -> u8 {
    gameweek.opening.as_ref().map_or(app.config().fee_percent, |opening| opening.fee_percent)
}
