//! `bootstrap` as Lambda runs it, against a stand-in of Lambda's Runtime API: without a setting it answers each
//! event, and its process lives on.

use std::{
    collections::BTreeMap,
    process::{Child, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderName, StatusCode},
    response::IntoResponse,
    routing::{get, post},
    serve::ListenerExt,
};
use serde_json::{Value, json};
use tempfile::NamedTempFile;
use tokio::{
    net::TcpListener,
    sync::{Mutex, mpsc},
};

use crate::support::World;

/// The events as they come. What was answered goes to `ended`.
#[derive(Clone)]
struct Runtime {
    events: Arc<Mutex<mpsc::UnboundedReceiver<Value>>>,
    ended: mpsc::UnboundedSender<(String, Value)>,
}

async fn next(State(runtime): State<Runtime>) -> impl IntoResponse {
    let event = match runtime.events.lock().await.recv().await {
        Some(event) => event,
        None => std::future::pending().await,
    };
    let header = |name: &'static str, value: &'static str| (HeaderName::from_static(name), value);
    let headers = [
        header("lambda-runtime-aws-request-id", "8476a536-e9f4-11e8-9739-2dfe598c3fcd"),
        header("lambda-runtime-deadline-ms", "4102444800000"),
        header("lambda-runtime-invoked-function-arn", "arn:aws:lambda:eu-west-1:000000000000:function:f"),
    ];
    (headers, Json(event))
}

async fn ended(
    State(runtime): State<Runtime>,
    Path((_, how)): Path<(String, String)>,
    body: String,
) -> StatusCode {
    let body = serde_json::from_str(&body).unwrap_or(Value::Null);
    runtime.ended.send((how, body)).unwrap();
    StatusCode::ACCEPTED
}

/// A function's process.
struct Function {
    process: Child,
    log: NamedTempFile,
    events: mpsc::UnboundedSender<Value>,
    answers: mpsc::UnboundedReceiver<(String, Value)>,
}

impl Function {
    /// In an environment that has what Lambda sets, and `settings`.
    async fn start(handler: &str, settings: &BTreeMap<String, String>) -> Self {
        let ((sender, answers), (events, coming)) = (mpsc::unbounded_channel(), mpsc::unbounded_channel());
        let runtime = Runtime { events: Arc::new(Mutex::new(coming)), ended: sender };
        let router = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/{how}", post(ended))
            .with_state(runtime);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        tokio::spawn(async move { axum::serve(listener, router).await });
        let log = NamedTempFile::new().unwrap();
        let process = std::process::Command::new(env!("CARGO_BIN_EXE_bootstrap"))
            .env_clear()
            .envs(settings)
            .envs([
                ("_HANDLER", handler),
                ("AWS_REGION", "eu-west-1"),
                ("AWS_LAMBDA_RUNTIME_API", address.as_str()),
                ("AWS_LAMBDA_FUNCTION_NAME", handler),
                ("AWS_LAMBDA_FUNCTION_VERSION", "1"),
                ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512"),
            ])
            .stdout(log.reopen().unwrap())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        Self { process, log, events, answers }
    }

    /// How it answers `event`, and with what.
    async fn answer(&mut self, event: Value) -> (String, Value) {
        self.events.send(event).unwrap();
        let answer = tokio::time::timeout(Duration::from_secs(30), self.answers.recv()).await;
        answer.expect("it answers").unwrap()
    }

    /// Ends it, and answers its log.
    fn end(mut self) -> String {
        let over = self.process.try_wait().unwrap();
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        assert_eq!(over, None, "the process lives on");
        std::fs::read_to_string(self.log.path()).unwrap()
    }
}

/// What the function `handler` makes of `events`, in an environment that has nothing but what Lambda sets; and its log.
async fn without_settings(handler: &str, events: &[Value]) -> (Vec<(String, Value)>, String) {
    let mut function = Function::start(handler, &BTreeMap::new()).await;
    let mut met = Vec::new();
    for event in events {
        met.push(function.answer(event.clone()).await);
    }
    (met, function.end())
}

