//! The prompts on the phones: pushed, then answered by a person, or ended after a minute. What has
//! ended never changes again.
//!
//! Invariants: at most one open prompt a phone; a receipt exists exactly where a prompt was paid, and
//! only once.

mod stored;

use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Deserialize;
use serde_json::{Value, json};

pub(crate) use stored::list;
pub(super) use stored::{Prompt, find};

use super::{
    callbacks::{self, decimal},
    decided::{Decided, Delivery},
    outcome::Outcome,
    paybill::{self, Paid},
    receipts, stamps,
};
use crate::{
    Sim,
    db::{Db, instant},
};

/// How long a prompt stays on the phone.
const OPEN_FOR: SignedDuration = SignedDuration::from_secs(60);
/// The same amount from the same phone is refused for this long after it was paid.
const SAME_AMOUNT: SignedDuration = SignedDuration::from_secs(120);
/// How late a confirmation is that is asked to be late.
const CONFIRMED_LATE: SignedDuration = SignedDuration::from_hours(3);

/// When the paybill's confirmation of a paid prompt is sent: M-Pesa sends one for prompts too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ConfirmPlan {
    /// At once, before the callback.
    Before,
    /// At once where the callback is, and after it; with a late callback as late as that.
    #[default]
    After,
    /// Three hours later.
    Late,
    Never,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    pub(crate) outcome: Outcome,
    #[serde(default)]
    pub(crate) callback: Delivery,
    #[serde(default)]
    pub(crate) confirm: ConfirmPlan,
    /// What the callback claims, in KES, where it lies.
    pub(crate) amount: Option<i64>,
}

/// A push that passed every check.
#[derive(Debug, Clone)]
pub(super) struct NewPrompt {
    pub(super) phone: String,
    pub(super) amount: i64,
    pub(super) reference: String,
    pub(super) callback_url: String,
}

/// Puts a prompt on a phone; `None` where one is open there already. One that M-Pesa's rule refuses
/// ends at once, and its callback says so (`early`: whoever pushed sends it).
pub(super) fn push(sim: &Sim, new: &NewPrompt, early: bool) -> anyhow::Result<Option<Prompt>> {
    let now = sim.now();
    sim.db().write(|tx| {
        let locked: bool = tx.query_row(
            "SELECT EXISTS (SELECT 1 FROM sim_prompts
             WHERE phone = ?1 AND code IS NULL AND expires_ms > ?2)",
            params![new.phone, now.as_millisecond()],
            |row| row.get(0),
        )?;
        if locked {
            return Ok(None);
        }
        let limited: bool = tx.query_row(
            "SELECT EXISTS (SELECT 1 FROM sim_prompts
             WHERE phone = ?1 AND amount = ?2 AND code = 0 AND ended_ms > ?3)",
            params![new.phone, new.amount, (now - SAME_AMOUNT).as_millisecond()],
            |row| row.get(0),
        )?;
        let mut prompt = insert(tx, new, now)?;
        let outcome = match (limited, early) {
            (true, _) => Some(Outcome::RuleLimited),
            (false, true) => Some(Outcome::Success),
            (false, false) => None,
        };
        if let Some(outcome) = outcome {
            end(tx, &mut prompt, outcome, now)?;
            if early {
                confirm(tx, sim, &prompt, now)?;
            } else {
                plan_callback(tx, &prompt, prompt.amount, now)?;
            }
        }
        Ok(Some(prompt))
    })
}

fn insert(tx: &Transaction<'_>, new: &NewPrompt, now: Timestamp) -> anyhow::Result<Prompt> {
    // Under a clock that stands still two pushes of one phone fall into the same millisecond.
    let mut checkout_id = stamps::checkout_id(now, &new.phone);
    for later in 1.. {
        if find(tx, &checkout_id)?.is_none() {
            break;
        }
        checkout_id = stamps::checkout_id(now + SignedDuration::from_millis(later), &new.phone);
    }
    let expires = now + OPEN_FOR;
    tx.execute(
        "INSERT INTO sim_prompts (checkout_id, merchant_id, phone, amount, reference, callback_url,
         pushed_ms, expires_ms) VALUES (?1, '', ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            checkout_id,
            new.phone,
            new.amount,
            new.reference,
            new.callback_url,
            now.as_millisecond(),
            expires.as_millisecond()
        ],
    )?;
    let seq = tx.last_insert_rowid();
    let merchant_id = format!("{}-{}-{}", 10_000 + seq % 90_000, now.as_second() % 100_000_000, seq);
    tx.execute("UPDATE sim_prompts SET merchant_id = ?2 WHERE seq = ?1", params![seq, merchant_id])?;
    find(tx, &checkout_id)?.context("a prompt that was just stored")
}

