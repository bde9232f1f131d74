//! What M-Pesa calls. A path carries the mac of the rest of it; a wrong one finds nothing here. The
//! body goes to the queue as it came, and is answered once it is there; that a prompt was paid is noted with the
//! prompt before, since its entry goes by when we heard it.

use app::{
    App,
    payments::prompts,
    platform::queues::{Message, ProcessPayment, TakeResult},
};
use axum::{
    Json,
    extract::{Path, Request, State},
};
use domain::accounts::account::is_hex_id;
use jiff::SignedDuration;
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Refusal, read_body};

/// What M-Pesa wants to hear.
#[derive(Serialize, ToSchema)]
pub struct Acknowledged {
    #[serde(rename = "ResultCode")]
    result_code: i32,
    #[serde(rename = "ResultDesc")]
    result_desc: &'static str,
}

const ACKNOWLEDGED: Acknowledged = Acknowledged { result_code: 0, result_desc: "Success" };

/// A prompt's callback (docs/daraja.md).
#[utoipa::path(post, path = "/hooks/stk/{paymentId}/{mac}", tag = "hooks",
    params(
        ("paymentId" = String, Path, description = "Ours: 32 hex digits"),
        ("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex"),
    ),
    request_body(content = serde_json::Value, content_type = "application/json"),
    responses(
        (status = 200, description = "Kept", body = Acknowledged),
        (status = 404, description = "Not a path of ours", body = Refusal),
        (status = 413, description = "Too large", body = Refusal),
    ))]
pub async fn receive_stk_callback(
    State(app): State<App>,
    Path((payment_id, mac)): Path<(String, String)>,
    request: Request,
) -> Result<Json<Acknowledged>, ApiError> {
    let at = app.clock().now();
    let path = format!("/hooks/stk/{payment_id}");
    let body = take(&app, &path, Some(&payment_id), &mac, request).await?;
    // Both are tried: the message brings the money, the note the entry.
    let noted = prompts::note_evidence(&app, &payment_id, body.as_bytes(), at).await;
    app.send(&ProcessPayment::callback(payment_id, body, at), SignedDuration::ZERO).await?;
    noted?;
    Ok(Json(ACKNOWLEDGED))
}

/// A payout's result (docs/daraja.md).
#[utoipa::path(post, path = "/hooks/b2c/result/{withdrawalId}/{mac}", tag = "hooks",
    params(
        ("withdrawalId" = String, Path, description = "Ours: 32 hex digits"),
        ("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex"),
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
    keep(&app, &path, Some(&withdrawal_id), &mac, request, |body| TakeResult::PayoutResult {
        withdrawal_id: withdrawal_id.clone(),
        body,
    })
    .await
}

/// A payout timed out in M-Pesa's queue. Nothing is concluded from it.
#[utoipa::path(post, path = "/hooks/b2c/timeout/{withdrawalId}/{mac}", tag = "hooks",
    params(
        ("withdrawalId" = String, Path, description = "Ours: 32 hex digits"),
        ("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex"),
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
    keep(&app, &path, Some(&withdrawal_id), &mac, request, |_| TakeResult::PayoutTimeout {
        withdrawal_id: withdrawal_id.clone(),
    })
    .await
}

/// The answer to a question of ours: a transaction's status, or the accounts' balance.
#[utoipa::path(post, path = "/hooks/status/{id}/{mac}", tag = "hooks",
    params(
        ("id" = String, Path, description = "What was asked about: 32 hex digits"),
        ("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex"),
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
    keep(&app, &path, Some(&id), &mac, request, |body| TakeResult::Answer { id: id.clone(), body }).await
}

/// A payment to the paybill.
#[utoipa::path(post, path = "/hooks/c2b/confirm/{mac}", tag = "hooks",
    params(("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex")),
    request_body(content = serde_json::Value, content_type = "application/json"),
    responses(
        (status = 200, description = "Kept", body = Acknowledged),
        (status = 404, description = "Not a path of ours", body = Refusal),
        (status = 413, description = "Too large", body = Refusal),
    ))]
pub async fn receive_paybill_confirmation(
    State(app): State<App>,
    Path(mac): Path<String>,
    request: Request,
) -> Result<Json<Acknowledged>, ApiError> {
    let received_at = app.clock().now();
    keep(&app, "/hooks/c2b/confirm", None, &mac, request, |body| TakeResult::Confirmation {
        body,
        received_at,
    })
    .await
}

/// Puts what came on the queue, where the mac is that of `path` and the id in it is one.
async fn keep<M: Message>(
    app: &App,
    path: &str,
    id: Option<&str>,
    mac: &str,
    request: Request,
    message: impl FnOnce(String) -> M,
) -> Result<Json<Acknowledged>, ApiError> {
    let body = take(app, path, id, mac, request).await?;
    app.send(&message(body), SignedDuration::ZERO).await?;
    Ok(Json(ACKNOWLEDGED))
}

/// The body of what was posted, where the mac is that of `path` and the id in it is one.
async fn take(
    app: &App,
    path: &str,
    id: Option<&str>,
    mac: &str,
    request: Request,
) -> Result<String, ApiError> {
    let sound = id.is_none_or(is_hex_id) && app.secrets().is_hook_mac(path, mac).await?;
    if !sound {
        return Err(ApiError::not_found("There is nothing here."));
    }
    let body = read_body(request).await?;
    Ok(String::from_utf8_lossy(&body).into_owned())
}
