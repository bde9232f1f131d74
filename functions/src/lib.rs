//! THE TABLE: every HTTP function and every job of the product, one line each.

use std::{future::Future, pin::Pin};

use app::App;
use axum::{Router, routing::MethodRouter};
use serde_json::Value;

/// One HTTP function: `name` is the template's `Handler`, `path` as axum, OpenAPI and API Gateway
/// write it.
#[derive(Clone)]
pub struct Endpoint {
    pub name: String,
    pub method: http::Method,
    pub path: String,
    pub route: MethodRouter<App>,
}

/// What a job answers: for a queue `{"batchItemFailures":[…]}`, for a schedule null.
pub type JobResult = Result<Value, JobError>;

/// A job that could not run at all (every message of its batch is tried again).
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

/// One function that a queue or a schedule starts. `run` takes the event as AWS delivers it (an
/// SQS event or an EventBridge event, in JSON).
#[derive(Clone, Copy)]
pub struct Job {
    pub name: &'static str,
    pub run: fn(App, Value) -> Pin<Box<dyn Future<Output = JobResult> + Send>>,
}

/// Every HTTP function.
#[must_use]
pub fn endpoints() -> Vec<Endpoint> {
    Vec::new()
}

/// Every job.
#[must_use]
pub fn jobs() -> Vec<Job> {
    Vec::new()
}

/// The service that answers for `endpoints`, with everything that surrounds each of them
/// (body limit, errors as `{"message"}`, request log). The same in a Lambda and in the local run.
pub fn service(endpoints: Vec<Endpoint>, app: App) -> Router {
    endpoints
        .into_iter()
        .fold(Router::new(), |router, endpoint| router.route(&endpoint.path, endpoint.route))
        .with_state(app)
}
