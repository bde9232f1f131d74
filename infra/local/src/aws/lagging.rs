//! A DynamoDB whose indexes lag: what is asked of one is answered as of some seconds of the world's time ago, everything
//! else as it is. For tests; how long an index of AWS's own lags nobody promises.
//!
//! Invariant: an index is what the whole table was at one moment: writes reach it in their order, a transaction at once.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Context;
use clients::Clock;
use dynoxide::Database;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{embedded::Embedded, reply::Reply};
use crate::template::Table;

#[derive(Clone)]
pub struct Lagging(Arc<Indexed>);

struct Indexed {
    table: Embedded,
    /// A copy of the table, which follows: its indexes are the ones that are asked.
    copy: Embedded,
    lag: SignedDuration,
    clock: Clock,
    /// What the copy does not have yet, the oldest first.
    ahead: Mutex<VecDeque<Write>>,
}

/// An item as it was after a write.
struct Write {
    at: Timestamp,
    operation: &'static str,
    input: Value,
}

impl Lagging {
    /// The `tables` of `table`, whose indexes have all of what is there now.
    pub fn open(
        table: Embedded,
        tables: &[Table],
        lag: SignedDuration,
        clock: Clock,
    ) -> anyhow::Result<Self> {
        let copy = Embedded::new(Database::memory()?);
        for Table { name, create, .. } in tables {
            done(&copy, "CreateTable", create)?;
            let mut page = json!({ "TableName": name });
            loop {
                let found = done(&table, "Scan", &page)?;
                for item in found["Items"].as_array().into_iter().flatten() {
                    done(&copy, "PutItem", &json!({ "TableName": name, "Item": item }))?;
                }
                match found.get("LastEvaluatedKey") {
                    Some(last) => page["ExclusiveStartKey"] = last.clone(),
                    None => break,
                }
            }
        }
        Ok(Self(Arc::new(Indexed { table, copy, lag, clock, ahead: Mutex::default() })))
    }

    pub(super) fn answer(&self, operation: &str, body: &[u8]) -> Reply {
        let Indexed { table, copy, .. } = &*self.0;
        let Ok(input) = serde_json::from_slice::<Value>(body) else {
            return table.answer(operation, body);
        };
        let asks_index = operation == "Query" && input["IndexName"].is_string();
        let written = written(operation, &input);
        if !asks_index && written.is_empty() {
            return table.answer(operation, body);
        }
        // Held from the write to the note of it: the notes are in the writes' order.
        let mut ahead = self.0.ahead.lock().unwrap_or_else(PoisonError::into_inner);
        let answered = if asks_index {
            self.0.follow(&mut ahead).map(|()| copy.answer(operation, body))
        } else {
            let reply = table.answer(operation, body);
            let noted = if reply.status == 200 { self.0.note(&mut ahead, &written) } else { Ok(()) };
            noted.map(|()| reply)
        };
        answered.unwrap_or_else(|error| Reply::broken(&error))
    }
}

impl Indexed {
    /// Brings the copy to where the table was so long ago.
    fn follow(&self, ahead: &mut VecDeque<Write>) -> anyhow::Result<()> {
        let until = self.clock.now() - self.lag;
        while let Some(write) = ahead.front().filter(|write| write.at <= until) {
            done(&self.copy, write.operation, &write.input)?;
            ahead.pop_front();
        }
        Ok(())
    }

    fn note(&self, ahead: &mut VecDeque<Write>, written: &[Value]) -> anyhow::Result<()> {
        let at = self.clock.now();
        for key in written {
            let found = done(&self.table, "GetItem", key)?;
            let (operation, input) = match found.get("Item") {
                Some(item) => ("PutItem", json!({ "TableName": key["TableName"], "Item": item })),
                None => ("DeleteItem", key.clone()),
            };
            ahead.push_back(Write { at, operation, input });
        }
        Ok(())
    }
}

fn done(on: &Embedded, operation: &str, input: &Value) -> anyhow::Result<Value> {
    let reply = on.answer(operation, input.to_string().as_bytes());
    anyhow::ensure!(reply.status == 200, "{operation}: {}", String::from_utf8_lossy(&reply.body));
    serde_json::from_slice(&reply.body).with_context(|| format!("{operation}: the answer is no JSON"))
}

