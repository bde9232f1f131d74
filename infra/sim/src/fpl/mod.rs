//! The official game's API as it answers a companion app (docs/fpl.md): the same paths, statuses and
//! shapes, with faults on demand. It is read only, and it refuses clients that do not say who they are.

mod bootstrap;
mod entry;
mod guard;
mod matches;
mod spoiled;

use axum::{
    Json, Router,
    http::StatusCode,
    middleware,
    response::{IntoResponse, Response},
    routing::get,
};
use serde_json::json;

pub(crate) use entry::{parse_id, team_name};
pub(crate) use guard::Requests;

use crate::Sim;

pub(crate) fn router(sim: Sim) -> Router {
    let api = Router::new()
        .route("/bootstrap-static/", get(bootstrap::bootstrap))
        .route("/event-status/", get(bootstrap::event_status))
        .route("/fixtures/", get(matches::list_fixtures))
        .route("/event/{gameweek}/live/", get(matches::live))
        .route("/entry/{id}/", get(entry::summary))
        .route("/entry/{id}/history/", get(entry::history))
        .route("/entry/{id}/event/{gameweek}/picks/", get(entry::picks))
        .fallback(|| async { not_found() })
        .layer(middleware::from_fn_with_state(sim.clone(), guard::guard));
    Router::new().nest("/api", api).with_state(sim)
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, Json(json!({ "detail": "Not found." }))).into_response()
}

/// What the game answers when something of ours failed; the log has the reason.
fn broken(error: &anyhow::Error) -> Response {
    tracing::error!(error = format!("{error:#}"), "the simulated game failed");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}
