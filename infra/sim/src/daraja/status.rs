//! Transaction status: what became of a prompt, a payment to the paybill or a payout. The order is taken
//! on, the answer is posted.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    DarajaError, callbacks, credential,
    fields::{self, Fields, digits, text},
    paybill, payouts, receipts,
    results::{self, Order, envelope, parameter},
    stamps,
};
use crate::{
    Sim,
    db::instant,
    faults::{DarajaFault, PayerFault},
};

/// A transaction, whatever it was.
struct Found {
    /// `Completed`, `Reversed`, `Failed` or `Pending`.
    state: &'static str,
    receipt: Option<String>,
    amount: i64,
    payer: String,
    payee: String,
    begun: Timestamp,
    ended: Option<Timestamp>,
    conversation_id: Option<String>,
}

/// `POST /mpesa/transactionstatus/v1/query`.
pub(super) async fn query(sim: Sim, fields: Fields) -> Result<Value, DarajaError> {
    if text(&fields, "CommandID")? != "TransactionStatusQuery" {
        return Err(DarajaError::Invalid("CommandID"));
    }
    check_party(&sim, &fields)?;
    let (result_url, _) =
        (fields::address(&fields, "ResultURL")?, fields::address(&fields, "QueueTimeOutURL")?);
    let signed = credential::is_signed(&fields, "Initiator", &sim.secrets().asker)?;
    let mut found = find(&sim, &fields)?;
    if let Some(found) = found.as_mut().filter(|_| sim.faults().payer == PayerFault::Masked) {
        found.mask_payer();
    }
    let (outcome, parameters) = match &found {
        _ if !signed => (results::WRONG_OPERATOR, Value::Null),
        None => (("R000002", "The transaction is not known."), Value::Null),
        Some(found) => (("0", "The service request is processed successfully."), described(found)),
    };
    accept(&sim, &result_url, outcome, parameters)
}

/// The party that asks is one of the shop's, by its shortcode.
pub(super) fn check_party(sim: &Sim, fields: &Fields) -> Result<(), DarajaError> {
    let party = digits(fields, "PartyA")?;
    if party != sim.secrets().shortcode && party != sim.secrets().b2c_shortcode {
        return Err(DarajaError::Invalid("PartyA"));
    }
    match digits(fields, "IdentifierType")?.as_str() {
        "4" => Ok(()),
        _ => Err(DarajaError::Invalid("IdentifierType")),
    }
}

/// Takes a query on: plans its answer, unless answers are pending, and gives the reply.
pub(super) fn accept(
    sim: &Sim,
    url: &str,
    outcome: (&str, &str),
    parameters: Value,
) -> Result<Value, DarajaError> {
    let (now, originator_id) = (sim.now(), Uuid::new_v4().to_string());
    let conversation_id = stamps::conversation_id(now);
    let order = Order {
        originator_id: &originator_id,
        conversation_id: &conversation_id,
        transaction_id: "SAN0000000",
    };
    let body = envelope(&order, outcome, parameters);
    if sim.faults().daraja != DarajaFault::Pending {
        sim.db().write(|tx| callbacks::plan(tx, &conversation_id, url, &body, now))?;
        sim.changed().notify_one();
    }
    Ok(json!({
        "OriginatorConversationID": originator_id,
        "ConversationID": conversation_id,
        "ResponseCode": "0",
        "ResponseDescription": "Accept the service request successfully.",
    }))
}

/// By its receipt, or, where none is named, by the id that the shop gave a payout.
fn find(sim: &Sim, fields: &Fields) -> Result<Option<Found>, DarajaError> {
    let named = |name| fields.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let shop = format!("{} - FPL Leagues", sim.secrets().shortcode);
    let found =
        match (named("TransactionID"), named("OriginatorConversationID").or(named("OriginalConversationID")))
        {
            (Some(receipt), _) => sim.db().read(|connection| by_receipt(connection, receipt, &shop)),
            (None, Some(id)) => sim.db().read(|connection| {
                Ok(payouts::find(connection, "originator_id", id)?.map(|p| of_payout(p, &shop)))
            }),
            (None, None) => return Err(DarajaError::Invalid("TransactionID")),
        };
    Ok(found?)
}

fn by_receipt(connection: &Connection, receipt: &str, shop: &str) -> rusqlite::Result<Option<Found>> {
    if let Some(paid) = paybill::find(connection, receipt)? {
        let found = received(paid.receipt, &paid.phone, paid.amount, paid.at, shop);
        return Ok(Some(found.with_its_state(connection)?));
    }
    if let Some(payout) = payouts::find(connection, "receipt", receipt)? {
        return Ok(Some(of_payout(payout, shop)));
    }
    let prompt = connection
        .query_row("SELECT phone, amount, ended_ms FROM sim_prompts WHERE receipt = ?1", [receipt], |row| {
            Ok((row.get::<_, String>(0)?, row.get(1)?, instant(row, 2)?))
        })
        .optional()?;
    let found = prompt.map(|(phone, amount, at)| received(receipt.to_owned(), &phone, amount, at, shop));
    found.map(|found| found.with_its_state(connection)).transpose()
}

impl Found {
    /// What was paid to the shop may have been taken back since.
    fn with_its_state(mut self, connection: &Connection) -> rusqlite::Result<Self> {
        if let Some(receipt) = &self.receipt
            && receipts::is_reversed(connection, receipt)?
        {
            self.state = "Reversed";
        }
        Ok(self)
    }

    /// The payer's number as a confirmation shows it.
    fn mask_payer(&mut self) {
        if let Some((number, name)) = self.payer.split_once(" - ")
            && stamps::is_msisdn(number)
        {
            self.payer = format!("{} - {name}", stamps::masked_phone(number));
        }
    }
}

fn received(receipt: String, phone: &str, amount: i64, at: Timestamp, shop: &str) -> Found {
    Found {
        state: "Completed",
        receipt: Some(receipt),
        amount,
        payer: person(phone),
        payee: shop.to_owned(),
        begun: at,
        ended: Some(at),
        conversation_id: None,
    }
}

fn of_payout(payout: payouts::Payout, shop: &str) -> Found {
    Found {
        state: match payout.code.as_deref() {
            None => "Pending",
            Some("0") => "Completed",
            Some(_) => "Failed",
        },
        receipt: payout.receipt,
        amount: payout.amount,
        payer: shop.to_owned(),
        payee: person(&payout.phone),
        begun: payout.ordered,
        ended: payout.ended,
        conversation_id: Some(payout.conversation_id),
    }
}

fn person(phone: &str) -> String {
    format!("{phone} - {}", stamps::registered_name(phone).join(" "))
}

fn described(found: &Found) -> Value {
    let mut parameters = vec![
        parameter("DebitPartyName", found.payer.as_str()),
        parameter("CreditPartyName", found.payee.as_str()),
        parameter("InitiatedTime", stamps::eat(found.begun)),
        json!({ "Key": "TransactionReason" }),
        parameter("TransactionStatus", found.state),
        parameter("Amount", found.amount.to_string()),
    ];
    parameters.extend(found.ended.map(|at| parameter("FinalisedTime", stamps::eat(at))));
    parameters.extend(found.conversation_id.as_deref().map(|id| parameter("ConversationID", id)));
    parameters.extend(found.receipt.as_deref().map(|receipt| parameter("ReceiptNo", receipt)));
    Value::Array(parameters)
}
