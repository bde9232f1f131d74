//! Where the partition keys of the tables and their indexes are, and what a write costs the partitions of indexes.

use std::collections::BTreeMap;

use serde_json::Value;

use super::arns::table_arn;
use crate::template::Table;

/// Where the partition keys are: of a table under its name, of an index under the table's and its own.
#[derive(Debug, Clone, Default)]
pub struct PartitionKeys(BTreeMap<(String, Option<String>), Hash>);

#[derive(Debug, Clone)]
struct Hash {
    name: String,
    /// The index has nothing of an item but its keys.
    keys_only: bool,
}

/// What a write costs one partition of an index.
#[derive(Debug, Clone, PartialEq)]
pub struct IndexWrite {
    pub resource: String,
    pub partition: String,
    pub units: f64,
}

/// An item in an index is charged by the KB.
const UNIT: f64 = 1024.0;

impl PartitionKeys {
    pub fn of(tables: &[Table]) -> Self {
        let hash = |shape: &Value| {
            let keys = shape["KeySchema"].as_array().into_iter().flatten();
            let mut hash = keys.filter(|key| key["KeyType"] == "HASH");
            let name = hash.find_map(|key| key["AttributeName"].as_str()).map(str::to_owned);
            name.map(|name| Hash { name, keys_only: shape["Projection"]["ProjectionType"] == "KEYS_ONLY" })
        };
        let mut keys = BTreeMap::new();
        for Table { name, create, .. } in tables {
            keys.extend(hash(create).map(|key| ((name.clone(), None), key)));
            for index in create["GlobalSecondaryIndexes"].as_array().into_iter().flatten() {
                let named = index["IndexName"].as_str().map(str::to_owned);
                keys.extend(hash(index).map(|key| ((name.clone(), named), key)));
            }
        }
        Self(keys)
    }

    pub(super) fn name(&self, table: &str, index: Option<&str>) -> Result<&str, String> {
        let key = self.0.get(&(table.to_owned(), index.map(str::to_owned)));
        key.map(|hash| hash.name.as_str()).ok_or_else(|| format!("nothing is known of {table} {index:?}"))
    }

    /// The partitions of indexes into which a write puts its items, as far as the call tells: an update that names no key of
    /// an index may change an item that is in it, and what is taken out of one is not told either.
    pub fn index_writes(&self, operation: &str, input: &Value) -> Vec<IndexWrite> {
        let parts = input["TransactItems"].as_array().into_iter().flatten();
        let parts = parts.filter_map(|part| part.get("Put").or_else(|| part.get("Update")));
        let alone = matches!(operation, "PutItem" | "UpdateItem").then_some(input);
        parts.chain(alone).flat_map(|write| self.of_write(write)).collect()
    }

    fn of_write(&self, write: &Value) -> Vec<IndexWrite> {
        let indexes = self.0.iter().filter_map(|((table, index), hash)| {
            let (table, index) =
                (write["TableName"].as_str().filter(|name| name == table)?, index.as_deref()?);
            let partition = text(&write["Item"][&hash.name]).or_else(|| set(write, &hash.name))?;
            let size = if hash.keys_only { 0 } else { write["Item"].to_string().len() };
            let units = (f64::from(u32::try_from(size).unwrap_or(u32::MAX)) / UNIT).ceil().max(1.0);
            Some(IndexWrite { resource: table_arn(table, Some(index)), partition, units })
        });
        indexes.collect()
    }
}

/// To what an update sets `name`: in its expression stands `#placeholder = :value`.
fn set(update: &Value, name: &str) -> Option<String> {
    let expression = update["UpdateExpression"].as_str()?;
    let is_name = |word: &str| word == name || update["ExpressionAttributeNames"][word] == name;
    let words: Vec<&str> = expression.split([' ', ',']).filter(|word| !word.is_empty()).collect();
    let value = words.windows(3).find(|words| is_name(words[0]) && words[1] == "=").map(|words| words[2])?;
    text(&update["ExpressionAttributeValues"][value])
}

/// A key as it is in an item.
pub(super) fn text(value: &Value) -> Option<String> {
    value["S"].as_str().map(str::to_owned)
}

#[cfg(test)]
pub(super) mod tests {
    use serde_json::json;

    use super::*;

    pub fn keys() -> PartitionKeys {
        let hash = |name: &str| json!([{"AttributeName": name, "KeyType": "HASH"}]);
        let projected = |to: &str| json!({"ProjectionType": to});
        let lists =
            json!({"IndexName": "lists", "KeySchema": hash("listPk"), "Projection": projected("ALL")});
        let days =
            json!({"IndexName": "days", "KeySchema": hash("dayPk"), "Projection": projected("KEYS_ONLY")});
        let create = json!({"KeySchema": hash("pk"), "GlobalSecondaryIndexes": [lists, days]});
        PartitionKeys::of(&[Table { name: "Table".into(), create, ttl: None }])
    }

    #[test]
    fn a_write_is_charged_to_the_partitions_of_indexes_too() {
        let large = "x".repeat(1_500);
        let item =
            json!({"pk": {"S": "A"}, "listPk": {"S": "L#1"}, "dayPk": {"S": "D#1"}, "text": {"S": large}});
        let put = json!({"TableName": "Table", "Item": item});
        let update = json!({"TableName": "Table", "Key": {"pk": {"S": "A"}},
            "UpdateExpression": "SET #state = :v0, #listPk = :v1, #listSk = :v2 REMOVE #why",
            "ExpressionAttributeNames": {"#state": "state", "#listPk": "listPk", "#listSk": "listSk", "#why": "why"},
            "ExpressionAttributeValues": {":v0": {"S": "OPEN"}, ":v1": {"S": "L#2"}, ":v2": {"S": "1"}}});
        let off = json!({"TableName": "Table", "Key": {"pk": {"S": "A"}}, "UpdateExpression": "REMOVE #listPk",
            "ExpressionAttributeNames": {"#listPk": "listPk"}});
        let writes = |operation: &str, input: &Value| -> Vec<(String, f64)> {
            let writes = keys().index_writes(operation, input).into_iter();
            let name = |resource: &str| resource.rsplit('/').next().unwrap().to_owned();
            writes
                .map(|write| (format!("{} {}", name(&write.resource), write.partition), write.units))
                .collect()
        };
        let of = |name: &str, units| (name.to_owned(), units);
        assert_eq!(writes("PutItem", &put), [of("days D#1", 1.0), of("lists L#1", 2.0)], "one has keys only");
        assert_eq!(writes("UpdateItem", &update), [of("lists L#2", 1.0)]);
        assert_eq!(writes("UpdateItem", &off), []);
        let parts = json!({"TransactItems": [{"Update": update}, {"Put": put}, {"ConditionCheck": {}}]});
        assert_eq!(
            writes("TransactWriteItems", &parts),
            [of("lists L#2", 1.0), of("days D#1", 1.0), of("lists L#1", 2.0)]
        );
        assert_eq!(writes("GetItem", &json!({"TableName": "Table", "Key": {"pk": {"S": "A"}}})), []);
    }
}
