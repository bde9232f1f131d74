//! What Daraja answers and posts, as it stands on the wire, with its own spellings. No logic here.

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::ResultCode;

#[derive(Deserialize)]
pub(super) struct TokenBody {
    pub access_token: String,
    #[serde(deserialize_with = "number_or_text")]
    pub expires_in: u32,
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
