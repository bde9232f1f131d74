//! Scoring every entry of a gameweek from one live body (at most 20 ms for 100,000 on a full core):
//! the body as the official game sends it, the map it becomes, and each entry's packed squad.

use std::{hint::black_box, time::Duration};

use clients::fpl::{Live, LiveElement, decode};
use domain::leagues::points::{Element, FootballerPoints, Pick, Position, Scored, Squad};
use fastrand::Rng;
use serde_json::{Value, json};

use crate::measure::{instructions, limit, time};

const ENTRIES: usize = 100_000;
const FOOTBALLERS: u16 = 760;
const LIMIT: Duration = Duration::from_millis(20);

pub fn run() -> bool {
    let body = body();
    let points = map(&body);
    let squads = squads(ENTRIES);
    println!("{FOOTBALLERS} footballers in {} KB, {ENTRIES} entries", body.len() / 1024);

    let decoded = time(50, || map(&body));
    decoded.line("live body to points, each footballer", usize::from(FOOTBALLERS));
    let packed = points.pack();
    println!("{:<44} {:>8} bytes", "packed points", packed.len());
    time(50, || FootballerPoints::unpack(&packed)).line("packed points to points", usize::from(FOOTBALLERS));
    time(50, || score(&points, &squads, Squad::live)).line("live figures, each entry", ENTRIES);
    let settled = time(50, || score(&points, &squads, Squad::settled));
    settled.line("settled figures, each entry", ENTRIES);
    instructions("scoring", "decode", 5);
    instructions("scoring", "live", 20_000);
    instructions("scoring", "settled", 20_000);
    limit("one body to 100,000 settled entries", decoded.best + settled.best, LIMIT)
}

pub fn once(part: &str, n: usize) {
    let body = body();
    match part {
        "decode" => (0..n).for_each(|_| drop(black_box(map(&body)))),
        "live" | "settled" => {
            let squads = squads(20_000);
            let figures = if part == "live" { Squad::live } else { Squad::settled };
            black_box(score(&map(&body), &squads[..n], figures));
        }
        _ => panic!("no part {part}"),
    }
}

fn map(body: &[u8]) -> FootballerPoints {
    let live: Live = decode(body).expect("our own body");
    FootballerPoints::new(live.elements.iter().map(scored))
}

fn scored(element: &LiveElement) -> Scored {
    let stats = &element.stats;
    Scored {
        element: Element::try_from(element.id).expect("our own number"),
        points: i16::try_from(stats.total_points).expect("our own points"),
        played: stats.minutes + stats.yellow_cards + stats.red_cards > 0,
    }
}

/// The sum keeps the figures from being left out.
fn score(
    points: &FootballerPoints,
    squads: &[[u8; Squad::PACKED]],
    figures: fn(&Squad, &FootballerPoints) -> domain::leagues::ranking::Figures,
) -> i32 {
    let of = |packed| figures(&Squad::unpack(packed).expect("our own squad"), points).score(true);
    squads.iter().map(|packed| of(packed)).map(|score| score.points ^ score.points_on_bench).sum()
}

/// Two of five footballers play.
fn plays(element: Element) -> bool {
    element % 5 < 2
}

/// A body of `event/{gw}/live/` with every field that the official game sends.
fn body() -> Vec<u8> {
    let mut chance = Rng::with_seed(7);
    let elements: Vec<Value> = (1..=FOOTBALLERS).map(|id| element(id, &mut chance)).collect();
    serde_json::to_vec(&json!({ "elements": elements })).expect("a value is JSON")
}

fn element(id: Element, chance: &mut Rng) -> Value {
    let minutes = if plays(id) { 1 + chance.u16(..90) } else { 0 };
    let total_points = if plays(id) { i32::from(chance.u16(..16)) - 2 } else { 0 };
    let mut stats = json!({
        "minutes": minutes, "total_points": total_points, "goals_scored": 0, "assists": 0,
        "clean_sheets": 0, "goals_conceded": 1, "own_goals": 0, "penalties_saved": 0,
        "penalties_missed": 0, "yellow_cards": 0, "red_cards": 0, "saves": 0, "bonus": 0, "bps": 14,
        "influence": "16.6", "creativity": "0.9", "threat": "2.0", "ict_index": "2.0",
    });
    let later = json!({
        "clearances_blocks_interceptions": 3, "recoveries": 5, "tackles": 1,
        "defensive_contribution": 4, "starts": 1, "expected_goals": "0.12",
        "expected_assists": "0.05", "expected_goal_involvements": "0.17",
        "expected_goals_conceded": "0.85", "in_dreamteam": false, "played": plays(id),
    });
    stats.as_object_mut().expect("an object").extend(later.as_object().expect("an object").clone());
    let row = |identifier: &str, value: u16, points: i32| json!({ "identifier": identifier, "points": points, "value": value, "points_modification": 0 });
    let rows = [row("minutes", minutes, 2), row("goals_conceded", 1, -1), row("bonus", 1, total_points - 1)];
    let explain = json!([{ "fixture": 1 + id % 10, "stats": rows }]);
    json!({ "id": id, "stats": stats, "explain": explain, "modified": false })
}

/// Packed squads of 2, 5, 5 and 3, most of them of footballers who play.
fn squads(n: usize) -> Vec<[u8; Squad::PACKED]> {
    let mut chance = Rng::with_seed(11);
    (0..n).map(|_| squad(&mut chance).pack()).collect()
}

fn squad(chance: &mut Rng) -> Squad {
    // Of the eleven 1, 4, 4 and 2, then the bench.
    let by_place = [0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 0, 1, 2, 3];
    let captain = 1 + u8::try_from(chance.u16(..11)).expect("below eleven");
    let mut taken: Vec<Element> = Vec::new();
    let picks: Vec<Pick> = (1..)
        .zip(by_place)
        .map(|(place, position)| {
            let element = loop {
                let element = 1 + chance.u16(..FOOTBALLERS);
                let likely = plays(element) || chance.u16(..10) == 0;
                if likely && !taken.contains(&element) {
                    break element;
                }
            };
            taken.push(element);
            Pick {
                element,
                place,
                position: Position::ALL[position],
                is_captain: place == captain,
                is_vice_captain: place == captain % 11 + 1,
            }
        })
        .collect();
    Squad::new(&picks, None, 4 * i64::from(chance.u16(..3))).expect("a squad")
}
