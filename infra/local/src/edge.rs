//! What stands before the functions on one machine in place of CloudFront and API Gateway: the
//! caller's address, whole bodies, the headers of the policy, the paths that are the product's.
//!
//! Invariant: the functions see the caller's address and the edge's secret from here only, never a
//! caller's.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    Json,
    body::{Body, Bytes},
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use functions::platform::http::edge::{ORIGIN_SECRET, VIEWER_ADDRESS};
use http_body_util::BodyExt;
use serde_json::json;

use crate::docs::DOCUMENT;

const SIM_ADDRESS: HeaderName = HeaderName::from_static("x-sim-address");
/// API Gateway's own limit for a body. Bytes.
const MAX_BODY: usize = 10 * 1024 * 1024;
/// A longer body is read this far, so that the caller gets to see the answer.
const MAX_READ: usize = 8 * MAX_BODY;

/// What the distribution adds: to requests its secret, to answers the headers of its policy.
pub struct Edge {
    pub secret: HeaderValue,
    pub headers: HeaderMap,
    /// Whether others reach this machine, by an origin that a tunnel has.
    pub is_public: bool,
}

pub fn refusal(status: StatusCode, message: &str) -> Response {
    (status, Json(json!({ "message": message }))).into_response()
}

/// Whether `path` is a call, never a page of the web app, whatever the template routes.
pub fn is_call(path: &str) -> bool {
    let first = path.split('/').nth(1).unwrap_or_default();
    matches!(first, "api" | "hooks" | "sim" | "logout" | "refresh" | "current-gameweek" | "healthz")
}

/// Sets the caller's address and the edge's `secret`, and reads the body to its end.
pub async fn edge(
    State(secret): State<HeaderValue>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    let (mut parts, body) = request.into_parts();
    let address = match parts.headers.remove(SIM_ADDRESS) {
        None => peer.ip(),
        Some(given) => match given.to_str().ok().and_then(|text| text.trim().parse::<IpAddr>().ok()) {
            Some(address) => address,
            None => return refusal(StatusCode::BAD_REQUEST, "x-sim-address is no IP address."),
        },
    };
    let viewer = HeaderValue::try_from(address.to_string()).expect("addresses are plain ASCII");
    parts.headers.insert(VIEWER_ADDRESS, viewer);
    parts.headers.insert(ORIGIN_SECRET, secret);
    match whole(body).await {
        Ok(body) => next.run(Request::from_parts(parts, Body::from(body))).await,
        Err(refused) => refused,
    }
}

/// What a tunnel adds.
const FORWARDED: [&str; 4] = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip"];

/// Where others reach this machine, the stand-ins, the clock, the inbox and the API's document answer it alone.
pub async fn at_home(State(is_public): State<bool>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let at_home =
        path == "/sim" || path.starts_with("/sim/") || path.starts_with("/api/docs") || path == DOCUMENT;
    if is_public && at_home && is_from_elsewhere(request.headers()) {
        return refusal(StatusCode::NOT_FOUND, "Not found.");
    }
    next.run(request).await
}

fn is_from_elsewhere(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    !matches!(name, "localhost" | "127.0.0.1" | "[::1]")
        || FORWARDED.iter().any(|name| headers.contains_key(*name))
}

/// Puts the policy's headers over those of the answer.
pub async fn headers(State(headers): State<Arc<HeaderMap>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().extend(HeaderMap::clone(&headers));
    response
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

#[cfg(test)]
mod tests {
    use axum::{Router, extract::connect_info::MockConnectInfo, middleware, routing::post};
    use http_body_util::BodyExt;
    use tower::ServiceExt;

    use super::*;

    /// What the function behind the edge sees of its caller.
    async fn seen(headers: &[(&str, &str)]) -> (StatusCode, String) {
        let peer = SocketAddr::from(([192, 0, 2, 1], 4242));
        let router = Router::new()
            .route(
                "/",
                post(|headers: axum::http::HeaderMap| async move {
                    assert!(!headers.contains_key(SIM_ADDRESS));
                    let secrets: Vec<_> = headers.get_all(ORIGIN_SECRET).iter().collect();
                    assert_eq!(secrets, ["the edge's"]);
                    let all: Vec<_> =
                        headers.get_all(VIEWER_ADDRESS).iter().map(|v| v.to_str().unwrap()).collect();
                    all.join("|")
                }),
            )
            .layer(middleware::from_fn_with_state(HeaderValue::from_static("the edge's"), edge))
            .layer(MockConnectInfo(peer));
        let mut request = Request::post("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn the_callers_address_is_the_edges_word_and_nobody_elses() {
        let forged = ("x-viewer-address", "198.51.100.9");
        assert_eq!(seen(&[forged, forged, ("x-origin-secret", "forged")]).await.1, "192.0.2.1");
        assert_eq!(seen(&[forged, ("x-sim-address", "203.0.113.7")]).await.1, "203.0.113.7");
        assert_eq!(seen(&[("x-sim-address", "2001:db8::7")]).await.1, "2001:db8::7");
        assert_eq!(seen(&[("x-sim-address", "here")]).await.0, StatusCode::BAD_REQUEST);
    }

    #[tokio::test]
    async fn through_a_tunnel_nobody_moves_the_clock() {
        let asked = async |is_public: bool, path: &str, headers: &[(&str, &str)]| {
            let router = Router::new()
                .fallback(|| async { "it" })
                .layer(middleware::from_fn_with_state(is_public, at_home));
            let mut request = Request::post(path);
            for (name, value) in headers {
                request = request.header(*name, *value);
            }
            router.oneshot(request.body(Body::empty()).unwrap()).await.unwrap().status()
        };
        let (here, there) = ([("host", "localhost:4000")], [("host", "a-tunnel.example")]);
        let rewritten = [("host", "localhost:4000"), ("x-forwarded-for", "198.51.100.9")];
        for path in ["/sim/api/clock", "/sim/", "/sim", "/api/docs/", DOCUMENT] {
            assert_eq!(asked(true, path, &here).await, StatusCode::OK, "{path}");
            assert_eq!(asked(true, path, &there).await, StatusCode::NOT_FOUND, "{path}");
            assert_eq!(asked(true, path, &rewritten).await, StatusCode::NOT_FOUND, "{path}");
            assert_eq!(asked(false, path, &there).await, StatusCode::OK, "{path}");
        }
        assert_eq!(asked(true, "/hooks/stk/1/2", &there).await, StatusCode::OK);
        assert_eq!(asked(true, "/api/login", &rewritten).await, StatusCode::OK);
    }

    #[test]
    fn calls_are_told_from_pages() {
        for call in ["/api/login", "/hooks/stk/1/2", "/sim/api", "/logout", "/refresh", "/current-gameweek"] {
            assert!(is_call(call), "{call}");
        }
        for page in ["/", "/login", "/leagues", "/ref/abc", "/assets/api.js", "/apis", "/logouts"] {
            assert!(!is_call(page), "{page}");
        }
    }
}
