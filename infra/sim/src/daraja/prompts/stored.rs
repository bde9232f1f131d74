//! Prompts as they are stored and listed.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::Serialize;

use crate::{
    daraja::{outcome::Outcome, stamps},
    db::{Db, instant},
};

const LISTED: u32 = 200;

#[derive(Debug, Clone)]
pub(crate) struct Prompt {
    pub(in crate::daraja) seq: i64,
    pub(crate) checkout_id: String,
    pub(in crate::daraja) merchant_id: String,
    pub(in crate::daraja) phone: String,
    pub(in crate::daraja) amount: i64,
    pub(in crate::daraja) reference: String,
    pub(in crate::daraja) callback_url: String,
    expires: Timestamp,
    pub(in crate::daraja) ended: Option<(Outcome, Timestamp)>,
    pub(in crate::daraja) receipt: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Listed {
    checkout_request_id: String,
    phone: String,
    amount: i64,
    account_reference: String,
    status: &'static str,
    receipt: Option<String>,
    expires_at: Timestamp,
}

impl Prompt {
    /// How it ended, if it has by `now`: what nobody answered in time is over, even where nothing
    /// has written that down yet.
    pub(in crate::daraja) fn outcome_at(&self, now: Timestamp) -> Option<Outcome> {
        match self.ended {
            Some((outcome, _)) => Some(outcome),
            None => (now >= self.expires).then_some(Outcome::Unreachable),
        }
    }

    fn listed(self, now: Timestamp) -> Listed {
        Listed {
            status: self.outcome_at(now).map_or("pending", Outcome::into),
            checkout_request_id: self.checkout_id,
            phone: stamps::local_phone(&self.phone),
            amount: self.amount,
            account_reference: self.reference,
            receipt: self.receipt,
            expires_at: self.expires,
        }
    }
}

pub(crate) fn list(db: &Db, phone: Option<&str>, now: Timestamp) -> anyhow::Result<Vec<Listed>> {
    db.read(|connection| {
        connection
            .prepare(&format!("{SELECT} WHERE ?1 IS NULL OR phone = ?1 ORDER BY seq DESC LIMIT {LISTED}"))?
            .query_map([phone], read)?
            .map(|prompt| Ok(prompt?.listed(now)))
            .collect()
    })
}

pub(in crate::daraja) fn find(
    connection: &Connection,
    checkout_id: &str,
) -> rusqlite::Result<Option<Prompt>> {
    connection.query_row(&format!("{SELECT} WHERE checkout_id = ?1"), [checkout_id], read).optional()
}

const SELECT: &str = "SELECT seq, checkout_id, merchant_id, phone, amount, reference, callback_url,
    expires_ms, code, ended_ms, receipt FROM sim_prompts";

fn read(row: &Row<'_>) -> rusqlite::Result<Prompt> {
    let code: Option<i64> = row.get(8)?;
    let outcome = code.and_then(Outcome::from_repr);
    Ok(Prompt {
        seq: row.get(0)?,
        checkout_id: row.get(1)?,
        merchant_id: row.get(2)?,
        phone: row.get(3)?,
        amount: row.get(4)?,
        reference: row.get(5)?,
        callback_url: row.get(6)?,
        expires: instant(row, 7)?,
        ended: outcome.map(|outcome| Ok::<_, rusqlite::Error>((outcome, instant(row, 9)?))).transpose()?,
        receipt: row.get(10)?,
    })
}
