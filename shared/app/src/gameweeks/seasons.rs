//! Former seasons: kept as they were when the next one began, and paid, called off and looked at like the one
//! that is played, by season and number (`2026-38`). The official game does not show them any more: nothing of
//! them is read from it again.

use std::str::FromStr;

use domain::{
    GameweekId,
    gameweeks::calendar::{Calendar, Gameweek},
};
use jiff::Timestamp;

use crate::{App, AppError};

/// How a call names a gameweek: by its number in the season that is played, or with the season, `2026-38`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    Number(u8),
    Of(GameweekId),
}

impl FromStr for Named {
    type Err = domain::gameweeks::calendar::NotAGameweek;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::Number).or_else(|_| text.parse().map(Self::Of))
    }
}

impl App {
    /// The calendar of a season: the one that is played, or a former one.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn calendar_of(&self, season: u16) -> Result<Option<Calendar>, AppError> {
        Ok(self.store().calendar_of(season).await?)
    }

    /// Every season, oldest first: the last is the one that is played.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn calendars(&self) -> Result<Vec<Calendar>, AppError> {
        let played = self.calendar().await?;
        // Read after it: what gives way in between is there twice rather than not at all.
        let mut all = self.store().former_calendars().await?;
        all.retain(|former| played.as_ref().is_none_or(|played| former.season < played.season));
        all.extend(played);
        Ok(all)
    }

    /// A gameweek of whatever season.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn gameweek(&self, id: GameweekId) -> Result<Option<Gameweek>, AppError> {
        let calendar = self.calendar_of(id.season).await?;
        Ok(calendar.and_then(|calendar| calendar.gameweek(id.number).cloned()))
    }

    /// The gameweek that a call names, with its season; `None`: there is none.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn named_gameweek(&self, named: Named) -> Result<Option<(GameweekId, Gameweek)>, AppError> {
        let calendar = match named {
            Named::Number(_) => self.calendar().await?,
            Named::Of(id) => self.calendar_of(id.season).await?,
        };
        let (Named::Number(number) | Named::Of(GameweekId { number, .. })) = named;
        Ok(calendar.and_then(|calendar| Some((calendar.id(number), calendar.gameweek(number)?.clone()))))
    }

    /// The gameweek that a call names: by its number in the current season, or by season and number (`2026-03`),
    /// which stay; the current one where it names none. `None`: there is no such gameweek.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn asked_gameweek(
        &self,
        asked: Option<&str>,
    ) -> Result<Option<(GameweekId, Gameweek)>, AppError> {
        match asked.map(str::parse) {
            Some(Ok(named)) => self.named_gameweek(named).await,
            Some(Err(_)) => Ok(None),
            None => {
                let current = self.current_gameweek().await?;
                Ok(current.map(|(calendar, gameweek)| (calendar.id(gameweek.number), gameweek)))
            }
        }
    }

    /// Whether a season has given way to another: the official game does not answer for it.
    ///
    /// # Errors
    /// The table does not answer.
    pub async fn is_former(&self, season: u16) -> Result<bool, AppError> {
        Ok(self.calendar().await?.is_some_and(|played| played.season > season))
    }
}

/// Changes a gameweek of whatever season.
///
/// # Errors
/// The table does not answer.
pub async fn change(app: &App, id: GameweekId, change: impl Fn(&mut Gameweek)) -> Result<(), AppError> {
    app.store()
        .update_calendar_of(
            id.season,
            changing(id, |gameweek| {
                change(gameweek);
                true
            }),
        )
        .await?;
    Ok(())
}

/// The change of one gameweek of a calendar; `false` where there is none, or `change` says so.
pub(crate) fn changing(
    id: GameweekId,
    change: impl Fn(&mut Gameweek) -> bool,
) -> impl Fn(&mut Calendar) -> bool {
    move |known| known.gameweeks.iter_mut().find(|g| g.number == id.number).is_some_and(&change)
}

/// What is due in former seasons: what was open closes, is drawn, and is paid where that was asked for.
///
/// # Errors
/// The first of what could not be done; the next run makes it good.
pub(super) async fn take_up_former(app: &App) -> Result<(), AppError> {
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
            troubles.extend(super::sync::take_up(app, former.id(gameweek.number), gameweek).await.err());
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
///
/// # Errors
/// The table does not answer.
pub(super) async fn tell_of_what_is_owed(app: &App) -> Result<(), AppError> {
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
    fn a_gameweek_is_named_by_its_number_or_with_its_season() {
        assert_eq!("7".parse(), Ok(Named::Number(7)));
        assert_eq!("2026-38".parse(), Ok(Named::Of(GameweekId { season: 2026, number: 38 })));
        for wrong in ["", "next", "-1", "256", "2026-3", "2026-03-50"] {
            assert!(wrong.parse::<Named>().is_err(), "{wrong}");
        }
    }

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
