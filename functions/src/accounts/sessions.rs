//! Log-out and the silent refresh (spec §2, §4).

use app::{App, platform::flow::FlowError};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use axum_extra::extract::CookieJar;
use http::{HeaderMap, StatusCode};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::RoleWord;
use crate::platform::http::{ApiError, OneOf, Refusal, cookies};

/// Ends the session on the server and forgets its cookie.
#[utoipa::path(post, path = "/logout", tag = "auth", responses(
    (status = 204, description = "Logged out", headers(("set-cookie" = String, description = "Forgets the refresh token"))),
    (status = 403, description = "Called from another site", body = Refusal),
))]
pub async fn log_out(
    State(app): State<App>,
    headers: HeaderMap,
    jar: CookieJar,
) -> Result<(StatusCode, CookieJar), ApiError> {
    cookies::check_same_site(&app, &headers)?;
    if let Some(token) = cookies::refresh_token(&app, &jar) {
        app.end_session(token).await?;
    }
    Ok((StatusCode::NO_CONTENT, cookies::forget(&app, jar)))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Refreshed {
    #[schema(example = "eyJ0eXAiOiJhdCtqd3QiLCJhbGciOiJFZERTQSJ9.eyJzdWIiOiIwMTk4In0.c2lnbmF0dXJl")]
    access_token: String,
    /// `player` or `admin`.
    #[schema(inline)]
    role: RoleWord,
}

/// The next access token for the session's cookie, which is rotated.
#[utoipa::path(post, path = "/refresh", tag = "auth", responses(
    (status = 200, description = "A new access token", body = Refreshed,
        headers(("set-cookie" = String, description = "The next refresh token, HttpOnly"))),
    (status = 401, description = "No session, or an old token of it: the session is ended then", body = Refusal,
        headers(("set-cookie" = String, description = "Forgets the refresh token"))),
    (status = 403, description = "Called from another site", body = Refusal),
))]
pub async fn refresh(
    State(app): State<App>,
    headers: HeaderMap,
    jar: CookieJar,
) -> Result<Response, ApiError> {
    cookies::check_same_site(&app, &headers)?;
    let token = cookies::refresh_token(&app, &jar).ok_or_else(ApiError::unauthorized)?;
    match app.refresh_session(token).await {
        Ok(tokens) => {
            let jar = cookies::keep(&app, jar, &tokens);
            let body = Refreshed { access_token: tokens.access_token, role: OneOf(tokens.role) };
            Ok((jar, Json(body)).into_response())
        }
        Err(FlowError::Refused(refused)) => {
            Ok((cookies::forget(&app, jar), ApiError::from(refused)).into_response())
        }
        Err(failed) => Err(failed.into()),
    }
}
