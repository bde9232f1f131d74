//! What `/sim/api` reads and how it refuses: always `{"message": "…"}` with the right status.

use axum::{
    Json,
    body::to_bytes,
    extract::{FromRequest, Request},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::de::DeserializeOwned;
use serde_json::json;

const MAX_BODY: usize = 1024 * 1024;

#[derive(Debug)]
pub struct Refusal {
    pub status: StatusCode,
    message: String,
}

impl Refusal {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub fn bad(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }
}

impl From<anyhow::Error> for Refusal {
    fn from(error: anyhow::Error) -> Self {
        tracing::error!(error = format!("{error:#}"), "/sim/api failed");
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, format!("{error:#}"))
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "message": self.message }))).into_response()
    }
}

/// A JSON body, whatever its content type says. What is wrong with it is named.
pub struct Read<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for Read<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let too_large = "The body is too large or was cut off.";
        let bytes = to_bytes(request.into_body(), MAX_BODY).await;
        let bytes = bytes.map_err(|_| Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, too_large))?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| Refusal::bad(format!("Bad body: {error}.")))
    }
}

/// What a path of ours answers to a method it does not have.
pub async fn method_not_allowed() -> Refusal {
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed.")
}
