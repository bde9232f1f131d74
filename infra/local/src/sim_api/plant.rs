//! `PUT /sim/api/table`: sets a number of an item of the product's table to something wrong, as a bug or a
//! hand would: `{"pk":"USER#…","sk":"WALLET","attribute":"balance","number":5}`.

use axum::{extract::State, http::StatusCode};
use serde::Deserialize;
use serde_json::json;
use sim::{Read, Refusal};

use super::Api;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    pk: String,
    sk: String,
    attribute: String,
    number: i64,
}

pub async fn plant(State(api): State<Api>, Read(wrong): Read<Wrong>) -> Result<StatusCode, Refusal> {
    let input = json!({
        "TableName": api.table,
        "Key": { "pk": { "S": wrong.pk }, "sk": { "S": wrong.sk } },
        "UpdateExpression": "SET #attribute = :number",
        "ConditionExpression": "attribute_exists(#attribute)",
        "ExpressionAttributeNames": { "#attribute": wrong.attribute },
        "ExpressionAttributeValues": { ":number": { "N": wrong.number.to_string() } },
    });
    match api.dynamo.call("UpdateItem", &input).await {
        Ok(_) => Ok(StatusCode::NO_CONTENT),
        Err(error) if error.to_string().contains("ConditionalCheckFailed") => {
            Err(Refusal::not_found("There is no such item with that attribute."))
        }
        Err(error) => Err(error.into()),
    }
}
