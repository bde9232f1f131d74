//! `fixtures/` and `event/{gw}/live/`: the matches, and what each player has scored so far.

use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize, ser::SerializeMap};
use serde_json::{Value, json};

use super::not_found;
use crate::{
    Sim,
    entries::reserved_figures,
    season::{
        Figure, Fixture, Gameweek, Happening, Player, Round, Stage, fixtures, happenings, made_up, pool,
    },
};

#[derive(Deserialize)]
pub(super) struct Wanted {
    event: Option<String>,
}

/// `fixtures/?event=N`, or the whole season.
pub(super) async fn list_fixtures(State(sim): State<Sim>, Query(wanted): Query<Wanted>) -> Response {
    let now = sim.now();
    let gameweeks: Vec<_> = match wanted.event.map(|event| event.parse().ok().and_then(Gameweek::new)) {
        None => Gameweek::all().collect(),
        Some(Some(gameweek)) => vec![gameweek],
        Some(None) => Vec::new(),
    };
    let list: Vec<_> =
        gameweeks.into_iter().flat_map(fixtures).map(|fixture| describe(&fixture, now)).collect();
    Json(list).into_response()
}

fn describe(fixture: &Fixture, now: Timestamp) -> Value {
    let score = fixture.score(now);
    json!({
        "code": 2_700_000 + fixture.id,
        "event": fixture.gameweek.number(),
        "finished": fixture.confirmed(now),
        "finished_provisional": fixture.over(now),
        "id": fixture.id,
        "kickoff_time": fixture.kickoff,
        "minutes": fixture.minute(now),
        "provisional_start_time": false,
        "started": fixture.started(now),
        "team_a": fixture.away,
        "team_a_score": score.map(|(_, away)| away),
        "team_a_difficulty": 3,
        "team_h": fixture.home,
        "team_h_score": score.map(|(home, _)| home),
        "team_h_difficulty": 3,
        "stats": [],
        "pulse_id": 0,
    })
}

/// `event/{gw}/live/`: nobody before the deadline, then every player.
pub(super) async fn live(State(sim): State<Sim>, Path(gameweek): Path<String>) -> Response {
    let Some(gameweek) = gameweek.parse().ok().and_then(Gameweek::new) else { return not_found() };
    let now = sim.now();
    if !gameweek.locked_at(now) {
        return Json(json!({ "elements": [] })).into_response();
    }
    let round = Round::at(gameweek, now);
    let elements: Vec<_> = all_figures(&sim, gameweek)
        .into_iter()
        .map(|(player, full)| element(&player, full, round.stage(player.club)))
        .collect();
    Json(json!({ "elements": elements })).into_response()
}

/// Every player's full-time figure of a gameweek, the reserved ones included.
pub(super) fn all_figures(sim: &Sim, gameweek: Gameweek) -> Vec<(Player, Figure)> {
    let slots = sim.entries().slots().into_iter();
    let reserved = slots.flat_map(|(slot, team)| reserved_figures(slot, team.as_ref(), gameweek));
    pool().map(|player| (player, made_up(&player, gameweek))).chain(reserved).collect()
}

#[derive(Serialize)]
struct Element {
    id: u32,
    stats: Stats,
    explain: Vec<Explained>,
    modified: bool,
}

#[derive(Serialize)]
struct Explained {
    fixture: u32,
    stats: Vec<ExplainedStat>,
}

#[derive(Serialize)]
struct ExplainedStat {
    identifier: &'static str,
    points: i32,
    value: i32,
    points_modification: i32,
}

struct Stats {
    figure: Figure,
    happenings: Vec<Happening>,
}

impl Serialize for Stats {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const COUNTED: [&str; 12] = [
            "goals_scored",
            "assists",
            "clean_sheets",
            "goals_conceded",
            "own_goals",
            "penalties_saved",
            "penalties_missed",
            "yellow_cards",
            "red_cards",
            "saves",
            "bonus",
            "bps",
        ];
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("minutes", &self.figure.minutes)?;
        for name in COUNTED {
            let count = self.happenings.iter().find(|h| h.identifier == name).map_or(0, |h| h.value);
            map.serialize_entry(name, &count)?;
        }
        for name in ["influence", "creativity", "threat", "ict_index"] {
            map.serialize_entry(name, "0.0")?;
        }
        map.serialize_entry("starts", &u8::from(self.figure.minutes > 0))?;
        map.serialize_entry("total_points", &self.figure.total)?;
        map.serialize_entry("in_dreamteam", &false)?;
        map.serialize_entry("played", &(self.figure.minutes > 0))?;
        map.end()
    }
}

fn element(player: &Player, full: Figure, stage: Stage) -> Element {
    let figure = full.at(stage);
    let happenings = happenings(player.position, figure);
    let stats = happenings
        .iter()
        .map(|h| ExplainedStat {
            identifier: h.identifier,
            points: h.points,
            value: h.value,
            points_modification: 0,
        })
        .collect();
    let explain = vec![Explained { fixture: stage.fixture, stats }];
    Element { id: player.id, stats: Stats { figure, happenings }, explain, modified: false }
}
