//! `GET /sim/api/outbox`: what the product has sent by email.

use axum::{
    Json,
    extract::{Query, State},
};
use serde::Deserialize;

use super::{Api, Refused};
use crate::aws::Mail;

#[derive(Deserialize)]
pub struct Filter {
    to: Option<String>,
}

pub async fn list(State(api): State<Api>, Query(filter): Query<Filter>) -> Result<Json<Vec<Mail>>, Refused> {
    Ok(Json(api.outbox.list(filter.to.as_deref())?))
}
