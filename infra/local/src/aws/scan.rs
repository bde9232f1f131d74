//! Reading the whole table: for the ledger that `/sim` shows, and to take away what has expired.
//! The product scans at night only (`store::ledger::reconciliation`).

use jiff::Timestamp;
use serde_json::{Value, json};

use super::dynamodb::Dynamo;
use crate::template::Table;

/// The embedded engine looks at all rows that are left to make one page, unless it is told how many are enough.
const PAGE: usize = 1_000;

impl Dynamo {
    /// Every item of `table` for which `filter` holds, handed to `each` as it is read.
    pub async fn scan(
        &self,
        table: &str,
        filter: &Value,
        mut each: impl FnMut(&Value) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let mut start = Value::Null;
        loop {
            let mut input = filter.clone();
            input["TableName"] = json!(table);
            input["Limit"] = json!(PAGE);
            if !start.is_null() {
                input["ExclusiveStartKey"] = start;
            }
            let mut page = self.call("Scan", &input).await?;
            for item in page["Items"].as_array().into_iter().flatten() {
                each(item)?;
            }
            start = page["LastEvaluatedKey"].take();
            if start.is_null() {
                return Ok(());
            }
        }
    }

    /// Deletes what DynamoDB would have deleted by now: items whose time is over by `now`. (AWS
    /// does it within days; the product never relies on it.)
    pub async fn sweep(&self, table: &Table, now: Timestamp) -> anyhow::Result<usize> {
        let Some(attribute) = &table.ttl else { return Ok(0) };
        let names = json!({ "#ttl": attribute });
        let values = json!({ ":now": { "N": now.as_second().to_string() } });
        let filter = json!({
            "FilterExpression": "#ttl < :now",
            "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": values,
        });
        let key_names: Vec<String> = table.create["KeySchema"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|key| key["AttributeName"].as_str().map(str::to_owned))
            .collect();
        let mut expired = Vec::new();
        self.scan(&table.name, &filter, |item| {
            let key = key_names.iter().map(|name| (name.clone(), item[name].clone())).collect();
            expired.push(Value::Object(key));
            Ok(())
        })
        .await?;
        for key in &expired {
            let input = json!({
                "TableName": table.name,
                "Key": key,
                "ConditionExpression": "#ttl < :now",
                "ExpressionAttributeNames": names,
                "ExpressionAttributeValues": values,
            });
            // Written again meanwhile: then it has not expired, and stays.
            if let Err(error) = self.call("DeleteItem", &input).await
                && !error.to_string().contains("ConditionalCheckFailed")
            {
                return Err(error);
            }
        }
        Ok(expired.len())
    }
}
