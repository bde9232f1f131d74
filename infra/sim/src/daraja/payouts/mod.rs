//! Payouts (B2C v3): every check that Daraja documents, then the money moves or it does not, and the
//! result is posted.
//!
//! Invariants: one payout an OriginatorConversationID; what has ended never changes again; a receipt
//! exists exactly where money was moved; the float is never below zero.

mod stored;

use jiff::Timestamp;
use rusqlite::{Transaction, params};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

pub(crate) use stored::list;
pub(super) use stored::{Payout, find};

use super::{
    DarajaError, callbacks, credential,
    decided::{Decided, Delivery},
    fields::{self, Fields, digits, short_text, text},
    receipts,
    results::{self, Order, envelope, parameter},
    stamps,
};
use crate::{
    Sim,
    db::Db,
    faults::{DarajaFault, PayoutFault},
};

/// The least that is paid out, in KES.
const LEAST: i64 = 10;

const PROCESSED: (&str, &str) = ("0", "The service request is processed successfully.");
const FLOAT_TOO_LOW: (&str, &str) = ("1", "The balance is insufficient for the transaction.");
const NOT_REGISTERED: (&str, &str) = ("2040", "The recipient is not a registered customer.");

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Decision {
    outcome: Outcome,
    #[serde(default)]
    result: Delivery,
    #[serde(default)]
    shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Outcome {
    Completed,
    Failed,
    /// M-Pesa says that it timed out, and it stays open.
    TimedOut,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    #[default]
    List,
    /// One parameter, not in a list: the receipt.
    Single,
    /// The code as text.
    Text,
}

/// `POST /mpesa/b2c/v3/paymentrequest`.
pub(super) async fn payment_request(sim: Sim, fields: Fields) -> Result<Value, DarajaError> {
    let payout = check(&sim, &fields)?;
    let faults = sim.faults();
    if faults.daraja == DarajaFault::Reject {
        return Err(sim.next_refusal());
    }
    let signed = credential::is_signed(&fields, "InitiatorName", &sim.secrets().payer)?;
    let early = faults.daraja == DarajaFault::Early;
    let posted = sim.db().write(|tx| accept(tx, payout.clone(), signed, faults.payouts, early))?;
    let Some(posted) = posted else { return Err(DarajaError::Duplicate) };
    if let Some((url, body)) = posted {
        callbacks::send(sim.http(), &payout.conversation_id, &url, body.to_string()).await;
    }
    sim.changed().notify_one();
    Ok(json!({
        "ConversationID": payout.conversation_id,
        "OriginatorConversationID": payout.originator_id,
        "ResponseCode": "0",
        "ResponseDescription": "Accept the service request successfully.",
    }))
}

/// `POST /mpesa/b2c/v1/paymentrequest`, which clients still call: the same, but the id is M-Pesa's to make.
pub(super) async fn payment_request_v1(sim: Sim, mut fields: Fields) -> Result<Value, DarajaError> {
    fields.insert("OriginatorConversationID".to_owned(), json!(Uuid::new_v4().to_string()));
    payment_request(sim, fields).await
}

fn check(sim: &Sim, fields: &Fields) -> Result<Payout, DarajaError> {
    let invalid = DarajaError::Invalid;
    let originator_id = text(fields, "OriginatorConversationID")?;
    if originator_id.trim().is_empty() {
        return Err(invalid("OriginatorConversationID"));
    }
    if !["BusinessPayment", "SalaryPayment", "PromotionPayment"].contains(&text(fields, "CommandID")?) {
        return Err(invalid("CommandID"));
    }
    if digits(fields, "PartyA")? != sim.secrets().b2c_shortcode {
        return Err(invalid("PartyA"));
    }
    short_text(fields, "Remarks", 2, 100)?;
    let now = sim.now();
    Ok(Payout {
        seq: 0,
        conversation_id: stamps::conversation_id(now),
        originator_id: originator_id.to_owned(),
        phone: fields::msisdn(fields, "PartyB")?,
        amount: fields::amount(fields, LEAST)?,
        result_url: fields::address(fields, "ResultURL")?,
        timeout_url: fields::address(fields, "QueueTimeOutURL")?,
        ordered: now,
        code: None,
        ended: None,
        receipt: None,
    })
}

/// Where something is posted before the order's reply, and what.
type Early = Option<(String, Value)>;

/// Stores the order and does what the fault says. `None`: there is one of that id.
fn accept(
    tx: &Transaction<'_>,
    mut payout: Payout,
    signed: bool,
    fault: PayoutFault,
    early: bool,
) -> anyhow::Result<Option<Early>> {
    let stored = tx.execute(
        "INSERT OR IGNORE INTO sim_payouts (conversation_id, originator_id, phone, amount, result_url,
         timeout_url, ordered_ms) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            payout.conversation_id,
            payout.originator_id,
            payout.phone,
            payout.amount,
            payout.result_url,
            payout.timeout_url,
            payout.ordered.as_millisecond()
        ],
    )?;
    if stored == 0 {
        return Ok(None);
    }
    payout.seq = tx.last_insert_rowid();
    let now = payout.ordered;
    let outcome = match fault {
        _ if !signed => results::WRONG_OPERATOR,
        PayoutFault::None | PayoutFault::Silent => PROCESSED,
        PayoutFault::Failed => NOT_REGISTERED,
        PayoutFault::Unknown => return Ok(Some(None)),
        PayoutFault::TimedOut => {
            callbacks::plan(tx, &payout.conversation_id, &payout.timeout_url, &timed_out(&payout), now)?;
            return Ok(Some(None));
        }
    };
    let body = end(tx, &mut payout, outcome, now)?;
    if early {
        return Ok(Some(Some((payout.result_url, body))));
    }
    if fault != PayoutFault::Silent || !signed {
        callbacks::plan(tx, &payout.conversation_id, &payout.result_url, &body, now)?;
    }
    Ok(Some(None))
}

