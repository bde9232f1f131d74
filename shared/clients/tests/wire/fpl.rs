use std::time::Duration;

use clients::{Clock, Fpl, FplError, Http};

use crate::server::{
    AT_ONCE, IMPATIENT, PATIENT, Reply, Server, dropping, nobody, redirect, reply, retry_after,
};

const HISTORY: &str = r#"{"current":[{"event":2,"points":51,"total_points":115,
    "event_transfers":2,"event_transfers_cost":4,"points_on_bench":9}],"past":[],"chips":[]}"#;
const UPDATING: &str = "\"The game is being updated.\"";

fn fpl(base: String, time_limit: Duration) -> Fpl {
    Fpl::new(base, Http::new(), Clock::system(), 1_000, time_limit).with_backoff(AT_ONCE)
}

#[tokio::test]
async fn every_call_has_its_path_and_says_who_asks() {
    let script = [
        r#"{"events":[],"elements":[],"teams":[]}"#,
        "[]",
        r#"{"status":[],"leagues":""}"#,
        r#"{"id":7,"name":"Test FC"}"#,
        HISTORY,
        r#"{"active_chip":"bboost","automatic_subs":[],"picks":[],"entry_history":{"event":2,
            "points":1,"total_points":1,"event_transfers_cost":0,"points_on_bench":0}}"#,
        r#"{"elements":[]}"#,
    ];
    let (server, base) = Server::start(script.map(|body| reply(200, body))).await;
    let fpl = fpl(format!("{base}/api/"), PATIENT);
    fpl.bootstrap().await.expect("bootstrap");
    fpl.fixtures(2).await.expect("fixtures");
    fpl.event_status().await.expect("status");
    assert_eq!(fpl.entry(7).await.expect("entry").name, "Test FC");
    let history = fpl.history(7).await.expect("history");
    assert_eq!(history.current[0].points_on_bench, 9);
    let picks = fpl.picks(7, 2).await.expect("picks");
    assert_eq!(picks.active_chip.as_deref(), Some("bboost"));
    fpl.live(2).await.expect("live");
    let asked = server.asked();
    let targets: Vec<&str> = asked.iter().map(|asked| asked.target.as_str()).collect();
    assert_eq!(
        targets,
        [
            "/api/bootstrap-static/",
            "/api/fixtures/?event=2",
            "/api/event-status/",
            "/api/entry/7/",
            "/api/entry/7/history/",
            "/api/entry/7/event/2/picks/",
            "/api/event/2/live/",
        ]
    );
    for asked in asked.iter() {
        let agent = asked.headers["user-agent"].to_str().expect("text");
        assert!(agent.starts_with("fpl-leagues/"), "{agent}");
    }
}

#[tokio::test]
async fn updating_passes() {
    let html = reply(200, "<html>The game is being updated.</html>");
    let script = [reply(503, UPDATING), html, reply(200, HISTORY)];
    let (server, base) = Server::start(script).await;
    assert!(fpl(base, PATIENT).history(7).await.is_ok());
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn updating_that_lasts_is_said_and_never_zero_points() {
    let script = [reply(503, UPDATING), reply(200, UPDATING), reply(502, "<html></html>")];
    let (server, base) = Server::start(script).await;
    assert_eq!(fpl(base, PATIENT).history(7).await, Err(FplError::Updating));
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn what_will_not_change_is_asked_once() {
    let script = [
        reply(404, r#"{"detail":"Not found."}"#),
        reply(403, "<html>Forbidden</html>"),
        reply(200, &HISTORY[..60]),
        reply(200, r#"{"current":[{"event":2}]}"#),
    ];
    let (server, base) = Server::start(script).await;
    let fpl = fpl(base, PATIENT);
    assert_eq!(fpl.picks(7, 2).await, Err(FplError::NotFound));
    assert_eq!(fpl.entry(7).await, Err(FplError::Forbidden));
    let cut = fpl.history(7).await;
    assert!(matches!(cut, Err(FplError::Malformed { .. })), "{cut:?}");
    let bare = fpl.history(7).await;
    assert!(matches!(bare, Err(FplError::Malformed { .. })), "{bare:?}");
    assert_eq!(server.asked().len(), 4);
}

#[tokio::test]
async fn too_many_requests_are_tried_again_after_the_wait() {
    let (server, base) = Server::start([retry_after(429, "0"), reply(200, HISTORY)]).await;
    assert!(fpl(base, PATIENT).history(7).await.is_ok());
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn a_wait_past_the_time_limit_is_left_to_the_caller() {
    let (server, base) = Server::start([retry_after(429, "120")]).await;
    let fpl = fpl(base, PATIENT);
    let limited = FplError::RateLimited { retry_after: Some(Duration::from_secs(120)) };
    assert_eq!(fpl.history(7).await, Err(limited));
    // Every clone is held back by it, without another request.
    assert_eq!(fpl.clone().live(2).await, Err(FplError::TimedOut));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_endless_wait_is_not_believed() {
    let (_server, base) = Server::start([retry_after(429, "18446744073709551615")]).await;
    let limited = FplError::RateLimited { retry_after: Some(Duration::from_secs(3600)) };
    assert_eq!(fpl(base, PATIENT).history(7).await, Err(limited));
}

#[tokio::test]
async fn a_wait_given_as_a_date_is_not_read() {
    let script = ["Fri, 20 Nov 2026 06:05:00 GMT"; 3].map(|date| retry_after(429, date));
    let (server, base) = Server::start(script).await;
    let limited = FplError::RateLimited { retry_after: None };
    assert_eq!(fpl(base, PATIENT).history(7).await, Err(limited));
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn nobody_there() {
    let (_held, base) = nobody();
    let answer = fpl(base, PATIENT).history(7).await;
    assert!(matches!(answer, Err(FplError::Unreachable { .. })), "{answer:?}");
    let answer = fpl(dropping().await, PATIENT).history(7).await;
    assert!(matches!(answer, Err(FplError::Unreachable { .. })), "{answer:?}");
}

#[tokio::test]
async fn no_answer_in_time() {
    let (_server, base) = Server::start([Reply::Never]).await;
    assert_eq!(fpl(base, IMPATIENT).live(2).await, Err(FplError::TimedOut));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (elsewhere, there) = Server::start([reply(200, HISTORY)]).await;
    let (_server, base) = Server::start([redirect(&there)]).await;
    let answer = fpl(base, PATIENT).history(7).await;
    assert!(matches!(answer, Err(FplError::Malformed { .. })), "{answer:?}");
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn an_answer_past_the_size_limit_is_cut_off() {
    let large = format!("{}{HISTORY}", " ".repeat(9 * 1024 * 1024));
    let (_server, base) = Server::start([reply(200, &large)]).await;
    let answer = fpl(base, PATIENT).history(7).await;
    assert!(matches!(answer, Err(FplError::Malformed { .. })), "{answer:?}");
}
