//! The season: reading it, following the official calendar, opening gameweeks, and keeping the rule
//! that fires at the deadline's fence. A schedule that is late or twice changes nothing about money:
//! what is open is decided by the clock at each request.

use clients::fpl::{self, Bootstrap, EventStatus};
use domain::{
    EntryAmount,
    gameweek::{Calendar, Gameweek, Opening},
};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

use crate::{
    App, AppError, draw,
    queues::{ForGameweek, Settle},
};

impl App {
    /// The season as players act on it; `None` before the official calendar was first read.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn calendar(&self) -> Result<Option<Calendar>, AppError> {
        Ok(self.store().calendar().await?)
    }

    /// The season, and in it the gameweek that players act on now.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn current_gameweek(&self) -> Result<Option<(Calendar, Gameweek)>, AppError> {
        let calendar = self.calendar().await?;
        Ok(calendar.and_then(|calendar| {
            let current = calendar.current(self.clock().now(), self.lead()).cloned()?;
            Some((calendar, current))
        }))
    }

    fn lead(&self) -> SignedDuration {
        SignedDuration::from_hours(i64::from(self.config().next_gameweek_lead_hours))
    }
}

/// Follows the official calendar and does what time has made due: opens the current gameweek, keeps
/// the fence's rule, draws what should have been drawn, and goes on with paying where it was asked
/// for.
///
/// # Errors
/// The official game, the table or a queue does not answer; the next run makes it good.
pub async fn sync(app: &App) -> Result<(), AppError> {
    let bootstrap = app.fpl().bootstrap().await?;
    let status = app.fpl().event_status().await?;
    let now = app.clock().now();
    app.store().update_calendar(|known| followed(known, &bootstrap, &status, now)).await?;
    open_current(app).await?;
    let Some(calendar) = app.calendar().await? else { return Ok(()) };
    keep_fence_rule(app, &calendar).await?;
    if let Some((_, current)) =
        app.current_gameweek().await?.filter(|(_, current)| current.drawn_at.is_none())
    {
        for amount in EntryAmount::ALL {
            app.store().advance_checkpoints(calendar.id(current.number), amount, now).await?;
        }
    }
    for gameweek in calendar.gameweeks.iter().filter(|g| g.settled_at.is_none() && now >= g.fence()) {
        let id = calendar.id(gameweek.number);
        if gameweek.drawn_at.is_none() {
            draw::close(app, id).await?;
        }
        let asked_for = gameweek.settling_since.is_some();
        if asked_for || (app.config().auto_settle && gameweek.final_at.is_some()) {
            app.send(&Settle(ForGameweek { gameweek: id }), SignedDuration::ZERO).await?;
        }
    }
    Ok(())
}

/// What the calendar is once the official one has been read. Facts that are ours stay; what is final
/// stays final, whatever the official game says later.
fn followed(
    known: Option<Calendar>,
    bootstrap: &Bootstrap,
    status: &EventStatus,
    now: Timestamp,
) -> Option<Calendar> {
    let first = bootstrap.events.first()?;
    let first_deadline = Timestamp::from_second(first.deadline_time_epoch).ok()?;
    let year = first_deadline.to_zoned(TimeZone::UTC).year();
    let season = u16::try_from(year).ok()?;
    let known = known.filter(|known| known.season == season);
    let gameweeks = bootstrap.events.iter().filter_map(|event| {
        let number = u8::try_from(event.id).ok()?;
        let deadline = Timestamp::from_second(event.deadline_time_epoch).ok()?;
        let before = known.as_ref().and_then(|known| known.gameweek(number)).cloned();
        let new = before.is_none();
        let mut gameweek = before.unwrap_or_else(|| Gameweek::new(number, deadline));
        // A deadline that has passed does not move any more: entries were refused by it.
        if gameweek.is_open(now) {
            gameweek.deadline = deadline;
        }
        if gameweek.final_at.is_none() && !gameweek.is_open(now) && fpl::is_final(event, status) {
            gameweek.final_at = Some(now);
        }
        // Closed before we ever saw it: nobody entered, there is nothing to play.
        if new && now >= gameweek.fence() {
            gameweek.drawn_at = Some(now);
            gameweek.settled_at = Some(now);
        }
        Some(gameweek)
    });
    Some(Calendar { season, gameweeks: gameweeks.collect() })
}

/// Fixes what the current gameweek is bound to, when it first is the current one.
async fn open_current(app: &App) -> Result<(), AppError> {
    let Some((calendar, current)) = app.current_gameweek().await? else { return Ok(()) };
    if current.opening.is_some() {
        return Ok(());
    }
    let secret = draw::secret(app, calendar.id(current.number)).await?;
    let opening = Opening {
        at: app.clock().now(),
        fee_percent: app.config().fee_percent,
        secret_hash: domain::league::secret_hash(&secret),
    };
    let opened = |known: Option<Calendar>| {
        let mut known = known?;
        let gameweek = known.gameweeks.iter_mut().find(|g| g.number == current.number)?;
        gameweek.opening.get_or_insert_with(|| opening.clone());
        Some(known)
    };
    Ok(app.store().update_calendar(opened).await?)
}

/// Has the one-off rule fire at the next fence; asserted at every run, since a deployment resets it.
async fn keep_fence_rule(app: &App, calendar: &Calendar) -> Result<(), AppError> {
    let now = app.clock().now();
    let Some(next) = calendar.gameweeks.iter().find(|g| now < g.fence()) else { return Ok(()) };
    let at = next.fence().to_zoned(TimeZone::UTC);
    // EventBridge knows whole minutes: the first one that is not before the fence.
    let at =
        if at.second() == 0 && at.subsec_nanosecond() == 0 { at } else { at + SignedDuration::from_mins(1) };
    let cron = format!("cron({} {} {} {} ? {})", at.minute(), at.hour(), at.day(), at.month(), at.year());
    // The rule's target stands in the template: only its time is ours.
    let put = app.eventbridge().put_rule().name(&app.config().fence_rule_name).schedule_expression(cron);
    let put = put.send().await;
    put.map_err(|error| AppError::Rule(aws_sdk_eventbridge::error::DisplayErrorContext(error).to_string()))?;
    Ok(())
}
