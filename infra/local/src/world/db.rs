//! The files under `DATA_DIR`: `world.sqlite` (clock, queues, rules, secrets, outbox, and the
//! stand-ins' tables) and `dynamodb.sqlite` (the embedded DynamoDB).
//!
//! Invariants: what was acknowledged is in a file before the answer leaves (write-ahead log: a
//! killed process loses nothing that was committed); one process at a time has a `DATA_DIR`.

use std::{
    fs::{File, TryLockError},
    path::Path,
    sync::{Arc, Mutex, MutexGuard},
};

use anyhow::{Context, anyhow};
use rusqlite::Connection;

use crate::settings::{DataDir, Refusal};

/// The world database, shared with the stand-ins.
pub type Db = Arc<Mutex<Connection>>;

pub struct Files {
    pub world: Db,
    pub dynamo: dynoxide::Database,
    /// Held as long as the world lives; the system frees it when the process ends, however it ends.
    _lock: Option<File>,
}

pub fn open(data_dir: &DataDir) -> Result<Files, Refusal> {
    match data_dir {
        DataDir::Memory => in_memory().map_err(|e| Refusal::new("DATA_DIR", format!("memory: {e:#}"))),
        DataDir::Path(path) => {
            let refuse = |e: anyhow::Error| Refusal::new("DATA_DIR", format!("{}: {e:#}", path.display()));
            let lock = lock_folder(path).map_err(refuse)?;
            let mut files = on_disk(path).map_err(refuse)?;
            files._lock = Some(lock);
            Ok(files)
        }
    }
}

/// The database for one step. A panic in another step has rolled its transaction back, so the
/// connection is as good as before.
pub fn lock(db: &Db) -> MutexGuard<'_, Connection> {
    db.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn in_memory() -> anyhow::Result<Files> {
    let world = Connection::open_in_memory()?;
    Ok(Files {
        world: Arc::new(Mutex::new(prepared(world)?)),
        dynamo: dynoxide::Database::memory().map_err(|e| anyhow!("{e}"))?,
        _lock: None,
    })
}

fn lock_folder(path: &Path) -> anyhow::Result<File> {
    std::fs::create_dir_all(path).context("cannot be made")?;
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path.join("lock"))
        .context("cannot be written")?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(anyhow!("another run is using it")),
        Err(TryLockError::Error(e)) => Err(e).context("cannot be locked"),
    }
}

fn on_disk(path: &Path) -> anyhow::Result<Files> {
    let world = Connection::open(path.join("world.sqlite")).context("world.sqlite")?;
    // In WAL mode NORMAL still gives every commit to the system before it returns, which is what
    // outlives a killed process; only a loss of power could take the last ones.
    world.pragma_update(None, "journal_mode", "WAL").context("world.sqlite")?;
    world.pragma_update(None, "synchronous", "NORMAL").context("world.sqlite")?;
    let dynamo = path.join("dynamodb.sqlite");
    let dynamo = dynamo.to_str().context("the path is not UTF-8")?;
    let dynamo = dynoxide::Database::new(dynamo).map_err(|e| anyhow!("dynamodb.sqlite: {e}"))?;
    // The only way to `synchronous = NORMAL` that there is: it is what the end of bulk loading
    // leaves behind. With its default each commit waits for the disk itself.
    dynamo.enable_bulk_loading().map_err(|e| anyhow!("dynamodb.sqlite: {e}"))?;
    dynamo.disable_bulk_loading().map_err(|e| anyhow!("dynamodb.sqlite: {e}"))?;
    Ok(Files { world: Arc::new(Mutex::new(prepared(world).context("world.sqlite")?)), dynamo, _lock: None })
}

fn prepared(connection: Connection) -> rusqlite::Result<Connection> {
    connection.set_prepared_statement_cache_capacity(64);
    connection.execute_batch(SCHEMA)?;
    Ok(connection)
}

/// Instants are microseconds since 1970 UTC.
const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS world_clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    mark INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS world_values (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS world_messages (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    queue TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL DEFAULT 0,
    first_received_at INTEGER,
    receipt TEXT,
    flying INTEGER NOT NULL DEFAULT 0 -- in flight
);
CREATE INDEX IF NOT EXISTS world_messages_visible ON world_messages (queue, visible_at, seq);
CREATE INDEX IF NOT EXISTS world_messages_sent ON world_messages (queue, sent_at);
CREATE INDEX IF NOT EXISTS world_messages_receipt ON world_messages (receipt);
CREATE TABLE IF NOT EXISTS world_rules (
    name TEXT PRIMARY KEY,
    expression TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    description TEXT,
    targets TEXT NOT NULL,
    template TEXT,
    done_until INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS world_outbox (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    sent_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS world_outbox_recipient ON world_outbox (recipient, seq);
CREATE TABLE IF NOT EXISTS world_outbox_headers (
    mail TEXT NOT NULL,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (mail, name)
);
";

#[cfg(test)]
mod tests {
    use tempfile::tempdir;

    use super::*;

    #[test]
    fn two_runs_on_one_directory_are_refused_and_one_after_another_is_not() {
        let dir = tempdir().unwrap();
        let path = DataDir::Path(dir.path().to_owned());
        let first = open(&path).unwrap();
        let refusal = open(&path).err().expect("the second run is refused");
        assert!(refusal.to_string().ends_with("another run is using it"), "{refusal}");
        drop(first);
        open(&path).unwrap();
    }

    #[test]
    fn a_directory_that_cannot_be_made_is_refused_in_one_line() {
        let dir = tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "x").unwrap();
        let refusal = open(&DataDir::Path(file)).err().expect("a file is no directory");
        assert_eq!(refusal.name, "DATA_DIR");
        assert!(!refusal.what.contains('\n'));
    }
}
