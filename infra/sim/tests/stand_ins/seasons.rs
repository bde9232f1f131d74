//! One season ends, and after the summer another one is shown: new deadlines, new ids.

use axum::http::{Method, StatusCode};
use jiff::{SignedDuration, Timestamp};
use rusqlite::Connection;
use serde_json::{Value, json};
use sim::Phase;

use crate::{
    teams::{check, crowd, put_week},
    world::World,
};

const CHANGES: &str = "2027-07-10T09:00:00Z";

/// A deadline of the second season.
fn deadline(gameweek: i32) -> Timestamp {
    let first: Timestamp = "2027-08-21T10:30:00Z".parse().unwrap();
    first + SignedDuration::from_hours(7 * 24) * (gameweek - 1)
}

async fn events(world: &World) -> Vec<Value> {
    world.fpl("/bootstrap-static/").await.body["events"].as_array().unwrap().clone()
}

async fn elements(world: &World, id: u64, gameweek: u8) -> Vec<Value> {
    let picks = world.fpl(&format!("/entry/{id}/event/{gameweek}/picks/")).await.body["picks"].clone();
    picks.as_array().unwrap().iter().map(|pick| pick["element"].clone()).collect()
}

#[tokio::test]
async fn the_old_season_stays_until_the_new_one_is_there() {
    let world = World::new();
    world.at("2027-07-10T08:59:59Z");
    let events = events(&world).await;
    assert_eq!((events.len(), &events[37]["is_current"]), (38, &json!(true)));
    assert!(events.iter().all(|event| event["finished"] == true && event["is_next"] == false));
    assert_eq!(world.fpl("/event-status/").await.body["leagues"], "Updated");
    let history = world.fpl("/entry/7/history/").await.body;
    assert_eq!(history["current"].as_array().unwrap().len(), 38);
    assert_eq!(world.api(Method::GET, "/fpl/gameweeks", Value::Null).await.body[37]["season"], 2026);
}

#[tokio::test]
async fn before_its_first_deadline_a_season_has_dates_and_nothing_else() {
    let world = World::new();
    let name = world.fpl("/entry/7/").await.body["name"].clone();
    world.at(CHANGES);
    let events = events(&world).await;
    for (event, number) in events.iter().zip(1..) {
        assert_eq!((&event["id"], &event["is_next"]), (&json!(number), &json!(number == 1)));
        assert_eq!(event["deadline_time_epoch"], deadline(number).as_second());
        for flag in ["is_current", "is_previous", "finished", "data_checked"] {
            assert_eq!(event[flag], false, "{flag} of {number}");
        }
    }
    assert_eq!(events[0]["deadline_time"], "2027-08-21T10:30:00Z");
    assert_eq!(events.len(), 38);
    assert_eq!(world.fpl("/event-status/").await.body, json!({ "status": [], "leagues": "" }));
    assert_eq!(world.fpl("/event/1/live/").await.body, json!({ "elements": [] }));
    assert_eq!(world.fpl("/event/38/live/").await.body, json!({ "elements": [] }));
    let entry = world.fpl("/entry/7/").await.body;
    assert_eq!((&entry["current_event"], &entry["entered_events"]), (&Value::Null, &json!([])));
    assert!(entry["joined_time"].as_str().unwrap() <= CHANGES);
    assert_ne!(entry["name"], name);
    for gameweek in [1, 38] {
        let picks = world.fpl(&format!("/entry/7/event/{gameweek}/picks/")).await;
        assert_eq!(picks.status, StatusCode::NOT_FOUND);
    }
    let mut last_year = 0;
    for id in 1..=20 {
        let history = world.fpl(&format!("/entry/{id}/history/")).await.body;
        assert_eq!((&history["current"], &history["chips"]), (&json!([]), &json!([])));
        let past = history["past"].as_array().unwrap();
        if let Some(last) = past.last() {
            assert_eq!(last["season_name"], "2026/27");
            last_year += 1;
        }
    }
    assert!(last_year > 5);
    let list = world.api(Method::GET, "/fpl/gameweeks", Value::Null).await.body;
    assert!(list.as_array().unwrap().iter().all(|week| week["season"] == 2027 && week["phase"] == "open"));
}

