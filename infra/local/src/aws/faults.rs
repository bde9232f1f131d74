//! Faults of DynamoDB that the embedded one never shows, put in before and after the call itself.
//!
//! A fault is a [`Fate`], decided once per call from a seeded stream, so a run can be repeated.
//! Invariant: a call that is refused here has not reached the database.

use std::sync::{Arc, Mutex};

use aws_smithy_runtime_api::client::result::ConnectorError;
use fastrand::Rng;
use serde_json::{Value, json};

use super::{dynamodb::Dynamo, meter::is_read, reply::Reply};

/// What is switched on now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Switches {
    /// The share of DynamoDB's calls that are throttled, 0 to 1.
    pub throttle: f64,
    /// The share of transactions that meet another one, 0 to 1.
    pub conflict: f64,
    /// The share of writes that are done and whose replies are lost, 0 to 1.
    pub lost: f64,
    /// Puts of items whose key, `partition/sort`, begins so are refused; empty: none.
    pub refused_puts: String,
    pub email_down: bool,
}

/// DynamoDB behind its faults.
#[derive(Clone)]
pub struct FaultLayer {
    dynamo: Dynamo,
    switches: Arc<dyn Fn() -> Switches + Send + Sync>,
    chance: Arc<Mutex<Rng>>,
}

/// What becomes of one call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Serve,
    Throttle,
    Conflict,
    Lose,
    Refuse,
}

impl FaultLayer {
    /// `switches` is asked at each call; `seed` decides which calls are hit.
    pub fn new(dynamo: Dynamo, seed: u64, switches: impl Fn() -> Switches + Send + Sync + 'static) -> Self {
        Self { dynamo, switches: Arc::new(switches), chance: Arc::new(Mutex::new(Rng::with_seed(seed))) }
    }

    #[cfg(test)]
    pub(super) fn dynamo(&self) -> &Dynamo {
        &self.dynamo
    }

    pub(super) fn switches(&self) -> Switches {
        (self.switches)()
    }

    pub(super) async fn answer(&self, operation: &str, body: &[u8]) -> Result<Reply, ConnectorError> {
        match self.fate(operation, body) {
            Fate::Serve => self.dynamo.answer(operation, body).await,
            Fate::Throttle => Ok(throttled(operation, body)),
            Fate::Conflict => Ok(conflicting(body)),
            Fate::Lose => {
                self.dynamo.answer(operation, body).await?;
                Err(ConnectorError::io("the reply was lost".into()))
            }
            Fate::Refuse => Ok(Reply::refused(
                "com.amazon.coral.validate#ValidationException",
                "This item cannot be put: a fault that is switched on.",
            )),
        }
    }

    fn fate(&self, operation: &str, body: &[u8]) -> Fate {
        let Switches { throttle, conflict, lost, refused_puts, .. } = self.switches();
        if operation == "PutItem" && !refused_puts.is_empty() && key_of(body).starts_with(&refused_puts) {
            return Fate::Refuse;
        }
        let conflict = if operation == "TransactWriteItems" { conflict } else { 0.0 };
        let lost = if is_read(operation) { 0.0 } else { lost };
        let mut chance = self.chance.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut hits = |share: f64| share > 0.0 && chance.f64() < share;
        if hits(throttle) {
            Fate::Throttle
        } else if hits(conflict) {
            Fate::Conflict
        } else if hits(lost) {
            Fate::Lose
        } else {
            Fate::Serve
        }
    }
}

/// `partition/sort` of an item that is put.
fn key_of(body: &[u8]) -> String {
    let input: Value = serde_json::from_slice(body).unwrap_or_default();
    let part = |name: &str| input["Item"][name]["S"].as_str().unwrap_or_default().to_owned();
    format!("{}/{}", part("pk"), part("sk"))
}

fn items(body: &[u8]) -> usize {
    let input: Value = serde_json::from_slice(body).unwrap_or_default();
    input["TransactItems"].as_array().map_or(1, Vec::len)
}

/// As DynamoDB words it: a transaction is cancelled with a reason for each of its items.
pub(super) fn throttled(operation: &str, body: &[u8]) -> Reply {
    const TEXT: &str = "Throughput exceeds the current capacity of your table or index.";
    if operation != "TransactWriteItems" {
        let kind = "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException";
        return Reply::refused(kind, TEXT);
    }
    cancelled(&vec![json!({ "Code": "ThrottlingError", "Message": TEXT }); items(body)])
}

