//! The log, kept for looking into.

use std::{
    io,
    sync::{Arc, LazyLock, Mutex},
};

use http::{Request, StatusCode, header};
use serde_json::Value;
use tower::ServiceExt;
use tracing::{
    Dispatch,
    subscriber::{DefaultGuard, set_default},
};
use tracing_subscriber::fmt::MakeWriter;

use super::{Person, World};

/// One more subscriber, which nobody logs to. While there is only one, `tracing` asks the thread that reaches a line first whether
/// it is wanted, and keeps the answer: a thread of another test, which captures nothing, says no for all.
static ANOTHER: LazyLock<Dispatch> =
    LazyLock::new(|| Dispatch::new(functions::platform::http::log::subscriber(Lines::default())));

/// What is logged.
#[derive(Clone, Default)]
pub struct Lines(Arc<Mutex<Vec<u8>>>);

impl io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

impl Lines {
    /// What this thread logs until the guard is dropped.
    pub fn capture() -> (Self, DefaultGuard) {
        LazyLock::force(&ANOTHER);
        let lines = Self::default();
        let guard = set_default(functions::platform::http::log::subscriber(lines.clone()));
        (lines, guard)
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    pub fn all(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
    }

    /// The lines of one request.
    pub fn of(&self, request: &str) -> Vec<Value> {
        let mut lines = self.all();
        lines.retain(|line| line["request"] == request || line["span"]["request"] == request);
        lines
    }
}

impl Person {
    /// Posts, and is answered in this thread: with which status, and what was logged of it.
    pub async fn post_for_log(&self, world: &World, path: &str, body: &Value) -> (StatusCode, Lines) {
        let token = self.token.as_deref().unwrap_or_default();
        let request = Request::post(path)
            .header("x-origin-secret", world.origin_secret())
            .header(header::CONTENT_TYPE, "application/json")
            .header(header::AUTHORIZATION, format!("Bearer {token}"));
        let service = functions::service(functions::endpoints(), world.app().clone());
        let (log, _capturing) = Lines::capture();
        let answer = service.oneshot(request.body(body.to_string()).unwrap()).await.unwrap();
        (answer.status(), log)
    }
}
