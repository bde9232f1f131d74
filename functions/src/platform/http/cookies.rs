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

#[cfg(test)]
mod tests {
    use app::Config;
    use clients::Clock;
    use domain::Role;

    use super::*;

    /// The cookies that are kept and forgotten, as a browser is told of them by a product whose pages are there.
    fn told(origin: &str) -> [String; 2] {
        let config = Config::for_tests(&[("PUBLIC_ORIGIN", origin.to_owned())]).unwrap();
        let app = App::new(config, Clock::system(), None);
        let tokens =
            Tokens { access_token: String::new(), refresh_token: "kept".to_owned(), role: Role::Player };
        let jars = [keep(&app, CookieJar::new(), &tokens), forget(&app, CookieJar::new())];
        jars.map(|jar| jar.iter().next().expect("a cookie").to_string())
    }

    /// By such a name a browser keeps it for this host alone, and only over https.
    #[tokio::test]
    async fn on_https_the_cookie_is_this_hosts_alone() {
        for cookie in told("https://leagues.example") {
            assert!(cookie.starts_with("__Host-rt="), "{cookie}");
            for part in ["; Secure", "; HttpOnly", "; SameSite=Strict", "; Path=/"] {
                assert!(cookie.contains(part), "{cookie}");
            }
            assert!(!cookie.contains("Domain"), "{cookie}");
        }
        for cookie in told("http://localhost:4000") {
            assert!(cookie.starts_with("rt=") && !cookie.contains("Secure"), "{cookie}");
        }
    }
}
