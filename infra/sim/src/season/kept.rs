//! What was set for gameweeks: written to the database first, then to memory, which is what answers
//! read.

use std::sync::{Arc, PoisonError, RwLock};

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::params;

use super::{Calendar, Gameweek, GameweekChange, GameweekRefused};
use crate::db::Db;

/// The only season there is, by the year in which it starts.
const SEASON: u16 = 2026;

/// The season's calendar as it stands.
pub(crate) struct Kept {
    db: Db,
    calendar: RwLock<Arc<Calendar>>,
}

impl Kept {
    pub(crate) fn open(db: Db) -> anyhow::Result<Self> {
        let rows = db.read(|connection| {
            connection
                .prepare("SELECT number, says FROM sim_gameweeks WHERE season = ?1")?
                .query_map([SEASON], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)))?
                .collect::<rusqlite::Result<Vec<_>>>()
        })?;
        let mut calendar = Calendar::ordinary();
        for (number, says) in rows {
            let says = serde_json::from_str(&says).context("a stored gameweek")?;
            let gameweek = calendar.get(number).context("a stored gameweek that there is not")?;
            calendar.put(gameweek.with(says));
        }
        Ok(Self { db, calendar: RwLock::new(Arc::new(calendar)) })
    }

    pub(crate) fn calendar(&self) -> Arc<Calendar> {
        self.calendar.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Says the gameweek as it stands then. The outer error is ours, the inner the caller's.
    pub(crate) fn change(
        &self,
        number: u8,
        change: GameweekChange,
        now: Timestamp,
    ) -> anyhow::Result<Result<Gameweek, GameweekRefused>> {
        let mut calendar = self.calendar.write().unwrap_or_else(PoisonError::into_inner);
        let changed = match calendar.changed(number, change, now) {
            Ok(changed) => changed,
            Err(refused) => return Ok(Err(refused)),
        };
        // Whole: a later change may leave a part of it out.
        let says = GameweekChange { kind: Some(changed.kind()), deadline: Some(changed.deadline()) };
        let says = serde_json::to_string(&says)?;
        self.db.write(|tx| {
            tx.execute(
                "INSERT OR REPLACE INTO sim_gameweeks (season, number, says) VALUES (?1, ?2, ?3)",
                params![SEASON, number, says],
            )?;
            Ok(())
        })?;
        Arc::make_mut(&mut calendar).put(changed);
        Ok(Ok(changed))
    }
}
