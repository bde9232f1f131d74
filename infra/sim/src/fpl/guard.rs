//! What stands before every answer of the game: the count of requests, the refusal of anonymous
//! clients, and the fault that is switched on.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, StatusCode, header},
    middleware::Next,
    response::{Html, IntoResponse, Response},
};

use super::{not_found, spoiled};
use crate::{Sim, faults::FplFault};

/// Longer than any client of ours waits, in real time.
const SLOW: Duration = Duration::from_secs(20);
/// How long the game asks a client to wait after 429, in seconds.
const RETRY_AFTER: &str = "30";
const DEFAULT_AGENTS: [&str; 12] = [
    "axios",
    "curl",
    "go-http-client",
    "java",
    "libwww",
    "node",
    "okhttp",
    "python",
    "reqwest",
    "ruby",
    "undici",
    "wget",
];

/// How often each kind of path was asked for since the last reset; in memory only.
#[derive(Default)]
pub(crate) struct Requests(Mutex<BTreeMap<&'static str, u64>>);

impl Requests {
    pub(crate) fn counted(&self) -> BTreeMap<&'static str, u64> {
        let counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        KINDS.iter().map(|kind| (*kind, counted.get(kind).copied().unwrap_or(0))).collect()
    }

    pub(crate) fn reset(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn count(&self, kind: &'static str) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(kind).or_default() += 1;
    }
}

const KINDS: [&str; 8] =
    ["bootstrap", "entry", "eventStatus", "fixtures", "history", "live", "other", "picks"];

fn kind(path: &str) -> &'static str {
    let parts: Vec<_> = path.split('/').filter(|part| !part.is_empty()).collect();
    match parts.as_slice() {
        ["bootstrap-static"] => "bootstrap",
        ["event-status"] => "eventStatus",
        ["fixtures"] => "fixtures",
        ["event", _, "live"] => "live",
        ["entry", _] => "entry",
        ["entry", _, "history"] => "history",
        ["entry", _, "event", _, "picks"] => "picks",
        _ => "other",
    }
}

pub(super) async fn guard(State(sim): State<Sim>, request: Request, next: Next) -> Response {
    let kind = kind(request.uri().path());
    sim.requests().count(kind);
    if !identifies_itself(request.headers()) {
        return forbidden();
    }
    match sim.faults().fpl {
        FplFault::None | FplFault::WrongGameweek | FplFault::Unfinal | FplFault::HalfUpdated => {
            next.run(request).await
        }
        FplFault::Forbidden => forbidden(),
        FplFault::EntryNotFound if ["entry", "history", "picks"].contains(&kind) => not_found(),
        FplFault::EntryNotFound => next.run(request).await,
        FplFault::Cut => spoiled::cut(next.run(request).await).await,
        FplFault::MissingFields => spoiled::without_points(next.run(request).await).await,
        FplFault::NewFields => spoiled::with_new_fields(next.run(request).await).await,
        FplFault::Slow => {
            tokio::time::sleep(SLOW).await;
            next.run(request).await
        }
        FplFault::Down => {
            let page = Html("<html><body>Service Unavailable</body></html>");
            (StatusCode::SERVICE_UNAVAILABLE, page).into_response()
        }
        FplFault::Updating => {
            let body = "\"The game is being updated.\"";
            let json = [(header::CONTENT_TYPE, "application/json")];
            (StatusCode::SERVICE_UNAVAILABLE, json, body).into_response()
        }
        FplFault::Html => {
            Html("<html><body><h1>The game is being updated.</h1></body></html>").into_response()
        }
        FplFault::RateLimited => {
            let headers = [(header::RETRY_AFTER, RETRY_AFTER)];
            (StatusCode::TOO_MANY_REQUESTS, headers, "Too Many Requests").into_response()
        }
    }
}

fn forbidden() -> Response {
    (StatusCode::FORBIDDEN, Html("<html><body>Forbidden</body></html>")).into_response()
}

/// A user agent that is neither missing nor a library's own default.
fn identifies_itself(headers: &HeaderMap) -> bool {
    let agent = headers.get(header::USER_AGENT).and_then(|agent| agent.to_str().ok()).unwrap_or("");
    let agent = agent.trim().to_ascii_lowercase();
    !agent.is_empty() && !DEFAULT_AGENTS.iter().any(|default| agent.starts_with(default))
}
