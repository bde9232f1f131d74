//! The API's document for people and tools: `/api/docs` is Swagger UI, its files compiled in, over
//! `/api/openapi.json`. Only the local run has them; nothing that is deployed does.

use axum::{
    Router,
    http::{HeaderValue, header},
    response::IntoResponse,
    routing::get,
};
use swagger_ui_dist::{ApiDefinition, OpenApiSource, generate_routes};

use crate::settings::Refusal;

pub const DOCUMENT: &str = "/api/openapi.json";

pub fn router() -> Result<Router, Refusal> {
    let document =
        functions::document().to_json().map_err(|error| Refusal::new("The API's document", error))?;
    let viewer = ApiDefinition {
        uri_prefix: "/api/docs",
        api_definition: OpenApiSource::Uri(DOCUMENT),
        title: Some("FPL Leagues: the API"),
    };
    let document = move || async move {
        let json = HeaderValue::from_static("application/json");
        ([(header::CONTENT_TYPE, json)], document).into_response()
    };
    Ok(generate_routes(viewer).route(DOCUMENT, get(document)))
}
