//! Results of orders, in the one envelope that they all have (docs/daraja.md).

use serde_json::{Value, json};

/// Whose order a result is about.
pub(super) struct Order<'a> {
    pub(super) originator_id: &'a str,
    pub(super) conversation_id: &'a str,
    /// The receipt of the order itself, or a made-up one where nothing was moved.
    pub(super) transaction_id: &'a str,
}

/// An initiator that is not who it says: found out after the order was taken on.
pub(super) const WRONG_OPERATOR: (&str, &str) = ("2001", "The initiator information is invalid.");

/// The envelope. A code of digits is a number, as in the documents; without parameters there is no
/// such field.
pub(super) fn envelope(order: &Order<'_>, (code, description): (&str, &str), parameters: Value) -> Value {
    let mut result = json!({
        "ResultType": 0,
        "ResultCode": code.parse::<i64>().map_or_else(|_| json!(code), |number| json!(number)),
        "ResultDesc": description,
        "OriginatorConversationID": order.originator_id,
        "ConversationID": order.conversation_id,
        "TransactionID": order.transaction_id,
        "ReferenceData": { "ReferenceItem": { "Key": "QueueTimeoutURL", "Value": "https://internal" } },
    });
    if !parameters.is_null() {
        result["ResultParameters"] = json!({ "ResultParameter": parameters });
    }
    json!({ "Result": result })
}

/// One parameter.
pub(super) fn parameter(key: &str, value: impl Into<Value>) -> Value {
    json!({ "Key": key, "Value": value.into() })
}
