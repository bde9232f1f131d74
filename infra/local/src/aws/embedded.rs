//! The database in this process.
//!
//! Invariant: what it answers is what `dynoxide` says, status and body; this file adds nothing to it but that a transaction
//! with a request token is done once.

use std::sync::{Arc, Mutex, PoisonError};

use dynoxide::{Database, DynoxideError};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{reply::Reply, request_tokens::RequestTokens};

/// Calls take some tens of microseconds in memory and a few hundred
/// with a file, so they run where they are called.
#[derive(Clone)]
pub struct Embedded {
    database: Database,
    tokens: Arc<Mutex<RequestTokens>>,
}

impl Embedded {
    pub fn new(database: Database) -> Self {
        Self { database, tokens: Arc::default() }
    }

    pub(super) fn answer(&self, operation: &str, body: &[u8]) -> Reply {
        match self.run(operation, body) {
            Some(Ok(body)) => Reply::raw(200, body),
            Some(Err(error)) => Reply::raw(error.status_code(), error.to_json().into_bytes()),
            None => Reply::unknown(&format!("DynamoDB's {operation}")),
        }
    }

    fn run(&self, operation: &str, body: &[u8]) -> Option<Result<Vec<u8>, DynoxideError>> {
        let db = &self.database;
        Some(match operation {
            "PutItem" => call(body, |input| db.put_item(input)),
            "GetItem" => call(body, |input| db.get_item(input)),
            "UpdateItem" => call(body, |input| db.update_item(input)),
            "DeleteItem" => call(body, |input| db.delete_item(input)),
            "Query" => call(body, |input| db.query(input)),
            "Scan" => call(body, |input| db.scan(input)),
            "BatchGetItem" => call(body, |input| db.batch_get_item(input)),
            "TransactWriteItems" => self.transact(body),
            "CreateTable" => call(body, |input| db.create_table(input)),
            "DescribeTable" => call(body, |input| db.describe_table(input)),
            _ => return None,
        })
    }

    fn transact(&self, body: &[u8]) -> Result<Vec<u8>, DynoxideError> {
        let done = |request| {
            let input = serde_json::from_value(request)
                .map_err(|e| DynoxideError::SerializationException(e.to_string()))?;
            written(&self.database.transact_write_items(input)?)
        };
        let mut request: Value = read(body)?;
        let token = request.as_object_mut().and_then(|request| request.remove("ClientRequestToken"));
        match token {
            Some(Value::String(token)) => {
                self.tokens.lock().unwrap_or_else(PoisonError::into_inner).once(token, request, done)
            }
            _ => done(request),
        }
    }
}

fn call<I: DeserializeOwned, O: Serialize>(
    body: &[u8],
    run: impl FnOnce(I) -> Result<O, DynoxideError>,
) -> Result<Vec<u8>, DynoxideError> {
    written(&run(read(body)?)?)
}

fn read<I: DeserializeOwned>(body: &[u8]) -> Result<I, DynoxideError> {
    serde_json::from_slice(body).map_err(|e| DynoxideError::SerializationException(e.to_string()))
}

fn written<O: Serialize>(output: &O) -> Result<Vec<u8>, DynoxideError> {
    serde_json::to_vec(output).map_err(|e| DynoxideError::InternalServerError(e.to_string()))
}
