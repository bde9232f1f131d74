//! `GET /sim/api/outbox`: what the product has sent by email.

use axum::{
    Json,
    extract::{Query, State, rejection::QueryRejection},
};
use serde::Deserialize;

use super::{Api, Refused};
use crate::aws::Mail;

#[derive(Deserialize)]
pub struct Filter {
    to: Option<String>,
}

pub async fn list(
    State(api): State<Api>,
    filter: Result<Query<Filter>, QueryRejection>,
) -> Result<Json<Vec<Mail>>, Refused> {
    let Query(filter) = filter.map_err(|error| Refused::bad(error.body_text()))?;
    Ok(Json(api.outbox.list(filter.to.as_deref())?))
}
