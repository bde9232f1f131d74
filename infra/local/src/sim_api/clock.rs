//! `/sim/api/clock` and `PUT /sim/api/fpl/gameweeks/{id}`: the same jump.

use axum::{
    Json,
    body::Bytes,
    extract::{Path, State},
    http::StatusCode,
};
use jiff::{Timestamp, Unit};
use serde::Deserialize;
use serde_json::{Value, json};
use sim::Phase;

use super::{Api, Refused, read};
use crate::world::jump::{JumpError, Target};

/// `{"advanceSeconds":3600}` or `{"to":"…"}`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Jump {
    advance_seconds: Option<u32>,
    to: Option<Timestamp>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Move {
    phase: Phase,
}

pub async fn now(State(api): State<Api>) -> Json<Value> {
    answer(api.engine.clock().now())
}

pub async fn jump(State(api): State<Api>, body: Bytes) -> Result<Json<Value>, Refused> {
    let target = match read(&body)? {
        Jump { advance_seconds: Some(seconds), to: None } => Target::Ahead(seconds),
        Jump { advance_seconds: None, to: Some(at) } => Target::At(at),
        _ => return Err(Refused::bad("Say either advanceSeconds or to.")),
    };
    run(&api, target).await
}

pub async fn move_to_phase(
    State(api): State<Api>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Value>, Refused> {
    let Move { phase } = read(&body)?;
    let start = id.parse().ok().and_then(|id| api.sim.phase_start(id, phase));
    let Some(start) = start else {
        return Err(Refused::new(StatusCode::NOT_FOUND, format!("There is no gameweek {id}.")));
    };
    let now = api.engine.clock().now();
    if now >= start {
        return Ok(answer(now));
    }
    match run(&api, Target::At(start)).await {
        // Somebody else's jump got there first: the phase is reached.
        Err(refused) if refused.status == StatusCode::CONFLICT => Ok(answer(api.engine.clock().now())),
        other => other,
    }
}

async fn run(api: &Api, target: Target) -> Result<Json<Value>, Refused> {
    // In a task of its own: a caller that hangs up must not leave the jump half done.
    let engine = api.engine.clone();
    let jumped = tokio::spawn(async move { engine.jump(target).await });
    match jumped.await.map_err(|error| Refused::from(anyhow::Error::from(error)))? {
        Ok(now) => Ok(answer(now)),
        Err(JumpError::Broken(error)) => Err(error.into()),
        Err(error) => {
            let status = match &error {
                JumpError::Back { .. } => StatusCode::CONFLICT,
                JumpError::TooFar => StatusCode::BAD_REQUEST,
                JumpError::Stopping => StatusCode::SERVICE_UNAVAILABLE,
                JumpError::Circles { .. } | JumpError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
            };
            Err(Refused::new(status, error.to_string()))
        }
    }
}

/// In milliseconds, rounded down: what a browser can hold.
fn answer(now: Timestamp) -> Json<Value> {
    let now = now.round(jiff::TimestampRound::new().smallest(Unit::Millisecond).mode(jiff::RoundMode::Trunc));
    Json(json!({ "now": now.expect("a millisecond divides a day").to_string() }))
}
