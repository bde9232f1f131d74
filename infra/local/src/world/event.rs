//! The events that a queue's function gets, as Lambda's event source mapping makes them.
//! Source: docs.aws.amazon.com/lambda/latest/dg/with-sqs.html

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::queue::Message;
use crate::{ACCOUNT, REGION};

pub fn queue_arn(name: &str) -> String {
    format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{name}")
}

pub fn sqs(queue: &str, batch: &[Message]) -> Value {
    let records: Vec<Value> = batch.iter().map(|message| record(queue, message)).collect();
    json!({ "Records": records })
}

fn record(queue: &str, message: &Message) -> Value {
    json!({
        "messageId": message.id,
        "receiptHandle": message.receipt,
        "body": message.body,
        "attributes": {
            "ApproximateReceiveCount": message.receive_count.to_string(),
            "SentTimestamp": message.sent_at.as_millisecond().to_string(),
            "SenderId": ACCOUNT,
            "ApproximateFirstReceiveTimestamp": message.first_received_at.as_millisecond().to_string(),
        },
        "messageAttributes": {},
        "md5OfBody": format!("{:x}", md5::compute(&message.body)),
        "eventSource": "aws:sqs",
        "eventSourceARN": queue_arn(queue),
        "awsRegion": REGION,
    })
}

/// Which messages of `batch` failed, by the function's answer. With `ReportBatchItemFailures` an
/// answer that names an id that is not in the batch, or none at all where one belongs, fails the
/// whole batch, as Lambda has it.
pub fn failed<'a>(batch: &'a [Message], answer: &Value) -> BTreeSet<&'a str> {
    let all = || batch.iter().map(|message| message.id.as_str()).collect();
    let Some(failures) = answer.get("batchItemFailures").filter(|value| !value.is_null()) else {
        return BTreeSet::new();
    };
    let Some(failures) = failures.as_array() else { return all() };
    let named: Option<BTreeSet<&str>> = failures
        .iter()
        .map(|failure| {
            let id = failure["itemIdentifier"].as_str()?;
            batch.iter().map(|message| message.id.as_str()).find(|known| *known == id)
        })
        .collect();
    named.unwrap_or_else(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: &str) -> Message {
        Message {
            id: id.into(),
            receipt: format!("receipt-{id}"),
            body: "hello".into(),
            sent_at: "2026-08-20T09:00:00Z".parse().unwrap(),
            first_received_at: "2026-08-20T09:00:01Z".parse().unwrap(),
            receive_count: 2,
        }
    }

    #[test]
    fn the_event_is_whole() {
        let event = sqs("Deposits", &[message("a")]);
        assert_eq!(
            event["Records"][0],
            json!({
                "messageId": "a",
                "receiptHandle": "receipt-a",
                "body": "hello",
                "attributes": {
                    "ApproximateReceiveCount": "2",
                    "SentTimestamp": "1787216400000",
                    "SenderId": "000000000000",
                    "ApproximateFirstReceiveTimestamp": "1787216401000",
                },
                "messageAttributes": {},
                "md5OfBody": "5d41402abc4b2a76b9719d911017c592",
                "eventSource": "aws:sqs",
                "eventSourceARN": "arn:aws:sqs:local:000000000000:Deposits",
                "awsRegion": "local",
            })
        );
    }

    #[test]
    fn only_what_the_answer_names_has_failed() {
        let batch = [message("a"), message("b")];
        let failing = |answer: Value| failed(&batch, &answer).len();
        assert_eq!(failing(Value::Null), 0);
        assert_eq!(failing(json!({"batchItemFailures": []})), 0);
        assert_eq!(failing(json!({"batchItemFailures": null})), 0);
        assert_eq!(
            failed(&batch, &json!({"batchItemFailures": [{"itemIdentifier": "b"}]})),
            BTreeSet::from(["b"])
        );
        assert_eq!(failing(json!({"batchItemFailures": [{"itemIdentifier": "x"}]})), 2);
        assert_eq!(failing(json!({"batchItemFailures": [{}]})), 2);
        assert_eq!(failing(json!({"batchItemFailures": 1})), 2);
    }
}
