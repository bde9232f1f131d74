//! A reversal that the shop asks for: a payment to it goes back to its payer, whole. The answer is posted.

use serde_json::{Value, json};

use super::{
    DarajaError, credential,
    fields::{self, Fields},
    receipts::{Reversal, reverse},
    results::{self, parameter},
    status::accept,
};
use crate::Sim;

/// `POST /mpesa/reversal/v1/request`.
pub(super) async fn request(sim: Sim, fields: Fields) -> Result<Value, DarajaError> {
    if fields::text(&fields, "CommandID")? != "TransactionReversal" {
        return Err(DarajaError::Invalid("CommandID"));
    }
    let receipt = fields::short_text(&fields, "TransactionID", 10, 10)?;
    let amount = fields::amount(&fields, 1)?;
    if fields::digits(&fields, "ReceiverParty")? != sim.secrets().shortcode {
        return Err(DarajaError::Invalid("ReceiverParty"));
    }
    // Their spelling.
    if fields::digits(&fields, "RecieverIdentifierType")? != "11" {
        return Err(DarajaError::Invalid("RecieverIdentifierType"));
    }
    fields::short_text(&fields, "Remarks", 2, 100)?;
    let result_url = fields::address(&fields, "ResultURL")?;
    fields::address(&fields, "QueueTimeOutURL")?;
    if !credential::is_signed(&fields, "Initiator", &sim.secrets().asker)? {
        return accept(&sim, &result_url, results::WRONG_OPERATOR, Value::Null);
    }
    let (outcome, parameters) = match reverse(sim.db(), &receipt, Some(amount), sim.now())? {
        Reversal::Done => {
            let described =
                json!([parameter("OriginalTransactionID", receipt), parameter("Amount", amount.to_string())]);
            (("0", "The service request is processed successfully."), described)
        }
        Reversal::DoneBefore => (("R000001", "The transaction has already been reversed."), Value::Null),
        Reversal::NotKnown => (("R000002", "The OriginalTransactionID is invalid."), Value::Null),
    };
    accept(&sim, &result_url, outcome, parameters)
}
