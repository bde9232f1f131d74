//! The refresh token's cookie: HttpOnly, SameSite=Strict, never readable by a script. On https it
//! carries the `__Host-` prefix; on plain http (localhost) it cannot.

use app::{
    App,
    accounts::sessions::{COOKIE_SECONDS, Tokens},
};
use axum_extra::extract::{
    CookieJar,
    cookie::{Cookie, SameSite},
};
use http::{HeaderMap, header};
use time::Duration;

use super::ApiError;

fn name(app: &App) -> &'static str {
    if is_secure(app) { "__Host-rt" } else { "rt" }
}

fn is_secure(app: &App) -> bool {
    app.config().public_origin.starts_with("https://")
}

/// Has the browser keep the refresh token.
pub fn keep(app: &App, jar: CookieJar, tokens: &Tokens) -> CookieJar {
    jar.add(cookie(app, tokens.refresh_token.clone(), COOKIE_SECONDS))
}

/// Has the browser forget it.
pub fn forget(app: &App, jar: CookieJar) -> CookieJar {
    jar.add(cookie(app, String::new(), 0))
}

fn cookie(app: &App, value: String, max_age: i64) -> Cookie<'static> {
    Cookie::build((name(app), value))
        .http_only(true)
        .secure(is_secure(app))
        .same_site(SameSite::Strict)
        .path("/")
        .max_age(Duration::seconds(max_age))
        .build()
}

/// The refresh token that came with a request.
#[must_use]
pub fn refresh_token<'a>(app: &App, jar: &'a CookieJar) -> Option<&'a str> {
    jar.get(name(app)).map(Cookie::value)
}

/// Calls that live by the cookie are refused from other sites: with `Sec-Fetch-Site: cross-site`, or an Origin that is
/// not ours.
pub fn check_same_site(app: &App, headers: &HeaderMap) -> Result<(), ApiError> {
    let is = |name: &str, wanted: &str| headers.get(name).is_some_and(|value| value == wanted);
    let foreign_origin =
        headers.get(header::ORIGIN).is_some_and(|origin| *origin != app.config().public_origin.as_str());
    if is("sec-fetch-site", "cross-site") || foreign_origin { Err(ApiError::forbidden()) } else { Ok(()) }
}
