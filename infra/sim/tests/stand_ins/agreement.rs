//! Whatever is made up or set: picks, live figures and history say the same, at every instant.

use std::collections::HashMap;

use axum::http::{Method, StatusCode};
use jiff::{SignedDuration, Timestamp};
use proptest::{
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::world::World;

fn deadline(gameweek: u8) -> Timestamp {
    let first: Timestamp = "2026-08-22T10:30:00Z".parse().unwrap();
    first + SignedDuration::from_hours(7 * 24) * i32::from(gameweek - 1)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn cases(count: u32) -> TestRunner {
    TestRunner::new(Config { cases: count, failure_persistence: None, ..Config::default() })
}

#[derive(Deserialize)]
struct Live {
    elements: Vec<Element>,
}

#[derive(Deserialize)]
struct Element {
    id: u64,
    stats: Stats,
    explain: Vec<Explain>,
}

#[derive(Deserialize)]
struct Stats {
    minutes: u64,
    total_points: i64,
}

#[derive(Deserialize)]
struct Explain {
    stats: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    points: i64,
}

/// The live points and minutes of every player.
async fn live(world: &World, gameweek: u8) -> HashMap<u64, (i64, u64)> {
    let (_, _, body) = world.read(World::fpl_request(&format!("/event/{gameweek}/live/"))).await;
    let live: Live = serde_json::from_slice(&body).unwrap();
    let mut figures = HashMap::new();
    for element in live.elements {
        let total = element.stats.total_points;
        let explained = element.explain.iter().flat_map(|fixture| &fixture.stats);
        assert_eq!(explained.map(|line| line.points).sum::<i64>(), total, "{}", element.id);
        assert!((-4..=30).contains(&total), "{} has {total}", element.id);
        assert_eq!(figures.insert(element.id, (total, element.stats.minutes)), None);
    }
    figures
}

fn check_team(picks: &Value, players: &HashMap<u64, (i64, u64)>) {
    let places: Vec<_> = picks.as_array().unwrap().iter().collect();
    let count = |from: &[&Value], kind: u64| from.iter().filter(|p| p["element_type"] == kind).count();
    assert_eq!([1, 2, 3, 4].map(|kind| count(&places, kind)), [2, 5, 5, 3]);
    let eleven = [1, 2, 3, 4].map(|kind| count(&places[..11], kind));
    assert!(eleven[0] == 1 && eleven[1] >= 3 && eleven[2] >= 2 && eleven[3] >= 1, "{eleven:?}");
    for (place, pick) in (1_u64..).zip(&places) {
        assert_eq!(pick["position"], place);
        assert!(players.contains_key(&pick["element"].as_u64().unwrap()));
    }
    for flag in ["is_captain", "is_vice_captain"] {
        assert_eq!(places.iter().filter(|pick| pick[flag] == true).count(), 1);
    }
}

/// Everything the game says about a team in a gameweek agrees; returns the history row.
async fn check(world: &World, id: u64, gameweek: u8) -> Value {
    let players = live(world, gameweek).await;
    let picks = world.fpl(&format!("/entry/{id}/event/{gameweek}/picks/")).await.body;
    let history = world.fpl(&format!("/entry/{id}/history/")).await.body;
    check_team(&picks["picks"], &players);

    let (mut points, mut bench) = (0, 0);
    for pick in picks["picks"].as_array().unwrap() {
        let (total, _) = players[&pick["element"].as_u64().unwrap()];
        let multiplier = pick["multiplier"].as_i64().unwrap();
        points += multiplier * total;
        bench += if multiplier == 0 { total } else { 0 };
    }
    let row = history["current"][usize::from(gameweek) - 1].clone();
    assert_eq!((&row["event"], &row["points"]), (&json!(gameweek), &json!(points)));
    assert_eq!(row["points_on_bench"], bench);
    assert_eq!(picks["entry_history"], row);

    let mut season = 0;
    for row in history["current"].as_array().unwrap() {
        let cost = row["event_transfers_cost"].as_i64().unwrap();
        assert!(cost % 4 == 0 && cost / 4 <= row["event_transfers"].as_i64().unwrap());
        season += row["points"].as_i64().unwrap() - cost;
        assert_eq!(row["total_points"], season);
    }
    for made in picks["automatic_subs"].as_array().unwrap() {
        assert_eq!(players[&made["element_out"].as_u64().unwrap()].1, 0);
        assert!(players[&made["element_in"].as_u64().unwrap()].1 > 0);
    }
    let chip = history["chips"].as_array().unwrap().iter().find(|chip| chip["event"] == gameweek);
    assert_eq!(picks["active_chip"], chip.map_or(Value::Null, |chip| chip["name"].clone()));
    if picks["active_chip"] == "bboost" {
        assert_eq!(bench, 0);
    }
    row
}

fn put_week(gameweek: u8, week: &Value) -> Value {
    json!({ "gameweeks": { gameweek.to_string(): week } })
}

/// Asks about so many teams that the next ones get no players of their own.
async fn crowd(world: &World) {
    for id in 5_000_000..5_000_100_u64 {
        world.fpl(&format!("/entry/{id}/")).await;
    }
}

#[test]
fn made_up_teams_agree_at_every_instant() {
    for crowded in [false, true] {
        let (world, runtime) = (World::new(), runtime());
        if crowded {
            runtime.block_on(crowd(&world));
        }
        let teams = (1..4_000_000_u64, 1..=38_u8, 0..7 * 24 * 60_i64);
        cases(30)
            .run(&teams, |(id, gameweek, minutes)| {
                world.set(deadline(gameweek) + SignedDuration::from_mins(minutes));
                let row = runtime.block_on(check(&world, id, gameweek));
                let again = runtime.block_on(world.fpl(&format!("/entry/{id}/history/"))).body;
                prop_assert_eq!(&again["current"][usize::from(gameweek) - 1], &row);
                Ok(())
            })
            .unwrap();
    }
}

#[test]
fn set_teams_agree_and_say_what_was_set() {
    for crowded in [false, true] {
        let (world, runtime) = (World::new(), runtime());
        if crowded {
            runtime.block_on(crowd(&world));
        }
        let set = (0..=200_i64, 0..=80_i64, 0..=20_i64);
        let teams = (1..4_000_000_u64, 1..=38_u8, set, 0..7 * 24 * 60_i64);
        cases(20)
            .run(&teams, |(id, gameweek, (points, bench, hits), minutes)| {
                let week = json!({ "points": points, "pointsOnBench": bench, "transfersCost": hits * 4 });
                let path = format!("/fpl/entries/{id}");
                let put = world.api(Method::PUT, &path, put_week(gameweek, &week));
                prop_assert_eq!(runtime.block_on(put).status, StatusCode::OK);
                world.set(deadline(gameweek) + SignedDuration::from_mins(minutes));
                runtime.block_on(check(&world, id, gameweek));
                world.set(deadline(gameweek) + SignedDuration::from_hours(59));
                let row = runtime.block_on(check(&world, id, gameweek));
                prop_assert_eq!(&row["points"], points);
                prop_assert_eq!(&row["points_on_bench"], bench);
                prop_assert_eq!(&row["event_transfers_cost"], hits * 4);
                Ok(())
            })
            .unwrap();
    }
}

#[test]
fn points_set_after_the_deadline_leave_public_picks_alone() {
    let (world, runtime) = (World::new(), runtime());
    cases(30)
        .run(&(1..50_u64, 1..=7_u8, 0..=200_i64, 0..=80_i64), |(id, gameweek, points, bench)| {
            world.set(deadline(gameweek));
            let path = format!("/entry/{id}/event/{gameweek}/picks/");
            let before = runtime.block_on(world.fpl(&path)).body;
            let week = json!({ "points": points, "pointsOnBench": bench });
            let put = put_week(gameweek, &week);
            runtime.block_on(world.api(Method::PUT, &format!("/fpl/entries/{id}"), put));
            world.set(deadline(gameweek) + SignedDuration::from_hours(72));
            let after = runtime.block_on(world.fpl(&path)).body;
            prop_assert_eq!(&after["picks"], &before["picks"]);
            prop_assert_eq!(&after["active_chip"], &before["active_chip"]);
            prop_assert_eq!(&after["entry_history"]["points"], points);
            Ok(())
        })
        .unwrap();
}

#[tokio::test]
async fn a_part_that_is_not_set_stays_made_up() {
    let world = World::new();
    world.set(deadline(3) + SignedDuration::from_hours(72));
    let plain = check(&world, 71, 3).await;
    let put = put_week(3, &json!({ "transfersCost": 8 }));
    world.api(Method::PUT, "/fpl/entries/71", put).await;
    let cost = check(&world, 71, 3).await;
    assert_eq!((&cost["points"], &cost["points_on_bench"]), (&plain["points"], &plain["points_on_bench"]));
    assert_eq!(cost["event_transfers_cost"], 8);
    world.api(Method::PUT, "/fpl/entries/71", put_week(3, &json!({ "points": 99 }))).await;
    let points = check(&world, 71, 3).await;
    assert_eq!((&points["points"], &points["event_transfers_cost"]), (&json!(99), &json!(8)));
    assert_eq!(points["points_on_bench"], plain["points_on_bench"]);
    for other in [1, 2] {
        check(&world, 71, other).await;
    }
}

#[tokio::test]
async fn live_points_only_grow_for_a_team_whose_points_were_set() {
    let world = World::new();
    let week = json!({ "points": 83, "pointsOnBench": 11 });
    world.api(Method::PUT, "/fpl/entries/12", put_week(1, &week)).await;
    let (mut last, mut steps) = (0, 0);
    for minutes in (0..=62 * 60).step_by(20) {
        world.set(deadline(1) + SignedDuration::from_mins(minutes));
        let points = world.fpl("/entry/12/history/").await.body["current"][0]["points"].as_i64().unwrap();
        assert!(points >= last, "{points} after {last}");
        steps += usize::from(points > last);
        last = points;
    }
    assert_eq!(last, 83);
    assert!(steps > 5, "the points came in {steps} steps");
}

#[tokio::test]
async fn figures_of_a_season_are_plausible() {
    let world = World::new();
    world.set(deadline(38) + SignedDuration::from_hours(72));
    let (mut sum, mut weeks, mut hits, mut chips) = (0, 0, 0, 0);
    for id in 1..=30 {
        let history = world.fpl(&format!("/entry/{id}/history/")).await.body;
        for row in history["current"].as_array().unwrap() {
            sum += row["points"].as_i64().unwrap();
            weeks += 1;
            hits += usize::from(row["event_transfers_cost"] != 0);
        }
        chips += history["chips"].as_array().unwrap().len();
    }
    assert!((35..60).contains(&(sum / weeks)), "on average {}", sum / weeks);
    assert!(hits > 20 && chips > 30, "{hits} hits, {chips} chips");
}
