//! What was set for gameweeks: written to the database first, then to memory, which is what answers
//! read.

use std::sync::{Arc, PoisonError, RwLock};

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::params;

use super::{Calendar, ChangeError, Gameweek, GameweekChange, Season};
use crate::db::Db;

pub(crate) struct Kept {
    db: Db,
    calendars: RwLock<[Arc<Calendar>; Season::ALL.len()]>,
}

impl Kept {
    pub(crate) fn open(db: Db) -> anyhow::Result<Self> {
        let rows = db.read(|connection| {
            connection
                .prepare("SELECT season, number, says FROM sim_gameweeks")?
                .query_map([], |row| Ok((row.get::<_, u16>(0)?, row.get(1)?, row.get::<_, String>(2)?)))?
                .collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let mut calendars = Season::ALL.map(Calendar::ordinary);
        for (year, number, says) in rows {
            let calendar = calendars.iter_mut().find(|calendar| calendar.season().year() == year);
            let calendar = calendar.context("a stored gameweek of a season that there is not")?;
            let gameweek = calendar.get(number).context("a stored gameweek that there is not")?;
            calendar.put(gameweek.restored(&serde_json::from_str(&says).context("a stored gameweek")?));
        }
        Ok(Self { db, calendars: RwLock::new(calendars.map(Arc::new)) })
    }

    pub(crate) fn calendar(&self, now: Timestamp) -> Arc<Calendar> {
        let calendars = self.calendars.read().unwrap_or_else(PoisonError::into_inner);
        calendars[usize::from(Season::at(now).before())].clone()
    }

    pub(crate) fn all(&self) -> [Arc<Calendar>; Season::ALL.len()] {
        self.calendars.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Changes a gameweek of the season that is shown, and says it as it stands then.
    pub(crate) fn change(
        &self,
        number: u8,
        change: GameweekChange,
        now: Timestamp,
    ) -> Result<Gameweek, ChangeError> {
        let season = Season::at(now);
        let mut calendars = self.calendars.write().unwrap_or_else(PoisonError::into_inner);
        let calendar = &mut calendars[usize::from(season.before())];
        let changed = calendar.changed(number, change, now)?;
        let says = serde_json::to_string(&changed.kept()).map_err(anyhow::Error::from)?;
        self.db.write(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO sim_gameweeks (season, number, says) VALUES (?1, ?2, ?3)",
                params![season.year(), number, says],
            )?;
            Ok(())
        })?;
        Arc::make_mut(calendar).put(changed);
        Ok(changed)
    }
}
