//! Queues with the promises of SQS that matter: at least once, delays up to 900 s, visibility
//! time-outs, receive counts, redrive to the dead-letter queue, retention; all by the simulated
//! clock. Invariants: a message is in the database before its sender is told so, and leaves it
//! only when its consumer is done with it, its tries are used up or its retention is over; what
//! was in flight when the process ended is visible again at the next start.

use std::{collections::BTreeMap, sync::Arc};

use clients::Clock;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, params};
use tokio::sync::Notify;

use super::db::{Db, lock};

/// SQS's limit for a message, and for the bodies of a batch together. Bytes.
pub const MAX_MESSAGE: usize = 256 * 1024;
/// SQS's limit for a delay. Seconds.
pub const MAX_DELAY: u32 = 900;

/// One queue as the template declares it. Durations are whole seconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueSpec {
    pub name: String,
    pub visibility_timeout: u32,
    pub delay: u32,
    pub retention: u32,
    pub redrive: Option<Redrive>,
}

/// After `max_receives` tries a message goes to the queue `to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redrive {
    pub to: String,
    pub max_receives: u32,
}

/// One delivery of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub id: String,
    /// Names this delivery.
    pub receipt: String,
    pub body: String,
    pub sent_at: Timestamp,
    pub first_received_at: Timestamp,
    /// This delivery included.
    pub receive_count: u32,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub visible: u64,
    pub in_flight: u64,
    pub delayed: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum SendError {
    #[error("The specified queue {0} does not exist.")]
    UnknownQueue(String),
    #[error("The request must contain the parameter MessageBody.")]
    Empty,
    #[error("One or more parameters are invalid. Reason: Message must be shorter than 262144 bytes.")]
    TooLong,
    #[error("Value {0} for parameter DelaySeconds is invalid. Reason: DelaySeconds must be >= 0 and <= 900.")]
    Delay(i64),
    #[error(transparent)]
    Broken(#[from] rusqlite::Error),
}

#[derive(Clone)]
pub struct Queues {
    db: Db,
    clock: Clock,
    specs: Arc<BTreeMap<String, QueueSpec>>,
    changed: Arc<Notify>,
}

impl Queues {
    /// Takes the kept messages over: those in flight when the last process ended become visible.
    pub fn open(db: Db, clock: Clock, specs: Vec<QueueSpec>, changed: Arc<Notify>) -> anyhow::Result<Self> {
        lock(&db).execute(
            "UPDATE world_messages SET flying = 0, visible_at = ?1 WHERE flying = 1",
            [clock.now().as_microsecond()],
        )?;
        let specs = specs.into_iter().map(|spec| (spec.name.clone(), spec)).collect();
        Ok(Self { db, clock, specs: Arc::new(specs), changed })
    }

    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub fn spec(&self, queue: &str) -> Option<&QueueSpec> {
        self.specs.get(queue)
    }

    /// Puts a message on `queue` and says its id. `delay` in seconds stands over the queue's own.
    pub fn send(&self, queue: &str, body: &str, delay: Option<i64>) -> Result<String, SendError> {
        let spec = self.specs.get(queue).ok_or_else(|| SendError::UnknownQueue(queue.to_owned()))?;
        if body.is_empty() {
            return Err(SendError::Empty);
        }
        if body.len() > MAX_MESSAGE {
            return Err(SendError::TooLong);
        }
        let delay = match delay {
            None => spec.delay,
            Some(asked) => {
                u32::try_from(asked).ok().filter(|d| *d <= MAX_DELAY).ok_or(SendError::Delay(asked))?
            }
        };
        let now = self.clock.now();
        let visible = now + SignedDuration::from_secs(i64::from(delay));
        let id = put(&lock(&self.db), queue, body, now, visible)?;
        self.changed.notify_one();
        Ok(id)
    }

    /// Takes up to `max` messages that are visible at `now`, oldest first, and hides them for the
    /// visibility time-out. Messages whose tries are used up go to the dead-letter queue instead.
    pub fn receive(&self, queue: &str, max: usize, now: Timestamp) -> anyhow::Result<Vec<Message>> {
        let spec = self.specs.get(queue).ok_or_else(|| SendError::UnknownQueue(queue.to_owned()))?;
        let mut connection = lock(&self.db);
        if !any_visible(&connection, queue, now)? {
            return Ok(Vec::new());
        }
        let step = connection.transaction()?;
        drop_expired(&step, spec, now)?;
        redrive(&step, spec, now)?;
        let hidden_until = now + SignedDuration::from_secs(i64::from(spec.visibility_timeout));
        let taken = take(&step, queue, max, now, hidden_until)?;
        step.commit()?;
        Ok(taken)
    }

    /// The consumer is done with this delivery. Receipts of earlier deliveries do nothing.
    pub fn delete(&self, receipts: &[&str]) -> anyhow::Result<()> {
        self.each("DELETE FROM world_messages WHERE receipt = ?1", receipts)
    }

    /// The consumer failed: the message stays hidden until its visibility time-out is over.
    pub fn leave(&self, receipts: &[&str]) -> anyhow::Result<()> {
        self.each("UPDATE world_messages SET flying = 0 WHERE receipt = ?1", receipts)
    }

    /// The consumer failed: the message is visible again at `at`.
    pub fn postpone(&self, receipt: &str, at: Timestamp) -> anyhow::Result<()> {
        lock(&self.db).execute(
            "UPDATE world_messages SET flying = 0, visible_at = ?2 WHERE receipt = ?1",
            params![receipt, at.as_microsecond()],
        )?;
        Ok(())
    }

    /// The first instant after `now` at which a message of one of `queues` becomes visible.
    /// Messages being worked on do not count: they are about to be done.
    pub fn next_visible(&self, queues: &[&str], now: Timestamp) -> anyhow::Result<Option<Timestamp>> {
        let connection = lock(&self.db);
        let mut find = connection.prepare_cached(
            "SELECT MIN(visible_at) FROM world_messages
             WHERE queue = ?1 AND visible_at > ?2 AND flying = 0",
        )?;
        let mut next: Option<i64> = None;
        for queue in queues {
            let found: Option<i64> =
                find.query_row(params![queue, now.as_microsecond()], |row| row.get(0))?;
            next = [next, found].into_iter().flatten().min();
        }
        Ok(next.map(Timestamp::from_microsecond).transpose()?)
    }

    pub fn counts(&self, queue: &str, now: Timestamp) -> anyhow::Result<Counts> {
        let sql = "SELECT
                COUNT(*) FILTER (WHERE visible_at <= ?2),
                COUNT(*) FILTER (WHERE visible_at > ?2 AND receive_count > 0),
                COUNT(*) FILTER (WHERE visible_at > ?2 AND receive_count = 0)
            FROM world_messages WHERE queue = ?1";
        let counts = lock(&self.db).query_row(sql, params![queue, now.as_microsecond()], |row| {
            Ok(Counts { visible: row.get(0)?, in_flight: row.get(1)?, delayed: row.get(2)? })
        })?;
        Ok(counts)
    }

    fn each(&self, sql: &str, receipts: &[&str]) -> anyhow::Result<()> {
        let mut connection = lock(&self.db);
        let step = connection.transaction()?;
        for receipt in receipts {
            step.prepare_cached(sql)?.execute([receipt])?;
        }
        Ok(step.commit()?)
    }
}

/// Writes one message; also used inside a rule's own transaction.
pub(super) fn put(
    connection: &Connection,
    queue: &str,
    body: &str,
    now: Timestamp,
    visible: Timestamp,
) -> rusqlite::Result<String> {
    let id = uuid::Uuid::new_v4().to_string();
    connection
        .prepare_cached(
            "INSERT INTO world_messages (id, queue, body, attributes, sent_at, visible_at)
             VALUES (?1, ?2, ?3, '{}', ?4, ?5)",
        )?
        .execute(params![id, queue, body, now.as_microsecond(), visible.as_microsecond()])?;
    Ok(id)
}

fn any_visible(connection: &Connection, queue: &str, now: Timestamp) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT 1 FROM world_messages WHERE queue = ?1 AND visible_at <= ?2 LIMIT 1")?
        .query_row(params![queue, now.as_microsecond()], |_| Ok(()))
        .optional()
        .map(|found| found.is_some())
}

