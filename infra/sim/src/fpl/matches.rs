//! `fixtures/` and `event/{gw}/live/`: the matches, and what each player has scored so far.

use axum::{
    Json,
    extract::{Path, Query, State},
    response::{IntoResponse, Response},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize, ser::SerializeMap};
use serde_json::{Value, json};

use super::{not_found, spoiled::shown};
use crate::{
    Sim,
    entries::reserved_figures,
    season::{
        Figure, Figures, Fixture, Gameweek, Happening, Player, Round, Season, called_off, fixtures,
        happenings, made_up, pool,
    },
};

#[derive(Deserialize)]
pub(super) struct Wanted {
    event: Option<String>,
}

/// `fixtures/?event=N`, or the whole season, where what was called off comes first.
pub(super) async fn list_fixtures(State(sim): State<Sim>, Query(wanted): Query<Wanted>) -> Response {
    let now = sim.now();
    let calendar = sim.calendar(now);
    let scheduled = |gameweek| fixtures(gameweek).into_iter().map(|fixture| describe(&fixture, now));
    let list: Vec<_> = match wanted.event {
        Some(event) => {
            let gameweek = event.parse().ok().and_then(|number| calendar.get(number));
            gameweek.into_iter().flat_map(scheduled).collect()
        }
        None => {
            let unscheduled = calendar.all().flat_map(called_off).map(|fixture| unscheduled(&fixture));
            unscheduled.chain(calendar.all().flat_map(scheduled)).collect()
        }
    };
    Json(list).into_response()
}

fn unscheduled(fixture: &Fixture) -> Value {
    let mut described = describe(fixture, Timestamp::MIN);
    for field in ["event", "kickoff_time", "started"] {
        described[field] = Value::Null;
    }
    described
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
    let now = sim.now();
    let calendar = sim.calendar(now);
    let asked = gameweek.parse().ok().and_then(|number| calendar.get(number));
    let Some(asked) = asked else { return not_found() };
    if !asked.locked_at(now) {
        return Json(Live { elements: Vec::new() }).into_response();
    }
    let (gameweek, now) = shown(&sim, &calendar, asked, now);
    let round = Round::at(gameweek, now);
    let figures = all_figures(&sim, gameweek).into_iter();
    let elements = figures.map(|(player, full)| element(&player, full, &round)).collect();
    Json(Live { elements }).into_response()
}

pub(super) fn all_players(sim: &Sim, season: Season) -> impl Iterator<Item = Player> {
    let slots = sim.entries().slots(season).into_iter();
    pool().chain(slots.flat_map(|(slot, _)| Player::reserved(slot)))
}

/// Every player's full-time figures of a gameweek, in the order of [`all_players`].
pub(super) fn all_figures(sim: &Sim, gameweek: Gameweek) -> Vec<(Player, Figures)> {
    let full_time = Round::full_time(gameweek);
    let slots = sim.entries().slots(gameweek.season()).into_iter();
    let reserved = slots.flat_map(|(slot, team)| reserved_figures(slot, team.as_ref(), gameweek, &full_time));
    pool().map(|player| (player, made_up(&player, gameweek))).chain(reserved).collect()
}

/// Typed, as the players of the bootstrap are: a JSON value of thousands of players is slow to make.
#[derive(Serialize)]
struct Live {
    elements: Vec<Element>,
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

/// What a player did in each match of the gameweek, with its happenings.
struct Stats(Vec<(Figure, Vec<Happening>)>);

impl Stats {
    fn sum(&self, identifier: &str) -> i32 {
        let happenings = self.0.iter().flat_map(|(_, happenings)| happenings);
        happenings.filter(|happening| happening.identifier == identifier).map(|h| h.value).sum()
    }
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
        let whole = self.0.iter().fold(Figure::default(), |sum, (figure, _)| sum + *figure);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("minutes", &whole.minutes)?;
        for name in COUNTED {
            map.serialize_entry(name, &self.sum(name))?;
        }
        for name in ["influence", "creativity", "threat", "ict_index"] {
            map.serialize_entry(name, "0.0")?;
        }
        map.serialize_entry("starts", &self.0.iter().filter(|(figure, _)| figure.minutes > 0).count())?;
        map.serialize_entry("total_points", &whole.total)?;
        map.serialize_entry("in_dreamteam", &false)?;
        map.serialize_entry("played", &(whole.minutes > 0))?;
        map.end()
    }
}

fn element(player: &Player, full: Figures, round: &Round) -> Element {
    let (mut explain, mut matches) = (Vec::new(), Vec::new());
    for (stage, figure) in full.in_matches(player.club, round) {
        let happenings = happenings(player.position, figure);
        let stats = happenings.iter().map(|happening| ExplainedStat {
            identifier: happening.identifier,
            points: happening.points,
            value: happening.value,
            points_modification: 0,
        });
        explain.push(Explained { fixture: stage.fixture, stats: stats.collect() });
        matches.push((figure, happenings));
    }
    Element { id: player.id, stats: Stats(matches), explain, modified: false }
}
