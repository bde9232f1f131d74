//! The season: following the official calendar, opening gameweeks, and keeping the rule
//! that fires at the deadline's fence. A schedule that is late or twice changes nothing about money:
//! what is open is decided by the clock at each request. A season gives way to the next whatever it owes; what it
//! owes goes on beside it (`former`).

mod former;

use std::collections::BTreeSet;

use super::official_calendar::{Due, Official};
use aws_sdk_eventbridge::types::RuleState;
use clients::fpl;
use domain::{
    EntryAmount, GameweekId,
    accounts::notifications::DEADLINE_TOLD_BEFORE,
    gameweeks::calendar::{Calendar, Gameweek, Opening},
};
use jiff::{SignedDuration, Timestamp, Zoned, tz::TimeZone};
use store::{
    gameweeks::current::JoinedSoFar,
    leagues::footballers::{Footballer, Footballers},
};

use crate::{
    App, AppError,
    leagues::{draw, picks_import},
    platform::{
        error::{beyond_an_outage, of_aws, only_shown},
        push::rounds,
        queues::{ForGameweek, Settle},
    },
};

/// Follows the official calendar and does what time has made due: opens the current gameweek, keeps
/// the fence's rule, draws what should have been drawn, and goes on with paying where it was asked
/// for, in former seasons too. What cannot be done now does not keep the rest from being done.
///
/// # Errors
/// The first of what could not be done, but for an outage of the official game; the next run makes it good.
pub async fn sync(app: &App) -> Result<(), AppError> {
    let mut troubles = Vec::new();
    troubles.extend(follow(app).await.err());
    troubles.extend(open_current(app).await.err());
    if let Some(calendar) = app.calendar().await? {
        if super::official_calendar::is_stale(&calendar, app.clock().now()) {
            tracing::error!(alarm = "calendar", "the official calendar could not be read for a day");
        }
        troubles.extend(keep_fence_rule(app, &calendar).await.err());
        let now = app.clock().now();
        for gameweek in calendar.gameweeks.iter().filter(|g| g.settled_at.is_none() && now >= g.fence()) {
            troubles.extend(resume(app, calendar.id(gameweek.number), gameweek).await.err());
        }
        troubles.extend(picks_import::remind(app, &calendar).await.err());
        let near = |g: &&Gameweek| now < g.deadline && now >= g.deadline - DEADLINE_TOLD_BEFORE;
        for gameweek in calendar.gameweeks.iter().filter(near) {
            troubles.extend(rounds::tell_of_deadline(app, calendar.id(gameweek.number)).await.err());
        }
    }
    troubles.extend(former::resume(app).await.err());
    troubles.extend(keep_current(app).await.err());
    beyond_an_outage(troubles)
}

/// Takes over what the official game says, where it is time to ask.
async fn follow(app: &App) -> Result<(), AppError> {
    let asked_at = app.clock().now();
    let awaited = match super::official_calendar::due(app.calendar().await?.as_ref(), asked_at) {
        Due::No => return Ok(()),
        Due::IfConfirmed(number) => Some(number),
        Due::Yes => None,
    };
    let status = app.fpl().event_status().await?;
    if awaited.is_some_and(|number| !fpl::is_confirmed(&status, number.into())) {
        return Ok(());
    }
    let bootstrap = app.fpl().bootstrap().await?;
    let odd = |odd| AppError::Internal(format!("the official calendar is not believed: {odd}"));
    let official = Official::read(&bootstrap, &status).map_err(odd)?;
    let followed = |known| super::official_calendar::followed(known, &official, asked_at, app.clock().now());
    app.store().update_calendar(followed).await?;
    let named = app.store().keep_footballers(official.season(), &footballers(&bootstrap)).await;
    only_shown("who the footballers are", named);
    warn_of_unpaid(app).await?;
    former::warn_of_owed(app).await
}

/// A team that has vanished is waited for less long than this.
const PAID_WITHIN: SignedDuration = SignedDuration::from_hours(48);

