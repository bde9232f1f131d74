//! Making the template's tables, once.

use std::time::Duration;

use anyhow::bail;
use serde_json::Value;

use super::dynamodb::Dynamo;
use crate::template::Table;

/// A server makes a table in the background; it is looked at this often, so many times.
const POLL_EVERY: Duration = Duration::from_millis(250);
const POLLS: usize = 120;

impl Dynamo {
    /// Makes `table` where there is none. (Its expiry attribute is not told to a server: that one
    /// would go by the real time, while the world's is simulated.)
    pub async fn ensure(&self, table: &Table) -> anyhow::Result<()> {
        let name = serde_json::json!({ "TableName": table.name });
        let mut found = match self.call("DescribeTable", &name).await {
            Ok(found) => found,
            Err(error) if error.to_string().contains("ResourceNotFoundException") => {
                self.call("CreateTable", &table.create).await?;
                self.call("DescribeTable", &name).await?
            }
            Err(error) => return Err(error),
        };
        for _ in 0..POLLS {
            if found["Table"]["TableStatus"] == "ACTIVE" {
                break;
            }
            tokio::time::sleep(POLL_EVERY).await;
            found = self.call("DescribeTable", &name).await?;
        }
        if shape(&table.create) != shape(&found["Table"]) {
            bail!("the table {} was made by another template: remove it and start anew", table.name);
        }
        Ok(())
    }
}

/// Keys and indexes, in an order of their own.
fn shape(table: &Value) -> Vec<String> {
    let keys = |value: &Value| {
        let mut keys: Vec<String> = value["KeySchema"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|key| format!("{} {}", key["KeyType"], key["AttributeName"]))
            .collect();
        keys.sort();
        keys.join(",")
    };
    let mut shape: Vec<String> = ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"]
        .iter()
        .flat_map(|kind| table[kind].as_array().into_iter().flatten())
        .map(|index| format!("{} {}", index["IndexName"], keys(index)))
        .collect();
    shape.sort();
    shape.insert(0, keys(table));
    shape
}
