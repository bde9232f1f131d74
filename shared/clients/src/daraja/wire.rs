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
    #[serde(default)]
    pub customer_message: String,
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
    pub item: Items,
}

/// A list, or a lone object where there is one: other products of Daraja are seen to send both.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Items {
    Many(Vec<Item>),
    One(Item),
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Item {
    pub name: String,
    #[serde(default)]
    pub value: Value,
}

impl Default for Items {
    fn default() -> Self {
        Self::Many(Vec::new())
    }
}

impl Items {
    /// The value under `name`, where there is one: `Balance` often has none.
    pub fn find(&self, name: &str) -> Option<&Value> {
        let items = match self {
            Self::Many(items) => items.as_slice(),
            Self::One(item) => std::slice::from_ref(item),
        };
        items.iter().find(|item| item.name == name).map(|item| &item.value).filter(|value| !value.is_null())
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