/// The table and key of each item that a call writes.
fn written(operation: &str, input: &Value) -> Vec<Value> {
    let of_item = |put: &Value| {
        let key = json!({ "pk": put["Item"]["pk"], "sk": put["Item"]["sk"] });
        json!({ "TableName": put["TableName"], "Key": key })
    };
    let of_key = |write: &Value| json!({ "TableName": write["TableName"], "Key": write["Key"] });
    match operation {
        "PutItem" => vec![of_item(input)],
        "UpdateItem" | "DeleteItem" => vec![of_key(input)],
        "TransactWriteItems" => {
            let writes = input["TransactItems"].as_array().into_iter().flatten();
            let key = |write: &Value| {
                let put = write.get("Put").map(of_item);
                put.or_else(|| write.get("Update").or(write.get("Delete")).map(of_key))
            };
            writes.filter_map(key).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let key = |name: &str, kind: &str| json!({ "AttributeName": name, "KeyType": kind });
        let attribute = |name| json!({ "AttributeName": name, "AttributeType": "S" });
        let attributes = ["pk", "sk", "listPk", "listSk"].map(attribute);
        let create = json!({
            "TableName": "Items",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": attributes,
            "KeySchema": [key("pk", "HASH"), key("sk", "RANGE")],
            "GlobalSecondaryIndexes": [{
                "IndexName": "lists",
                "KeySchema": [key("listPk", "HASH"), key("listSk", "RANGE")],
                "Projection": { "ProjectionType": "ALL" },
            }],
        });
        Table { name: "Items".to_owned(), create, ttl: None }
    }

    fn item(n: &str) -> Value {
        let text = |text: &str| json!({ "S": text });
        json!({ "pk": text("P"), "sk": text(n), "listPk": text("L"), "listSk": text(n) })
    }

    fn listed(indexes: &Lagging) -> Vec<String> {
        let query = json!({
            "TableName": "Items", "IndexName": "lists", "KeyConditionExpression": "listPk = :list",
            "ExpressionAttributeValues": { ":list": { "S": "L" } },
        });
        let (status, found) = asked(indexes, "Query", &query);
        assert_eq!(status, 200, "{found}");
        let items = found["Items"].as_array().unwrap().iter();
        items.map(|item| item["sk"]["S"].as_str().unwrap().to_owned()).collect()
    }

    fn asked(indexes: &Lagging, operation: &str, input: &Value) -> (u16, Value) {
        let reply = indexes.answer(operation, input.to_string().as_bytes());
        (reply.status, serde_json::from_slice(&reply.body).unwrap())
    }

    /// Whatever writes, the index has it so long after; what was there before is in it from the start.
    #[test]
    fn an_index_is_what_the_table_was() {
        let now = Arc::new(Mutex::new(Timestamp::UNIX_EPOCH));
        let clock = Clock::from_fn({
            let now = now.clone();
            move || *now.lock().unwrap()
        });
        let passes = |seconds: i64| *now.lock().unwrap() += SignedDuration::from_secs(seconds);
        let there = Embedded::new(Database::memory().unwrap());
        done(&there, "CreateTable", &table().create).unwrap();
        let put = |n: &str| json!({ "TableName": "Items", "Item": item(n) });
        done(&there, "PutItem", &put("1")).unwrap();
        let lagging = Lagging::open(there, &[table()], SignedDuration::from_secs(5), clock).unwrap();
        let writes = |operation: &str, input: &Value| {
            let (status, answer) = asked(&lagging, operation, input);
            assert_eq!(status, 200, "{answer}");
        };
        assert_eq!(listed(&lagging), ["1"]);

        writes("PutItem", &put("2"));
        passes(3);
        let key = |n: &str| json!({ "pk": { "S": "P" }, "sk": { "S": n } });
        let of = |n: &str| json!({ "TableName": "Items", "Key": key(n) });
        let mut stands = of("2");
        stands["ConditionExpression"] = json!("attribute_exists(pk)");
        let both =
            [json!({ "Put": put("3") }), json!({ "Delete": of("1") }), json!({ "ConditionCheck": stands })];
        writes("TransactWriteItems", &json!({ "TransactItems": both }));
        // What is refused changes nothing.
        let mut refused = put("4");
        refused["ConditionExpression"] = json!("attribute_exists(pk)");
        assert_eq!(asked(&lagging, "PutItem", &refused).0, 400);
        assert_eq!(listed(&lagging), ["1"]);
        passes(2);
        assert_eq!(listed(&lagging), ["1", "2"]);
        let mut off = of("2");
        off["UpdateExpression"] = json!("REMOVE listPk");
        writes("UpdateItem", &off);
        passes(3);
        assert_eq!(listed(&lagging), ["2", "3"]);
        assert!(asked(&lagging, "GetItem", &of("2")).1["Item"]["listPk"].is_null(), "the table does not lag");
        passes(2);
        assert_eq!(listed(&lagging), ["3"]);
    }
}
