//! `GET /sim/api/outbox`: what the product has sent by email.

use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
};
use serde::Deserialize;
use sim::Refusal;

use super::Api;
use crate::aws::Mail;

#[derive(Deserialize)]
pub struct Filter {
    to: Option<String>,
}

pub async fn list(
    State(api): State<Api>,
    filter: Result<Query<Filter>, QueryRejection>,
) -> Result<Json<Vec<Mail>>, Refusal> {
    let Query(filter) = filter.map_err(|error| Refusal::bad(error.body_text()))?;
    Ok(Json(api.outbox.list(filter.to.as_deref())?))
}
