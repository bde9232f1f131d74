//! `/sim/api/clock` and `PUT /sim/api/fpl/gameweeks/{id}`: a phase is the same jump; a kind or a
//! deadline is the stand-ins' to set.

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use jiff::{Timestamp, Unit};
use serde::Deserialize;
use serde_json::{Value, json};
use sim::{ChangeError, GameweekChange, GameweekRefused, Kind, Phase, Read, Refusal};

use super::Api;
use crate::world::jump::{JumpError, Target};

/// `{"advanceSeconds":3600}` or `{"to":"…"}`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Jump {
    advance_seconds: Option<u32>,
    to: Option<Timestamp>,
}

/// `{"phase":"…"}`, or `{"kind":"…","deadline":"…"}` with one of the two or both.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    phase: Option<Phase>,
    kind: Option<Kind>,
    deadline: Option<Timestamp>,
}

pub async fn now(State(api): State<Api>) -> Json<Value> {
    answer(api.engine.clock().now())
}

pub async fn jump(State(api): State<Api>, Read(jump): Read<Jump>) -> Result<Json<Value>, Refusal> {
    let target = match jump {
        Jump { advance_seconds: Some(seconds), to: None } => Target::Ahead(seconds),
        Jump { advance_seconds: None, to: Some(at) } => Target::At(at),
        _ => return Err(Refusal::bad("Say either advanceSeconds or to.")),
    };
    run(&api, target).await
}

pub async fn change_gameweek(
    State(api): State<Api>,
    Path(id): Path<String>,
    Read(change): Read<Change>,
) -> Result<Json<Value>, Refusal> {
    let unknown = || Refusal::not_found(format!("There is no gameweek {id}."));
    let gameweek = id.parse().map_err(|_| unknown())?;
    match change {
        Change { phase: Some(phase), kind: None, deadline: None } => {
            let start = api.sim.phase_start(gameweek, phase).ok_or_else(unknown)?;
            move_to(&api, start).await
        }
        Change { phase: None, kind: None, deadline: None } | Change { phase: Some(_), .. } => {
            Err(Refusal::bad("Say either phase, or kind, deadline or both."))
        }
        Change { phase: None, kind, deadline } => {
            let changed = api.sim.change_gameweek(gameweek, GameweekChange { kind, deadline });
            changed.map(Json).map_err(|error| match error {
                ChangeError::Refused(refused) => {
                    let status = match &refused {
                        GameweekRefused::Unknown(_) => StatusCode::NOT_FOUND,
                        GameweekRefused::Locked(_) => StatusCode::CONFLICT,
                        GameweekRefused::Deadline(_) => StatusCode::BAD_REQUEST,
                    };
                    Refusal::new(status, refused.to_string())
                }
                ChangeError::NotKept(error) => error.into(),
            })
        }
    }
}

/// Moves the clock to the start of a phase, unless it is reached.
async fn move_to(api: &Api, start: Timestamp) -> Result<Json<Value>, Refusal> {
    let now = api.engine.clock().now();
    if now >= start {
        return Ok(answer(now));
    }
    match run(api, Target::At(start)).await {
        // Somebody else's jump got there first: the phase is reached.
        Err(refused) if refused.status == StatusCode::CONFLICT => Ok(answer(api.engine.clock().now())),
        other => other,
    }
}

async fn run(api: &Api, target: Target) -> Result<Json<Value>, Refusal> {
    // In a task of its own: a caller that hangs up must not leave the jump half done.
    let engine = api.engine.clone();
    let jumped = tokio::spawn(async move { engine.jump(target).await });
    let jumped = jumped.await.map_err(|error| Refusal::from(anyhow::Error::from(error)))?;
    jumped.map(answer).map_err(refused)
}

pub(super) fn refused(error: JumpError) -> Refusal {
    let status = match &error {
        JumpError::Back { .. } => StatusCode::CONFLICT,
        JumpError::TooFar => StatusCode::BAD_REQUEST,
        JumpError::Stopping => StatusCode::SERVICE_UNAVAILABLE,
        JumpError::Circles { .. } | JumpError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    match error {
        JumpError::Broken(error) => error.into(),
        error => Refusal::new(status, error.to_string()),
    }
}

/// In milliseconds, rounded down: what a browser can hold.
fn answer(now: Timestamp) -> Json<Value> {
    let now = now.round(jiff::TimestampRound::new().smallest(Unit::Millisecond).mode(jiff::RoundMode::Trunc));
    Json(json!({ "now": now.expect("a millisecond divides a day").to_string() }))
}