/// An alarm while a gameweek of this season waits for somebody: its points are final for two days and it is not paid in
/// full, or they do not become final and it could be called off. Whenever the official calendar was read.
async fn warn_of_unpaid(app: &App) -> Result<(), AppError> {
    let Some(calendar) = app.calendar().await? else { return Ok(()) };
    let now = app.clock().now();
    let is_late = |gameweek: &&Gameweek| match gameweek.final_at {
        Some(at) => now >= at + PAID_WITHIN,
        None => now >= gameweek.deadline + app.config().void_after(),
    };
    let late = calendar.gameweeks.iter().filter(|gameweek| !gameweek.is_paid()).filter(is_late);
    let owed = late.map(|gameweek| gameweek.number.to_string()).collect::<Vec<_>>().join(",");
    if !owed.is_empty() {
        tracing::error!(
            season = calendar.season,
            owed,
            alarm = "settlement",
            "a gameweek is not paid in full"
        );
    }
    Ok(())
}

/// Who the footballers are. What cannot be read of the list is left out: it is only shown.
fn footballers(bootstrap: &fpl::Bootstrap) -> Footballers {
    let club = |number: u32| bootstrap.teams.iter().find(|club| club.id == number);
    let listed = bootstrap.elements.iter().filter_map(|footballer| {
        let club_name = club(footballer.team).map(|club| club.short_name.clone()).unwrap_or_default();
        let club = u8::try_from(footballer.team).ok()?;
        let named = Footballer { name: footballer.web_name.clone(), club, club_name };
        Some((u16::try_from(footballer.id).ok()?, named))
    });
    listed.collect()
}

/// Brings what is kept of the current gameweek up to now, with the counts of those who have joined it.
async fn keep_current(app: &App) -> Result<(), AppError> {
    let joined = match app.current_gameweek().await? {
        Some((id, current)) => Some(joined_so_far(app, id, &current).await?),
        None => None,
    };
    Ok(app.store().keep_current(joined, app.clock().now()).await?)
}

async fn joined_so_far(app: &App, gameweek: GameweekId, current: &Gameweek) -> Result<JoinedSoFar, AppError> {
    let at = app.clock().now();
    if let Some(drawn_at) = current.drawn_at {
        // Nobody joins after the draw.
        let kept = app.kept_current().await?.and_then(|kept| kept.joined(gameweek));
        let entries = match kept.filter(|kept| kept.at >= drawn_at) {
            Some(kept) => return Ok(kept),
            None => app.store().count_all_entries(gameweek).await?,
        };
        return Ok(JoinedSoFar { gameweek, entries, at });
    }
    let mut entries = [0; 3];
    for (amount, joined) in EntryAmount::ALL.into_iter().zip(&mut entries) {
        *joined = app.store().advance_checkpoints(gameweek, amount, at).await?;
    }
    Ok(JoinedSoFar { gameweek, entries, at })
}

/// What is due on a gameweek whose fence has fallen: its draw, and paying where that was asked for.
async fn resume(app: &App, id: GameweekId, gameweek: &Gameweek) -> Result<(), AppError> {
    if gameweek.drawn_at.is_none() {
        draw::advance(app, id).await?;
    }
    let asked_for = gameweek.settling_since.is_some();
    if asked_for || (app.config().auto_settle && gameweek.final_at.is_some()) {
        app.send(&Settle(ForGameweek { gameweek: id }), SignedDuration::ZERO).await?;
    }
    Ok(())
}

/// The season that the official game shows now.
///
/// # Errors
/// It does not answer, or with something that is no calendar.
pub async fn official_season(app: &App) -> Result<u16, AppError> {
    let bootstrap = app.fpl().bootstrap().await?;
    let status = app.fpl().event_status().await?;
    let official = Official::read(&bootstrap, &status);
    Ok(official.map_err(|odd| AppError::Internal(format!("the official calendar: {odd}")))?.season())
}

