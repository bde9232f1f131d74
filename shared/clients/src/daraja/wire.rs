//! Daraja's bodies as they stand on the wire, with its own spellings. No logic here.

use serde::{Deserialize, Deserializer, Serialize, de};
use serde_json::Value;

use super::ResultCode;

#[derive(Deserialize)]
pub(super) struct TokenBody {
    pub access_token: String,
    #[serde(deserialize_with = "number_or_text")]
    pub expires_in: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct PushBody<'a> {
    pub business_short_code: &'a str,
    pub password: &'a str,
    pub timestamp: &'a str,
    pub transaction_type: &'a str,
    pub amount: i64,
    pub party_a: u64,
    pub party_b: u64,
    pub phone_number: u64,
    #[serde(rename = "CallBackURL")]
    pub call_back_url: &'a str,
    pub account_reference: &'a str,
    pub transaction_desc: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct QueryBody<'a> {
    pub business_short_code: &'a str,
    pub password: &'a str,
    pub timestamp: &'a str,
    #[serde(rename = "CheckoutRequestID")]
    pub checkout_request_id: &'a str,
}

/// What every synchronous reply begins with: "0" is accepted.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ReplyHead {
    pub response_code: ResultCode,
    #[serde(default)]
    pub response_description: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct PushReply {
    #[serde(rename = "MerchantRequestID")]
    pub merchant_request_id: String,
    #[serde(rename = "CheckoutRequestID")]
    pub checkout_request_id: String,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct PayoutBody<'a> {
    #[serde(rename = "OriginatorConversationID")]
    pub originator_conversation_id: &'a str,
    pub initiator_name: &'a str,
    pub security_credential: &'a str,
    #[serde(rename = "CommandID")]
    pub command_id: &'a str,
    pub amount: &'a str,
    pub party_a: &'a str,
    pub party_b: &'a str,
    pub remarks: &'a str,
    #[serde(rename = "QueueTimeOutURL")]
    pub queue_time_out_url: &'a str,
    #[serde(rename = "ResultURL")]
    pub result_url: &'a str,
    /// Safaricom's own spelling.
    #[serde(rename = "Occassion")]
    pub occasion: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct StatusBody<'a> {
    pub initiator: &'a str,
    pub security_credential: &'a str,
    #[serde(rename = "CommandID")]
    pub command_id: &'a str,
    #[serde(rename = "TransactionID")]
    pub transaction_id: &'a str,
    /// The documents call the same id by both names.
    #[serde(rename = "OriginatorConversationID", skip_serializing_if = "Option::is_none")]
    pub originator_conversation_id: Option<&'a str>,
    #[serde(rename = "OriginalConversationID", skip_serializing_if = "Option::is_none")]
    pub original_conversation_id: Option<&'a str>,
    pub party_a: &'a str,
    pub identifier_type: &'a str,
    #[serde(rename = "ResultURL")]
    pub result_url: &'a str,
    #[serde(rename = "QueueTimeOutURL")]
    pub queue_time_out_url: &'a str,
    pub remarks: &'a str,
    pub occasion: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct BalanceBody<'a> {
    pub initiator: &'a str,
    pub security_credential: &'a str,
    #[serde(rename = "CommandID")]
    pub command_id: &'a str,
    pub party_a: &'a str,
    pub identifier_type: &'a str,
    pub remarks: &'a str,
    #[serde(rename = "QueueTimeOutURL")]
    pub queue_time_out_url: &'a str,
    #[serde(rename = "ResultURL")]
    pub result_url: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct RegisterBody<'a> {
    pub short_code: &'a str,
    pub response_type: &'a str,
    #[serde(rename = "ConfirmationURL")]
    pub confirmation_url: &'a str,
    #[serde(rename = "ValidationURL")]
    pub validation_url: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct TakenOnReply {
    #[serde(rename = "ConversationID")]
    pub conversation_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct QueryReply {
    #[serde(rename = "CheckoutRequestID")]
    pub checkout_request_id: String,
    pub result_code: ResultCode,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ErrorBody {
    pub error_code: String,
    #[serde(default)]
    pub error_message: String,
}

/// The envelope of every result that comes later: of payouts, status and balance queries.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ResultBody {
    pub result: ResultWire,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ResultWire {
    pub result_code: ResultCode,
    #[serde(default)]
    pub result_desc: String,
    #[serde(rename = "OriginatorConversationID", default)]
    pub originator_conversation_id: String,
    #[serde(rename = "ConversationID", default)]
    pub conversation_id: String,
    #[serde(default)]
    pub result_parameters: Option<ResultParameters>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ResultParameters {
    #[serde(default)]
    pub result_parameter: ListOrOne<Parameter>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Parameter {
    pub key: String,
    #[serde(default)]
    pub value: Value,
}

/// A payment to the paybill. Everything is text in the documents; numbers are read too.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct ConfirmationBody {
    #[serde(rename = "TransID")]
    pub trans_id: String,
    #[serde(default)]
    pub trans_time: Value,
    pub trans_amount: Value,
    pub business_short_code: Value,
    #[serde(default)]
    pub bill_ref_number: Value,
    #[serde(rename = "MSISDN", default)]
    pub msisdn: Value,
    #[serde(default)]
    pub first_name: Value,
    #[serde(default)]
    pub middle_name: Value,
    #[serde(default)]
    pub last_name: Value,
}

#[derive(Deserialize)]
pub(super) struct CallbackBody {
    #[serde(rename = "Body")]
    pub body: CallbackEnvelope,
}

#[derive(Deserialize)]
pub(super) struct CallbackEnvelope {
    #[serde(rename = "stkCallback")]
    pub stk_callback: CallbackWire,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct CallbackWire {
    #[serde(rename = "MerchantRequestID")]
    pub merchant_request_id: String,
    #[serde(rename = "CheckoutRequestID")]
    pub checkout_request_id: String,
    pub result_code: ResultCode,
    #[serde(default)]
    pub result_desc: String,
    #[serde(default)]
    pub callback_metadata: Option<Metadata>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Metadata {
    #[serde(default)]
    pub item: ListOrOne<Item>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Item {
    pub name: String,
    #[serde(default)]
    pub value: Value,
}

/// A list, or a lone object where there is one.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum ListOrOne<T> {
    Many(Vec<T>),
    One(T),
}

impl<T> Default for ListOrOne<T> {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl<T> ListOrOne<T> {
    pub fn into_list(self) -> Vec<T> {
        match self {
            Self::Many(many) => many,
            Self::One(one) => vec![one],
        }
    }
}

fn number_or_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Wire {
        Number(u32),
        Text(String),
    }
    match Wire::deserialize(deserializer)? {
        Wire::Number(number) => Ok(number),
        Wire::Text(text) => text.trim().parse().map_err(de::Error::custom),
    }
}
