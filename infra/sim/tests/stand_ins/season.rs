//! The official game as a companion app sees it, through the states of a season and with its faults.

use axum::{
    body::Body,
    http::{Method, Request, StatusCode},
};
use rstest::rstest;
use serde_json::{Value, json};
use sim::Phase;

use crate::world::World;

async fn event(world: &World, number: usize) -> Value {
    world.fpl("/bootstrap-static/").await.body["events"][number - 1].clone()
}

async fn phase(world: &World, number: usize) -> Value {
    world.api(Method::GET, "/fpl/gameweeks", Value::Null).await.body[number - 1]["phase"].clone()
}

#[rstest]
#[case("2026-08-20T09:00:00Z", "open", [false, false, false], "")]
#[case("2026-08-22T10:29:59Z", "open", [false, false, false], "")]
#[case("2026-08-22T10:30:00Z", "locked", [true, false, false], "")]
#[case("2026-08-22T12:00:00Z", "live", [true, false, false], "")]
#[case("2026-08-24T21:29:59Z", "live", [true, false, false], "")]
#[case("2026-08-24T21:30:00Z", "finished", [true, true, false], "Updating")]
#[case("2026-08-25T08:59:59Z", "finished", [true, true, false], "Updating")]
#[case("2026-08-25T09:00:00Z", "checked", [true, true, true], "Updated")]
#[case("2026-08-29T10:29:59Z", "checked", [true, true, true], "Updated")]
#[tokio::test]
async fn the_first_gameweek_goes_through_its_phases(
    #[case] now: &str,
    #[case] expected: &str,
    #[case] flags: [bool; 3],
    #[case] leagues: &str,
) {
    let [current, finished, checked] = flags;
    let world = World::new();
    world.at(now);
    let event = event(&world, 1).await;
    assert_eq!(phase(&world, 1).await, expected);
    assert_eq!(event["is_current"], current);
    assert_eq!(event["is_next"], !current);
    assert_eq!((&event["finished"], &event["data_checked"]), (&json!(finished), &json!(checked)));
    assert_eq!(event["deadline_time"], "2026-08-22T10:30:00Z");
    assert_eq!(event["deadline_time_epoch"], 1_787_394_600);
    let status = world.fpl("/event-status/").await.body;
    assert_eq!(status["leagues"], leagues);
    let rows = status["status"].as_array().unwrap();
    assert_eq!(rows.len(), if current { 3 } else { 0 });
    let settled = rows.iter().all(|row| row["points"] == "r" && row["bonus_added"] == true);
    assert_eq!(settled && current, checked);
    let matches = world.fpl("/fixtures/?event=1").await.body;
    assert!(matches.as_array().unwrap().iter().all(|m| m["finished"] == finished));
}

#[tokio::test]
async fn flags_move_on_at_the_second_deadline() {
    let world = World::new();
    world.at("2026-08-29T10:30:00Z");
    let [one, two, three] = [event(&world, 1).await, event(&world, 2).await, event(&world, 3).await];
    assert_eq!((&one["is_previous"], &one["is_current"]), (&json!(true), &json!(false)));
    assert_eq!((&two["is_current"], &two["is_next"]), (&json!(true), &json!(false)));
    assert_eq!((&three["is_next"], phase(&world, 3).await), (&json!(true), json!("open")));
}

#[tokio::test]
async fn days_and_matches_follow_the_clock() {
    let world = World::new();
    world.at("2026-08-22T12:50:00Z");
    let rows = |status: Value| -> Vec<Value> {
        status["status"].as_array().unwrap().iter().map(|row| row["points"].clone()).collect()
    };
    assert_eq!(rows(world.fpl("/event-status/").await.body), ["l", "", ""]);
    let matches = world.fpl("/fixtures/?event=1").await.body;
    assert_eq!((&matches[0]["started"], &matches[9]["started"]), (&json!(true), &json!(false)));
    assert!(matches[0]["minutes"].as_u64().unwrap() > 0);
    assert_eq!(matches[9]["team_h_score"], Value::Null);
    world.at("2026-08-23T09:00:00Z");
    let status = world.fpl("/event-status/").await.body;
    assert_eq!(rows(status.clone()), ["p", "", ""]);
    assert_eq!(status["status"][0]["bonus_added"], true);
    assert_eq!(world.fpl("/fixtures/").await.body.as_array().unwrap().len(), 380);
}

