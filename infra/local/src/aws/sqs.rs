//! SQS: sending, and what a queue holds. What is received goes to the functions by the engine.

use serde_json::{Value, json};

use super::reply::Reply;
use crate::world::{
    event::queue_arn,
    queue::{MAX_MESSAGE, Queues, Redrive, SendError},
};

pub fn answer(queues: &Queues, operation: &str, input: &Value) -> Reply {
    let answered = match operation {
        "SendMessage" => send(queues, input),
        "SendMessageBatch" => send_batch(queues, input),
        "GetQueueAttributes" => attributes(queues, input),
        other => return Reply::unknown(&format!("SQS's {other}")),
    };
    answered.unwrap_or_else(|refused| refused)
}

fn send(queues: &Queues, input: &Value) -> Result<Reply, Reply> {
    let queue = queue(queues, input)?;
    send_one(queues, &queue, input).map(|sent| Reply::ok(&sent)).map_err(|error| refusal(&error))
}

fn send_one(queues: &Queues, queue: &str, input: &Value) -> Result<Value, SendError> {
    let body = input["MessageBody"].as_str().unwrap_or_default();
    let delay = input.get("DelaySeconds").and_then(Value::as_i64);
    let id = queues.send(queue, body, delay)?;
    Ok(json!({ "MessageId": id, "MD5OfMessageBody": format!("{:x}", md5::compute(body)) }))
}

fn send_batch(queues: &Queues, input: &Value) -> Result<Reply, Reply> {
    let queue = queue(queues, input)?;
    let entries = input["Entries"].as_array().map(Vec::as_slice).unwrap_or_default();
    check_batch(entries)?;
    let (mut sent, mut failed) = (Vec::new(), Vec::new());
    for entry in entries {
        match send_one(queues, &queue, entry) {
            Ok(mut answer) => {
                answer["Id"] = entry["Id"].clone();
                sent.push(answer);
            }
            Err(SendError::Broken(error)) => return Err(Reply::broken(&error.into())),
            Err(error) => failed.push(json!({
                "Id": entry["Id"], "SenderFault": true, "Code": code(&error), "Message": error.to_string(),
            })),
        }
    }
    Ok(Reply::ok(&json!({ "Successful": sent, "Failed": failed })))
}

/// Those that are asked for, of those that are known here.
fn attributes(queues: &Queues, input: &Value) -> Result<Reply, Reply> {
    let queue = queue(queues, input)?;
    let mut attributes = serde_json::Map::new();
    for name in input["AttributeNames"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let value = match name {
            "ApproximateNumberOfMessages" => {
                let counts = queues.counts(&queue, queues.now()).map_err(|error| Reply::broken(&error))?;
                Some(counts.visible.to_string())
            }
            "RedrivePolicy" => {
                let redrive = queues.spec(&queue).and_then(|spec| spec.redrive.as_ref());
                redrive.map(|Redrive { to, max_receives }| {
                    json!({ "deadLetterTargetArn": queue_arn(to), "maxReceiveCount": max_receives })
                        .to_string()
                })
            }
            other => {
                let unknown = format!("Unknown Attribute {other}.");
                return Err(Reply::refused("com.amazonaws.sqs#InvalidAttributeName", &unknown));
            }
        };
        attributes.extend(value.map(|value| (name.to_owned(), Value::from(value))));
    }
    Ok(Reply::ok(&json!({ "Attributes": attributes })))
}

/// One to ten entries, different ids, 256 KB together.
fn check_batch(entries: &[Value]) -> Result<(), Reply> {
    let refuse =
        |kind: &str, message: &str| Err(Reply::refused(&format!("com.amazonaws.sqs#{kind}"), message));
    match entries.len() {
        0 => {
            return refuse(
                "EmptyBatchRequest",
                "There should be at least one SendMessageBatchRequestEntry in the request.",
            );
        }
        1..=10 => {}
        _ => return refuse("TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10."),
    }
    let mut ids: Vec<&str> = entries.iter().filter_map(|entry| entry["Id"].as_str()).collect();
    ids.sort_unstable();
    ids.dedup();
    if ids.len() != entries.len() {
        return refuse("BatchEntryIdsNotDistinct", "The Ids of a batch must be there and different.");
    }
    let bytes: usize = entries.iter().filter_map(|entry| entry["MessageBody"].as_str()).map(str::len).sum();
    if bytes > MAX_MESSAGE {
        return refuse("BatchRequestTooLong", "Batch requests cannot be longer than 262144 bytes.");
    }
    Ok(())
}

fn queue(queues: &Queues, input: &Value) -> Result<String, Reply> {
    let url = input["QueueUrl"].as_str().unwrap_or_default();
    let name = url.rsplit('/').next().unwrap_or_default();
    match queues.spec(name) {
        Some(spec) => Ok(spec.name.clone()),
        None => Err(refusal(&SendError::UnknownQueue(url.to_owned()))),
    }
}

fn refusal(error: &SendError) -> Reply {
    let kind = format!("com.amazonaws.sqs#{}", code(error));
    match error {
        SendError::Broken(_) => Reply::failed(500, &kind, &error.to_string()),
        SendError::UnknownQueue(_) => Reply {
            query_error: Some("AWS.SimpleQueueService.NonExistentQueue"),
            ..Reply::refused(&kind, &error.to_string())
        },
        _ => Reply::refused(&kind, &error.to_string()),
    }
}

fn code(error: &SendError) -> &'static str {
    match error {
        SendError::UnknownQueue(_) => "QueueDoesNotExist",
        SendError::Empty => "MissingParameter",
        SendError::TooLong | SendError::Delay(_) => "InvalidParameterValue",
        SendError::Broken(_) => "InternalFailure",
    }
}
