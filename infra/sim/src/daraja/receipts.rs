//! What every movement of M-Pesa's has in common: one receipt, used once, and a share in the float.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::stamps;
use crate::db::Db;

/// A receipt that no prompt, payout or payment to the paybill has.
pub(super) fn unused(tx: &Transaction<'_>, seq: i64, at: Timestamp) -> anyhow::Result<String> {
    for attempt in 0.. {
        let receipt = stamps::receipt(at, seq, attempt);
        let taken: bool = tx.query_row(
            "SELECT EXISTS (SELECT 1 FROM sim_prompts WHERE receipt = ?1)
                 OR EXISTS (SELECT 1 FROM sim_payouts WHERE receipt = ?1)
                 OR EXISTS (SELECT 1 FROM sim_paybill WHERE receipt = ?1)",
            [&receipt],
            |row| row.get(0),
        )?;
        if !taken {
            return Ok(receipt);
        }
    }
    anyhow::bail!("every receipt is taken")
}

/// What the shop has with M-Pesa, in KES: what was paid to it less what it has paid out.
pub(crate) fn float(db: &Db) -> anyhow::Result<i64> {
    db.read(of)
}

pub(super) fn of(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row(
        "SELECT (SELECT COALESCE(SUM(amount), 0) FROM sim_prompts WHERE code = 0)
              + (SELECT COALESCE(SUM(amount), 0) FROM sim_paybill)
              - (SELECT COALESCE(SUM(amount), 0) FROM sim_payouts WHERE code = '0')
              - (SELECT COALESCE(SUM(amount), 0) FROM sim_reversals)",
        [],
        |row| row.get(0),
    )
}

/// What became of an order to take a payment back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reversal {
    Done,
    DoneBefore,
    /// No payment to the shop has this receipt, or its amount is another.
    NotKnown,
}

/// M-Pesa takes a payment to the shop back, whole; once, however often it is told. `amount`, in KES, where who asks
/// has to name it.
pub(crate) fn reverse(
    db: &Db,
    receipt: &str,
    amount: Option<i64>,
    now: Timestamp,
) -> anyhow::Result<Reversal> {
    db.write(|tx| {
        let paid: Option<i64> = tx
            .query_row(
                "SELECT amount FROM sim_prompts WHERE receipt = ?1
                 UNION ALL SELECT amount FROM sim_paybill WHERE receipt = ?1",
                [receipt],
                |row| row.get(0),
            )
            .optional()?;
        let Some(paid) = paid.filter(|paid| amount.is_none_or(|amount| amount == *paid)) else {
            return Ok(Reversal::NotKnown);
        };
        let new = tx.execute(
            "INSERT OR IGNORE INTO sim_reversals (receipt, amount, reversed_ms) VALUES (?1, ?2, ?3)",
            params![receipt, paid, now.as_millisecond()],
        )?;
        Ok(if new == 1 { Reversal::Done } else { Reversal::DoneBefore })
    })
}

/// Whether a payment was taken back.
pub(super) fn is_reversed(connection: &Connection, receipt: &str) -> rusqlite::Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sim_reversals WHERE receipt = ?1)";
    connection.query_row(sql, [receipt], |row| row.get(0))
}