fn rings(log: &str) -> usize {
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let rung = |line: &Value| line["alarm"] == "setup" && line["error"] == "TABLE_NAME: is not set";
    lines.filter(rung).count()
}

fn request(path: &str) -> Value {
    let route = format!("GET {path}");
    json!({"version": "2.0", "routeKey": route, "rawPath": path, "rawQueryString": "",
        "headers": {}, "isBase64Encoded": false,
        "requestContext": {"accountId": "000000000000", "apiId": "api", "domainName": "api", "requestId": "id",
            "routeKey": route, "stage": "$default", "time": "", "timeEpoch": 0,
            "http": {"method": "GET", "path": path, "protocol": "HTTP/1.1", "sourceIp": "203.0.113.7",
                "userAgent": "a monitor"}}})
}

#[tokio::test]
async fn without_a_setting_every_request_is_told_so() {
    let request = request("/healthz");
    let (answers, log) = without_settings("get-health", &[request.clone(), request]).await;
    for (how, answer) in answers {
        assert_eq!((how.as_str(), &answer["statusCode"]), ("response", &json!(503)));
        let body: Value = serde_json::from_str(answer["body"].as_str().unwrap()).unwrap();
        assert_eq!(body["message"], "This is not set up yet. Nothing was lost. Please tell the operator.");
    }
    assert_eq!(rings(&log), 2, "{log}");
}

#[tokio::test]
async fn without_a_setting_every_run_of_a_job_fails() {
    let (answers, log) = without_settings("sync-gameweek", &[json!({}), json!({})]).await;
    assert!(answers.iter().all(|(how, _)| how == "error"), "{answers:?}");
    assert_eq!(rings(&log), 2, "{log}");
}

/// DynamoDB with an empty table, which counts the connections that are made to it and the calls that come.
async fn empty_table() -> (String, Arc<AtomicUsize>, Arc<AtomicUsize>) {
    let (connections, calls) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (made, called) = (connections.clone(), calls.clone());
    let listener = listener.tap_io(move |_| {
        made.fetch_add(1, Ordering::SeqCst);
    });
    let answers = get(async || "healthy").post(async move || {
        called.fetch_add(1, Ordering::SeqCst);
        Json(json!({}))
    });
    tokio::spawn(async move { axum::serve(listener, Router::new().route("/", answers)).await });
    (url, connections, calls)
}

/// How many connections a function has made to the table before its first event, and after each of two.
async fn connections_made(world: &World) -> [usize; 3] {
    let (url, connections, calls) = empty_table().await;
    let made = || connections.load(Ordering::SeqCst);
    let mut settings = world.environment().clone();
    settings.insert("AWS_ENDPOINT_URL".to_owned(), url);
    settings.insert("AWS_ACCESS_KEY_ID".to_owned(), "here".to_owned());
    settings.insert("AWS_SECRET_ACCESS_KEY".to_owned(), "here".to_owned());
    let mut function = Function::start("get-health", &settings).await;
    for _ in 0..300 {
        if made() > 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let mut counts = [made(); 3];
    assert_eq!(calls.load(Ordering::SeqCst), 0, "nothing is asked before an event");
    let mut event = request("/healthz");
    event["headers"]["x-origin-secret"] = json!(world.origin_secret());
    for count in &mut counts[1..] {
        let (how, _) = function.answer(event.clone()).await;
        assert_eq!(how, "response");
        assert!(calls.load(Ordering::SeqCst) > 0, "the table is asked");
        *count = made();
    }
    function.end();
    counts
}

/// A start is felt by whoever comes first: the connection to the table is there by then, and is the one that is used.
/// On a busy machine it may not be free again in time, and another one is made: one start of five has to show it.
#[tokio::test]
async fn the_connection_to_the_table_is_made_before_the_first_event_and_used_by_it() {
    let world = World::start().await;
    let mut seen = Vec::new();
    while !seen.contains(&[1, 1, 1]) {
        assert!(seen.len() < 5, "connections before an event, and after each of two: {seen:?}");
        seen.push(connections_made(&world).await);
    }
}
