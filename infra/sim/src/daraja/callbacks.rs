//! Callbacks: what M-Pesa tells the shop of prompts, orders and payments to the paybill. They wait in
//! `sim_callbacks` until due and are POSTed once each; one that is not answered 2xx is dropped and logged, as Safaricom does.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::Value;

use crate::db::{Db, instant};

struct Waiting {
    seq: i64,
    name: String,
    url: String,
    body: String,
    due: Timestamp,
}

/// Plans a POST of `body`; `name` is for the log.
pub(super) fn plan(
    tx: &Transaction<'_>,
    name: &str,
    url: &str,
    body: &Value,
    due: Timestamp,
) -> anyhow::Result<()> {
    tx.execute(
        "INSERT INTO sim_callbacks (name, url, body, due_ms) VALUES (?1, ?2, ?3, ?4)",
        params![name, url, body.to_string(), due.as_millisecond()],
    )?;
    Ok(())
}

/// Whole shillings as the decimal that Daraja writes.
#[allow(clippy::cast_precision_loss, reason = "amounts are at most 250,000, a lie is what was asked for")]
pub(super) fn decimal(amount: i64) -> f64 {
    amount as f64
}

/// When the next callback is due.
pub(crate) fn next_callback(db: &Db) -> anyhow::Result<Option<Timestamp>> {
    db.read(|connection| Ok(first(connection)?.map(|waiting| waiting.due)))
}

/// Sends the callback that is due first and forgets it. A kill between the two sends it again.
pub(crate) async fn send_next_callback(db: &Db, http: &reqwest::Client) -> anyhow::Result<()> {
    let Some(waiting) = db.read(first)? else { return Ok(()) };
    send(http, &waiting.name, &waiting.url, waiting.body).await;
    db.write(|tx| {
        tx.execute("DELETE FROM sim_callbacks WHERE seq = ?1", [waiting.seq])?;
        Ok(())
    })
}

/// POSTs a callback. Its address is not logged: the path is a secret of the shop.
pub(super) async fn send(http: &reqwest::Client, name: &str, url: &str, body: String) {
    let request = http.post(url).header("content-type", "application/json").body(body);
    match request.send().await {
        Ok(answer) if answer.status().is_success() => {
            tracing::debug!(name, "callback delivered");
        }
        Ok(answer) => {
            let status = answer.status().as_u16();
            tracing::warn!(name, status, "callback refused, and dropped");
        }
        Err(error) => {
            let error = error.without_url();
            tracing::warn!(name, error = %error, "callback not delivered, and dropped");
        }
    }
}

fn first(connection: &Connection) -> rusqlite::Result<Option<Waiting>> {
    connection
        .prepare_cached(
            "SELECT seq, name, url, body, due_ms FROM sim_callbacks ORDER BY due_ms, seq LIMIT 1",
        )?
        .query_row([], |row| {
            Ok(Waiting {
                seq: row.get(0)?,
                name: row.get(1)?,
                url: row.get(2)?,
                body: row.get(3)?,
                due: instant(row, 4)?,
            })
        })
        .optional()
}
