//! `/sim/api/jobs/{name}`: `POST` starts a scheduled function now, `PUT {"enabled":false}` has its rules
//! rest. (The product puts the fence's rule at each run of `sync-gameweek`, which switches it on.)

use axum::{
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Deserialize;

use super::{Api, Refused, clock::refused, read};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Switch {
    enabled: bool,
}

pub async fn start(State(api): State<Api>, Path(name): Path<String>) -> Result<StatusCode, Refused> {
    let (engine, job) = (api.engine.clone(), name.clone());
    // In a task of its own: a caller that hangs up must not leave it half done.
    let started = tokio::spawn(async move { engine.start(&job).await });
    let started = started.await.map_err(|error| Refused::from(anyhow::Error::from(error)))?;
    answer(started.map_err(refused)?, &name)
}

pub async fn switch(
    State(api): State<Api>,
    Path(name): Path<String>,
    body: Bytes,
) -> Result<StatusCode, Refused> {
    let Switch { enabled } = read(&body)?;
    answer(api.engine.switch(&name, enabled)?, &name)
}

fn answer(found: bool, name: &str) -> Result<StatusCode, Refused> {
    if found {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refused::new(StatusCode::NOT_FOUND, format!("No rule starts a function {name}.")))
    }
}
