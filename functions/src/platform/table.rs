//! What a line of the table is.

use std::{collections::HashMap, future::Future, pin::Pin, sync::Arc};

use app::{App, AppError};
use aws_lambda_events::sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent};
use axum::{middleware::map_response, response::Response, routing::MethodRouter};
use serde_json::Value;
use tokio::task::JoinSet;
use utoipa::openapi::{Paths, RefOr, Schema, path::Operation};
use utoipa_axum::router::UtoipaMethodRouter;

use super::{
    deployment::{Batches, Deployment, Grant, Queue, Trigger},
    http::tagged,
};

/// One HTTP function: `name` is the template's `Handler`, `path` as axum, OpenAPI and API Gateway
/// write it.
#[derive(Clone)]
pub struct Endpoint {
    pub name: String,
    pub method: ::http::Method,
    pub path: String,
    pub route: MethodRouter<App>,
    /// The same for everybody: it reads no token, and the edge keeps its answers.
    pub is_public: bool,
    pub deployment: Deployment,
    pub(crate) paths: Paths,
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
}

impl Endpoint {
    /// # Panics
    /// A handler declares exactly one path and method: anything else is a mistake in the table.
    pub(crate) fn from_routes((schemas, paths, route): UtoipaMethodRouter<App>) -> Self {
        let (path, item) = paths.paths.iter().next().expect("a handler declares its path");
        let methods = [
            (::http::Method::GET, &item.get),
            (::http::Method::POST, &item.post),
            (::http::Method::PUT, &item.put),
            (::http::Method::PATCH, &item.patch),
            (::http::Method::DELETE, &item.delete),
        ];
        let declared: Vec<(::http::Method, &Operation)> = methods
            .into_iter()
            .filter_map(|(method, operation)| Some((method, operation.as_ref()?)))
            .collect();
        let [(method, operation)] = declared.as_slice() else {
            panic!("{path}: a handler declares one method");
        };
        let name = operation.operation_id.as_ref().expect("an operation has an id").replace('_', "-");
        Self {
            name,
            method: method.clone(),
            path: path.clone(),
            route,
            is_public: false,
            deployment: Deployment::default(),
            paths,
            schemas,
        }
    }

    pub(crate) fn memory(mut self, megabytes: u32) -> Self {
        self.deployment.memory = megabytes;
        self
    }

    /// The only partitions of the table that it may read.
    pub(crate) fn reads(mut self, partitions: &'static [&'static str]) -> Self {
        self.deployment.reads = partitions;
        self
    }

    /// The only partitions of the table that it may write.
    pub(crate) fn writes(mut self, partitions: &'static [&'static str]) -> Self {
        self.deployment.writes = partitions;
        self
    }

    /// The only partitions of the table that it may read or write.
    pub(crate) fn keeps_to(self, partitions: &'static [&'static str]) -> Self {
        self.reads(partitions).writes(partitions)
    }

    pub(crate) fn public(self) -> Self {
        Self { route: tagged(self.route), is_public: true, ..self }
    }

    /// Has `with` complete what the endpoint refuses.
    pub(crate) fn refusals<F>(mut self, with: fn(Response) -> F) -> Self
    where
        F: Future<Output = Response> + Send + 'static,
    {
        self.route = self.route.layer(map_response(with));
        self
    }
}

/// What a line says of its function, an endpoint's or a job's.
macro_rules! deployed {
    ($line:ty) => {
        impl $line {
            pub(crate) fn may(mut self, grants: &'static [Grant]) -> Self {
                self.deployment.grants = grants;
                self
            }

            pub(crate) fn timeout(mut self, seconds: u32) -> Self {
                self.deployment.timeout = seconds;
                self
            }
        }
    };
}
deployed!(Endpoint);
deployed!(Job);

/// What a job answers: for a queue `{"batchItemFailures":[…]}`, for a schedule null.
pub type JobResult = Result<Value, JobError>;

/// A job that could not run at all (every message of its batch is tried again).
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JobError(pub String);

type RunJob<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Run = Arc<dyn Fn(App, Value) -> RunJob<JobResult> + Send + Sync>;
type Work = Arc<dyn Fn(App, String) -> RunJob<Result<(), AppError>> + Send + Sync>;

/// One function that a queue or a schedule starts. It takes the event as AWS delivers it (an SQS
/// event or an EventBridge event, in JSON).
#[derive(Clone)]
pub struct Job {
    pub name: &'static str,
    pub run: Run,
    pub trigger: Trigger,
    pub deployment: Deployment,
}

impl Job {
    fn new(name: &'static str, trigger: Trigger, run: Run) -> Self {
        Self { name, run, trigger, deployment: Deployment::default() }
    }

    /// A job over the messages of a queue, each on its own: one that fails is tried again, the others
    /// of its batch are not.
    pub(crate) fn queue<F>(
        name: &'static str,
        queue: Queue,
        batches: Batches,
        work: fn(App, String) -> F,
    ) -> Self
    where
        F: Future<Output = Result<(), AppError>> + Send + 'static,
    {
        let work: Work = Arc::new(move |app, message| Box::pin(work(app, message)));
        let run = move |app, event| -> RunJob<JobResult> { Box::pin(each(name, work.clone(), app, event)) };
        Self::new(name, Trigger::Queue(queue, batches), Arc::new(run))
    }

    /// A job that time starts: `schedule` as EventBridge writes it.
    pub(crate) fn schedule<F>(name: &'static str, schedule: &'static str, work: fn(App) -> F) -> Self
    where
        F: Future<Output = Result<(), AppError>> + Send + 'static,
    {
        Self { trigger: Trigger::Schedule(schedule), ..Self::rule(name, work) }
    }

    /// A job that a rule of the template's base starts.
    pub(crate) fn rule<F>(name: &'static str, work: fn(App) -> F) -> Self
    where
        F: Future<Output = Result<(), AppError>> + Send + 'static,
    {
        let run = move |app: App, _event: Value| -> RunJob<JobResult> {
            Box::pin(async move {
                work(app).await.map_err(|error| {
                    tracing::error!(job = name, %error, alarm = error.alarm(), "a job failed");
                    JobError(format!("{name}: {error}"))
                })?;
                Ok(Value::Null)
            })
        };
        Self::new(name, Trigger::Rule, Arc::new(run))
    }
}

async fn each(name: &'static str, work: Work, app: App, event: Value) -> JobResult {
    let event: SqsEvent =
        serde_json::from_value(event).map_err(|error| JobError(format!("{name}: {error}")))?;
    // At once: one that waits for the outside world does not hold up the others.
    let mut running = JoinSet::new();
    let mut ids = HashMap::new();
    for record in event.records {
        let task = running.spawn(work(app.clone(), record.body.unwrap_or_default()));
        ids.insert(task.id(), record.message_id.unwrap_or_default());
    }
    let mut response = SqsBatchResponse::default();
    while let Some(ended) = running.join_next_with_id().await {
        let (task, error, alarm) = match ended {
            Ok((_, Ok(()))) => continue,
            Ok((task, Err(error))) => (task, error.to_string(), error.alarm()),
            Err(panic) => (panic.id(), panic.to_string(), None),
        };
        let id = ids.remove(&task).unwrap_or_default();
        tracing::error!(job = name, message = id, error, alarm, "a message is to be tried again");
        let mut failure = BatchItemFailure::default();
        failure.item_identifier = id;
        response.batch_item_failures.push(failure);
    }
    serde_json::to_value(response).map_err(|error| JobError(format!("{name}: {error}")))
}
