//! `bootstrap`: the one binary of every Lambda. `_HANDLER` (the template's `Handler`) names the route
//! or the job that this one serves; nothing is made for the others.

use std::sync::Arc;

use app::{App, Config, ConfigError};
use clients::Clock;
use functions::platform::{deployment::Deployment, http::gateway};
use futures_util::{FutureExt, future::Shared};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde_json::Value;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    tracing::subscriber::set_global_default(functions::platform::http::log::subscriber(std::io::stdout))?;
    let handler = std::env::var("_HANDLER").unwrap_or_default();
    let config = Config::from_vars(|name| std::env::var(name).ok());
    let app = config.map(|config| App::new(config, Clock::system(), None));

    if let Some(endpoint) = functions::endpoints().into_iter().find(|endpoint| endpoint.name == handler) {
        let prepared = prepare(&app, &endpoint.deployment);
        let service = match app {
            Ok(app) => functions::service(vec![endpoint], app),
            Err(problem) => functions::unset(problem.to_string()),
        };
        let handle = service_fn(move |event: LambdaEvent<gateway::Event>| {
            let (prepared, answer) = (prepared.clone(), gateway::serve(service.clone(), event.payload));
            async move {
                prepared.await;
                answer.await.map_err(Error::from)
            }
        });
        return lambda_runtime::run(handle).await;
    }
    if let Some(job) = functions::jobs().into_iter().find(|job| job.name == handler) {
        let prepared = prepare(&app, &job.deployment);
        let run = Arc::clone(&job.run);
        let handle = service_fn(move |event: LambdaEvent<Value>| {
            let running = app.as_ref().map(|app| run(app.clone(), event.payload));
            let running = running.map_err(|problem| unset(&handler, problem));
            let prepared = prepared.clone();
            async move {
                prepared.await;
                running?.await.map_err(Error::from)
            }
        });
        return lambda_runtime::run(handle).await;
    }
    let endpoints = functions::endpoints().into_iter().map(|endpoint| endpoint.name);
    let known = endpoints.chain(functions::jobs().into_iter().map(|job| job.name.to_owned()));
    Err(format!("_HANDLER '{handler}' names no function. Known: {}", known.collect::<Vec<_>>().join(", "))
        .into())
}

/// Before the first event: names the secrets to read together and, where the function uses the table, opens its
/// connection while the runtime registers. The first event waits for it; otherwise it would open a second one.
fn prepare(
    app: &Result<App, ConfigError>,
    deployment: &Deployment,
) -> Shared<impl Future<Output = ()> + use<>> {
    if let Ok(app) = app {
        app.secrets().read_together(deployment.secrets());
    }
    let app = app.as_ref().ok().filter(|_| deployment.asks_the_table()).cloned();
    let warming = tokio::spawn(async move {
        if let Some(app) = app {
            app.warm().await;
        }
    });
    warming.map(drop).shared()
}

/// A job without its settings: it fails at each event, which is tried again and seen, and the process lives on.
fn unset(job: &str, problem: &ConfigError) -> Error {
    let error = problem.to_string();
    tracing::error!(job, error, alarm = "setup", "a job failed");
    error.into()
}
