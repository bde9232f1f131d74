//! A query, read into its form: what does not parse is refused as everything else is.

use axum::extract::FromRequestParts;
use http::{StatusCode, request::Parts};
use serde::de::DeserializeOwned;

use super::ApiError;

/// The query's fields. One that comes twice is refused.
pub struct Query<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let read = axum::extract::Query::from_request_parts(parts, state).await;
        read.map(|axum::extract::Query(fields)| Self(fields))
            .map_err(|_| ApiError::new(StatusCode::BAD_REQUEST, "The request is not valid."))
    }
}
