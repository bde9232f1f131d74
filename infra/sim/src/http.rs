//! How the JSON surface of the stand-ins refuses: always `{"message": "…"}` with the right status.

use axum::{
    Json,
    body::{Body, to_bytes},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::de::DeserializeOwned;
use serde_json::json;

const MAX_BODY: usize = 1024 * 1024;

/// A refusal of `/sim/api`.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub(crate) fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        tracing::error!(error = format!("{error:#}"), "the simulator failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "The simulator failed; its log says why.")
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "message": self.message }))).into_response()
    }
}

/// Parses a JSON body whatever its content type says, with a message that names what is wrong.
pub(crate) async fn read_json<T: DeserializeOwned>(body: Body) -> Result<T, Refusal> {
    let bytes = to_bytes(body, MAX_BODY)
        .await
        .map_err(|_| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "The body is too large or was cut off."))?;
    serde_json::from_slice(&bytes).map_err(|error| Refusal::bad(format!("Bad body: {error}.")))
}

/// What a path of ours answers to a method it does not have.
pub(crate) async fn method_not_allowed() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed.")
}
