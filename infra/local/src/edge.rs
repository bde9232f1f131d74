//! What stands before the functions on one machine in place of CloudFront and API Gateway: the
//! caller's address, whole bodies, the paths that are the product's.
//!
//! Invariant: the functions see `cloudfront-viewer-address` from here only, never a caller's.

use std::net::{IpAddr, SocketAddr};

use axum::{
    Json,
    body::{Body, Bytes},
    extract::{ConnectInfo, Request},
    http::{HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use http_body_util::BodyExt;
use serde_json::json;

const VIEWER_ADDRESS: HeaderName = HeaderName::from_static("cloudfront-viewer-address");
const SIM_ADDRESS: HeaderName = HeaderName::from_static("x-sim-address");
/// API Gateway's own limit for a body. Bytes.
const MAX_BODY: usize = 10 * 1024 * 1024;
/// A longer body is read this far, so that the caller gets to see the answer.
const MAX_READ: usize = 8 * MAX_BODY;

/// `{"message"}` with a status.
pub fn refusal(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}

/// Whether `path` is a call, never a page of the web app, whatever the template routes.
#[must_use]
pub fn is_call(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or_default();
    matches!(first, "api" | "hooks" | "sim" | "logout" | "refresh" | "current-gameweek" | "healthz")
}

/// Sets the caller's address and reads the body to its end.
pub async fn edge(ConnectInfo(peer): ConnectInfo<SocketAddr>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let address = match parts.headers.remove(SIM_ADDRESS) {
        None => peer.ip(),
        Some(given) => match given.to_str().ok().and_then(|text| text.trim().parse::<IpAddr>().ok()) {
            Some(address) => address,
            None => return refusal(StatusCode::BAD_REQUEST, "x-sim-address is no IP address."),
        },
    };
    let viewer = format!("{address}:{}", peer.port());
    let viewer = HeaderValue::try_from(viewer).expect("addresses are plain ASCII");
    parts.headers.insert(VIEWER_ADDRESS, viewer);
    match whole(body).await {
        Ok(body) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Err(refused) => refused,
    }
}

async fn whole(mut body: Body) -> Result<Bytes, Response> {
    let mut read = Vec::new();
    let mut length = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| refusal(StatusCode::BAD_REQUEST, "The body was cut off."))?;
        let Ok(data) = frame.into_data() else { continue };
        length += data.len();
        if length <= MAX_BODY {
            read.extend_from_slice(&data);
        } else if length > MAX_READ {
            break;
        }
    }
    if length <= MAX_BODY {
        return Ok(read.into());
    }
    let mut refused = refusal(StatusCode::PAYLOAD_TOO_LARGE, "The body is larger than 10 MB.");
    // What is left of the body is not read, so nothing else can come over this connection.
    refused.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    Err(refused)
}