#[tokio::test]
async fn every_team_id_is_there_again_with_another_squad() {
    for crowded in [false, true] {
        let world = World::new();
        if crowded {
            crowd(&world).await;
        }
        let both = async |gameweek: u8, hours: i64| {
            let gone = SignedDuration::from_hours(hours);
            world.at("2026-08-22T10:30:00Z");
            let week = SignedDuration::from_hours(7 * 24) * i32::from(gameweek - 1);
            world.set(world.now() + week + gone);
            let old = (check(&world, 7, gameweek).await, elements(&world, 7, gameweek).await);
            let players = world.fpl("/bootstrap-static/").await.body["elements"].clone();
            world.set(deadline(i32::from(gameweek)) + gone);
            let new = (check(&world, 7, gameweek).await, elements(&world, 7, gameweek).await);
            let others = world.fpl("/bootstrap-static/").await.body["elements"].clone();
            for (old, new) in players.as_array().unwrap().iter().zip(others.as_array().unwrap()).take(600) {
                assert_eq!(old["id"], new["id"]);
                assert_ne!((&old["code"], &old["web_name"]), (&new["code"], &new["web_name"]));
            }
            (old, new)
        };
        for (gameweek, hours) in [(1, 30), (2, 72)] {
            let ((old_row, old), (new_row, new)) = both(gameweek, hours).await;
            assert_ne!(old, new);
            assert_ne!((&old_row["points"], &old_row["rank"]), (&new_row["points"], &new_row["rank"]));
        }
    }
    let world = World::new();
    let pairs = async || {
        let list = world.fpl("/fixtures/?event=1").await.body;
        let list = list.as_array().unwrap().iter().map(|of| (of["team_h"].clone(), of["team_a"].clone()));
        list.collect::<Vec<_>>()
    };
    let old = pairs().await;
    world.at(CHANGES);
    assert_ne!(pairs().await, old);
}

#[tokio::test]
async fn what_is_set_is_of_the_season_that_is_shown() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let before = World::on(Connection::open(file.path()).unwrap());
    let set = async |world: &World, points: i64, name: &str| {
        let mut body = put_week(1, &json!({ "points": points }));
        body["teamName"] = json!(name);
        world.api(Method::PUT, "/fpl/entries/7", body).await;
    };
    set(&before, 61, "Old").await;
    before.api(Method::PUT, "/fpl/entries/8", json!({ "exists": false })).await;
    before.change(1, json!({ "kind": "double" })).unwrap();
    before.at(CHANGES);
    assert_eq!(before.fpl("/entry/8/").await.status, StatusCode::OK);
    set(&before, 33, "New").await;
    before.change(1, json!({ "kind": "blank", "deadline": "2027-08-20T17:30:00Z" })).unwrap();

    let world = World::on(Connection::open(file.path()).unwrap());
    for (at, points, name, kind, exists) in [
        ("2026-08-25T09:00:00Z", 61, "Old", "double", false),
        ("2027-08-23T16:00:00Z", 33, "New", "blank", true),
    ] {
        world.at(at);
        let row = check(&world, 7, 1).await;
        assert_eq!(row["points"], points);
        assert_eq!(world.fpl("/entry/7/").await.body["name"], name);
        assert_eq!(world.fpl("/entry/8/").await.status == StatusCode::OK, exists);
        let list = world.api(Method::GET, "/fpl/gameweeks", Value::Null).await.body;
        assert_eq!((&list[0]["kind"], &list[0]["phase"]), (&json!(kind), &json!("checked")));
    }
}

/// A file of a world that was kept while there was one season.
#[tokio::test]
async fn teams_that_were_kept_before_there_were_seasons_are_of_the_first() {
    let connection = Connection::open_in_memory().unwrap();
    let table = "CREATE TABLE sim_entries (fpl_id INTEGER PRIMARY KEY, slot INTEGER UNIQUE,
        every_week INTEGER NOT NULL DEFAULT 0, says TEXT NOT NULL DEFAULT '{}')";
    connection.execute_batch(table).unwrap();
    let says = json!({ "teamName": "Kept", "gameweeks": { "1": { "points": 77 } } }).to_string();
    connection.execute("INSERT INTO sim_entries VALUES (9, 0, 1, ?1)", [says]).unwrap();
    let world = World::on(connection);
    world.at("2026-08-25T09:00:00Z");
    assert_eq!(check(&world, 9, 1).await["points"], 77);
    assert_eq!(world.fpl("/entry/9/").await.body["name"], "Kept");
}

#[test]
fn phases_and_boundaries_are_those_of_the_new_season() {
    let world = World::new();
    let at = |text: &str| text.parse::<Timestamp>().unwrap();
    let found = world.sim.boundaries(at("2027-05-12T00:00:00Z"), at("2027-08-24T09:00:00Z"));
    let expected = [
        CHANGES,
        "2027-08-21T10:30:00Z",
        "2027-08-21T12:00:00Z",
        "2027-08-23T21:30:00Z",
        "2027-08-24T09:00:00Z",
    ];
    assert_eq!(found, expected.map(at));
    assert_eq!(world.sim.deadlines().len(), 76);
    assert_eq!(world.sim.phase_start(1, Phase::Locked), Some(at("2026-08-22T10:30:00Z")));
    world.at(CHANGES);
    assert_eq!(world.sim.phase_start(1, Phase::Locked), Some(deadline(1)));
    assert_eq!(world.sim.phase_start(1, Phase::Open), Some(at(CHANGES)));
    assert_eq!(world.sim.phase_start(38, Phase::Locked), Some(deadline(38)));
}
