//! The service that answers for a set of endpoints: in a Lambda for one, in the local run for all.

use std::time::Instant;

use app::{App, access::Identity};
use axum::{
    Router,
    extract::{MatchedPath, Request},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use http::{HeaderName, HeaderValue, StatusCode, header};

use super::ApiError;
use crate::Endpoint;

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The service that answers for `endpoints`, with everything that surrounds each of them. The same
/// in a Lambda and in the local run.
pub fn service(endpoints: Vec<Endpoint>, app: App) -> Router {
    let router = endpoints
        .into_iter()
        .fold(Router::new(), |router, endpoint| router.route(&endpoint.path, endpoint.route));
    router
        .fallback(|| async { ApiError::not_found("There is nothing here.") })
        .method_not_allowed_fallback(|| async {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "This method is not allowed here.")
        })
        .layer(middleware::from_fn(around))
        .with_state(app)
}

/// One log line a request, by the route's template, never by the path itself (a hook's holds a mac).
async fn around(request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = store::random_id();
    let method = request.method().clone();
    let route = request.extensions().get::<MatchedPath>().map_or("-", MatchedPath::as_str).to_owned();
    let mut response = plain(next.run(request).await);
    let headers = response.headers_mut();
    headers.insert(&REQUEST_ID, HeaderValue::from_str(&id).expect("ids are hex"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    let caller = response.extensions().get::<Identity>().map(|identity| identity.user_id.to_string());
    tracing::info!(
        request = id,
        %method,
        route,
        caller,
        status = response.status().as_u16(),
        ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX),
        "request"
    );
    response
}

/// The framework's own refusals (a path that is no UTF-8, a query that does not parse) are plain
/// text: they become ours.
fn plain(response: Response) -> Response {
    let status = response.status();
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    let status = match status {
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::UNSUPPORTED_MEDIA_TYPE | StatusCode::BAD_REQUEST => {
            StatusCode::BAD_REQUEST
        }
        other => other,
    };
    if is_json || !matches!(status, StatusCode::BAD_REQUEST | StatusCode::INTERNAL_SERVER_ERROR) {
        return response;
    }
    ApiError::new(status, "The request is not valid.").into_response()
}
