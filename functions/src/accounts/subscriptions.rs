//! The browsers that a player's pushes go to.

use app::{
    App,
    accounts::subscriptions::{self, SubscriptionRequest},
};
use axum::{
    Json,
    extract::{Path, State},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Body, Caller, CallerInSession, Lenient, Refusal};

/// As the browser tells it (`PushSubscription.toJSON()`).
#[derive(Deserialize, ToSchema)]
pub struct NewSubscription {
    /// At the browser's push service.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "https://fcm.googleapis.com/fcm/send/abc")]
    endpoint: Lenient,
    #[serde(default)]
    keys: SubscriptionKeys,
}

#[derive(Default, Deserialize, ToSchema)]
pub struct SubscriptionKeys {
    #[serde(default)]
    #[schema(value_type = String, required = true,
        example = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")]
    p256dh: Lenient,
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "BTBZMqHH6r4Tts7J_aSIgg")]
    auth: Lenient,
}

#[derive(Serialize, ToSchema)]
pub struct Subscribed {
    #[serde(rename = "_id")]
    #[schema(example = "2c26b46b68ffc68ff99b453c1d304134")]
    id: String,
}

/// Has the caller's pushes go to this browser, and nobody else's who has used it before. Five browsers at the most: the
/// oldest gives way.
#[utoipa::path(post, path = "/api/me/push-subscriptions", tag = "account", security(("bearer" = [])),
    request_body = NewSubscription, responses(
        (status = 201, description = "They do", body = Subscribed),
        (status = 400, description = "No subscription, or not at a push service that we know", body = Refusal),
    ))]
pub async fn add_push_subscription(
    State(app): State<App>,
    CallerInSession { player, session }: CallerInSession,
    Body(form): Body<NewSubscription>,
) -> Result<(StatusCode, Json<Subscribed>), ApiError> {
    let asked = SubscriptionRequest {
        endpoint: form.endpoint.text(),
        p256dh: form.keys.p256dh.text(),
        auth: form.keys.auth.text(),
    };
    let added = subscriptions::add(&app, &player, &session, asked).await?;
    Ok((StatusCode::CREATED, Json(Subscribed { id: added.id })))
}

/// Has no more of the caller's pushes go to a browser. Where none went there it answers the same.
#[utoipa::path(delete, path = "/api/me/push-subscriptions/{id}", tag = "account", security(("bearer" = [])),
    params(("id" = String, Path, description = "As it was answered", example = "2c26b46b68ffc68ff99b453c1d304134")),
    responses((status = 204, description = "None goes there")))]
pub async fn remove_push_subscription(
    State(app): State<App>,
    Caller(player): Caller,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    subscriptions::remove(&app, &player.id, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}
