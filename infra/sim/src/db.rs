//! What the stand-ins must remember over a kill -9: tables of the runner's world database whose
//! names start with `sim_`. Every change is one transaction, committed before it is acknowledged.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::Context;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS sim_kv (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS sim_prompts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    checkout_id TEXT NOT NULL UNIQUE,
    merchant_id TEXT NOT NULL,
    phone TEXT NOT NULL,
    amount INTEGER NOT NULL,
    reference TEXT NOT NULL,
    callback_url TEXT NOT NULL,
    pushed_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    code INTEGER,
    ended_ms INTEGER,
    receipt TEXT UNIQUE
);
CREATE INDEX IF NOT EXISTS sim_prompts_phone ON sim_prompts (phone, seq);
CREATE INDEX IF NOT EXISTS sim_prompts_open ON sim_prompts (expires_ms) WHERE code IS NULL;
CREATE TABLE IF NOT EXISTS sim_payouts (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id TEXT NOT NULL UNIQUE,
    originator_id TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL,
    amount INTEGER NOT NULL,
    result_url TEXT NOT NULL,
    timeout_url TEXT NOT NULL,
    ordered_ms INTEGER NOT NULL,
    code TEXT,
    ended_ms INTEGER,
    receipt TEXT UNIQUE
);
CREATE TABLE IF NOT EXISTS sim_paybill (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    receipt TEXT NOT NULL UNIQUE,
    phone TEXT NOT NULL,
    amount INTEGER NOT NULL,
    reference TEXT NOT NULL,
    paid_ms INTEGER NOT NULL
);
-- What M-Pesa took back of what was paid to the shop.
CREATE TABLE IF NOT EXISTS sim_reversals (
    receipt TEXT PRIMARY KEY,
    amount INTEGER NOT NULL,
    reversed_ms INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS sim_callbacks (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    body TEXT NOT NULL,
    due_ms INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS sim_callbacks_due ON sim_callbacks (due_ms, seq);
CREATE TABLE IF NOT EXISTS sim_teams (
    season INTEGER NOT NULL,
    fpl_id INTEGER NOT NULL,
    slot INTEGER,
    every_week INTEGER NOT NULL,
    says TEXT NOT NULL,
    PRIMARY KEY (season, fpl_id),
    UNIQUE (season, slot)
);
-- Where the teams were while there was one season.
CREATE TABLE IF NOT EXISTS sim_entries (
    fpl_id INTEGER PRIMARY KEY,
    slot INTEGER UNIQUE,
    every_week INTEGER NOT NULL DEFAULT 0,
    says TEXT NOT NULL DEFAULT '{}'
);
INSERT OR IGNORE INTO sim_teams (season, fpl_id, slot, every_week, says)
    SELECT 2026, fpl_id, slot, every_week, says FROM sim_entries;
DROP TABLE sim_entries;
-- Browsers that have subscribed to pushes, with the keys that they keep to themselves, and what they show.
CREATE TABLE IF NOT EXISTS sim_phones (
    id TEXT PRIMARY KEY,
    secret BLOB NOT NULL,
    auth BLOB NOT NULL,
    sender TEXT NOT NULL,
    gone INTEGER NOT NULL,
    subscribed_ms INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS sim_pushes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    phone TEXT NOT NULL,
    notification TEXT NOT NULL,
    ttl INTEGER NOT NULL,
    shown_ms INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS sim_gameweeks (
    season INTEGER NOT NULL,
    number INTEGER NOT NULL,
    says TEXT NOT NULL,
    PRIMARY KEY (season, number)
);
";

/// The world database as the stand-ins use it. Never held over an await.
#[derive(Clone)]
pub(crate) struct Db(Arc<Mutex<Connection>>);

impl Db {
    pub(crate) fn open(connection: Arc<Mutex<Connection>>) -> anyhow::Result<Self> {
        let db = Self(connection);
        db.lock().execute_batch(SCHEMA).context("the stand-ins' tables")?;
        Ok(db)
    }

    pub(crate) fn read<T>(&self, read: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> anyhow::Result<T> {
        Ok(read(&self.lock())?)
    }

    /// Runs `write` in one transaction; an error leaves nothing behind.
    pub(crate) fn write<T>(
        &self,
        write: impl FnOnce(&Transaction<'_>) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let mut connection = self.lock();
        let transaction = connection.transaction()?;
        let done = write(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }

    // A panic elsewhere while the lock was held rolled its transaction back, so the data is sound.
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(crate) fn get(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT value FROM sim_kv WHERE key = ?1", [key], |row| row.get(0)).optional()
}

pub(crate) fn put(connection: &Connection, key: &str, value: &str) -> rusqlite::Result<()> {
    connection.execute("INSERT OR REPLACE INTO sim_kv (key, value) VALUES (?1, ?2)", [key, value])?;
    Ok(())
}

/// The value under `key`, made and kept at the first call.
pub(crate) fn get_or_make(db: &Db, key: &str, make: impl FnOnce() -> String) -> anyhow::Result<String> {
    db.write(|tx| {
        if let Some(value) = get(tx, key)? {
            return Ok(value);
        }
        let value = make();
        put(tx, key, &value)?;
        Ok(value)
    })
}

/// The instant in a column of milliseconds since 1970 UTC.
pub(crate) fn instant(row: &Row<'_>, column: usize) -> rusqlite::Result<Timestamp> {
    let millis: i64 = row.get(column)?;
    Timestamp::from_millisecond(millis).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, millis))
}
