//! Whether the product answers, for monitors and for whoever has deployed it.

use app::App;
use axum::{Json, extract::State};
use serde::Serialize;
use strum::{IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, OneOf};

#[derive(Serialize, ToSchema)]
pub struct Health {
    /// What is not is told by the answer's status.
    #[schema(inline)]
    status: StatusWord,
}

#[derive(Clone, Copy, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "kebab-case")]
enum HealthStatus {
    Ok,
}

type StatusWord = OneOf<HealthStatus>;

/// Whether a function runs and the table answers it.
#[utoipa::path(get, path = "/healthz", tag = "settings", responses(
    (status = 200, description = "Both do; the table was asked within the last ten seconds", body = Health),
))]
pub async fn get_health(State(app): State<App>) -> Result<Json<Health>, ApiError> {
    app.health().check(app.store()).await?;
    Ok(Json(Health { status: OneOf(HealthStatus::Ok) }))
}
