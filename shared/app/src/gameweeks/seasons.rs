//! The season that is played, and former ones: kept as they were when the next one began, and paid, called off and
//! looked at like the one that is played, by season and number (`2026-38`). The official game does not show them any
//! more: nothing of them is read from it again.

use std::str::FromStr;

use domain::{
    GameweekId,
    gameweeks::calendar::{Calendar, Gameweek},
};
use jiff::SignedDuration;
use store::gameweeks::current::KeptCurrent;

use crate::{App, AppError};

/// How a call names a gameweek: by its number in the season that is played, or with the season, `2026-38`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    Number(u8),
    Of(GameweekId),
}

impl Named {
    fn may_be_of(self, played: u16) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Of(id) => id.season == played,
        }
    }
}

impl FromStr for Named {
    type Err = domain::gameweeks::calendar::NotAGameweek;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self::Number).or_else(|_| text.parse().map(Self::Of))
    }
}

impl App {
    /// The season as players act on it; `None` before the official calendar was first read.
    pub async fn calendar(&self) -> Result<Option<Calendar>, AppError> {
        Ok(self.store().calendar().await?)
    }

    /// The season that players act on; `None` before the official calendar was first read.
    pub async fn season(&self) -> Result<Option<u16>, AppError> {
        match self.kept_current().await? {
            Some(kept) => Ok(Some(kept.excerpt.season)),
            None => Ok(self.calendar().await?.map(|calendar| calendar.season)),
        }
    }

    /// The gameweek that players act on now.
    pub async fn current_gameweek(&self) -> Result<Option<(GameweekId, Gameweek)>, AppError> {
        let kept = self.kept_current().await?;
        self.current_by(kept.as_ref()).await
    }

    /// What is kept of the current gameweek; `None`: the calendar is to be asked.
    pub(crate) async fn kept_current(&self) -> Result<Option<KeptCurrent>, AppError> {
        Ok(self.store().kept_current(self.clock().now()).await?)
    }

    /// The gameweek that players act on now, by what is kept of it, or else by the calendar.
    pub(crate) async fn current_by(
        &self,
        kept: Option<&KeptCurrent>,
    ) -> Result<Option<(GameweekId, Gameweek)>, AppError> {
        if let Some(Ok(current)) = kept.map(|kept| kept.excerpt.current(self.clock().now(), self.lead())) {
            return Ok(current.map(|(id, gameweek)| (id, gameweek.clone())));
        }
        let calendar = self.calendar().await?;
        let current = calendar.as_ref().and_then(|calendar| Some((calendar, self.current_of(calendar)?)));
        Ok(current.map(|(calendar, gameweek)| (calendar.id(gameweek.number), gameweek.clone())))
    }

    /// The gameweek of `calendar` that players act on now.
    #[must_use]
    pub fn current_of<'a>(&self, calendar: &'a Calendar) -> Option<&'a Gameweek> {
        calendar.current(self.clock().now(), self.lead())
    }

    pub(super) fn lead(&self) -> SignedDuration {
        SignedDuration::from_hours(i64::from(self.config().next_gameweek_lead_hours))
    }

    /// The calendar of a season: the one that is played, or a former one.
    pub async fn calendar_of(&self, season: u16) -> Result<Option<Calendar>, AppError> {
        Ok(self.store().calendar_of(season).await?)
    }

    /// Every season, oldest first: the last is the one that is played.
    pub async fn calendars(&self) -> Result<Vec<Calendar>, AppError> {
        let played = self.calendar().await?;
        // Read after it: what gives way in between is there twice rather than not at all.
        let mut all = self.store().former_calendars().await?;
        all.retain(|former| played.as_ref().is_none_or(|played| former.season < played.season));
        all.extend(played);
        Ok(all)
    }

    /// A gameweek of whatever season.
    pub async fn gameweek(&self, id: GameweekId) -> Result<Option<Gameweek>, AppError> {
        let calendar = self.calendar_of(id.season).await?;
        Ok(calendar.and_then(|calendar| calendar.gameweek(id.number).cloned()))
    }

    /// The gameweek that a call names, with its season; `None`: there is none.
    pub async fn named_gameweek(&self, named: Named) -> Result<Option<(GameweekId, Gameweek)>, AppError> {
        let (Named::Number(number) | Named::Of(GameweekId { number, .. })) = named;
        if let Some(excerpt) = self.kept_current().await?.map(|kept| kept.excerpt)
            && named.may_be_of(excerpt.season)
            && let Some(gameweek) = excerpt.gameweek(number)
        {
            return Ok(Some((excerpt.id(number), gameweek.clone())));
        }
        let calendar = match named {
            Named::Number(_) => self.calendar().await?,
            Named::Of(id) => self.calendar_of(id.season).await?,
        };
        Ok(calendar.and_then(|calendar| Some((calendar.id(number), calendar.gameweek(number)?.clone()))))
    }

    /// The gameweek that a call names: by its number in the current season, or by season and number (`2026-03`),
    /// which stay; the current one where it names none. `None`: there is no such gameweek.
    pub async fn asked_gameweek(
        &self,
        asked: Option<&str>,
    ) -> Result<Option<(GameweekId, Gameweek)>, AppError> {
        match asked.map(str::parse) {
            Some(Ok(named)) => self.named_gameweek(named).await,
            Some(Err(_)) => Ok(None),
            None => self.current_gameweek().await,
        }
    }

    /// Whether a season has given way to another: the official game does not answer for it.
    pub async fn is_former(&self, season: u16) -> Result<bool, AppError> {
        Ok(self.season().await?.is_some_and(|played| played > season))
    }
}

/// A gameweek that there has to be.
pub(crate) async fn gameweek(app: &App, id: GameweekId) -> Result<Gameweek, AppError> {
    let gameweek = app.gameweek(id).await?;
    gameweek.ok_or_else(|| AppError::Internal(format!("there is no gameweek {id}")))
}

/// Changes a gameweek of whatever season.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gameweek_is_named_by_its_number_or_with_its_season() {
        assert_eq!("7".parse(), Ok(Named::Number(7)));
        assert_eq!("2026-38".parse(), Ok(Named::Of(GameweekId { season: 2026, number: 38 })));
        for wrong in ["", "next", "-1", "256", "2026-3", "2026-03-50"] {
            assert!(wrong.parse::<Named>().is_err(), "{wrong}");
        }
    }
}
