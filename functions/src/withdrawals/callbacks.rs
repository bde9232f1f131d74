//! What M-Pesa calls about money out: a payout's result, that it timed out, and the answer to a question about a
//! transaction.

use app::{App, platform::queues::MpesaTask};
use axum::{
    Json,
    extract::{Path, Request, State},
};

use crate::platform::http::{
    ApiError, Refusal,
    hooks::{Acknowledged, keep},
};

/// A payout's result (docs/daraja.md).
#[utoipa::path(post, path = "/hooks/b2c/result/{withdrawalId}/{mac}", tag = "hooks",
    params(
        ("withdrawalId" = String, Path, description = "Ours: 32 hex digits", pattern = "^[0-9a-f]{32}$"),
        ("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex", pattern = "^[0-9a-f]{64}$"),
    ),
    request_body(content = serde_json::Value, content_type = "application/json"),
    responses(
        (status = 200, description = "Kept", body = Acknowledged),
        (status = 404, description = "Not a path of ours", body = Refusal),
        (status = 413, description = "Too large", body = Refusal),
    ))]
pub async fn receive_payout_result(
    State(app): State<App>,
    Path((withdrawal_id, mac)): Path<(String, String)>,
    request: Request,
) -> Result<Json<Acknowledged>, ApiError> {
    let path = format!("/hooks/b2c/result/{withdrawal_id}");
    keep(&app, &path, &withdrawal_id, &mac, request, |body| MpesaTask::PayoutResult {
        withdrawal_id: withdrawal_id.clone(),
        body,
    })
    .await
}

/// A payout timed out in M-Pesa's queue. Nothing is concluded from it.
#[utoipa::path(post, path = "/hooks/b2c/timeout/{withdrawalId}/{mac}", tag = "hooks",
    params(
        ("withdrawalId" = String, Path, description = "Ours: 32 hex digits", pattern = "^[0-9a-f]{32}$"),
        ("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex", pattern = "^[0-9a-f]{64}$"),
    ),
    request_body(content = serde_json::Value, content_type = "application/json"),
    responses(
        (status = 200, description = "Kept", body = Acknowledged),
        (status = 404, description = "Not a path of ours", body = Refusal),
        (status = 413, description = "Too large", body = Refusal),
    ))]
pub async fn receive_payout_timeout(
    State(app): State<App>,
    Path((withdrawal_id, mac)): Path<(String, String)>,
    request: Request,
) -> Result<Json<Acknowledged>, ApiError> {
    let path = format!("/hooks/b2c/timeout/{withdrawal_id}");
    keep(&app, &path, &withdrawal_id, &mac, request, |_| MpesaTask::PayoutTimeout {
        withdrawal_id: withdrawal_id.clone(),
    })
    .await
}

/// The answer to a question of ours: a transaction's status, or the accounts' balance.
#[utoipa::path(post, path = "/hooks/status/{id}/{mac}", tag = "hooks",
    params(
        ("id" = String, Path, description = "What was asked about: 32 hex digits"),
        ("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex", pattern = "^[0-9a-f]{64}$"),
    ),
    request_body(content = serde_json::Value, content_type = "application/json"),
    responses(
        (status = 200, description = "Kept", body = Acknowledged),
        (status = 404, description = "Not a path of ours", body = Refusal),
        (status = 413, description = "Too large", body = Refusal),
    ))]
pub async fn receive_status_result(
    State(app): State<App>,
    Path((id, mac)): Path<(String, String)>,
    request: Request,
) -> Result<Json<Acknowledged>, ApiError> {
    let path = format!("/hooks/status/{id}");
    keep(&app, &path, &id, &mac, request, |body| MpesaTask::Answer { id: id.clone(), body }).await
}
