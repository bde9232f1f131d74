//! Double, blank and void gameweeks as a companion app sees them.

use std::collections::{HashMap, HashSet};

use axum::http::{Method, StatusCode};
use jiff::SignedDuration;
use proptest::prelude::*;
use rstest::rstest;
use rusqlite::Connection;
use serde_json::{Value, json};
use sim::GameweekRefused;

use crate::{
    teams::{cases, check, crowd, deadline, live, put_week, runtime},
    world::World,
};

fn world_with(gameweek: u8, kind: &str) -> World {
    let world = World::new();
    let changed = world.change(gameweek, json!({ "kind": kind })).unwrap();
    assert_eq!(changed["kind"], kind);
    world
}

async fn fixtures(world: &World, gameweek: u8) -> Vec<Value> {
    let matches = world.fpl(&format!("/fixtures/?event={gameweek}")).await.body;
    matches.as_array().unwrap().clone()
}

async fn clubs(world: &World) -> HashMap<u64, u64> {
    let players = world.fpl("/bootstrap-static/").await.body["elements"].clone();
    let number = |player: &Value, field: &str| player[field].as_u64().unwrap();
    players.as_array().unwrap().iter().map(|p| (number(p, "id"), number(p, "team"))).collect()
}

/// How many matches each club has, and the ids of them.
fn matches_of(club: u64, fixtures: &[Value]) -> Vec<u64> {
    let plays = |of: &&Value| of["team_h"] == club || of["team_a"] == club;
    fixtures.iter().filter(plays).map(|of| of["id"].as_u64().unwrap()).collect()
}

/// Every player's live figures name the matches of the player's club, all of them, in their order.
async fn explained(world: &World, gameweek: u8) {
    let (clubs, fixtures) = (clubs(world).await, fixtures(world, gameweek).await);
    for (id, played) in live(world, gameweek).await {
        assert_eq!(played.matches, matches_of(clubs[&id], &fixtures), "{id}");
        assert!(played.minutes <= 90 * played.matches.len() as u64);
        assert!(!played.matches.is_empty() || (played.total, played.minutes) == (0, 0));
    }
}

#[tokio::test]
async fn some_clubs_play_twice_in_a_double_gameweek() {
    let world = world_with(2, "double");
    world.set(deadline(2) + SignedDuration::from_hours(59));
    explained(&world, 2).await;
    let fixtures = fixtures(&world, 2).await;
    let twice = (1..=20).filter(|club| matches_of(*club, &fixtures).len() == 2).count();
    assert_eq!((fixtures.len(), twice), (14, 8));
    let body = world.fpl("/event/2/live/").await.body;
    let whole = |stats: &Value| stats["minutes"] == 180 && stats["starts"] == 2;
    let sum = |element: &Value, name: &str| -> i64 {
        let matches = element["explain"].as_array().unwrap();
        let lines = matches.iter().flat_map(|of| of["stats"].as_array().unwrap());
        lines.filter(|line| line["identifier"] == name).map(|line| line["value"].as_i64().unwrap()).sum()
    };
    let elements = body["elements"].as_array().unwrap();
    assert!(elements.iter().filter(|element| whole(&element["stats"])).count() > 100);
    for element in elements {
        for name in ["minutes", "goals_scored", "assists", "bonus", "yellow_cards"] {
            assert_eq!(element["stats"][name], sum(element, name), "{name} of {}", element["id"]);
        }
    }
    assert_eq!(world.fpl("/fixtures/").await.body.as_array().unwrap().len(), 384);
}

#[tokio::test]
async fn the_second_match_of_a_double_gameweek_comes_after_the_first() {
    let world = world_with(1, "double");
    let minutes = |at: &str| {
        world.at(at);
        let world = &world;
        async move { live(world, 1).await.values().map(|played| played.minutes).max() }
    };
    assert_eq!(minutes("2026-08-22T12:00:00Z").await, Some(0));
    assert_eq!(minutes("2026-08-24T17:00:00Z").await, Some(90));
    assert_eq!(minutes("2026-08-24T21:30:00Z").await, Some(180));
}

