//! The seasons: `SEASON/CALENDAR` is the one that players act on; `SEASON/CALENDAR#2026` is a former
//! one, put there in the write that made room for the next. Written only on condition of the version that was read,
//! with what is kept of the current gameweek (`current`).

use domain::gameweeks::calendar::Calendar;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    admin::audit::AuditRecord,
    gameweeks::current,
    platform::{
        conditions::{absent, is},
        table::Key,
        transaction::Transaction,
        writes::{Put, Update},
    },
};

/// Jobs that move the calendar at once try this often.
const TRIES: u32 = 8;

#[derive(Serialize, Deserialize)]
struct Stored {
    version: u64,
    #[serde(flatten)]
    calendar: Calendar,
}

fn key() -> Key {
    Key::new("SEASON", "CALENDAR")
}

const FORMER: &str = "CALENDAR#";

fn former_key(season: u16) -> Key {
    Key::new("SEASON", format!("{FORMER}{season:04}"))
}

impl Store {
    /// The calendar; `None` before the official one was first read.
    pub async fn calendar(&self) -> Result<Option<Calendar>, StoreError> {
        Ok(self.stored_calendar().await?.map(|stored| stored.calendar))
    }

    /// The calendar of a season: the one that is played, or a former one.
    pub async fn calendar_of(&self, season: u16) -> Result<Option<Calendar>, StoreError> {
        Ok(self.stored_calendar_of(season).await?.map(|(stored, _)| stored.calendar))
    }

    /// The calendars of former seasons, oldest first.
    pub async fn former_calendars(&self) -> Result<Vec<Calendar>, StoreError> {
        let stored: Vec<Stored> = self.all("former calendar", "SEASON", FORMER).await?;
        Ok(stored.into_iter().map(|stored| stored.calendar).collect())
    }

    /// Changes the calendar as `change` says, from what is there (`None`: nothing yet). `change` may
    /// be asked again where another job was first; answering `None` leaves everything as it is. A season
    /// that gives way to another is kept as a former one.
    pub async fn update_calendar(
        &self,
        change: impl Fn(Option<Calendar>) -> Option<Calendar>,
    ) -> Result<(), StoreError> {
        for _ in 0..TRIES {
            let seen = self.stored_calendar().await?;
            let version = seen.as_ref().map_or(0, |stored| stored.version);
            let before = seen.map(|stored| stored.calendar);
            let changed = |after: &Calendar| Some(after) != before.as_ref();
            let Some(calendar) = change(before.clone()).filter(changed) else { return Ok(()) };
            let mut transaction = Transaction::new();
            if let Some(former) = before.filter(|before| before.season != calendar.season) {
                let kept = Stored { version: 1, calendar: former };
                transaction.put(Put::new(former_key(kept.calendar.season).item(&kept)), ());
            }
            transaction.update(replaced(key(), &calendar, version), ());
            transaction.update(current::follows(&calendar, version + 1), ());
            if self.commit_all(transaction).await? {
                return Ok(());
            }
        }
        Err(StoreError::Contended("the calendar"))
    }

    /// Changes the calendar of `season`, whether it is played or a former one, as `change` says. `false`: it
    /// stays as it is, because there is none or `change` said so.
    pub async fn update_calendar_of(
        &self,
        season: u16,
        change: impl Fn(&mut Calendar) -> bool,
    ) -> Result<bool, StoreError> {
        self.change_calendar_of(season, change, None).await
    }

    /// Does what [`Store::update_calendar_of`] does, as an act by hand. The act is recorded even if the calendar stays
    /// as it is, because the work that follows from it is taken up again. If `change` answers `false`, the act is
    /// refused.
    pub async fn update_calendar_by_hand(
        &self,
        season: u16,
        change: impl Fn(&mut Calendar) -> bool,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        self.change_calendar_of(season, change, Some(act)).await
    }

    async fn change_calendar_of(
        &self,
        season: u16,
        change: impl Fn(&mut Calendar) -> bool,
        act: Option<&AuditRecord>,
    ) -> Result<bool, StoreError> {
        for _ in 0..TRIES {
            let Some((Stored { version, calendar: before }, at)) = self.stored_calendar_of(season).await?
            else {
                return Ok(false);
            };
            let is_played = at == key();
            let mut calendar = before.clone();
            if !change(&mut calendar) || (act.is_none() && calendar == before) {
                return Ok(false);
            }
            let mut transaction = Transaction::new();
            if is_played {
                transaction.update(current::follows(&calendar, version + 1), ());
            }
            transaction.update(replaced(at, &calendar, version), ());
            if let Some(act) = act {
                transaction.put(self.recorded(act), ());
            }
            if self.commit_all(transaction).await? {
                return Ok(true);
            }
        }
        Err(StoreError::Contended("the calendar"))
    }

    pub(super) async fn calendar_and_version(&self) -> Result<Option<(Calendar, u64)>, StoreError> {
        Ok(self.stored_calendar().await?.map(|stored| (stored.calendar, stored.version)))
    }

    async fn stored_calendar(&self) -> Result<Option<Stored>, StoreError> {
        self.get("calendar", key()).await
    }

    /// And where it is. A season that gives way in between is found where it was put in the same write.
    async fn stored_calendar_of(&self, season: u16) -> Result<Option<(Stored, Key)>, StoreError> {
        if let Some(stored) = self.stored_calendar().await?.filter(|stored| stored.calendar.season == season)
        {
            return Ok(Some((stored, key())));
        }
        let former = self.get("former calendar", former_key(season)).await?;
        Ok(former.map(|stored| (stored, former_key(season))))
    }
}

fn replaced(key: Key, next: &Calendar, seen: u64) -> Update {
    Update::of(key)
        .set("season", next.season)
        .set("gameweeks", &next.gameweeks)
        .set("readAt", next.read_at)
        .set("version", seen + 1)
        .only_if(absent("pk").or(is("version", seen)))
}
