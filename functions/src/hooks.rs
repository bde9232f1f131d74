//! What M-Pesa calls. A path carries the mac of the rest of it; a wrong one finds nothing here. The
//! body goes to the queue as it came, and is answered once it is there.

use app::{App, queues::LookAtPayment};
use axum::{
    Json,
    extract::{Path, Request, State},
};
use domain::account::is_hex_id;
use jiff::SignedDuration;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::{ApiError, Refusal, read_body};

/// What M-Pesa wants to hear.
#[derive(Serialize, ToSchema)]
pub struct Acknowledged {
    #[serde(rename = "ResultCode")]
    result_code: i32,
    #[serde(rename = "ResultDesc")]
    result_desc: &'static str,
}

const ACKNOWLEDGED: Acknowledged = Acknowledged { result_code: 0, result_desc: "Success" };

/// A prompt's callback (facts/daraja.md).
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
    let path = format!("/hooks/stk/{payment_id}");
    if !is_hex_id(&payment_id) || !app.secrets().is_hook_mac(&path, &mac).await? {
        return Err(ApiError::not_found("There is nothing here."));
    }
    let body = read_body(request).await?;
    let body = String::from_utf8_lossy(&body).into_owned();
    let message = LookAtPayment::callback(payment_id, body, app.clock().now());
    app.send(&message, SignedDuration::ZERO).await?;
    Ok(Json(ACKNOWLEDGED))
}