#[tokio::test]
async fn two_clubs_do_not_play_in_a_blank_gameweek() {
    let world = world_with(3, "blank");
    world.set(deadline(3) + SignedDuration::from_hours(59));
    explained(&world, 3).await;
    let fixtures = fixtures(&world, 3).await;
    let without = (1..=20).filter(|club| matches_of(*club, &fixtures).is_empty()).count();
    assert_eq!((fixtures.len(), without), (9, 2));
    let all = world.fpl("/fixtures/").await.body;
    assert_eq!(all.as_array().unwrap().len(), 380);
    let off = &all[0];
    assert_eq!(
        (&off["event"], &off["kickoff_time"], &off["started"]),
        (&json!(null), &json!(null), &json!(null))
    );
    assert_eq!((&off["finished"], &off["team_h_score"]), (&json!(false), &json!(null)));
    assert!(matches_of(off["team_h"].as_u64().unwrap(), &fixtures).is_empty());
    assert_eq!(all[1]["event"], 1);
}

#[tokio::test]
async fn nothing_is_played_in_a_void_gameweek_and_it_ends_all_the_same() {
    let world = world_with(2, "void");
    let put = put_week(2, &json!({ "points": 77, "pointsOnBench": 9, "transfersCost": 4 }));
    world.api(Method::PUT, "/fpl/entries/7", put).await;
    let before = {
        world.set(deadline(2) - SignedDuration::from_secs(1));
        world.fpl("/entry/7/history/").await.body["current"][0]["total_points"].as_i64().unwrap()
    };
    for (hours, finished, checked, leagues) in [
        (0, false, false, ""),
        (30, false, false, ""),
        (59, true, false, "Updating"),
        (71, true, true, "Updated"),
    ] {
        world.set(deadline(2) + SignedDuration::from_hours(hours));
        assert_eq!(fixtures(&world, 2).await, [] as [Value; 0]);
        assert_eq!(world.fpl("/event-status/").await.body, json!({ "status": [], "leagues": leagues }));
        let event = world.fpl("/bootstrap-static/").await.body["events"][1].clone();
        assert_eq!((&event["finished"], &event["data_checked"]), (&json!(finished), &json!(checked)));
        assert_eq!((&event["average_entry_score"], &event["highest_score"]), (&json!(0), &json!(null)));
        for played in live(&world, 2).await.values() {
            assert_eq!((played.total, played.minutes, played.matches.len()), (0, 0, 0));
        }
        for id in [7, 8] {
            let row = check(&world, id, 2).await;
            assert_eq!((&row["points"], &row["points_on_bench"]), (&json!(0), &json!(0)));
        }
        let row = check(&world, 7, 2).await;
        assert_eq!((&row["event_transfers_cost"], &row["total_points"]), (&json!(4), &json!(before - 4)));
        let picks = world.fpl("/entry/7/event/2/picks/").await.body;
        assert_eq!(picks["automatic_subs"], json!([]));
    }
    assert_eq!(world.fpl("/fixtures/").await.body[9]["event"], Value::Null);
}

#[test]
fn teams_agree_in_every_kind_of_gameweek_and_say_what_was_set() {
    let kinds = prop_oneof![Just("double"), Just("blank"), Just("void")];
    for crowded in [false, true] {
        let runtime = runtime();
        let set = (0..=200_i64, 0..=50_i64);
        let weeks = (1..4_000_000_u64, 1..=7_u8, kinds.clone(), set, 0..59 * 60_i64);
        cases(20)
            .run(&weeks, |(id, gameweek, kind, (points, bench), minutes)| {
                let world = world_with(gameweek, kind);
                if crowded {
                    runtime.block_on(crowd(&world));
                }
                world.set(deadline(gameweek) + SignedDuration::from_mins(minutes));
                runtime.block_on(check(&world, id, gameweek));
                world.set(deadline(gameweek) + SignedDuration::from_hours(60));
                runtime.block_on(check(&world, id, gameweek));

                let week = json!({ "points": points, "pointsOnBench": bench });
                let path = format!("/fpl/entries/{id}");
                let put = runtime.block_on(world.api(Method::PUT, &path, put_week(gameweek, &week)));
                prop_assert_eq!(put.status, StatusCode::OK);
                let row = runtime.block_on(check(&world, id, gameweek));
                let expected = if kind == "void" { (0, 0) } else { (points, bench) };
                prop_assert_eq!(
                    (row["points"].as_i64(), row["points_on_bench"].as_i64()),
                    (Some(expected.0), Some(expected.1))
                );
                Ok(())
            })
            .unwrap();
    }
}

