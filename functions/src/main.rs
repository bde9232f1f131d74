//! `bootstrap`: the one binary of every Lambda. `_HANDLER` (the template's `Handler`) names the route
//! or the job that this one serves.

use std::sync::Arc;

use app::{App, Config, ConfigError};
use clients::Clock;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde_json::Value;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    tracing::subscriber::set_global_default(functions::platform::http::log::subscriber(std::io::stdout))?;
    let handler = std::env::var("_HANDLER").unwrap_or_default();
    let config = Config::from_vars(|name| std::env::var(name).ok());
    let app = config.map(|config| App::new(config, Clock::system(), None));

    let endpoints = functions::endpoints();
    if let Some(endpoint) = endpoints.iter().find(|endpoint| endpoint.name == handler) {
        let service = match app {
            Ok(app) => functions::service(vec![endpoint.clone()], app),
            Err(problem) => functions::unset(problem.to_string()),
        };
        return lambda_http::run(service).await;
    }
    let jobs = functions::jobs();
    if let Some(job) = jobs.iter().find(|job| job.name == handler) {
        let run = Arc::clone(&job.run);
        let handle = service_fn(move |event: LambdaEvent<Value>| {
            let running = app.as_ref().map(|app| run(app.clone(), event.payload));
            let running = running.map_err(|problem| unset(&handler, problem));
            async move { running?.await.map_err(Error::from) }
        });
        return lambda_runtime::run(handle).await;
    }
    let known = endpoints.iter().map(|e| e.name.as_str()).chain(jobs.iter().map(|job| job.name));
    Err(format!("_HANDLER '{handler}' names no function. Known: {}", known.collect::<Vec<_>>().join(", "))
        .into())
}

/// A job without its settings: it fails at each event, which is tried again and seen, and the process lives on.
fn unset(job: &str, problem: &ConfigError) -> Error {
    let error = problem.to_string();
    tracing::error!(job, error, alarm = "setup", "a job failed");
    error.into()
}
