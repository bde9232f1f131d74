//! What the game says about a team, and whether it agrees with itself.

use std::collections::HashMap;

use jiff::{SignedDuration, Timestamp};
use proptest::test_runner::{Config, TestRunner};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::world::World;

pub fn deadline(gameweek: u8) -> Timestamp {
    let first: Timestamp = "2026-08-22T10:30:00Z".parse().unwrap();
    first + SignedDuration::from_hours(7 * 24) * i32::from(gameweek - 1)
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

pub fn cases(count: u32) -> TestRunner {
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
    fixture: u64,
    stats: Vec<Line>,
}

#[derive(Deserialize)]
struct Line {
    points: i64,
}

/// What a player has done in a gameweek so far.
#[derive(Debug, PartialEq, Eq)]
pub struct Played {
    pub total: i64,
    pub minutes: u64,
    /// The matches that count, by their ids.
    pub matches: Vec<u64>,
}

pub async fn live(world: &World, gameweek: u8) -> HashMap<u64, Played> {
    let (_, _, body) = world.read(World::fpl_request(&format!("/event/{gameweek}/live/"))).await;
    let live: Live = serde_json::from_slice(&body).unwrap();
    let mut figures = HashMap::new();
    for element in live.elements {
        let total = element.stats.total_points;
        let explained = element.explain.iter().flat_map(|fixture| &fixture.stats);
        assert_eq!(explained.map(|line| line.points).sum::<i64>(), total, "{}", element.id);
        assert!((-4..=30).contains(&total), "{} has {total}", element.id);
        let matches = element.explain.iter().map(|of| of.fixture).collect();
        let played = Played { total, minutes: element.stats.minutes, matches };
        assert_eq!(figures.insert(element.id, played), None);
    }
    figures
}

fn check_team(picks: &Value, players: &HashMap<u64, Played>) {
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
pub async fn check(world: &World, id: u64, gameweek: u8) -> Value {
    check_with(world, id, gameweek, &live(world, gameweek).await).await
}

/// The same with the live figures at hand.
pub async fn check_with(world: &World, id: u64, gameweek: u8, players: &HashMap<u64, Played>) -> Value {
    let picks = world.fpl(&format!("/entry/{id}/event/{gameweek}/picks/")).await.body;
    let history = world.fpl(&format!("/entry/{id}/history/")).await.body;
    check_team(&picks["picks"], players);

    let (mut points, mut bench) = (0, 0);
    for pick in picks["picks"].as_array().unwrap() {
        let total = players[&pick["element"].as_u64().unwrap()].total;
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
        assert_eq!(players[&made["element_out"].as_u64().unwrap()].minutes, 0);
        assert!(players[&made["element_in"].as_u64().unwrap()].minutes > 0);
    }
    let chip = history["chips"].as_array().unwrap().iter().find(|chip| chip["event"] == gameweek);
    assert_eq!(picks["active_chip"], chip.map_or(Value::Null, |chip| chip["name"].clone()));
    if picks["active_chip"] == "bboost" {
        assert_eq!(bench, 0);
    }
    row
}

pub fn put_week(gameweek: u8, week: &Value) -> Value {
    json!({ "gameweeks": { gameweek.to_string(): week } })
}

/// Asks about so many teams that the next ones get no players of their own.
pub async fn crowd(world: &World) {
    for id in 5_000_000..5_000_160_u64 {
        world.fpl(&format!("/entry/{id}/")).await;
    }
}
