//! Payouts as they are stored and listed.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use crate::{
    daraja::stamps,
    db::{Db, instant},
};

const LISTED: u32 = 200;

#[derive(Debug, Clone)]
pub(in crate::daraja) struct Payout {
    pub(in crate::daraja) seq: i64,
    pub(in crate::daraja) conversation_id: String,
    pub(in crate::daraja) originator_id: String,
    pub(in crate::daraja) phone: String,
    pub(in crate::daraja) amount: i64,
    pub(in crate::daraja) result_url: String,
    pub(in crate::daraja) timeout_url: String,
    pub(in crate::daraja) ordered: Timestamp,
    pub(in crate::daraja) code: Option<String>,
    pub(in crate::daraja) ended: Option<Timestamp>,
    pub(in crate::daraja) receipt: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    conversation_id: String,
    phone: String,
    amount: i64,
    status: &'static str,
    receipt: Option<String>,
    result_code: Option<String>,
}

/// The newest ones, newest first: of one phone, where that is given. With `since` all that were ordered or ended from then on,
/// and those that are not decided.
pub(crate) fn list(db: &Db, phone: Option<&str>, since: Option<Timestamp>) -> anyhow::Result<Vec<Listed>> {
    let since = since.map(Timestamp::as_millisecond);
    let most = since.map_or(i64::from(LISTED), |_| i64::MAX);
    db.read(|connection| {
        connection
            .prepare(&format!(
                "{SELECT} WHERE (?1 IS NULL OR phone = ?1)
                    AND (?2 IS NULL OR ordered_ms >= ?2 OR ended_ms >= ?2 OR code IS NULL)
                    ORDER BY seq DESC LIMIT ?3"
            ))?
            .query_map(params![phone, since, most], read)?
            .map(|payout| Ok(payout?.listed()))
            .collect()
    })
}

impl Payout {
    fn listed(self) -> Listed {
        Listed {
            status: match self.code.as_deref() {
                None => "pending",
                Some("0") => "completed",
                Some(_) => "failed",
            },
            conversation_id: self.conversation_id,
            phone: stamps::local_phone(&self.phone),
            amount: self.amount,
            receipt: self.receipt,
            result_code: self.code,
        }
    }
}

const SELECT: &str = "SELECT seq, conversation_id, originator_id, phone, amount, result_url, timeout_url,
    ordered_ms, code, ended_ms, receipt FROM sim_payouts";

/// The payout whose `column` (`conversation_id`, `originator_id` or `receipt`) is `value`.
pub(in crate::daraja) fn find(
    connection: &Connection,
    column: &'static str,
    value: &str,
) -> rusqlite::Result<Option<Payout>> {
    connection.query_row(&format!("{SELECT} WHERE {column} = ?1"), [value], read).optional()
}

fn read(row: &Row<'_>) -> rusqlite::Result<Payout> {
    let ended: Option<i64> = row.get(9)?;
    Ok(Payout {
        seq: row.get(0)?,
        conversation_id: row.get(1)?,
        originator_id: row.get(2)?,
        phone: row.get(3)?,
        amount: row.get(4)?,
        result_url: row.get(5)?,
        timeout_url: row.get(6)?,
        ordered: instant(row, 7)?,
        code: row.get(8)?,
        ended: ended.map(|_| instant(row, 9)).transpose()?,
        receipt: row.get(10)?,
    })
}
