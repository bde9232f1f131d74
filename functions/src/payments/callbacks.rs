//! What M-Pesa calls about a prompt. That it was paid is noted with the prompt before the body goes to the queue, since
//! its entry goes by when we heard it.

use app::{App, payments::prompts, platform::queues::ProcessPayment};
use axum::{
    Json,
    extract::{Path, Request, State},
};
use jiff::SignedDuration;

use crate::platform::http::{
    ApiError, Refusal,
    hooks::{ACKNOWLEDGED, Acknowledged, take},
};

/// A prompt's callback (docs/daraja.md).
#[utoipa::path(post, path = "/hooks/stk/{paymentId}/{mac}", tag = "hooks",
    params(
        ("paymentId" = String, Path, description = "Ours: 32 hex digits", pattern = "^[0-9a-f]{32}$"),
        ("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex", pattern = "^[0-9a-f]{64}$"),
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
    let body = take(&app, &path, &payment_id, &mac, request).await?;
    // Both are tried: the message brings the money, the note the entry.
    let noted = prompts::note_evidence(&app, &payment_id, body.as_bytes(), at).await;
    app.send(&ProcessPayment::callback(payment_id, body, at), SignedDuration::ZERO).await?;
    noted?;
    Ok(Json(ACKNOWLEDGED))
}
