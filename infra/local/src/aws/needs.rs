//! What a call to AWS has to be granted, as AWS asks for it: a transaction needs the right to each of its writes, a
//! query of an index the right to that index, a batch of messages the right to send one.

use std::collections::BTreeMap;

use serde_json::Value;

use super::arns::table_arn;
use crate::{ACCOUNT, REGION, template::Table, world::event::queue_arn, world::rules};

/// One right that a call needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Need {
    pub action: &'static str,
    pub resource: String,
    /// The partitions of the items, `dynamodb:LeadingKeys`.
    pub leading_keys: Vec<String>,
    /// What is written and what the write stands on, `dynamodb:Attributes`.
    pub attributes: Vec<String>,
    /// Whose mail it is, `ses:FromAddress`.
    pub from: Option<String>,
}

impl Need {
    /// What its partitions are named after: never the rest, which may be an email.
    pub fn kinds(&self) -> Vec<&str> {
        let kinds = self.leading_keys.iter().filter_map(|key| key.split('#').next());
        let mut kinds: Vec<&str> = kinds.collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() { vec!["-"] } else { kinds }
    }
}

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

    fn name(&self, table: &str, index: Option<&str>) -> Result<&str, String> {
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

    /// What a call of DynamoDB's needs. Where that cannot be told, nothing may be granted: an error.
    pub fn needs(&self, operation: &str, input: &Value) -> Result<Vec<Need>, String> {
        let table = || input["TableName"].as_str().ok_or("the call names no table");
        let of_key = |action, of| self.of_item(action, input, of);
        Ok(match operation {
            "GetItem" => vec![of_key("dynamodb:GetItem", "Key")?],
            "PutItem" => vec![of_key("dynamodb:PutItem", "Item")?],
            "UpdateItem" => vec![of_key("dynamodb:UpdateItem", "Key")?],
            "DeleteItem" => vec![of_key("dynamodb:DeleteItem", "Key")?],
            "Query" => vec![self.of_query(table()?, input)?],
            "Scan" => vec![need("dynamodb:Scan", table_arn(table()?, input["IndexName"].as_str()))],
            "BatchGetItem" => self.of_batch(input)?,
            "TransactWriteItems" => {
                let parts = input["TransactItems"].as_array().ok_or("the transaction has no items")?;
                parts.iter().map(|part| self.of_part(part)).collect::<Result<_, _>>()?
            }
            other => return Err(format!("the local run does not know what {other} needs")),
        })
    }

    /// A call for one item, or a part of a transaction: the item or its key is under `of`.
    fn of_item(&self, action: &'static str, call: &Value, of: &str) -> Result<Need, String> {
        let table = call["TableName"].as_str().ok_or("the call names no table")?;
        let leading_keys = vec![self.leading_key(table, &call[of])?];
        Ok(Need { leading_keys, attributes: attributes(call, of), ..need(action, table_arn(table, None)) })
    }

    fn leading_key(&self, table: &str, item: &Value) -> Result<String, String> {
        text(&item[self.name(table, None)?]).ok_or_else(|| format!("an item of {table} has no partition"))
    }

    fn of_part(&self, part: &Value) -> Result<Need, String> {
        const PARTS: [(&str, &str, &str); 4] = [
            ("Put", "dynamodb:PutItem", "Item"),
            ("Update", "dynamodb:UpdateItem", "Key"),
            ("Delete", "dynamodb:DeleteItem", "Key"),
            ("ConditionCheck", "dynamodb:ConditionCheckItem", "Key"),
        ];
        let known = PARTS.iter().find(|(kind, ..)| part.get(kind).is_some());
        let (kind, action, of) = known.ok_or("a part of the transaction is none that is known")?;
        self.of_item(action, &part[kind], of)
    }

    fn of_batch(&self, input: &Value) -> Result<Vec<Need>, String> {
        let tables = input["RequestItems"].as_object().ok_or("the batch names no table")?;
        let of_table = |(table, wanted): (&String, &Value)| {
            let keys = wanted["Keys"].as_array().ok_or("the batch has no keys")?;
            let leading_keys =
                keys.iter().map(|key| self.leading_key(table, key)).collect::<Result<_, _>>()?;
            Ok(Need { leading_keys, ..need("dynamodb:BatchGetItem", table_arn(table, None)) })
        };
        tables.iter().map(of_table).collect()
    }

    /// The partition is what the condition says that it equals.
    fn of_query(&self, table: &str, input: &Value) -> Result<Need, String> {
        let index = input["IndexName"].as_str();
        let key = self.name(table, index)?;
        let condition = input["KeyConditionExpression"].as_str().unwrap_or_default();
        let is_key = |name: &str| name == key || input["ExpressionAttributeNames"][name] == key;
        let mut parts = condition.split(" AND ").filter_map(|part| part.split_once(" = "));
        let value = parts.find(|(name, _)| is_key(name.trim())).map(|(_, value)| value.trim());
        let partition = value.and_then(|value| text(&input["ExpressionAttributeValues"][value]));
        let partition = partition.ok_or_else(|| format!("\"{condition}\" does not say which {key}"))?;
        Ok(Need { leading_keys: vec![partition], ..need("dynamodb:Query", table_arn(table, index)) })
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

fn need(action: &'static str, resource: String) -> Need {
    Need { action, resource, ..Need::default() }
}

/// Those of the item or key under `of`, and those that the expressions name: by a placeholder or themselves.
fn attributes(call: &Value, of: &str) -> Vec<String> {
    let own = call[of].as_object().into_iter().flat_map(|item| item.keys().map(String::as_str));
    let names = call["ExpressionAttributeNames"].as_object().into_iter().flat_map(|names| names.values());
    let expressions = ["UpdateExpression", "ConditionExpression"].map(|name| call[name].as_str());
    let words = expressions.into_iter().flatten().flat_map(|text| {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && !"_#:".contains(c));
        words.filter(|word| !word.is_empty() && !word.starts_with(['#', ':']))
    });
    own.chain(names.filter_map(Value::as_str)).chain(words).map(str::to_owned).collect()
}

fn text(value: &Value) -> Option<String> {
    value["S"].as_str().map(str::to_owned)
}

/// SQS has no right of its own for a batch, and writes the action's name small.
pub fn of_sqs(operation: &str, input: &Value) -> Result<Vec<Need>, String> {
    let action = match operation {
        "SendMessage" | "SendMessageBatch" => "sqs:SendMessage",
        "GetQueueAttributes" => "sqs:GetQueueAttributes",
        other => return Err(format!("the local run does not know what {other} needs")),
    };
    let url = input["QueueUrl"].as_str().ok_or("the call names no queue")?;
    Ok(vec![need(action, queue_arn(url.rsplit('/').next().unwrap_or_default()))])
}

pub fn of_events(operation: &str, input: &Value) -> Result<Vec<Need>, String> {
    match operation {
        "DescribeRule" | "PutRule" => {
            let action = if operation == "PutRule" { "events:PutRule" } else { "events:DescribeRule" };
            let name = input["Name"].as_str().ok_or("the call names no rule")?;
            Ok(vec![need(action, rules::arn(name))])
        }
        other => Err(format!("the local run does not know what {other} needs")),
    }
}

pub fn of_ssm(operation: &str, input: &Value) -> Result<Vec<Need>, String> {
    match operation {
        "GetParameters" => {
            let names = input["Names"].as_array().ok_or("the call names no parameters")?;
            let arn = |name: &Value| {
                let name = name.as_str().ok_or("a parameter's name is no text")?;
                Ok(need("ssm:GetParameters", format!("arn:aws:ssm:{REGION}:{ACCOUNT}:parameter{name}")))
            };
            names.iter().map(arn).collect()
        }
        other => Err(format!("the local run does not know what {other} needs")),
    }
}

/// A mail is sent as the identity of its sender.
pub fn of_mail(input: &Value) -> Result<Vec<Need>, String> {
    let from = input["FromEmailAddress"].as_str().ok_or("the mail has no sender")?;
    // The name in front of the address is none of `ses:FromAddress`.
    let from = from.rsplit_once('<').map_or(from, |(_name, address)| address.trim_end_matches('>'));
    let resource = format!("arn:aws:ses:{REGION}:{ACCOUNT}:identity/{from}");
    Ok(vec![Need { from: Some(from.to_owned()), ..need("ses:SendEmail", resource) }])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn keys() -> PartitionKeys {
        let hash = |name: &str| json!([{"AttributeName": name, "KeyType": "HASH"}]);
        let projected = |to: &str| json!({"ProjectionType": to});
        let lists =
            json!({"IndexName": "lists", "KeySchema": hash("listPk"), "Projection": projected("ALL")});
        let days =
            json!({"IndexName": "days", "KeySchema": hash("dayPk"), "Projection": projected("KEYS_ONLY")});
        let create = json!({"KeySchema": hash("pk"), "GlobalSecondaryIndexes": [lists, days]});
        PartitionKeys::of(&[Table { name: "Table".into(), create, ttl: None }])
    }

    fn needs(operation: &str, input: Value) -> Vec<(&'static str, String, Vec<String>)> {
        let needs = keys().needs(operation, &input).unwrap();
        needs.into_iter().map(|need| (need.action, need.resource, need.leading_keys)).collect()
    }

    fn on_table(action: &'static str, keys: &[&str]) -> (&'static str, String, Vec<String>) {
        let keys = keys.iter().map(|key| (*key).to_owned()).collect();
        (action, "arn:aws:dynamodb:local:000000000000:table/Table".to_owned(), keys)
    }

    #[test]
    fn a_transaction_needs_the_right_to_each_of_its_writes() {
        let key = |pk: &str| json!({"pk": {"S": pk}, "sk": {"S": "x"}});
        let part = |kind: &str, of: &str, pk: &str| json!({kind: {"TableName": "Table", of: key(pk)}});
        let parts = [
            part("Put", "Item", "USER#1"),
            part("Update", "Key", "USER#2"),
            part("Delete", "Key", "USER#3"),
            part("ConditionCheck", "Key", "SETTINGS"),
        ];
        let expected = [
            on_table("dynamodb:PutItem", &["USER#1"]),
            on_table("dynamodb:UpdateItem", &["USER#2"]),
            on_table("dynamodb:DeleteItem", &["USER#3"]),
            on_table("dynamodb:ConditionCheckItem", &["SETTINGS"]),
        ];
        assert_eq!(needs("TransactWriteItems", json!({"TransactItems": parts})), expected);
    }

    #[test]
    fn a_batch_needs_every_partition_and_a_query_its_own() {
        let wanted = json!({"RequestItems": {"Table": {"Keys": [{"pk": {"S": "A"}}, {"pk": {"S": "B"}}]}}});
        assert_eq!(needs("BatchGetItem", wanted), [on_table("dynamodb:BatchGetItem", &["A", "B"])]);
        let query = |condition: &str, name: &str| {
            json!({"TableName": "Table", "KeyConditionExpression": condition,
                "ExpressionAttributeNames": {"#p": name}, "ExpressionAttributeValues": {":p": {"S": "A"}}})
        };
        let own = [on_table("dynamodb:Query", &["A"])];
        assert_eq!(needs("Query", query("pk = :p AND begins_with(sk, :q)", "x")), own);
        assert_eq!(needs("Query", query("sk > :q AND #p = :p", "pk")), own);
        let mut of_index = query("listPk = :p", "x");
        of_index["IndexName"] = json!("lists");
        let (_, resource, leading) = needs("Query", of_index).remove(0);
        assert!(resource.ends_with("table/Table/index/lists") && leading == ["A"], "{resource} {leading:?}");
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

    #[test]
    fn a_write_names_its_attributes_in_whatever_way() {
        let update = json!({"TableName": "Table", "Key": {"pk": {"S": "USER#1"}, "sk": {"S": "WALLET"}},
            "UpdateExpression": "SET #b = :b, version = version + :one", "ConditionExpression": "attribute_exists(debt)",
            "ExpressionAttributeNames": {"#b": "balance"}});
        let needs = keys().needs("UpdateItem", &update).unwrap();
        for name in ["pk", "sk", "balance", "version", "debt"] {
            assert!(needs[0].attributes.iter().any(|known| known == name), "{name}: {needs:?}");
        }
        let put = json!({"TableName": "Table", "Item": {"pk": {"S": "USER#1"}, "balance": {"N": "1"}}});
        let mut named = keys().needs("PutItem", &put).unwrap().remove(0).attributes;
        named.sort();
        assert_eq!(named, ["balance", "pk"]);
    }

    #[test]
    fn what_cannot_be_told_is_an_error() {
        for (operation, input) in [
            ("DeleteTable", json!({"TableName": "Table"})),
            ("GetItem", json!({"TableName": "Other", "Key": {"pk": {"S": "A"}}})),
            ("GetItem", json!({"TableName": "Table", "Key": {"sk": {"S": "A"}}})),
            ("Query", json!({"TableName": "Table", "KeyConditionExpression": "sk = :p"})),
            ("TransactWriteItems", json!({"TransactItems": [{"Get": {}}]})),
        ] {
            assert!(keys().needs(operation, &input).is_err(), "{operation} {input}");
        }
    }
}