/// Another transaction is at the last item; nothing is the matter with the others.
fn conflicting(body: &[u8]) -> Reply {
    let mut reasons = vec![json!({ "Code": "None" }); items(body)];
    if let Some(last) = reasons.last_mut() {
        let text = "Transaction is ongoing for the item";
        *last = json!({ "Code": "TransactionConflict", "Message": text });
    }
    cancelled(&reasons)
}

fn cancelled(reasons: &[Value]) -> Reply {
    let codes: Vec<&str> = reasons.iter().filter_map(|reason| reason["Code"].as_str()).collect();
    let codes = codes.join(", ");
    let body = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": format!("Transaction cancelled, please refer cancellation reasons for specific reasons [{codes}]"),
        "CancellationReasons": reasons,
    });
    Reply::raw(400, body.to_string().into_bytes())
}

#[cfg(test)]
mod tests {
    use dynoxide::Database;

    use super::{super::Embedded, *};

    #[test]
    fn the_share_is_kept_and_a_seed_repeats() {
        let fates = || {
            let dynamo = Dynamo::Embedded(Embedded::new(Database::memory().unwrap()));
            let layer = FaultLayer::new(dynamo, 7, || Switches { throttle: 0.3, ..Switches::default() });
            (0..10_000).map(|_| layer.fate("GetItem", b"")).collect::<Vec<_>>()
        };
        let hits = fates().iter().filter(|fate| **fate == Fate::Throttle).count();
        assert!((2_800..3_200).contains(&hits), "{hits}");
        assert_eq!(fates(), fates());
    }

    #[test]
    fn a_put_is_refused_by_its_key_and_nothing_else_is() {
        let dynamo = Dynamo::Embedded(Embedded::new(Database::memory().unwrap()));
        let refused_puts = "GW#2026-01/SC".to_owned();
        let layer = FaultLayer::new(dynamo, 7, move || Switches {
            refused_puts: refused_puts.clone(),
            ..Switches::default()
        });
        let item = |sk: &str| json!({"Item": {"pk": {"S": "GW#2026-01"}, "sk": {"S": sk}}}).to_string();
        for (operation, sk, fate) in [
            ("PutItem", "SCORES", Fate::Refuse),
            ("PutItem", "MATCHES", Fate::Serve),
            ("TransactWriteItems", "SCORES", Fate::Serve),
        ] {
            assert_eq!(layer.fate(operation, item(sk).as_bytes()), fate, "{operation} {sk}");
        }
    }

    #[tokio::test]
    async fn a_write_whose_reply_is_lost_is_done_and_a_read_is_answered() {
        let dynamo = Dynamo::Embedded(Embedded::new(Database::memory().unwrap()));
        let table = json!({
            "TableName": "table", "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
            "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
        });
        let made = dynamo.answer("CreateTable", table.to_string().as_bytes()).await.unwrap();
        assert_eq!(made.status, 200, "{}", String::from_utf8_lossy(&made.body));
        let layer = FaultLayer::new(dynamo, 7, || Switches { lost: 1.0, ..Switches::default() });
        let item = json!({"TableName": "table", "Item": {"pk": {"S": "a"}}}).to_string();
        assert!(layer.answer("PutItem", item.as_bytes()).await.is_err());
        let key = json!({"TableName": "table", "Key": {"pk": {"S": "a"}}}).to_string();
        let read = layer.answer("GetItem", key.as_bytes()).await.unwrap();
        assert_eq!(serde_json::from_slice::<Value>(&read.body).unwrap()["Item"], json!({"pk": {"S": "a"}}));
    }

    fn codes(reply: &Reply) -> Vec<String> {
        let body: Value = serde_json::from_slice(&reply.body).unwrap();
        let reasons = body["CancellationReasons"].as_array().unwrap();
        reasons.iter().map(|reason| reason["Code"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_cancelled_transaction_has_a_reason_for_each_item() {
        let body = br#"{"TransactItems":[{},{},{}]}"#;
        assert_eq!(codes(&throttled("TransactWriteItems", body)), ["ThrottlingError"; 3]);
        assert_eq!(codes(&conflicting(body)), ["None", "None", "TransactionConflict"]);
    }
}
