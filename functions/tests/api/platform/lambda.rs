//! `bootstrap` as Lambda runs it, against a stand-in of Lambda's Runtime API: without a setting it answers each
//! event, and its process lives on.

use std::{
    collections::VecDeque,
    process::Stdio,
    sync::{Arc, Mutex},
};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{HeaderName, StatusCode},
    response::IntoResponse,
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// The events that are still to come; then the next one is never there. What was answered goes to `ended`.
#[derive(Clone)]
struct Runtime {
    events: Arc<Mutex<VecDeque<Value>>>,
    ended: mpsc::UnboundedSender<(String, Value)>,
}

async fn next(State(runtime): State<Runtime>) -> impl IntoResponse {
    let event = runtime.events.lock().unwrap().pop_front();
    let event = match event {
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

/// What the function `handler` makes of `events`, in an environment that has nothing but what Lambda sets; and its log.
async fn without_settings(handler: &str, events: &[Value]) -> (Vec<(String, Value)>, String) {
    let (sender, mut answers) = mpsc::unbounded_channel();
    let runtime = Runtime { events: Arc::new(Mutex::new(events.iter().cloned().collect())), ended: sender };
    let router = Router::new()
        .route("/2018-06-01/runtime/invocation/next", get(next))
        .route("/2018-06-01/runtime/invocation/{id}/{how}", post(ended))
        .with_state(runtime);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    tokio::spawn(async move { axum::serve(listener, router).await });
    let log = tempfile(handler);
    let mut function = std::process::Command::new(env!("CARGO_BIN_EXE_bootstrap"))
        .env_clear()
        .envs([
            ("_HANDLER", handler),
            ("AWS_REGION", "eu-west-1"),
            ("AWS_LAMBDA_RUNTIME_API", address.as_str()),
            ("AWS_LAMBDA_FUNCTION_NAME", handler),
            ("AWS_LAMBDA_FUNCTION_VERSION", "1"),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512"),
        ])
        .stdout(std::fs::File::create(&log).unwrap())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut met = Vec::new();
    for _ in events {
        let answer = tokio::time::timeout(std::time::Duration::from_secs(30), answers.recv()).await;
        met.push(answer.expect("it answers").unwrap());
    }
    let over = function.try_wait().unwrap();
    function.kill().unwrap();
    function.wait().unwrap();
    assert_eq!(over, None, "the process lives on");
    let said = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).unwrap();
    (met, said)
}

fn tempfile(name: &str) -> std::path::PathBuf {
    std::env::temp_dir().join(format!("fpl-{name}-{}.log", std::process::id()))
}

fn rings(log: &str) -> usize {
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let rung = |line: &Value| line["alarm"] == "setup" && line["error"] == "TABLE_NAME: is not set";
    lines.filter(rung).count()
}

#[tokio::test]
async fn without_a_setting_every_request_is_told_so() {
    let request = json!({"version": "2.0", "routeKey": "GET /healthz", "rawPath": "/healthz", "rawQueryString": "",
        "headers": {}, "isBase64Encoded": false,
        "requestContext": {"accountId": "000000000000", "apiId": "api", "domainName": "api", "requestId": "id",
            "routeKey": "GET /healthz", "stage": "$default", "time": "", "timeEpoch": 0,
            "http": {"method": "GET", "path": "/healthz", "protocol": "HTTP/1.1", "sourceIp": "203.0.113.7",
                "userAgent": "a monitor"}}});
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
