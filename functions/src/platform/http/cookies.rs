//! The refresh token's cookie: HttpOnly, SameSite=Strict, never readable by a script. On https it
//! carries the `__Host-` prefix; on plain http (localhost) it cannot.

use app::{App, accounts::sessions::COOKIE_SECONDS};
use http::{HeaderMap, HeaderValue, header};

use super::ApiError;

fn name(app: &App) -> &'static str {
    if is_secure(app) { "__Host-rt" } else { "rt" }
}

fn is_secure(app: &App) -> bool {
    app.config().public_origin.starts_with("https://")
}

/// A `Set-Cookie` value that keeps `token`.
///
/// # Panics
/// Tokens are hex and dots, which a header can carry.
#[must_use]
pub fn keep(app: &App, token: &str) -> HeaderValue {
    set(app, token, COOKIE_SECONDS)
}

/// A `Set-Cookie` value that forgets the token.
#[must_use]
pub fn forget(app: &App) -> HeaderValue {
    set(app, "", 0)
}

fn set(app: &App, value: &str, max_age: i64) -> HeaderValue {
    let secure = if is_secure(app) { "; Secure" } else { "" };
    let cookie =
        format!("{}={value}; HttpOnly{secure}; SameSite=Strict; Path=/; Max-Age={max_age}", name(app));
    HeaderValue::from_str(&cookie).expect("tokens are hex and dots")
}

/// The refresh token that came with a request.
#[must_use]
pub fn refresh_token(app: &App, headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(key, _)| *key == name(app)).map(|(_, value)| value.to_owned())
}

/// Calls that live by the cookie are refused from other sites.
///
/// # Errors
/// 403 for `Sec-Fetch-Site: cross-site` and for an Origin that is not ours.
pub fn check_same_site(app: &App, headers: &HeaderMap) -> Result<(), ApiError> {
    let is = |name: &str, wanted: &str| headers.get(name).is_some_and(|value| value == wanted);
    let foreign_origin =
        headers.get(header::ORIGIN).is_some_and(|origin| *origin != app.config().public_origin.as_str());
    if is("sec-fetch-site", "cross-site") || foreign_origin { Err(ApiError::forbidden()) } else { Ok(()) }
}
