//! What a line of the table is.

use std::{collections::HashMap, future::Future, pin::Pin, sync::Arc};

use app::{App, AppError};
use axum::{
    middleware::map_response,
    response::Response,
    routing::{MethodFilter, MethodRouter},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::JoinSet;
use utoipa::openapi::HttpMethod;
#[cfg(feature = "document")]
use utoipa_axum::router::UtoipaMethodRouter;

use super::{
    deployment::{Batches, Deployment, Grant, Queue, Trigger},
    http::{ApiError, complete, tagged},
};

/// One HTTP function: `name` is the template's `Handler`, `path` as axum, OpenAPI and API Gateway
/// write it. What is costly to make is made when it is asked for: a Lambda makes the one route that it serves.
#[derive(Clone)]
pub struct Endpoint {
    pub name: String,
    pub method: ::http::Method,
    pub path: String,
    /// The same for everybody: it reads no token, and the edge keeps its answers.
    pub is_public: bool,
    pub deployment: Deployment,
    make: MakeRoute,
    /// The layer around its route.
    around: Option<Around>,
    /// What completes its refusals.
    refusals: Option<fn(ApiError) -> ApiError>,
    /// Its part of the document, which no Lambda has.
    #[cfg(feature = "document")]
    pub(crate) describe: Option<fn() -> UtoipaMethodRouter<App>>,
}

type Around = Arc<dyn Fn(MethodRouter<App>) -> MethodRouter<App> + Send + Sync>;

/// A handler as the route of one method.
pub(crate) type MakeRoute = fn(MethodFilter) -> MethodRouter<App>;

impl Endpoint {
    /// The handler of that name, which declares `P`.
    ///
    /// # Panics
    /// A handler declares exactly one method: anything else is a mistake in the table.
    pub(crate) fn new<P: utoipa::Path>(handler: &str, make: MakeRoute) -> Self {
        let method = match P::methods().as_slice() {
            [HttpMethod::Get] => ::http::Method::GET,
            [HttpMethod::Post] => ::http::Method::POST,
            [HttpMethod::Put] => ::http::Method::PUT,
            [HttpMethod::Patch] => ::http::Method::PATCH,
            [HttpMethod::Delete] => ::http::Method::DELETE,
            _ => panic!("{handler}: a handler declares one method"),
        };
        Self::at(handler.replace('_', "-"), method, P::path(), make)
    }

    pub(crate) fn at(name: String, method: ::http::Method, path: String, make: MakeRoute) -> Self {
        Self {
            name,
            method,
            path,
            is_public: false,
            deployment: Deployment::default(),
            make,
            around: None,
            refusals: None,
            #[cfg(feature = "document")]
            describe: None,
        }
    }

    #[cfg(feature = "document")]
    pub(crate) fn described(mut self, describe: fn() -> UtoipaMethodRouter<App>) -> Self {
        self.describe = Some(describe);
        self
    }

    /// # Panics
    /// Never: [`Self::new`] knows no other methods.
    pub(crate) fn route(&self) -> MethodRouter<App> {
        let method = MethodFilter::try_from(self.method.clone()).expect("a method of ours");
        let route = (self.make)(method);
        let route = match self.refusals {
            Some(with) => route.layer(map_response(move |answer: Response| complete(answer, with))),
            None => route,
        };
        let route = if self.is_public { tagged(route) } else { route };
        match &self.around {
            Some(around) => around(route),
            None => route,
        }
    }

    /// The same endpoint, its route wrapped by `with`.
    #[must_use]
    pub fn around(
        mut self,
        with: impl Fn(MethodRouter<App>) -> MethodRouter<App> + Send + Sync + 'static,
    ) -> Self {
        self.around = Some(Arc::new(with));
        self
    }

    pub(crate) fn memory(mut self, megabytes: u32) -> Self {
        self.deployment.memory = megabytes;
        self
    }

    pub(crate) fn public(self) -> Self {
        Self { is_public: true, ..self }
    }

    /// Has `with` complete what the endpoint refuses.
    pub(crate) fn refusals(mut self, with: fn(ApiError) -> ApiError) -> Self {
        self.refusals = Some(with);
        self
    }
}

/// The endpoint that a handler is, by its path: `utoipa::path` has declared a type beside it, which bears its name.
macro_rules! endpoint {
    ($area:ident::$handler:ident) => {
        endpoint!(@[$area] $handler)
    };
    ($area:ident::$file:ident::$handler:ident) => {
        endpoint!(@[$area::$file] $handler)
    };
    ($area:ident::$folder:ident::$file:ident::$handler:ident) => {
        endpoint!(@[$area::$folder::$file] $handler)
    };
    (@[$($module:ident)::+] $handler:ident) => {{
        let declared = utoipa_axum::paste! {
            $crate::platform::table::Endpoint::new::<$($module)::+::[<__path_ $handler>]>
        };
        let endpoint = declared(stringify!($handler), |method| axum::routing::on(method, $($module)::+::$handler));
        #[cfg(feature = "document")]
        let endpoint = endpoint.described(|| utoipa_axum::routes!($($module)::+::$handler));
        endpoint
    }};
}
pub(crate) use endpoint;

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
    /// The only partitions of the table that it may delete from.
    pub(crate) fn deletes_from(mut self, partitions: &'static [&'static str]) -> Self {
        self.deployment.deletes = partitions;
        self
    }

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

/// What a queue gives to a function, as far as it is read.
#[derive(Deserialize)]
struct Messages {
    #[serde(rename = "Records")]
    records: Vec<Message>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    message_id: String,
    body: String,
}

async fn each(name: &'static str, work: Work, app: App, event: Value) -> JobResult {
    let event: Messages =
        serde_json::from_value(event).map_err(|error| JobError(format!("{name}: {error}")))?;
    // At once: one that waits for the outside world does not hold up the others.
    let mut running = JoinSet::new();
    let mut ids = HashMap::new();
    for record in event.records {
        let task = running.spawn(work(app.clone(), record.body));
        ids.insert(task.id(), record.message_id);
    }
    let mut failures = Vec::new();
    while let Some(ended) = running.join_next_with_id().await {
        let (task, error, alarm) = match ended {
            Ok((_, Ok(()))) => continue,
            Ok((task, Err(error))) => (task, error.to_string(), error.alarm()),
            Err(panic) => (panic.id(), panic.to_string(), None),
        };
        let id = ids.remove(&task).unwrap_or_default();
        tracing::error!(job = name, record = id, error, alarm, "a message is to be tried again");
        failures.push(json!({ "itemIdentifier": id }));
    }
    Ok(json!({ "batchItemFailures": failures }))
}