#[tokio::test]
async fn picks_and_rows_appear_at_the_deadline() {
    let world = World::new();
    world.at("2026-08-22T10:29:59Z");
    assert_eq!(world.fpl("/entry/7/event/1/picks/").await.status, StatusCode::NOT_FOUND);
    assert_eq!(world.fpl("/entry/7/history/").await.body["current"], json!([]));
    assert_eq!(world.fpl("/event/1/live/").await.body, json!({ "elements": [] }));
    assert_eq!(world.fpl("/entry/7/").await.body["current_event"], Value::Null);
    world.at("2026-08-22T10:30:00Z");
    let picks = world.fpl("/entry/7/event/1/picks/").await.body;
    assert_eq!(picks["picks"].as_array().unwrap().len(), 15);
    let history = world.fpl("/entry/7/history/").await.body;
    assert_eq!(history["current"][0]["points"], 0);
    assert_eq!(picks["entry_history"], history["current"][0]);
    assert!(world.fpl("/event/1/live/").await.body["elements"].as_array().unwrap().len() >= 600);
    assert_eq!(world.fpl("/entry/7/event/2/picks/").await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_team_that_does_not_exist_is_nowhere() {
    let world = World::new();
    world.at("2026-08-23T10:30:00Z");
    let gone = json!({ "exists": false });
    assert_eq!(world.api(Method::PUT, "/fpl/entries/44", gone).await.status, StatusCode::OK);
    for path in ["/entry/44/", "/entry/44/history/", "/entry/44/event/1/picks/"] {
        assert_eq!(world.fpl(path).await.status, StatusCode::NOT_FOUND);
    }
    for path in ["/entry/0/", "/entry/abc/", "/event/39/live/", "/entry/7/event/0/picks/", "/nothing/"] {
        assert_eq!(world.fpl(path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    world.api(Method::PUT, "/fpl/entries/44", json!({ "exists": true })).await;
    assert_eq!(world.fpl("/entry/44/").await.status, StatusCode::OK);
}

#[rstest]
#[case("down", 503, "<html>")]
#[case("updating", 503, "The game is being updated.")]
#[case("html", 200, "<html>")]
#[case("rate_limited", 429, "Too Many")]
#[tokio::test]
async fn the_faults_of_the_game(#[case] fault: &str, #[case] status: u16, #[case] starts: &str) {
    let world = World::new();
    world.fault(json!({ "fpl": fault })).await;
    let answer = world.fpl("/bootstrap-static/").await;
    assert_eq!(answer.status.as_u16(), status);
    assert!(answer.body.as_str().unwrap().starts_with(starts), "{}", answer.body);
    assert_eq!(answer.headers.contains_key("retry-after"), fault == "rate_limited");
    world.fault(json!({ "fpl": "none" })).await;
    assert_eq!(world.fpl("/bootstrap-static/").await.status, StatusCode::OK);
}

#[tokio::test(start_paused = true)]
async fn a_slow_game_outlasts_any_client() {
    let world = World::new();
    world.fault(json!({ "fpl": "slow" })).await;
    let started = tokio::time::Instant::now();
    assert_eq!(world.fpl("/event-status/").await.status, StatusCode::OK);
    assert_eq!(started.elapsed().as_secs(), 20);
}

#[tokio::test]
async fn clients_must_say_who_they_are_and_are_counted() {
    let world = World::new();
    let ask = |agent: Option<&str>| {
        let mut request = Request::get("/sim/fpl/api/entry/7/history/");
        if let Some(agent) = agent {
            request = request.header("user-agent", agent);
        }
        request.body(Body::empty()).unwrap()
    };
    for agent in [None, Some(""), Some("python-requests/2.32"), Some("curl/8.5.0")] {
        assert_eq!(world.send(ask(agent)).await.status, StatusCode::FORBIDDEN, "{agent:?}");
    }
    assert_eq!(world.send(ask(Some("fpl-leagues (ops@example.test)"))).await.status, StatusCode::OK);
    world.fpl("/entry/7/event/1/picks/").await;
    let counted = world.api(Method::GET, "/fpl/requests", Value::Null).await.body;
    assert_eq!((&counted["history"], &counted["picks"], &counted["live"]), (&json!(5), &json!(1), &json!(0)));
    world.api(Method::DELETE, "/fpl/requests", Value::Null).await;
    let counted = world.api(Method::GET, "/fpl/requests", Value::Null).await.body;
    assert_eq!(counted["history"], 0);
}

#[rstest]
#[case("/fpl/entries/7", json!({ "gameweeks": { "39": { "points": 1 } } }))]
#[case("/fpl/entries/7", json!({ "gameweeks": { "one": { "points": 1 } } }))]
#[case("/fpl/entries/7", json!({ "gameweeks": { "1": { "points": 201 } } }))]
#[case("/fpl/entries/7", json!({ "gameweeks": { "1": { "points": -1 } } }))]
#[case("/fpl/entries/7", json!({ "gameweeks": { "1": { "points": 60.5 } } }))]
#[case("/fpl/entries/7", json!({ "gameweeks": { "1": { "pointsOnBench": -1 } } }))]
#[case("/fpl/entries/7", json!({ "gameweeks": { "1": { "transfersCost": 5 } } }))]
#[case("/fpl/entries/7", json!({ "gameweeks": { "1": { "score": 5 } } }))]
#[case("/fpl/entries/7", json!({ "teamName": " " }))]
#[case("/fpl/entries/7", json!({ "exists": "no" }))]
#[case("/fpl/entries/abc", json!({}))]
#[case("/fpl/entries/0", json!({}))]
#[case("/faults", json!({ "fpl": "broken" }))]
#[case("/faults", json!({ "sms": "down" }))]
#[case("/faults", json!({ "dynamodb": { "throttle": 2 } }))]
#[case("/faults", json!({ "dynamodb": { "conflict": -0.5 } }))]
#[case("/faults", json!({ "dynamodb": { "lost": 1.5 } }))]
#[case("/faults", json!({ "extraDeliveries": -1 }))]
#[case("/faults", json!("down"))]
#[tokio::test]
async fn settings_that_make_no_sense_are_refused(#[case] path: &str, #[case] body: Value) {
    let world = World::new();
    let refused = world.api(Method::PUT, path, body).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.body);
    assert!(refused.body["message"].is_string());
    assert_eq!(world.sim.faults(), sim::Faults::default());
}

#[tokio::test]
async fn a_fault_left_out_keeps_its_value() {
    let world = World::new();
    world.fault(json!({ "fpl": "down", "dynamodb": { "throttle": 0.3 } })).await;
    world.fault(json!({ "daraja": "pending", "email": "down" })).await;
    let faults = world.api(Method::GET, "/faults", Value::Null).await.body;
    let expected = json!({ "fpl": "down", "daraja": "pending", "payouts": "none",
        "dynamodb": { "throttle": 0.3, "conflict": 0.0, "lost": 0.0, "refusedPuts": "" }, "email": "down",
        "payer": "none", "push": "none", "beacon": "none", "extraDeliveries": 0 });
    assert_eq!(faults, expected);
    world.fault(json!({ "dynamodb": { "conflict": 0.2 } })).await;
    let both = sim::DynamoFaults { throttle: 0.3, conflict: 0.2, ..sim::DynamoFaults::default() };
    assert_eq!(world.sim.faults().dynamodb, both);
    world.fault(json!({ "dynamodb": {} })).await;
    assert_eq!(world.sim.faults().dynamodb, sim::DynamoFaults::default());
}

#[tokio::test]
async fn a_beacon_round_comes_with_its_time_and_never_changes() {
    let world = World::new();
    let chain = world.sim.beacon_chain();
    let ask_of = |relay: &str, round: String| {
        let request = Request::get(format!("/sim/beacon/{relay}/{chain}/{round}"));
        world.send(request.body(Body::empty()).unwrap())
    };
    let ask = |round: String| ask_of("one", round);
    let info = ask("info".into()).await.body;
    assert_eq!((&info["period"], &info["genesis_time"]), (&json!(3), &json!(1_692_803_367)));
    let round = (world.now().as_second() - 1_692_803_367) / 3 + 2;
    assert_eq!(ask(format!("public/{round}")).await.status, StatusCode::NOT_FOUND);
    world.advance(3);
    let first = ask(format!("public/{round}")).await.body;
    assert_eq!(first["round"], round);
    let signature = hex::decode(first["signature"].as_str().unwrap()).unwrap();
    let randomness = <sha2::Sha256 as sha2::Digest>::digest(signature);
    assert_eq!(first["randomness"], hex::encode(randomness).as_str());
    world.advance(86_400);
    assert_eq!(ask(format!("public/{round}")).await.body, first);
    world.fault(json!({ "beacon": "down" })).await;
    assert_eq!(ask(format!("public/{round}")).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(ask_of("four", format!("public/{round}")).await.status, StatusCode::NOT_FOUND);

    world.fault(json!({ "beacon": "one-lies-one-down" })).await;
    let lie = ask_of("one", format!("public/{round}")).await.body;
    assert_eq!(lie["round"], round);
    assert_ne!(lie["signature"], first["signature"]);
    let signature = hex::decode(lie["signature"].as_str().unwrap()).unwrap();
    let randomness = <sha2::Sha256 as sha2::Digest>::digest(signature);
    assert_eq!(lie["randomness"], hex::encode(randomness).as_str(), "it fits together");
    let down = ask_of("two", format!("public/{round}")).await;
    assert_eq!(down.status, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(ask_of("three", format!("public/{round}")).await.body, first);
}

#[test]
fn phases_start_where_the_calendar_says() {
    let world = World::new();
    let start = |gameweek, phase| world.sim.phase_start(gameweek, phase).map(|at| at.to_string());
    assert_eq!(start(1, Phase::Open).as_deref(), Some(sim::FIRST_OPEN));
    assert_eq!(start(2, Phase::Open).as_deref(), Some("2026-08-25T09:00:00Z"));
    assert_eq!(start(2, Phase::Checked).as_deref(), Some("2026-09-01T09:00:00Z"));
    assert_eq!((start(0, Phase::Open), start(39, Phase::Open)), (None, None));
    let until = "2026-08-24T21:30:00Z".parse().unwrap();
    let found: Vec<_> = world.sim.boundaries(world.now(), until).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["2026-08-22T10:30:00Z", "2026-08-22T12:00:00Z", "2026-08-24T21:30:00Z"]);
}
