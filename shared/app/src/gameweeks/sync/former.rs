//! What former seasons owe: it goes on beside the season that is played.

use domain::gameweeks::calendar::{Calendar, Gameweek};
use jiff::Timestamp;

use crate::{App, AppError};

/// What is due in former seasons: what was open closes, is drawn, and is paid where that was asked for.
///
/// # Errors
/// The first of what could not be done; the next run makes it good.
pub(super) async fn resume(app: &App) -> Result<(), AppError> {
    let played = app.calendar().await?.map(|played| played.season);
    let mut troubles = Vec::new();
    for former in app.store().former_calendars().await? {
        if Some(former.season) == played || former.gameweeks.iter().all(Gameweek::is_paid) {
            continue;
        }
        let now = app.clock().now();
        if former.gameweeks.iter().any(|gameweek| gameweek.is_open(now)) {
            app.store().update_calendar_of(former.season, |known| close_what_is_open(known, now)).await?;
            continue;
        }
        for gameweek in former.gameweeks.iter().filter(|g| !g.is_paid() && now >= g.fence()) {
            troubles.extend(super::resume(app, former.id(gameweek.number), gameweek).await.err());
        }
    }
    troubles.into_iter().next().map_or(Ok(()), Err)
}

/// Nobody can enter a season that has given way, and what stands in it is owed from then on.
fn close_what_is_open(calendar: &mut Calendar, now: Timestamp) -> bool {
    let closed = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let mut any = false;
    for gameweek in calendar.gameweeks.iter_mut().filter(|gameweek| gameweek.is_open(now)) {
        gameweek.deadline = closed;
        any = true;
    }
    any
}

/// An alarm for every former season that owes somebody something, whenever the official calendar was read.
pub(super) async fn warn_of_owed(app: &App) -> Result<(), AppError> {
    let played = app.calendar().await?.map(|played| played.season);
    let former = app.store().former_calendars().await?;
    for former in former.iter().filter(|former| Some(former.season) != played) {
        let owed = former.gameweeks.iter().filter(|gameweek| !gameweek.is_paid());
        let owed = owed.map(|gameweek| gameweek.number.to_string()).collect::<Vec<_>>().join(",");
        if !owed.is_empty() {
            tracing::error!(
                season = former.season,
                owed,
                alarm = "season",
                "a new season is there, and the old one is not paid in full"
            );
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    #[test]
    fn what_is_open_in_a_former_season_closes_and_what_was_closed_stays() {
        let hours = |n: i64| Timestamp::UNIX_EPOCH + SignedDuration::from_hours(n);
        let gameweeks = vec![Gameweek::new(1, hours(100)), Gameweek::new(2, hours(268))];
        let mut calendar = Calendar { season: 2026, gameweeks, read_at: None };
        assert!(close_what_is_open(&mut calendar, hours(200)));
        assert_eq!(
            calendar.gameweeks.iter().map(|g| g.deadline).collect::<Vec<_>>(),
            [hours(100), hours(200)]
        );
        assert!(!close_what_is_open(&mut calendar, hours(200)));
    }
}
