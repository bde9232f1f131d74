//! What a call to AWS has to be granted, as AWS asks for it: a transaction needs the right to each of its writes, a
//! query of an index the right to that index, a batch of messages the right to send one.

use serde_json::Value;

use super::{
    arns::table_arn,
    partition_keys::{PartitionKeys, text},
};
use crate::{ACCOUNT, REGION, world::event::queue_arn, world::rules};

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

impl PartitionKeys {
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

    use super::{super::partition_keys::tests::keys, *};

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
