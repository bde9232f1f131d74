//! The calls to the official API, paced and tried again a few times within a time limit.
//!
//! Invariants: every request takes a turn with the shared pacer, retries too; a status or a body
//! that is no data ends as an error, so the caller keeps its last good data.

use std::{sync::Arc, time::Duration};

use reqwest::{StatusCode, header::ACCEPT};
use tokio::time::{Instant, sleep};

use super::{
    Body, Bootstrap, Entry, EventStatus, Fixture, FplError, History, Live, Picks, decode, pacer::Pacer,
};
use crate::{
    Backoff, Clock,
    http::{self, Http, HttpAnswer},
};

/// bootstrap-static is about 2 MB.
const BODY_LIMIT: usize = 8 * 1024 * 1024;

/// A client of the official API. Cheap to clone; clones share one pace.
#[derive(Debug, Clone)]
pub struct Fpl {
    base_url: Arc<str>,
    http: Http,
    pacer: Arc<Pacer>,
    time_limit: Duration,
    backoff: Backoff,
}

impl Fpl {
    /// `base_url` up to and with `/api`; `time_limit` is for one call, its turn and its tries
    /// included. A pace of 0 counts as 1.
    pub fn new(
        base_url: String,
        http: Http,
        clock: Clock,
        requests_per_second: u32,
        time_limit: Duration,
    ) -> Self {
        Self {
            base_url: base_url.trim_end_matches('/').into(),
            http,
            pacer: Arc::new(Pacer::new(requests_per_second, clock)),
            time_limit,
            backoff: Backoff::short(),
        }
    }

    /// Other tries and waits than [`Backoff::short`].
    #[must_use]
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// The gameweeks (about 2 MB with all that is left out here; worth keeping for five minutes).
    pub async fn bootstrap(&self) -> Result<Bootstrap, FplError> {
        self.get("bootstrap-static/").await
    }

    pub async fn fixtures(&self, event: u32) -> Result<Vec<Fixture>, FplError> {
        self.get(&format!("fixtures/?event={event}")).await
    }

    pub async fn event_status(&self) -> Result<EventStatus, FplError> {
        self.get("event-status/").await
    }

    /// A team. [`FplError::NotFound`]: there is none with that id this season.
    pub async fn entry(&self, id: u64) -> Result<Entry, FplError> {
        self.get(&format!("entry/{id}/")).await
    }

    /// A team's gameweeks: points, hits and bench points, all that a settlement needs.
    pub async fn history(&self, id: u64) -> Result<History, FplError> {
        self.get(&format!("entry/{id}/history/")).await
    }

    /// A team's squad in a gameweek. [`FplError::NotFound`] until that gameweek's deadline.
    pub async fn picks(&self, id: u64, event: u32) -> Result<Picks, FplError> {
        self.get(&format!("entry/{id}/event/{event}/picks/")).await
    }

    pub async fn live(&self, event: u32) -> Result<Live, FplError> {
        self.get(&format!("event/{event}/live/")).await
    }

    async fn get<T: Body>(&self, path: &str) -> Result<T, FplError> {
        let url = format!("{}/{path}", self.base_url);
        let deadline = Instant::now() + self.time_limit;
        let mut failed = 0;
        let mut last = FplError::TimedOut;
        while self.pacer.turn(deadline).await.is_ok() {
            last = match self.once(&url, deadline).await {
                Ok(body) => return Ok(body),
                Err(error) => error,
            };
            failed += 1;
            match self.wait_after(failed, &last) {
                Some(wait) if Instant::now() + wait < deadline => {
                    tracing::debug!(path, failed, error = %last, "the official API is asked again");
                    sleep(wait).await;
                }
                _ => break,
            }
        }
        Err(last)
    }

    async fn once<T: Body>(&self, url: &str, deadline: Instant) -> Result<T, FplError> {
        let request = self.http.get(url).header(ACCEPT, "application/json");
        let left = deadline.saturating_duration_since(Instant::now());
        read(&http::exchange(request, left, BODY_LIMIT).await?)
    }

    /// How long to wait before another try, or none. A wait that the other side asks for holds
    /// back every other call too.
    fn wait_after(&self, failed: u32, error: &FplError) -> Option<Duration> {
        let asked = match error {
            FplError::Updating | FplError::Unreachable { .. } => Duration::ZERO,
            FplError::RateLimited { retry_after } => retry_after.unwrap_or_default(),
            _ => return None,
        };
        self.pacer.pause(asked);
        self.backoff.after(failed).map(|wait| wait.max(asked))
    }
}

fn read<T: Body>(answer: &HttpAnswer) -> Result<T, FplError> {
    match answer.status {
        StatusCode::OK => decode(&answer.body),
        StatusCode::NOT_FOUND => Err(FplError::NotFound),
        StatusCode::FORBIDDEN => Err(FplError::Forbidden),
        StatusCode::TOO_MANY_REQUESTS => Err(FplError::RateLimited { retry_after: answer.retry_after }),
        status if status.is_server_error() => Err(FplError::Updating),
        status => Err(FplError::malformed(format!("HTTP {}", status.as_u16()))),
    }
}
