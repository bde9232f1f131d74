//! The paybill (C2B): where the shop wants payments confirmed, and people who pay by hand.

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    DarajaError, callbacks,
    fields::{self, Fields},
    receipts, stamps,
};
use crate::{
    Sim,
    db::{self, instant},
};

const CONFIRMATION_URL: &str = "paybill_confirmation_url";

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Payment {
    pub(crate) phone: String,
    pub(crate) amount: i64,
    #[serde(default)]
    account_reference: String,
    /// `false` loses the confirmation.
    #[serde(default = "yes")]
    confirm: bool,
}

fn yes() -> bool {
    true
}

#[derive(Debug, Clone)]
pub(super) struct Paid {
    pub(super) receipt: String,
    pub(super) phone: String,
    pub(super) amount: i64,
    pub(super) reference: String,
    pub(super) at: jiff::Timestamp,
}

/// `POST /mpesa/c2b/v2/registerurl`.
pub(super) async fn register_url(sim: Sim, fields: Fields) -> Result<Value, DarajaError> {
    check_shortcode(&sim, &fields)?;
    if !["Completed", "Cancelled"].contains(&fields::text(&fields, "ResponseType")?) {
        return Err(DarajaError::Invalid("ResponseType"));
    }
    let confirmation = fields::address(&fields, "ConfirmationURL")?;
    fields::address(&fields, "ValidationURL")?;
    sim.db().write(|tx| Ok(db::put(tx, CONFIRMATION_URL, &confirmation)?))?;
    Ok(taken())
}

/// `POST /mpesa/c2b/v2/simulate`: the sandbox's way of paying by hand.
pub(super) async fn simulate(sim: Sim, fields: Fields) -> Result<Value, DarajaError> {
    check_shortcode(&sim, &fields)?;
    if fields::text(&fields, "CommandID")? != "CustomerPayBillOnline" {
        return Err(DarajaError::Invalid("CommandID"));
    }
    let phone = fields::msisdn(&fields, "Msisdn")?;
    let payment = Payment {
        phone: phone.clone(),
        amount: fields::amount(&fields, 1)?,
        account_reference: fields::text(&fields, "BillRefNumber")?.to_owned(),
        confirm: true,
    };
    pay(&sim, &phone, &payment)?;
    sim.changed().notify_one();
    Ok(taken())
}

fn check_shortcode(sim: &Sim, fields: &Fields) -> Result<(), DarajaError> {
    let known = fields::digits(fields, "ShortCode")? == sim.secrets().shortcode;
    if known { Ok(()) } else { Err(DarajaError::Invalid("ShortCode")) }
}

/// Safaricom's own spelling.
fn taken() -> Value {
    let id = Uuid::new_v4().simple().to_string();
    json!({ "OriginatorCoversationID": id, "ResponseCode": "0", "ResponseDescription": "Success" })
}

/// `phone` (as Daraja writes it) pays the paybill. Answers the receipt.
pub(crate) fn pay(sim: &Sim, phone: &str, payment: &Payment) -> anyhow::Result<String> {
    let at = sim.now();
    sim.db().write(|tx| {
        let seq: i64 =
            tx.query_row("SELECT COALESCE(MAX(seq), 0) + 1 FROM sim_paybill", [], |row| row.get(0))?;
        let paid = Paid {
            receipt: receipts::unused(tx, seq, at)?,
            phone: phone.to_owned(),
            amount: payment.amount,
            reference: payment.account_reference.clone(),
            at,
        };
        tx.execute(
            "INSERT INTO sim_paybill (receipt, phone, amount, reference, paid_ms) VALUES (?1, ?2, ?3, ?4, ?5)",
            params![paid.receipt, paid.phone, paid.amount, paid.reference, at.as_millisecond()],
        )?;
        if payment.confirm {
            confirm(tx, sim, &paid, at)?;
        }
        Ok(paid.receipt)
    })
}

/// Plans the confirmation for `due`, where the shop has said where it wants it.
pub(super) fn confirm(
    tx: &Transaction<'_>,
    sim: &Sim,
    paid: &Paid,
    due: jiff::Timestamp,
) -> anyhow::Result<()> {
    let Some(url) = db::get(tx, CONFIRMATION_URL)? else { return Ok(()) };
    let [first, middle, last] = stamps::registered_name(&paid.phone);
    let body = json!({
        "TransactionType": "Pay Bill",
        "TransID": paid.receipt,
        "TransTime": stamps::eat(paid.at),
        "TransAmount": format!("{}.00", paid.amount),
        "BusinessShortCode": sim.secrets().shortcode,
        "BillRefNumber": paid.reference,
        "InvoiceNumber": "",
        "OrgAccountBalance": format!("{}.00", receipts::of(tx)?),
        "ThirdPartyTransID": "",
        "MSISDN": stamps::masked_phone(&paid.phone),
        "FirstName": first,
        "MiddleName": middle,
        "LastName": last,
    });
    callbacks::plan(tx, &paid.receipt, &url, &body, due)
}

pub(super) fn find(connection: &Connection, receipt: &str) -> rusqlite::Result<Option<Paid>> {
    let read = |row: &Row<'_>| {
        Ok(Paid {
            receipt: row.get(0)?,
            phone: row.get(1)?,
            amount: row.get(2)?,
            reference: row.get(3)?,
            at: instant(row, 4)?,
        })
    };
    let sql = "SELECT receipt, phone, amount, reference, paid_ms FROM sim_paybill WHERE receipt = ?1";
    connection.query_row(sql, [receipt], read).optional()
}
