//! What a function runs in: Lambda's runtime API for one process, which is started, given events and ended here.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::Stdio,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    extract::State,
    http::{HeaderName, StatusCode},
    response::IntoResponse,
    routing::{get, post},
};
use serde_json::Value;
use tokio::{
    net::TcpListener,
    process::{Child, Command},
    sync::{Mutex, mpsc},
};

/// Nothing here takes longer, valgrind's runs included.
const LIMIT: Duration = Duration::from_secs(120);

struct Api {
    events: Mutex<mpsc::Receiver<String>>,
    answers: mpsc::Sender<String>,
}

/// A process of one function.
pub struct Lambda {
    child: Child,
    spawned: Instant,
    events: mpsc::Sender<String>,
    answers: mpsc::Receiver<String>,
}

impl Lambda {
    pub async fn start(command: &[&str], environment: &BTreeMap<String, String>) -> Self {
        let (events, to_give) = mpsc::channel(1);
        let (given, answers) = mpsc::channel(1);
        let api = Arc::new(Api { events: Mutex::new(to_give), answers: given });
        let router = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/response", post(answered))
            .route("/2018-06-01/runtime/invocation/{id}/error", post(answered))
            .route("/2018-06-01/runtime/init/error", post(answered))
            .with_state(api);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound").to_string();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let spawned = Instant::now();
        let child = Command::new(command[0])
            .args(&command[1..])
            .env_clear()
            .envs(environment)
            .env("AWS_LAMBDA_RUNTIME_API", address)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("it starts");
        Self { child, spawned, events, answers }
    }

    pub async fn give(&self, event: &Value) {
        self.events.send(event.to_string()).await.expect("it takes events");
    }

    pub async fn answer(&mut self) -> Value {
        let answer = tokio::time::timeout(LIMIT, self.answers.recv()).await.expect("an answer in time");
        serde_json::from_str(&answer.expect("an answer")).expect("JSON")
    }

    /// From its start to its answer to `event`, and the answer.
    pub async fn cold(&mut self, event: &Value) -> (Duration, Value) {
        self.give(event).await;
        let answer = self.answer().await;
        (self.spawned.elapsed(), answer)
    }

    /// From giving it `event` to its answer, and the answer.
    pub async fn warm(&mut self, event: &Value) -> (Duration, Value) {
        let began = Instant::now();
        self.give(event).await;
        let answer = self.answer().await;
        (began.elapsed(), answer)
    }

    /// The most that was resident, in KB.
    pub fn peak(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id().expect("it runs"));
        let status = fs::read_to_string(Path::new(&status)).unwrap_or_default();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
    }

    /// Ends it as Lambda does, and answers what it said to the standard error output.
    pub async fn end(self) -> String {
        let pid = self.child.id().expect("it runs").to_string();
        let sent = Command::new("kill").args(["-TERM", &pid]).status().await;
        assert!(sent.is_ok_and(|status| status.success()), "it ran until now");
        let output = self.child.wait_with_output().await.expect("it ends");
        String::from_utf8_lossy(&output.stderr).into_owned()
    }
}

async fn next(State(api): State<Arc<Api>>) -> impl IntoResponse {
    let event = api.events.lock().await.recv().await.unwrap_or_default();
    let arn = "arn:aws:lambda:eu-west-1:000000000000:function:measured";
    let headers = [
        ("lambda-runtime-aws-request-id", "8476a536-e9f4-11e8-9739-2dfe598c3fcd"),
        ("lambda-runtime-deadline-ms", "4102444800000"),
        ("lambda-runtime-invoked-function-arn", arn),
    ];
    (headers.map(|(name, value)| (HeaderName::from_static(name), value)), event)
}

async fn answered(State(api): State<Arc<Api>>, body: String) -> StatusCode {
    // Whoever measured may have gone: what is answered later is nobody's.
    let _late = api.answers.send(body).await;
    StatusCode::ACCEPTED
}
