//! A page of a list: its items, and in the header `x-next-cursor` where the next one begins.

use axum::{
    Json,
    response::{IntoResponse, Response},
};
use serde::Serialize;

/// One page. The body is `T`; the cursor goes into the header, where there is a next page.
pub struct Paged<T> {
    pub body: T,
    pub cursor: Option<String>,
}

impl<T> Paged<T> {
    /// The only page.
    pub fn whole(body: T) -> Self {
        Self { body, cursor: None }
    }
}

impl<T: Serialize> IntoResponse for Paged<T> {
    fn into_response(self) -> Response {
        let body = Json(self.body);
        match self.cursor {
            Some(cursor) => ([("x-next-cursor", cursor)], body).into_response(),
            None => body.into_response(),
        }
    }
}
