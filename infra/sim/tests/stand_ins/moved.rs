//! A deadline that moves, as the official game's do, and everything that moves with it.

use axum::http::{Method, StatusCode};
use jiff::Timestamp;
use rstest::rstest;
use serde_json::{Value, json};
use sim::{GameweekRefused, Phase};

use crate::{teams::check, world::World};

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn moved(world: &World, gameweek: u8, to: &str) -> Result<Value, GameweekRefused> {
    world.change(gameweek, json!({ "deadline": to }))
}

async fn event(world: &World, number: usize) -> Value {
    world.fpl("/bootstrap-static/").await.body["events"][number - 1].clone()
}

#[tokio::test]
async fn every_phase_moves_with_its_deadline() {
    let world = World::new();
    world.at("2026-08-27T00:00:00Z");
    moved(&world, 2, "2026-08-30T12:00:00Z").unwrap();
    let event = event(&world, 2).await;
    assert_eq!(event["deadline_time"], "2026-08-30T12:00:00Z");
    assert_eq!(event["deadline_time_epoch"], at("2026-08-30T12:00:00Z").as_second());
    for (now, phase) in [
        ("2026-08-29T10:30:00Z", "open"),
        ("2026-08-30T11:59:59Z", "open"),
        ("2026-08-30T12:00:00Z", "locked"),
        ("2026-08-30T13:30:00Z", "live"),
        ("2026-09-01T23:00:00Z", "finished"),
        ("2026-09-02T10:30:00Z", "checked"),
    ] {
        world.at(now);
        let list = world.api(Method::GET, "/fpl/gameweeks", Value::Null).await.body;
        assert_eq!(list[1]["phase"], phase, "{now}");
        let picks = world.fpl("/entry/7/event/2/picks/").await.status;
        assert_eq!(picks == StatusCode::OK, phase != "open", "{now}");
    }
    check(&world, 7, 2).await;
    let first = world.fpl("/fixtures/?event=2").await.body[0].clone();
    assert_eq!(first["kickoff_time"], "2026-08-30T13:30:00Z");
    assert_eq!(world.sim.phase_start(3, Phase::Open), Some(at("2026-09-02T10:30:00Z")));
    assert_eq!(world.sim.phase_start(3, Phase::Locked), Some(at("2026-09-05T10:30:00Z")));
}

#[test]
fn the_boundaries_follow() {
    let world = World::new();
    let boundaries = |until: &str| -> Vec<String> {
        world.sim.boundaries(world.now(), at(until)).iter().map(ToString::to_string).collect()
    };
    moved(&world, 1, "2026-08-21T06:00:00Z").unwrap();
    let nearer = [
        "2026-08-20T09:05:01Z", // whoever follows the calendar has read of it
        "2026-08-21T06:00:00Z",
        "2026-08-21T07:30:00Z",
        "2026-08-23T17:00:00Z",
        "2026-08-24T04:30:00Z",
    ];
    assert_eq!(boundaries("2026-08-29T10:29:59Z"), nearer);
    world.at("2026-08-20T12:00:00Z");
    moved(&world, 1, "2026-08-26T10:30:00Z").unwrap();
    world.change(1, json!({ "kind": "double" })).unwrap();
    let later =
        ["2026-08-20T12:05:01Z", "2026-08-26T10:30:00Z", "2026-08-26T12:00:00Z", "2026-08-28T21:30:00Z"];
    assert_eq!(boundaries("2026-08-29T08:59:59Z"), later);
}

#[rstest]
#[case::it_has_passed("2026-08-26T11:59:59Z", "has passed")]
#[case::too_near_the_next("2026-09-02T10:30:01Z", "cannot be after 2026-09-02T10:30:00Z")]
#[case::after_the_next("2026-10-01T00:00:00Z", "cannot be after 2026-09-02T10:30:00Z")]
#[case::no_whole_second("2026-08-28T12:00:00.25Z", "whole second")]
#[tokio::test]
async fn a_deadline_that_cannot_be_is_refused_and_changes_nothing(#[case] to: &str, #[case] says: &str) {
    let world = World::new();
    world.at("2026-08-26T12:00:00Z");
    let before = event(&world, 2).await;
    let refused = moved(&world, 2, to).unwrap_err();
    assert!(matches!(&refused, GameweekRefused::Deadline(text) if text.contains(says)), "{refused}");
    let with_a_kind = world.change(2, json!({ "deadline": to, "kind": "void" }));
    assert_eq!(with_a_kind, Err(refused));
    assert_eq!(event(&world, 2).await, before);
    let list = world.api(Method::GET, "/fpl/gameweeks", Value::Null).await.body;
    assert_eq!(list[1]["kind"], "normal");
}

#[test]
fn a_deadline_stays_behind_the_gameweek_before_wherever_that_was_moved() {
    let world = World::new();
    moved(&world, 1, "2026-08-26T10:30:00Z").unwrap();
    // Gameweek 1 is checked on 29 August at 09:00Z now.
    let refused = moved(&world, 2, "2026-08-29T09:59:59Z").unwrap_err().to_string();
    assert!(refused.contains("cannot be before 2026-08-29T10:00:00Z"), "{refused}");
    moved(&world, 2, "2026-08-29T10:00:00Z").unwrap();
}

#[test]
fn a_deadline_that_has_passed_does_not_move() {
    let world = World::new();
    world.at("2026-08-22T10:30:00Z");
    assert_eq!(moved(&world, 1, "2026-08-23T10:30:00Z"), Err(GameweekRefused::Locked(1)));
    assert_eq!(moved(&world, 0, "2026-08-23T10:30:00Z"), Err(GameweekRefused::Unknown(0)));
}
