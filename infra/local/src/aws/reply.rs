//! An answer of a service, before it is an HTTP response.

use serde_json::{Value, json};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    pub status: u16,
    pub body: Vec<u8>,
    /// The error's name, for the header that REST services put it in.
    pub error: Option<String>,
}

impl Reply {
    pub fn ok(body: &Value) -> Self {
        Self { status: 200, body: body.to_string().into_bytes(), error: None }
    }

    /// The caller's mistake.
    pub fn refused(kind: &str, message: &str) -> Self {
        Self::failed(400, kind, message)
    }

    pub fn failed(status: u16, kind: &str, message: &str) -> Self {
        let body = json!({ "__type": kind, "message": message });
        Self { status, body: body.to_string().into_bytes(), error: Some(kind.to_owned()) }
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
