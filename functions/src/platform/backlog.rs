//! What the jobs have done and not done, for an admin.

use app::{App, platform::backlog};
use axum::{Json, extract::State};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use super::http::{Admin, ApiError, Refusal};

/// What waits for the jobs, and what they failed at.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Backlog {
    /// When the official calendar was read last, and believed; null before the first time.
    calendar_read_at: Option<Timestamp>,
    queues: Vec<QueueBacklog>,
    /// Events of jobs that failed at each try, and wait among the dead letters.
    #[schema(example = 0)]
    failed_events: u64,
}

/// A queue. Both figures are about right, and some seconds old.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QueueBacklog {
    #[schema(example = "payments")]
    name: &'static str,
    /// Messages that were sent and not begun.
    #[schema(example = 2)]
    waiting: u64,
    /// Messages that failed at each try, and wait among the dead letters.
    #[schema(example = 0)]
    failed: u64,
}

/// When the official game was read last, what waits in the queues, and what failed for good.
#[utoipa::path(get, path = "/api/admin/backlog", tag = "admin", security(("bearer" = [])), responses(
    (status = 200, description = "As it is now", body = Backlog),
    (status = 403, description = "Not an admin", body = Refusal),
))]
pub async fn get_backlog(State(app): State<App>, _: Admin) -> Result<Json<Backlog>, ApiError> {
    let calendar = async { app.store().calendar().await.map_err(app::AppError::from) };
    let (calendar, backlog) = tokio::try_join!(calendar, backlog::backlog(&app))?;
    let queue =
        |of: backlog::QueueBacklog| QueueBacklog { name: of.queue, waiting: of.waiting, failed: of.dead };
    Ok(Json(Backlog {
        calendar_read_at: calendar.and_then(|calendar| calendar.read_at),
        queues: backlog.queues.into_iter().map(queue).collect(),
        failed_events: backlog.failed_events,
    }))
}
