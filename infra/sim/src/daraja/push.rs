//! STK push: every check that Daraja documents, in turn, then a prompt on the phone.

use serde_json::{Value, json};

use super::{
    DarajaError, callbacks,
    fields::{self, Fields, digits, short_text, text},
    prompts::{self, NewPrompt},
};
use crate::{Sim, faults::DarajaFault};

const MAX_REFERENCE: usize = 12;
const MAX_DESCRIPTION: usize = 13;

/// `POST /mpesa/stkpush/v1/processrequest`.
pub(super) async fn process_request(sim: Sim, fields: Fields) -> Result<Value, DarajaError> {
    let new = check(&sim, &fields)?;
    let fault = sim.faults().daraja;
    if fault == DarajaFault::Reject {
        return Err(sim.next_refusal());
    }
    let early = fault == DarajaFault::Early;
    let prompt = prompts::push(&sim, &new, early)?.ok_or(DarajaError::SubscriberLocked)?;
    if early {
        let body = prompts::callback(&prompt, prompt.amount).to_string();
        callbacks::send(sim.http(), &prompt.checkout_id, &prompt.callback_url, body).await;
    }
    sim.changed().notify_one();
    Ok(json!({
        "MerchantRequestID": prompt.merchant_id,
        "CheckoutRequestID": prompt.checkout_id,
        "ResponseCode": "0",
        "ResponseDescription": "Success. Request accepted for processing",
        "CustomerMessage": "Success. Request accepted for processing",
    }))
}

fn check(sim: &Sim, fields: &Fields) -> Result<NewPrompt, DarajaError> {
    fields::check_caller(sim, fields)?;
    let shortcode = &sim.secrets().shortcode;
    match text(fields, "TransactionType")? {
        "CustomerPayBillOnline" if digits(fields, "PartyB")? != *shortcode => {
            return Err(DarajaError::Invalid("PartyB"));
        }
        "CustomerPayBillOnline" => {}
        "CustomerBuyGoodsOnline" if fields::is_shortcode(&digits(fields, "PartyB")?) => {}
        "CustomerBuyGoodsOnline" => return Err(DarajaError::Invalid("PartyB")),
        _ => return Err(DarajaError::Invalid("TransactionType")),
    }
    let amount = fields::amount(fields, 1)?;
    fields::msisdn(fields, "PartyA")?;
    let phone = fields::msisdn(fields, "PhoneNumber")?;
    let callback_url = fields::address(fields, "CallBackURL")?;
    let reference = short_text(fields, "AccountReference", 1, MAX_REFERENCE)?;
    short_text(fields, "TransactionDesc", 1, MAX_DESCRIPTION)?;
    Ok(NewPrompt { phone, amount, reference, callback_url })
}
