//! What Lambda and API Gateway bear of a function that answers a call: its time by the template, and six megabytes.
//! (docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html)

use std::time::Duration;

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::StatusCode,
    middleware::Next,
    response::Response,
};

use crate::edge::refusal;

const LONGEST: usize = 6 * 1024 * 1024;
/// API Gateway waits no longer for a function, whatever its own limit is.
const LATEST: Duration = Duration::from_secs(30);

/// Answers as API Gateway does where the function takes longer than `limit` (real time) or says too much.
pub async fn within(State(limit): State<Duration>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    let Ok(answer) = tokio::time::timeout(limit.min(LATEST), next.run(request)).await else {
        tracing::error!(path, limit = limit.as_secs(), "a function took too long");
        return refusal(StatusCode::SERVICE_UNAVAILABLE, "Service Unavailable");
    };
    let (parts, body) = answer.into_parts();
    match to_bytes(body, LONGEST).await {
        Ok(body) => Response::from_parts(parts, Body::from(body)),
        Err(error) => {
            tracing::error!(path, %error, "a function answered more than Lambda takes");
            refusal(StatusCode::INTERNAL_SERVER_ERROR, "Internal Server Error")
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::{Router, middleware::from_fn_with_state, routing::get};
    use tower::ServiceExt;

    use super::*;

    async fn status(answer: usize, takes: Duration, limit: Duration) -> StatusCode {
        let handler = move || async move {
            tokio::time::sleep(takes).await;
            "x".repeat(answer)
        };
        let router = Router::new().route("/", get(handler)).layer(from_fn_with_state(limit, within));
        router.oneshot(Request::get("/").body(Body::empty()).unwrap()).await.unwrap().status()
    }

    #[tokio::test]
    async fn what_is_too_long_or_too_late_is_no_answer() {
        let (now, short, long) = (Duration::ZERO, Duration::from_millis(100), Duration::from_secs(60));
        assert_eq!(status(LONGEST, now, long).await, StatusCode::OK);
        assert_eq!(status(LONGEST + 1, now, long).await, StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(status(1, long, short).await, StatusCode::SERVICE_UNAVAILABLE);
    }
}
