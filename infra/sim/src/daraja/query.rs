//! STK query: how a prompt ended, or that it has not. It tells no receipt, amount or phone, and its
//! ResultCode is a string.

use serde_json::{Value, json};

use super::{
    DarajaError,
    fields::{self, Fields},
    prompts,
};
use crate::{Sim, faults::DarajaFault};

/// `POST /mpesa/stkpushquery/v1/query`.
pub(super) async fn query(sim: Sim, fields: Fields) -> Result<Value, DarajaError> {
    fields::check_caller(&sim, &fields)?;
    let id = fields::text(&fields, "CheckoutRequestID")?;
    let prompt = sim
        .db()
        .read(|connection| prompts::find(connection, id))?
        .ok_or(DarajaError::Invalid("CheckoutRequestID"))?;
    let outcome = prompt.outcome_at(sim.now()).filter(|_| sim.faults().daraja != DarajaFault::Pending);
    let (code, description) = match outcome {
        Some(outcome) => (outcome.code().to_string(), outcome.description()),
        // Both documented shapes of "pending" are in use; a prompt keeps its own.
        None if prompt.seq % 2 == 1 => return Err(DarajaError::BeingProcessed),
        None => ("4999".to_owned(), "The transaction is still under processing"),
    };
    Ok(json!({
        "ResponseCode": "0",
        "ResponseDescription": "The service request has been accepted successfully",
        "MerchantRequestID": prompt.merchant_id,
        "CheckoutRequestID": prompt.checkout_id,
        "ResultCode": code,
        "ResultDesc": description,
    }))
}
