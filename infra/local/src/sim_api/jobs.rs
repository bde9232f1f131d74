//! `/sim/api/jobs/{name}`: `POST` starts a scheduled function now, `PUT {"enabled":false}` has its rules
//! rest. (`sync-gameweek` looks at the fence's rule in every run, and puts it where its time differs or it is switched
//! off; that switches it on.)

use axum::{
    extract::{Path, State},
    http::StatusCode,
};
use serde::Deserialize;
use sim::{Read, Refusal};

use super::{Api, clock::refused};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    enabled: bool,
}

pub async fn start(State(api): State<Api>, Path(name): Path<String>) -> Result<StatusCode, Refusal> {
    let (engine, job) = (api.engine.clone(), name.clone());
    // In a task of its own: a caller that hangs up must not leave it half done.
    let started = tokio::spawn(async move { engine.start(&job).await });
    let started = started.await.map_err(|error| Refusal::from(anyhow::Error::from(error)))?;
    answer(started.map_err(refused)?, &name)
}

pub async fn switch(
    State(api): State<Api>,
    Path(name): Path<String>,
    Read(Switch { enabled }): Read<Switch>,
) -> Result<StatusCode, Refusal> {
    answer(api.engine.switch(&name, enabled)?, &name)
}

fn answer(found: bool, name: &str) -> Result<StatusCode, Refusal> {
    if found {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Refusal::not_found(format!("No rule starts a function {name}.")))
    }
}
