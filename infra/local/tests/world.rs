//! A running world over HTTP: what the runner itself promises (the product's own promises are
//! tested in `functions`).

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeMap, process::Command};

use local::{DataDir, LocalRun, Settings};
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

struct Browser {
    world: LocalRun,
    http: Client,
}

impl Browser {
    async fn start(settings: Settings) -> Self {
        let world = LocalRun::start(settings).await.expect("the world starts");
        Self { http: world.http(), world }
    }

    async fn call(&self, method: Method, path: &str, body: Option<Value>) -> (StatusCode, Value) {
        let mut request = self.http.request(method, format!("{}{path}", self.world.base_url));
        if let Some(body) = body {
            request = request.json(&body);
        }
        let response = request.send().await.unwrap();
        let status = response.status();
        let text = response.text().await.unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    async fn get(&self, path: &str) -> Value {
        let (status, body) = self.call(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {body}");
        body
    }

    async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.call(Method::POST, path, Some(body)).await
    }
}

fn in_directory(dir: &TempDir) -> Settings {
    Settings { data_dir: DataDir::Path(dir.path().to_owned()), ..Settings::default() }
}

#[tokio::test]
async fn it_answers_knows_the_gameweek_and_stops() {
    let browser = Browser::start(Settings::default()).await;
    assert_eq!(browser.get("/healthz").await, json!({ "status": "ok" }));
    assert_eq!(browser.get("/current-gameweek").await, json!({ "currentGameweek": 1 }));
    assert!(browser.world.admin.password.is_some());
    browser.world.stop().await.unwrap();
}

#[tokio::test]
async fn the_apis_document_is_shown_from_this_machine_alone() {
    let browser = Browser::start(Settings::default()).await;
    let document = browser.get("/api/openapi.json").await;
    assert_eq!(document, serde_json::to_value(functions::document()).unwrap());
    let page = browser.get("/api/docs").await;
    let page = page.as_str().unwrap();
    assert!(page.contains("/api/openapi.json"));
    assert!(!page.contains("://"), "nothing of it comes from elsewhere");
    for file in ["swagger-ui-bundle.js", "swagger-ui.css"] {
        assert!(page.contains(&format!("\"/api/docs/{file}\"")));
        browser.get(&format!("/api/docs/{file}")).await;
    }
    browser.world.stop().await.unwrap();
}

#[tokio::test]
async fn paths_that_nobody_has_are_answered_in_json() {
    let browser = Browser::start(Settings::default()).await;
    for path in ["/api/nothing", "/hooks/nothing", "/sim/nothing", "/sim/api/nothing", "/logout/x"] {
        let (status, body) = browser.call(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{path}");
        assert!(body["message"].is_string(), "{path}: {body}");
    }
    for path in ["/logout", "/sim/api/players", "/sim/api/fpl/gameweeks/1"] {
        let (status, body) = browser.call(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert!(body["message"].is_string(), "{path}: {body}");
    }
}

#[tokio::test]
async fn the_clock_jumps_and_never_goes_back() {
    let browser = Browser::start(Settings::default()).await;
    let (status, body) = browser.post("/sim/api/clock", json!({ "to": "2026-08-21T00:00:00Z" })).await;
    assert_eq!((status, &body["now"]), (StatusCode::OK, &json!("2026-08-21T00:00:00Z")));
    assert_eq!(browser.post("/sim/api/clock", json!({ "advanceSeconds": 0 })).await.0, StatusCode::OK);
    let (status, body) = browser.post("/sim/api/clock", json!({ "to": "2026-08-20T00:00:00Z" })).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert!(body["message"].as_str().unwrap().contains("never goes back"));
    for bad in [
        json!({}),
        json!({ "advanceSeconds": -1 }),
        json!({ "advanceSeconds": "1" }),
        json!({ "to": "tomorrow" }),
        json!({ "to": "2026-08-22T00:00:00Z", "advanceSeconds": 1 }),
        json!({ "to": "2027-12-31T00:00:00Z" }),
        json!([]),
    ] {
        let (status, body) = browser.post("/sim/api/clock", bad.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{bad}");
        assert!(body["message"].is_string());
    }
}

#[tokio::test]
async fn a_phase_moves_the_clock_once() {
    let browser = Browser::start(Settings::default()).await;
    let finish =
        || browser.call(Method::PUT, "/sim/api/fpl/gameweeks/1", Some(json!({ "phase": "finished" })));
    let (status, first) = finish().await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(browser.get("/sim/api/fpl/gameweeks").await[0]["phase"], "finished");
    let (status, second) = finish().await;
    assert_eq!(status, StatusCode::OK);
    let seconds =
        |body: &Value| body["now"].as_str().unwrap().parse::<jiff::Timestamp>().unwrap().as_second();
    assert!(seconds(&second) - seconds(&first) < 60);
    for (id, phase, expected) in [
        ("39", json!({ "phase": "open" }), StatusCode::NOT_FOUND),
        ("one", json!({ "phase": "open" }), StatusCode::NOT_FOUND),
        ("2", json!({ "phase": "over" }), StatusCode::BAD_REQUEST),
    ] {
        let path = format!("/sim/api/fpl/gameweeks/{id}");
        assert_eq!(browser.call(Method::PUT, &path, Some(phase)).await.0, expected, "{id}");
    }
}

#[tokio::test]
async fn a_gameweeks_kind_and_deadline_can_be_set_until_it_locks() {
    let dir = tempdir().unwrap();
    let browser = Browser::start(in_directory(&dir)).await;
    let put = async |id: u8, body: Value| {
        browser.call(Method::PUT, &format!("/sim/api/fpl/gameweeks/{id}"), Some(body)).await
    };
    let (status, set) = put(1, json!({ "kind": "void", "deadline": "2026-08-23T10:30:00Z" })).await;
    let expected = json!({ "id": 1, "deadline": "2026-08-23T10:30:00Z", "phase": "open", "kind": "void", "season": 2026 });
    assert_eq!((status, &set), (StatusCode::OK, &expected));
    for (id, body, refusal) in [
        (39, json!({ "kind": "blank" }), StatusCode::NOT_FOUND),
        (1, json!({ "kind": "triple" }), StatusCode::BAD_REQUEST),
        (1, json!({ "deadline": "2026-08-28T10:30:00Z" }), StatusCode::BAD_REQUEST),
        (1, json!({}), StatusCode::BAD_REQUEST),
        (1, json!({ "phase": "locked", "kind": "blank" }), StatusCode::BAD_REQUEST),
    ] {
        let (status, refused) = put(id, body.clone()).await;
        assert_eq!(status, refusal, "{body}");
        assert!(refused["message"].is_string());
    }
    browser.world.kill().await;

    let browser = Browser::start(in_directory(&dir)).await;
    assert_eq!(browser.get("/sim/api/fpl/gameweeks").await[0], expected);
    let lock = json!({ "phase": "locked" });
    let (_, locked) = browser.call(Method::PUT, "/sim/api/fpl/gameweeks/1", Some(lock)).await;
    assert_eq!(locked["now"], "2026-08-23T10:30:00Z");
    assert_eq!(browser.get("/api/gameweek/status").await["deadline"], "2026-08-23T10:30:00Z");
    let normal = json!({ "kind": "normal" });
    assert_eq!(
        browser.call(Method::PUT, "/sim/api/fpl/gameweeks/1", Some(normal)).await.0,
        StatusCode::CONFLICT
    );
}

#[tokio::test]
async fn a_schedule_can_be_started_by_hand_and_made_to_rest() {
    let browser = Browser::start(Settings::default()).await;
    let switch = |job: &str, body: Value| {
        let path = format!("/sim/api/jobs/{job}");
        let browser = &browser;
        async move { browser.call(Method::PUT, &path, Some(body)).await.0 }
    };
    let asked = async || browser.get("/sim/api/fpl/requests").await["eventStatus"].as_u64().unwrap();
    assert_eq!(switch("sync-gameweek", json!({ "enabled": false })).await, StatusCode::NO_CONTENT);
    let before = asked().await;
    browser.post("/sim/api/clock", json!({ "advanceSeconds": 3600 })).await;
    assert_eq!(asked().await, before, "it rests");
    let (status, _) = browser.post("/sim/api/jobs/sync-gameweek", json!({})).await;
    assert_eq!((status, asked().await), (StatusCode::NO_CONTENT, before + 1));
    assert_eq!(switch("sync-gameweek", json!({ "enabled": true })).await, StatusCode::NO_CONTENT);
    browser.post("/sim/api/clock", json!({ "advanceSeconds": 3600 })).await;
    assert!(asked().await > before + 1);
    for nothing in ["settle-payment", "sign-up", "nothing"] {
        assert_eq!(
            browser.post(&format!("/sim/api/jobs/{nothing}"), json!({})).await.0,
            StatusCode::NOT_FOUND
        );
        assert_eq!(switch(nothing, json!({ "enabled": true })).await, StatusCode::NOT_FOUND);
    }
    assert_eq!(switch("sync-gameweek", json!({})).await, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn players_join_through_the_product_and_the_books_add_up() {
    let parameters = BTreeMap::from([("Excise", "deposits:2026-07-01:5".to_owned())]);
    let browser = Browser::start(Settings { parameters, ..Settings::default() }).await;
    let (status, players) = browser.post("/sim/api/players", json!({ "count": 3, "entryAmount": 100 })).await;
    assert_eq!(status, StatusCode::OK, "{players}");
    let names: std::collections::BTreeSet<_> =
        players.as_array().unwrap().iter().map(|player| player["username"].as_str().unwrap()).collect();
    assert_eq!(names.len(), 3);
    assert!(names.iter().all(|name| name.len() <= 12));
    let ledger = browser.get("/sim/api/ledger").await;
    assert_eq!(ledger["sum"], 0);
    // Of 105 the stake is left.
    assert_eq!(ledger["accounts"]["mpesa:in"], -315);
    browser.post("/sim/api/clock", json!({ "advanceSeconds": 60 })).await;
    let status = browser.get("/api/gameweek/status").await;
    assert_eq!(status["amounts"][1]["entries"], 3);
    let (status, _) = browser.post("/sim/api/players", json!({ "count": 1, "entryAmount": 75 })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    browser.call(Method::PUT, "/sim/api/fpl/gameweeks/1", Some(json!({ "phase": "locked" }))).await;
    let (status, body) = browser.post("/sim/api/players", json!({ "count": 1, "entryAmount": 50 })).await;
    assert_eq!((status, &body["message"]), (StatusCode::BAD_GATEWAY, &json!("The deadline has passed.")));
}

#[tokio::test]
async fn a_kill_loses_nothing_that_was_acknowledged() {
    let dir = tempdir().unwrap();
    let browser = Browser::start(in_directory(&dir)).await;
    browser.post("/sim/api/players", json!({ "count": 2, "entryAmount": 50 })).await;
    let (_, before) = browser.post("/sim/api/clock", json!({ "advanceSeconds": 3600 })).await;
    let ledger = browser.get("/sim/api/ledger").await;
    browser.world.kill().await;
    let again = Browser::start(in_directory(&dir)).await;
    assert_eq!(again.get("/sim/api/ledger").await, ledger);
    assert!(again.get("/sim/api/clock").await["now"].as_str() >= before["now"].as_str());
    assert_eq!(again.world.admin.password, None, "a made-up password is shown once");
    again.world.stop().await.unwrap();
}

#[tokio::test]
async fn a_prompt_that_is_paid_around_a_kill_is_credited() {
    let dir = tempdir().unwrap();
    let browser = Browser::start(in_directory(&dir)).await;
    let person =
        json!({ "email": "a@players.test", "username": "amina", "password": "kikapu-1", "fplId": "7" });
    assert_eq!(browser.post("/api/signup", person.clone()).await.0, StatusCode::CREATED);
    let (_, session) = browser.post("/api/login", person).await;
    let deposit = json!({ "phone": "0712345678", "amount": 200, "userId": session["_id"] });
    let request = browser.http.post(format!("{}/api/deposits", browser.world.base_url)).json(&deposit);
    let started = request.bearer_auth(session["accessToken"].as_str().unwrap()).send().await.unwrap();
    let started: Value = started.json().await.unwrap();
    browser.world.kill().await;

    let browser = Browser::start(in_directory(&dir)).await;
    let prompts = browser.get("/sim/api/prompts?phone=0712345678").await;
    let path = format!("/sim/api/prompts/{}", prompts[0]["checkoutRequestId"].as_str().unwrap());
    let answer = json!({ "outcome": "success", "callback": "late" });
    assert_eq!(browser.post(&path, answer).await.0, StatusCode::ACCEPTED);
    browser.world.kill().await;

    let browser = Browser::start(in_directory(&dir)).await;
    browser.post("/sim/api/clock", json!({ "advanceSeconds": 600 })).await;
    let path = format!("/api/deposits/status?checkoutId={}", started["checkoutId"].as_str().unwrap());
    assert_eq!(browser.get(&path).await["status"], "SUCCESS");
    assert_eq!(browser.get("/sim/api/ledger").await["accounts"]["mpesa:in"], -200);
}

#[tokio::test]
async fn bodies_are_read_to_their_end_and_refused_when_they_are_too_large() {
    let browser = Browser::start(Settings::default()).await;
    let send = |bytes: usize| {
        let request = browser.http.post(format!("{}/api/login", browser.world.base_url));
        request.header("content-type", "application/json").body(vec![b' '; bytes]).send()
    };
    for bytes in [1024 * 1024, 11 * 1024 * 1024] {
        let answer = send(bytes).await.unwrap();
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE, "{bytes}");
        assert!(answer.json::<Value>().await.unwrap()["message"].is_string());
    }
}

#[tokio::test]
async fn the_web_app_answers_for_its_routes_and_never_for_calls() {
    let dir = tempdir().unwrap();
    std::fs::create_dir_all(dir.path().join("assets")).unwrap();
    std::fs::write(dir.path().join("index.html"), "<title>app</title>").unwrap();
    std::fs::write(dir.path().join("assets/a-1234.js"), "1").unwrap();
    std::fs::create_dir_all(dir.path().join("pages/leagues")).unwrap();
    std::fs::write(dir.path().join("pages/terms.html"), "<title>terms</title>").unwrap();
    std::fs::write(dir.path().join("pages/leagues/settlement.html"), "<title>settled</title>").unwrap();
    let browser = Browser::start(Settings { web: dir.path().to_owned(), ..Settings::default() }).await;
    for (path, status, cache) in [
        ("/", 200, "no-cache"),
        ("/leagues", 200, "no-cache"),
        ("/reset-password/abc", 200, "no-cache"),
        ("/ref/7kq2m9x4ab.", 200, "no-cache"),
        ("/assets/a-1234.js", 200, "public, max-age=31536000, immutable"),
        ("/assets/b-1234.js", 404, "no-cache"),
        ("/favicon.ico", 404, "no-cache"),
    ] {
        let answer = browser.http.get(format!("{}{path}", browser.world.base_url)).send().await.unwrap();
        assert_eq!(
            (answer.status().as_u16(), answer.headers()["cache-control"].to_str().unwrap()),
            (status, cache),
            "{path}"
        );
    }
    for (path, title) in [
        ("/", "app"),
        ("/terms", "terms"),
        ("/leagues", "app"),
        ("/pages/terms", "app"),
        ("/leagues/2026-01-50-00001/settlement", "settled"),
        ("/gameweeks/2026-01/draw", "app"),
    ] {
        assert_eq!(browser.get(path).await, format!("<title>{title}</title>"), "{path}");
    }
    assert_eq!(browser.post("/leagues", json!({})).await.0, StatusCode::METHOD_NOT_ALLOWED);
    for path in ["/", "/assets/a-1234.js", "/api/gameweek/status"] {
        let answer = browser.http.get(format!("{}{path}", browser.world.base_url)).send().await.unwrap();
        let policy = answer.headers()["content-security-policy"].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("strict-transport-security", "max-age=63072000; includeSubDomains"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(answer.headers()[name], value, "{path}: {name}");
        }
    }
    let unbuilt = Browser::start(Settings { web: dir.path().join("none"), ..Settings::default() }).await;
    assert!(unbuilt.get("/").await.as_str().unwrap().contains("make web"));
}

#[tokio::test]
async fn the_outbox_is_there_and_empty() {
    let browser = Browser::start(Settings::default()).await;
    assert_eq!(browser.get("/sim/api/outbox?to=nobody@players.test").await, json!([]));
}

/// `verify-draw` from outside: its lines and its exit status.
#[tokio::test(flavor = "multi_thread")]
async fn the_command_says_yes_or_no_to_a_draw() {
    let browser = Browser::start(Settings::default()).await;
    let verify = |more: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
        let output = command.args(["verify-draw", "1", &browser.world.base_url]).args(more).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap().trim_end().to_owned();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let noted = browser.get("/api/gameweeks/1/draw").await["secretHash"].as_str().unwrap().to_owned();
    let before = verify(&[]);
    let line =
        format!("local: gameweek 1: is not drawn yet; the hash of its secret, to be noted, is {noted}");
    assert_eq!(before, (Some(1), String::new(), line));

    assert_eq!(
        browser.post("/sim/api/players", json!({ "count": 3, "entryAmount": 50 })).await.0,
        StatusCode::OK
    );
    let phase = Some(json!({ "phase": "live" }));
    browser.call(Method::PUT, "/sim/api/fpl/gameweeks/1", phase).await;
    let (code, lines, errors) = verify(&["--secret-hash", &noted]);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{lines}");
    let last = lines.lines().last().unwrap();
    assert!(last.starts_with("yes: the leagues are what the draw makes (leagues: 1, entries: 3, "), "{last}");

    let (code, lines, _) = verify(&["--secret-hash", &"0".repeat(64)]);
    assert_eq!(code, Some(1));
    let expected = format!("expected {}; found {noted}", "0".repeat(64));
    assert!(lines.contains(&expected), "{lines}");
    assert!(lines.lines().last().unwrap().starts_with("no: 1 of "), "{lines}");
}
