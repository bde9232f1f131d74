//! What M-Pesa calls about a payment to the paybill.

use app::{App, payments::paybill, platform::queues::MpesaTask};
use axum::{
    Json,
    extract::{Path, Request, State},
};

use crate::platform::http::{
    ApiError, Refusal,
    hooks::{Acknowledged, body_of, send},
};

/// A payment to the paybill.
#[utoipa::path(post, path = "/hooks/c2b/confirm/{mac}", tag = "hooks",
    params(("mac" = String, Path, description = "HMAC-SHA-256 of the path before it, hex", pattern = "^[0-9a-f]{64}$")),
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
    let is_ours = paybill::is_confirmation_mac(&app, &mac).await?;
    let body = body_of(request, is_ours).await?;
    send(&app, &MpesaTask::Confirmation { body, received_at }).await
}
