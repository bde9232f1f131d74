//! The service that answers for a set of endpoints: in a Lambda for one, in the local run for all.

use std::{
    any::Any,
    collections::HashMap,
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
    time::Instant,
};

use app::App;
use axum::{
    Json, Router,
    body::{Body, to_bytes},
    extract::{MatchedPath, Request, State},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use domain::UserId;
use futures_util::FutureExt;
use http::{HeaderName, HeaderValue, Method, StatusCode, header};
use serde_json::{Map, Value};
use tracing::Instrument;

use super::{ApiError, edge, error::TRY_AGAIN};
use crate::Endpoint;

static REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Names by method and route.
type Operations = HashMap<(Method, String), String>;

#[derive(Clone)]
struct Around {
    app: App,
    operations: Arc<Operations>,
}

/// Where the caller's id is noted once it is known, for the request's log line.
#[derive(Clone, Default)]
pub(super) struct CallerId(Arc<OnceLock<UserId>>);

impl CallerId {
    pub fn note(&self, id: &UserId) {
        // The same token is read twice by some calls; it says the same.
        let _same = self.0.set(id.clone());
    }
}

/// The service that answers for `endpoints`, with everything that surrounds each of them. The same
/// in a Lambda and in the local run.
pub fn service(endpoints: Vec<Endpoint>, app: App) -> Router {
    let name =
        |endpoint: &Endpoint| ((endpoint.method.clone(), endpoint.path.clone()), endpoint.name.clone());
    let around_each = Around { app: app.clone(), operations: Arc::new(endpoints.iter().map(name).collect()) };
    let router = endpoints
        .into_iter()
        .fold(Router::new(), |router, endpoint| router.route(&endpoint.path, endpoint.route()));
    router
        .fallback(|| async { ApiError::not_found("There is nothing here.") })
        .method_not_allowed_fallback(|| async {
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "This method is not allowed here.")
        })
        .layer(middleware::from_fn_with_state(around_each, around))
        .with_state(app)
}

/// Answers only what came through the distribution, and writes one log line a request: by the
/// operation's name, never by the path (a hook's holds a mac). What goes wrong inside is logged
/// within the same span, so it carries the same id.
async fn around(State(around): State<Around>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let id = store::random_id();
    let operation = operation(&around.operations, &request);
    let caller = CallerId::default();
    let span = tracing::info_span!("request", request = id, operation);
    let (mut parts, body) = request.into_parts();
    parts.extensions.insert(caller.clone());
    let answer = if edge::admit(&around.app, &mut parts) {
        let answer = next.run(Request::from_parts(parts, body)).instrument(span.clone());
        // A mistake of ours in one request ends that request only.
        AssertUnwindSafe(answer)
            .catch_unwind()
            .await
            .unwrap_or_else(|panic| span.in_scope(|| panicked(&*panic)))
    } else {
        ApiError::forbidden().into_response()
    };
    let mut response = with_request_id(plain(answer), &id).await;
    let headers = response.headers_mut();
    headers.insert(&REQUEST_ID, HeaderValue::from_str(&id).expect("ids are hex"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    headers.entry(header::X_CONTENT_TYPE_OPTIONS).or_insert(HeaderValue::from_static("nosniff"));
    let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    let caller = caller.0.get().map(UserId::as_str);
    let status = response.status().as_u16();
    span.in_scope(|| tracing::info!(request = id, operation, caller, status, ms, "request"));
    response
}

fn panicked(panic: &(dyn Any + Send)) -> Response {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    tracing::error!(panic = text, "a request failed");
    ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, TRY_AGAIN).into_response()
}

/// What answers every request where a setting is missing or wrong, which `problem` names: the log is told at
/// each, and the process lives on.
pub fn unset(problem: String) -> Router {
    let answer = move || async move {
        let id = store::random_id();
        tracing::error!(request = id, error = problem, alarm = "setup", "a request failed");
        with_request_id(ApiError::not_set_up().into_response(), &id).await
    };
    Router::new().fallback(answer)
}

/// The endpoint's name; `-` for what is none of ours.
fn operation(operations: &Operations, request: &Request) -> String {
    let route = request.extensions().get::<MatchedPath>().map(|path| path.as_str().to_owned());
    let method = match request.method() {
        &Method::HEAD => Method::GET,
        method => method.clone(),
    };
    let name = route.and_then(|route| operations.get(&(method, route)));
    name.map_or_else(|| "-".to_owned(), Clone::clone)
}

/// A failure of ours names the request in its body, so that a player can tell us which it was.
async fn with_request_id(response: Response, id: &str) -> Response {
    if !response.status().is_server_error() {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let mut fields = read_fields(body).await.unwrap_or_else(|problem| {
        tracing::error!(request = id, problem, "a failure's body is not read");
        ApiError::new(parts.status, TRY_AGAIN).fields()
    });
    fields.insert("requestId".to_owned(), Value::from(id));
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.remove(header::CONTENT_TYPE);
    (parts, Json(fields)).into_response()
}

async fn read_fields(body: Body) -> Result<Map<String, Value>, String> {
    let bytes = to_bytes(body, super::body::LIMIT).await.map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
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

#[cfg(test)]
mod tests {
    use app::Config;
    use axum::routing::on;
    use clients::Clock;
    use sha2::{Digest, Sha256};
    use tower::ServiceExt;

    use super::*;
    use crate::platform::{http::edge::ORIGIN_SECRET, table::MakeRoute};

    fn app() -> App {
        let own = [("EDGE_SECRET_HASHES", hex::encode(Sha256::digest("edge")))];
        App::new(Config::for_tests(&own).unwrap(), Clock::system(), None)
    }

    fn endpoint(path: &str, make: MakeRoute) -> Endpoint {
        Endpoint::at(path[1..].to_owned(), Method::GET, path.to_owned(), make)
    }

    #[tokio::test]
    async fn a_panic_ends_the_request_that_it_happens_in() {
        async fn mistaken() {
            panic!("a mistake of ours");
        }
        let mistake = endpoint("/mistake", |method| on(method, mistaken));
        let sound = endpoint("/sound", |method| on(method, async || "sound"));
        let service = service(vec![mistake, sound], app());
        let ask = |path: &str| {
            let request = Request::builder().uri(path).header(ORIGIN_SECRET, "edge");
            service.clone().oneshot(request.body(Body::empty()).unwrap())
        };
        let failed = ask("/mistake").await.unwrap();
        assert_eq!(failed.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(failed.into_body(), 1_000).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["message"], TRY_AGAIN);
        assert!(body["requestId"].is_string());
        assert_eq!(ask("/sound").await.unwrap().status(), StatusCode::OK);
    }

    #[tokio::test]
    async fn a_failure_whose_body_is_no_json_says_what_every_failure_says() {
        let bare = endpoint("/bare", |method| on(method, async || (StatusCode::SERVICE_UNAVAILABLE, "busy")));
        let service = service(vec![bare], app());
        let request = Request::builder().uri("/bare").header(ORIGIN_SECRET, "edge");
        let failed = service.oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(failed.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(failed.headers()[header::CONTENT_TYPE], "application/json");
        let body = to_bytes(failed.into_body(), 1_000).await.unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&body["message"], &body["code"]), (&Value::from(TRY_AGAIN), &Value::from("unavailable")));
        assert!(body["requestId"].is_string());
    }
}
