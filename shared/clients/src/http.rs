//! One HTTP client for everything outside AWS: rustls on ring with the web's roots.
//!
//! Invariants: built only when first used (a function that never leaves AWS pays nothing); no
//! redirects, no proxy from the environment; every exchange has a time limit and a size limit; a
//! failure says whether the request may have reached the other side.

use std::{
    error::Error as _,
    sync::{Arc, OnceLock},
    time::Duration,
};

use reqwest::{Client, RequestBuilder, StatusCode, header::RETRY_AFTER, redirect::Policy};
use rustls::{ClientConfig, RootCertStore, crypto::ring};

const USER_AGENT: &str = concat!("fpl-leagues/", env!("CARGO_PKG_VERSION"));
const CONNECT_LIMIT: Duration = Duration::from_secs(5);
/// Shorter than what servers keep idle connections for: a push over a connection that died
/// meanwhile would have an unknown outcome.
const IDLE_LIMIT: Duration = Duration::from_secs(20);

/// Nobody is believed who asks for a longer wait than this.
const LONGEST_RETRY_AFTER: Duration = Duration::from_secs(3600);

/// A shared HTTP client, built when it is first used. Cheap to clone; clones share connections.
#[derive(Debug, Clone, Default)]
pub struct Http(Arc<OnceLock<Client>>);

/// A whole answer, read to its end.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub status: StatusCode,
    /// `Retry-After` where it is given in seconds (a date is not read: it needs a clock).
    pub retry_after: Option<Duration>,
    pub body: Vec<u8>,
}

/// Why there is no answer. The reasons name neither the address nor anything that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum HttpFailure {
    /// No connection was made: the other side has seen nothing of the request.
    NotSent(String),
    /// The connection broke after it was made: the request may have been acted on.
    Broken(String),
    /// No whole answer within the time limit: the request may have been acted on.
    TimedOut,
    TooLarge,
}

impl Http {
    /// A client that nothing has been built for yet.
    pub fn new() -> Self {
        Self::default()
    }

    pub(crate) fn get(&self, url: &str) -> RequestBuilder {
        self.client().get(url)
    }

    pub(crate) fn post(&self, url: &str) -> RequestBuilder {
        self.client().post(url)
    }

    fn client(&self) -> &Client {
        self.0.get_or_init(build)
    }
}

/// Sends `request` and reads the whole answer: at most `body_limit` bytes within `time_limit`.
pub(crate) async fn exchange(
    request: RequestBuilder,
    time_limit: Duration,
    body_limit: usize,
) -> Result<HttpAnswer, HttpFailure> {
    tokio::time::timeout(time_limit, send_and_read(request, body_limit))
        .await
        .unwrap_or(Err(HttpFailure::TimedOut))
}

async fn send_and_read(request: RequestBuilder, body_limit: usize) -> Result<HttpAnswer, HttpFailure> {
    let mut response = request.send().await.map_err(failure)?;
    let retry_after = response
        .headers()
        .get(RETRY_AFTER)
        .and_then(|value| value.to_str().ok())
        .and_then(|seconds| seconds.trim().parse().ok())
        .map(|seconds| Duration::from_secs(seconds).min(LONGEST_RETRY_AFTER));
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(failure)? {
        if body.len() + chunk.len() > body_limit {
            return Err(HttpFailure::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(HttpAnswer { status: response.status(), retry_after, body })
}

fn failure(error: reqwest::Error) -> HttpFailure {
    let sent = !(error.is_connect() || error.is_builder());
    let timed_out = error.is_timeout();
    let reason = reason(error);
    match (sent, timed_out) {
        (false, _) => HttpFailure::NotSent(reason),
        (true, true) => HttpFailure::TimedOut,
        (true, false) => HttpFailure::Broken(reason),
    }
}

/// The whole chain of causes in one line, without the address.
fn reason(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut reason = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        reason.push_str(": ");
        reason.push_str(&cause.to_string());
        source = cause.source();
    }
    reason
}

fn build() -> Client {
    Client::builder()
        .tls_backend_preconfigured(tls())
        .user_agent(USER_AGENT)
        .redirect(Policy::none())
        .no_proxy()
        .connect_timeout(CONNECT_LIMIT)
        .pool_idle_timeout(IDLE_LIMIT)
        .build()
        .expect("the TLS settings are constants that the tests build")
}

/// TLS on ring, with the web's roots.
pub fn tls() -> ClientConfig {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring offers the default versions of TLS")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    config
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_once_and_only_when_used() {
        let http = Http::new();
        let shared = http.clone();
        assert!(http.0.get().is_none());
        assert!(http.get("https://example.test/").build().is_ok());
        assert!(shared.0.get().is_some());
    }

    #[test]
    fn an_address_that_is_none_was_never_sent() {
        let error = Http::new().get("no scheme").build().expect_err("not an address");
        assert!(matches!(failure(error), HttpFailure::NotSent(_)));
    }
}