fn end(
    tx: &Transaction<'_>,
    payout: &mut Payout,
    mut outcome: (&'static str, &'static str),
    at: Timestamp,
) -> anyhow::Result<Value> {
    if outcome == PROCESSED && receipts::of(tx)? < payout.amount {
        outcome = FLOAT_TOO_LOW;
    }
    if outcome == PROCESSED {
        payout.receipt = Some(receipts::unused(tx, payout.seq, at)?);
    }
    payout.code = Some(outcome.0.to_owned());
    payout.ended = Some(at);
    tx.execute(
        "UPDATE sim_payouts SET code = ?2, ended_ms = ?3, receipt = ?4 WHERE seq = ?1",
        params![payout.seq, outcome.0, at.as_millisecond(), payout.receipt],
    )?;
    let parameters = match &payout.receipt {
        None => Value::Null,
        Some(receipt) => paid(payout, receipt, receipts::of(tx)?, at),
    };
    Ok(result(payout, outcome, parameters))
}

fn result(payout: &Payout, outcome: (&str, &str), parameters: Value) -> Value {
    let order = Order {
        originator_id: &payout.originator_id,
        conversation_id: &payout.conversation_id,
        // Where nothing was moved it is made up.
        transaction_id: payout.receipt.as_deref().unwrap_or("SAN0000000"),
    };
    envelope(&order, outcome, parameters)
}

fn timed_out(payout: &Payout) -> Value {
    result(payout, ("1037", "The request timed out in the queue."), Value::Null)
}

fn paid(payout: &Payout, receipt: &str, float: i64, at: Timestamp) -> Value {
    let name = stamps::registered_name(&payout.phone).join(" ");
    json!([
        parameter("TransactionAmount", payout.amount),
        parameter("TransactionReceipt", receipt),
        parameter("ReceiverPartyPublicName", format!("{} - {name}", payout.phone)),
        parameter("TransactionCompletedDateTime", stamps::result_time(at)),
        parameter("B2CUtilityAccountAvailableFunds", callbacks::decimal(float)),
        parameter("B2CWorkingAccountAvailableFunds", callbacks::decimal(float)),
        parameter("B2CRecipientIsRegisteredCustomer", "Y"),
        parameter("B2CChargesPaidAccountAvailableFunds", 0.0),
    ])
}

pub(crate) fn decide(
    db: &Db,
    conversation_id: &str,
    decision: Decision,
    now: Timestamp,
) -> anyhow::Result<Decided> {
    db.write(|tx| {
        let Some(mut payout) = find(tx, "conversation_id", conversation_id)? else {
            return Ok(Decided::Unknown);
        };
        if payout.code.is_some() {
            return Ok(Decided::NotPending);
        }
        let (url, body) = match decision.outcome {
            Outcome::TimedOut => (payout.timeout_url.clone(), timed_out(&payout)),
            Outcome::Completed => (payout.result_url.clone(), end(tx, &mut payout, PROCESSED, now)?),
            Outcome::Failed => (payout.result_url.clone(), end(tx, &mut payout, NOT_REGISTERED, now)?),
        };
        let body = shaped(body, decision.shape);
        for due in decision.result.times(now) {
            callbacks::plan(tx, conversation_id, &url, &body, due)?;
        }
        Ok(Decided::Done { receipt: payout.receipt })
    })
}

fn shaped(mut body: Value, shape: Shape) -> Value {
    let result = &mut body["Result"];
    match shape {
        Shape::List => {}
        Shape::Single => {
            if let Some(receipt) = result.pointer("/ResultParameters/ResultParameter/1").cloned() {
                result["ResultParameters"]["ResultParameter"] = receipt;
            }
        }
        Shape::Text => {
            if let Some(code) = result["ResultCode"].as_i64() {
                result["ResultCode"] = json!(code.to_string());
            }
        }
    }
    body
}