fn drop_expired(connection: &Connection, spec: &QueueSpec, now: Timestamp) -> rusqlite::Result<()> {
    let oldest = now.as_microsecond() - i64::from(spec.retention) * 1_000_000;
    let gone = connection
        .prepare_cached("DELETE FROM world_messages WHERE queue = ?1 AND sent_at < ?2 AND flying = 0")?
        .execute(params![spec.name, oldest])?;
    if gone > 0 {
        tracing::warn!(queue = spec.name, messages = gone, "dropped: older than the queue keeps them");
    }
    Ok(())
}

fn redrive(connection: &Connection, spec: &QueueSpec, now: Timestamp) -> rusqlite::Result<()> {
    let Some(redrive) = &spec.redrive else { return Ok(()) };
    let moved = connection
        .prepare_cached(
            "UPDATE world_messages
             SET queue = ?3, receive_count = 0, first_received_at = NULL, receipt = NULL, flying = 0
             WHERE queue = ?1 AND visible_at <= ?2 AND receive_count >= ?4",
        )?
        .execute(params![spec.name, now.as_microsecond(), redrive.to, redrive.max_receives])?;
    if moved > 0 {
        tracing::warn!(queue = spec.name, to = redrive.to, messages = moved, "moved: tries used up");
    }
    Ok(())
}

fn take(
    connection: &Connection,
    queue: &str,
    max: usize,
    now: Timestamp,
    hidden_until: Timestamp,
) -> anyhow::Result<Vec<Message>> {
    let mut select = connection.prepare_cached(
        "SELECT seq, id, body, sent_at, first_received_at, receive_count
         FROM world_messages WHERE queue = ?1 AND visible_at <= ?2 ORDER BY visible_at, seq LIMIT ?3",
    )?;
    let found = select
        .query_map(params![queue, now.as_microsecond(), max], |row| Ok((row.get(0)?, read(row, now))))?
        .collect::<rusqlite::Result<Vec<(i64, anyhow::Result<Message>)>>>()?;
    let mut hide = connection.prepare_cached(
        "UPDATE world_messages SET visible_at = ?2, receipt = ?3, receive_count = ?4,
         first_received_at = ?5, flying = 1 WHERE seq = ?1",
    )?;
    let mut taken = Vec::with_capacity(found.len());
    for (seq, message) in found {
        let message = message?;
        hide.execute(params![
            seq,
            hidden_until.as_microsecond(),
            message.receipt,
            message.receive_count,
            message.first_received_at.as_microsecond()
        ])?;
        taken.push(message);
    }
    Ok(taken)
}

fn read(row: &Row<'_>, now: Timestamp) -> anyhow::Result<Message> {
    let first: Option<i64> = row.get("first_received_at")?;
    Ok(Message {
        id: row.get("id")?,
        receipt: uuid::Uuid::new_v4().to_string(),
        body: row.get("body")?,
        sent_at: Timestamp::from_microsecond(row.get("sent_at")?)?,
        first_received_at: first.map(Timestamp::from_microsecond).transpose()?.unwrap_or(now),
        receive_count: row.get::<_, u32>("receive_count")? + 1,
    })
}