/// Fixes what the current gameweek is bound to, when it first is the current one. From then on it looks whether the draw's
/// secret is still the one that the gameweek is bound to: at the draw it would be late for the operator to bring it back.
async fn open_current(app: &App) -> Result<(), AppError> {
    let Some((id, current)) = app.current_gameweek().await? else { return Ok(()) };
    if current.opening.is_some() {
        if current.drawn_at.is_none() && current.called_off.is_none() {
            draw::warn_of_other_secret(app, id, &current).await?;
        }
        return Ok(());
    }
    let secret = draw::secret(app, id).await?;
    let opening = Opening {
        at: app.clock().now(),
        fee_percent: app.config().fee_percent,
        secret_hash: domain::leagues::draw::secret_hash(&secret),
    };
    let opened = |known: Option<Calendar>| {
        let mut known = known.filter(|known| known.season == id.season)?;
        let gameweek = known.gameweeks.iter_mut().find(|g| g.number == id.number)?;
        gameweek.opening.get_or_insert_with(|| opening.clone());
        Some(known)
    };
    Ok(app.store().update_calendar(opened).await?)
}

/// From the fence on: the list, the beacon's round after it, the last moment for the list and the round after
/// that, and when a silent beacon was waited for long enough.
const DRAW_MINUTES: [i64; 6] = [0, 2, 13, 15, 32, 46];

/// Has the one-off rule fire at the next fence, and again when the rest of its draw falls due; looked at in
/// every run, since a deployment resets it. It is put only where it differs: a rule that is put in the minute
/// in which it fires can lose its turn.
async fn keep_fence_rule(app: &App, calendar: &Calendar) -> Result<(), AppError> {
    let now = app.clock().now();
    let last = SignedDuration::from_mins(DRAW_MINUTES[DRAW_MINUTES.len() - 1]);
    let is_next = |g: &&Gameweek| now < g.fence() || (g.drawn_at.is_none() && now < g.fence() + last);
    let Some(next) = calendar.gameweeks.iter().find(is_next) else { return Ok(()) };
    let cron = draw_cron(next.fence());
    let (rules, name) = (app.eventbridge(), &app.config().fence_rule_name);
    let kept = rules.describe_rule().name(name).send().await;
    let kept = kept.map_err(|error| of_aws(error, AppError::Rule))?;
    if kept.schedule_expression() == Some(cron.as_str()) && kept.state() == Some(&RuleState::Enabled) {
        return Ok(());
    }
    // The rule's target stands in the template: only its time is ours.
    let put = rules.put_rule().name(name).schedule_expression(cron).state(RuleState::Enabled);
    put.send().await.map(drop).map_err(|error| of_aws(error, AppError::Rule))
}

/// The expression that fires at each of a draw's minutes. Every minute is combined with every hour, so it
/// fires at a few others as well: what comes early or twice changes nothing.
fn draw_cron(fence: Timestamp) -> String {
    // EventBridge knows whole minutes: the first one that is not before the fence.
    let whole = fence + SignedDuration::from_nanos(59_999_999_999);
    let times =
        DRAW_MINUTES.map(|minutes| (whole + SignedDuration::from_mins(minutes)).to_zoned(TimeZone::UTC));
    let field = |of: fn(&Zoned) -> i16| {
        let numbers: BTreeSet<i16> = times.iter().map(of).collect();
        numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    };
    let (minutes, hours) = (field(|at| at.minute().into()), field(|at| at.hour().into()));
    let (days, months) = (field(|at| at.day().into()), field(|at| at.month().into()));
    format!("cron({minutes} {hours} {days} {months} ? {})", field(Zoned::year))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("2026-08-22T10:40:00Z", "cron(12,26,40,42,53,55 10,11 22 8 ? 2026)")]
    #[case::not_a_whole_minute("2026-08-22T10:39:00.5Z", "cron(12,26,40,42,53,55 10,11 22 8 ? 2026)")]
    #[case::over_new_year("2026-12-31T23:40:00Z", "cron(12,26,40,42,53,55 0,23 1,31 1,12 ? 2026,2027)")]
    fn the_rule_fires_when_something_of_the_draw_is_due(#[case] fence: Timestamp, #[case] cron: &str) {
        assert_eq!(draw_cron(fence), cron);
    }
}
