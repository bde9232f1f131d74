//! An answer of a service, before it is an HTTP response.

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    pub body: Vec<u8>,
    /// The error's name, for the header that REST services put it in.
    pub error: Option<String>,
    /// The code that SQS's older protocol had for the error, which clients still go by.
    pub query_error: Option<&'static str>,
}

impl Reply {
    pub fn raw(status: u16, body: Vec<u8>) -> Self {
        Self { status, body, error: None, query_error: None }
    }

    pub fn ok(body: &Value) -> Self {
        Self::raw(200, body.to_string().into_bytes())
    }

    /// The caller's mistake.
    pub fn refused(kind: &str, message: &str) -> Self {
        Self::failed(400, kind, message)
    }

    pub fn failed(status: u16, kind: &str, message: &str) -> Self {
        let body = json!({ "__type": kind, "message": message });
        Self { status, body: body.to_string().into_bytes(), error: Some(kind.to_owned()), query_error: None }
    }

    pub fn unknown(operation: &str) -> Self {
        Self::refused("UnknownOperationException", &format!("The local run does not answer {operation}."))
    }

    /// The world's own database failed: AWS's "internal failure", which clients try again.
    pub fn broken(error: &anyhow::Error) -> Self {
        tracing::error!(error = format!("{error:#}"), "the local AWS could not answer");
        Self::failed(500, "InternalFailure", &format!("{error:#}"))
    }
}