pub(crate) fn answer(sim: &Sim, checkout_id: &str, answer: Answer) -> anyhow::Result<Decided> {
    let now = sim.now();
    sim.db().write(|tx| {
        let Some(mut prompt) = find(tx, checkout_id)? else { return Ok(Decided::Unknown) };
        if prompt.outcome_at(now).is_some() {
            return Ok(Decided::NotPending);
        }
        end(tx, &mut prompt, answer.outcome, now)?;
        if answer.confirm == ConfirmPlan::Before {
            confirm(tx, sim, &prompt, now)?;
        }
        let due = answer.callback.times(now);
        for due in &due {
            plan_callback(tx, &prompt, answer.amount.unwrap_or(prompt.amount), *due)?;
        }
        match answer.confirm {
            ConfirmPlan::After => confirm(tx, sim, &prompt, due.last().copied().unwrap_or(now))?,
            ConfirmPlan::Late => confirm(tx, sim, &prompt, now + CONFIRMED_LATE)?,
            ConfirmPlan::Before | ConfirmPlan::Never => {}
        }
        Ok(Decided::Done { receipt: prompt.receipt })
    })
}

/// Plans a callback of an ended prompt; `amount` is what it claims, in KES.
fn plan_callback(tx: &Transaction<'_>, prompt: &Prompt, amount: i64, due: Timestamp) -> anyhow::Result<()> {
    callbacks::plan(tx, &prompt.checkout_id, &prompt.callback_url, &callback(prompt, amount), due)
}

/// The documented body: numbers for codes, dates and phones, `Balance` without a value, and no
/// metadata where nothing was paid.
pub(super) fn callback(prompt: &Prompt, amount: i64) -> Value {
    let (outcome, at) = prompt.ended.expect("only an ended prompt has a callback");
    let mut callback = json!({
        "MerchantRequestID": prompt.merchant_id,
        "CheckoutRequestID": prompt.checkout_id,
        "ResultCode": outcome.code(),
        "ResultDesc": outcome.description(),
    });
    if outcome == Outcome::Success {
        let number = |text: String| text.parse::<u64>().map_or(Value::Null, Value::from);
        callback["CallbackMetadata"] = json!({ "Item": [
            { "Name": "Amount", "Value": decimal(amount) },
            { "Name": "MpesaReceiptNumber", "Value": prompt.receipt },
            { "Name": "Balance" },
            { "Name": "TransactionDate", "Value": number(stamps::eat(at)) },
            { "Name": "PhoneNumber", "Value": number(prompt.phone.clone()) },
        ]});
    }
    json!({ "Body": { "stkCallback": callback } })
}

fn confirm(tx: &Transaction<'_>, sim: &Sim, prompt: &Prompt, due: Timestamp) -> anyhow::Result<()> {
    let (Some(receipt), Some((Outcome::Success, at))) = (&prompt.receipt, prompt.ended) else {
        return Ok(());
    };
    let paid = Paid {
        receipt: receipt.clone(),
        phone: prompt.phone.clone(),
        amount: prompt.amount,
        reference: prompt.reference.clone(),
        at,
    };
    paybill::confirm(tx, sim, &paid, due)
}

fn end(tx: &Transaction<'_>, prompt: &mut Prompt, outcome: Outcome, at: Timestamp) -> anyhow::Result<()> {
    if outcome == Outcome::Success {
        prompt.receipt = Some(receipts::unused(tx, prompt.seq, at)?);
    }
    prompt.ended = Some((outcome, at));
    tx.execute(
        "UPDATE sim_prompts SET code = ?2, ended_ms = ?3, receipt = ?4 WHERE seq = ?1",
        params![prompt.seq, outcome.code(), at.as_millisecond(), prompt.receipt],
    )?;
    Ok(())
}

/// When the next prompt that nobody answered ends.
pub(crate) fn next_expiry(db: &Db) -> anyhow::Result<Option<Timestamp>> {
    db.read(|connection| earliest(connection).map(|found| found.map(|(_, at)| at)))
}

/// Ends the oldest unanswered prompt; its callback is due at the instant it ran out.
pub(crate) fn expire_next(db: &Db) -> anyhow::Result<()> {
    db.write(|tx| {
        let Some((checkout_id, at)) = earliest(tx)? else { return Ok(()) };
        let mut prompt = find(tx, &checkout_id)?.context("an open prompt")?;
        end(tx, &mut prompt, Outcome::Unreachable, at)?;
        plan_callback(tx, &prompt, prompt.amount, at)
    })
}

fn earliest(connection: &Connection) -> rusqlite::Result<Option<(String, Timestamp)>> {
    connection
        .prepare_cached(
            "SELECT checkout_id, expires_ms FROM sim_prompts WHERE code IS NULL
             ORDER BY expires_ms, seq LIMIT 1",
        )?
        .query_row([], |row| Ok((row.get(0)?, instant(row, 1)?)))
        .optional()
}