#[test]
fn only_one_part_set_in_a_double_or_blank_gameweek_comes_out_too() {
    let runtime = runtime();
    for kind in ["double", "blank"] {
        for id in 1..=12 {
            let world = world_with(9, kind);
            world.set(deadline(9) + SignedDuration::from_hours(60));
            let plain = runtime.block_on(check(&world, id, 9));
            let put = put_week(9, &json!({ "points": 200 }));
            runtime.block_on(world.api(Method::PUT, &format!("/fpl/entries/{id}"), put));
            let set = runtime.block_on(check(&world, id, 9));
            assert_eq!(set["points"], 200);
            assert_eq!(set["points_on_bench"], plain["points_on_bench"]);
        }
    }
}

#[tokio::test]
async fn substitutes_come_in_for_those_whose_match_is_called_off() {
    let world = world_with(1, "blank");
    world.set(deadline(1) + SignedDuration::from_hours(60));
    let players = live(&world, 1).await;
    let absent: HashSet<_> =
        players.iter().filter(|(_, played)| played.matches.is_empty()).map(|(id, _)| *id).collect();
    let mut replaced = 0;
    for id in 1..=20 {
        let picks = world.fpl(&format!("/entry/{id}/event/1/picks/")).await.body;
        let made = picks["automatic_subs"].as_array().unwrap();
        replaced +=
            made.iter().filter(|made| absent.contains(&made["element_out"].as_u64().unwrap())).count();
    }
    assert!(replaced > 5, "{replaced}");
}

#[rstest]
#[case("double")]
#[case("blank")]
#[case("void")]
#[tokio::test]
async fn a_kind_can_be_taken_back_until_the_deadline(#[case] kind: &str) {
    let plain = World::new();
    let world = world_with(1, kind);
    world.at("2026-08-22T10:29:59Z");
    world.change(1, json!({ "kind": "normal" })).unwrap();
    for one in [&plain, &world] {
        one.at("2026-08-22T10:30:00Z");
    }
    assert_eq!(world.change(1, json!({ "kind": kind })), Err(GameweekRefused::Locked(1)));
    assert_eq!(world.change(2, json!({ "kind": kind })).unwrap()["kind"], kind);
    for one in [&plain, &world] {
        one.at("2026-08-24T21:30:00Z");
    }
    for path in ["/event/1/live/", "/fixtures/?event=1", "/entry/7/event/1/picks/", "/event-status/"] {
        assert_eq!(world.fpl(path).await.body, plain.fpl(path).await.body, "{path}");
    }
}

#[tokio::test]
async fn a_restart_keeps_kinds_and_deadlines() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let before = World::on(Connection::open(file.path()).unwrap());
    before.change(3, json!({ "kind": "void" })).unwrap();
    before.change(4, json!({ "deadline": "2026-09-13T12:00:00Z" })).unwrap();
    before.change(4, json!({ "kind": "double" })).unwrap();
    let list = |world: World| async move { world.api(Method::GET, "/fpl/gameweeks", Value::Null).await.body };
    let after = list(World::on(Connection::open(file.path()).unwrap())).await;
    assert_eq!(after, list(before).await);
    assert_eq!((&after[1]["kind"], &after[2]["kind"]), (&json!("normal"), &json!("void")));
    let fourth = json!({ "id": 4, "deadline": "2026-09-13T12:00:00Z", "phase": "open", "kind": "double", "season": 2026 });
    assert_eq!(after[3], fourth);
}
