//! What M-Pesa calls. A path carries the mac of the rest of it; a wrong one finds nothing here. The body goes to the
//! queue as it came, and is answered once it is there.

use app::{App, platform::queues::Message};
use axum::{Json, extract::Request};
use domain::accounts::account::is_hex_id;
use jiff::SignedDuration;
use serde::Serialize;
use utoipa::ToSchema;

use crate::platform::http::{ApiError, read_body};

/// What M-Pesa wants to hear.
#[derive(Serialize, ToSchema)]
pub struct Acknowledged {
    #[serde(rename = "ResultCode")]
    #[schema(example = 0)]
    result_code: i32,
    #[serde(rename = "ResultDesc")]
    #[schema(example = "Success")]
    result_desc: &'static str,
}

pub(crate) const ACKNOWLEDGED: Acknowledged = Acknowledged { result_code: 0, result_desc: "Success" };

/// Puts what came on the queue, where the mac is that of `path` and the id in it is one.
pub(crate) async fn keep<M: Message>(
    app: &App,
    path: &str,
    id: &str,
    mac: &str,
    request: Request,
    message: impl FnOnce(String) -> M,
) -> Result<Json<Acknowledged>, ApiError> {
    let body = take(app, path, id, mac, request).await?;
    send(app, &message(body)).await
}

/// Puts a message on its queue, and says so.
pub(crate) async fn send<M: Message>(app: &App, message: &M) -> Result<Json<Acknowledged>, ApiError> {
    app.send(message, SignedDuration::ZERO).await?;
    Ok(Json(ACKNOWLEDGED))
}

/// The body of what was posted, where the mac is that of `path` and the id in it is one.
pub(crate) async fn take(
    app: &App,
    path: &str,
    id: &str,
    mac: &str,
    request: Request,
) -> Result<String, ApiError> {
    let sound = is_hex_id(id) && app.secrets().is_hook_mac(path, mac).await?;
    body_of(request, sound).await
}

/// The body of what was posted, where it was to a path of ours.
pub(crate) async fn body_of(request: Request, is_ours: bool) -> Result<String, ApiError> {
    if !is_ours {
        return Err(ApiError::not_found("There is nothing here."));
    }
    let body = read_body(request).await?;
    Ok(String::from_utf8_lossy(&body).into_owned())
}
