//! `bootstrap-static/` and `event-status/`: the calendar with its flags, the clubs, the players, and
//! how far the official points have got.

use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};

use super::{
    matches::{all_figures, all_players},
    spoiled::shown_phase,
};
use crate::{
    Sim,
    entries::Chip,
    season::{
        CLUBS, Calendar, Fixture, Gameweek, Kind, Phase, Player, Position, Round, SQUAD, Season, fixtures,
    },
};

const TOTAL_TEAMS: u32 = 9_112_933;

#[derive(Serialize)]
struct Bootstrap {
    chips: Vec<Value>,
    events: Vec<Value>,
    game_settings: Value,
    phases: Value,
    teams: Vec<Value>,
    total_players: u32,
    elements: Vec<Element>,
    element_types: Vec<Value>,
}

pub(super) async fn bootstrap(State(sim): State<Sim>) -> Response {
    let now = sim.now();
    let calendar = sim.calendar(now);
    let current = calendar.current(now).map_or(0, Gameweek::number);
    let events: Vec<_> = calendar
        .all()
        .map(|gameweek| event(gameweek, current, shown_phase(&sim, &calendar, gameweek, now)))
        .collect();
    let teams = (1_u8..).zip(CLUBS).map(|(id, club)| {
        json!({ "id": id, "code": id, "name": club.name, "short_name": club.short, "played": 0,
                "points": 0, "position": id, "strength": 3, "unavailable": false })
    });
    let teams: Vec<_> = teams.collect();
    let chips = [Chip::Wildcard, Chip::FreeHit, Chip::BenchBoost, Chip::TripleCaptain];
    let chips: Vec<_> = (1..)
        .zip(chips)
        .map(|(id, chip)| {
            let kind = if chip.frees_transfers() { "transfer" } else { "team" };
            json!({ "id": id, "name": chip.name(), "number": 1, "start_event": 1, "stop_event": 38,
                    "chip_type": kind })
        })
        .collect();
    Json(Bootstrap {
        chips,
        events,
        game_settings: game_settings(),
        phases: json!([{ "id": 1, "name": "Overall", "start_event": 1, "stop_event": 38 }]),
        teams,
        total_players: TOTAL_TEAMS,
        elements: elements(&sim, &calendar, now),
        element_types: element_types(),
    })
    .into_response()
}

/// `current` is the current gameweek's number, 0 before the first.
fn event(gameweek: Gameweek, current: u8, phase: Phase) -> Value {
    let number = gameweek.number();
    let finished = phase >= Phase::Finished;
    let scored = gameweek.kind() != Kind::Void;
    let average = if scored && phase >= Phase::Live { 40 + u32::from(number) * 7 % 17 } else { 0 };
    json!({
        "id": number,
        "name": format!("Gameweek {number}"),
        "deadline_time": gameweek.deadline(),
        "deadline_time_epoch": gameweek.deadline().as_second(),
        "deadline_time_game_offset": 0,
        "release_time": null,
        "released": true,
        "average_entry_score": average,
        "finished": finished,
        "data_checked": phase == Phase::Checked,
        "highest_score": (finished && scored).then(|| 118 + u32::from(number) * 5 % 23),
        "is_previous": number + 1 == current,
        "is_current": number == current,
        "is_next": number == current + 1,
        "can_enter": phase == Phase::Open,
        "ranked_count": if phase >= Phase::Locked { TOTAL_TEAMS } else { 0 },
        "chip_plays": [],
        "transfers_made": 0,
    })
}

/// The players with their points of the current gameweek and of the season.
fn elements(sim: &Sim, calendar: &Calendar, now: Timestamp) -> Vec<Element> {
    let players = all_players(sim, calendar.season());
    let mut season: Vec<(Player, i32, i32)> = players.map(|player| (player, 0, 0)).collect();
    for gameweek in calendar.locked_at(now) {
        let round = Round::at(gameweek, now);
        for (sum, (player, full)) in season.iter_mut().zip(all_figures(sim, gameweek)) {
            let points = full.so_far(player.club, &round).total;
            *sum = (player, points, sum.2 + points);
        }
    }
    season.iter().map(|(player, event, total)| element(player, calendar.season(), *event, *total)).collect()
}

#[derive(Serialize)]
struct Element {
    id: u32,
    code: u32,
    web_name: String,
    first_name: &'static str,
    second_name: String,
    team: u8,
    team_code: u8,
    element_type: Position,
    status: &'static str,
    now_cost: u32,
    event_points: i32,
    total_points: i32,
    chance_of_playing_next_round: Option<u8>,
    chance_of_playing_this_round: Option<u8>,
    can_select: bool,
    can_transact: bool,
    removed: bool,
    special: bool,
    news: &'static str,
    news_added: Option<Timestamp>,
    selected_by_percent: &'static str,
    form: &'static str,
    points_per_game: &'static str,
}

fn element(player: &Player, season: Season, event_points: i32, total_points: i32) -> Element {
    let (first_name, family) = player.names(season);
    Element {
        id: player.id,
        code: 100_000 * (1 + u32::from(season.before())) + player.id,
        web_name: family.clone(),
        first_name,
        second_name: family,
        team: player.club,
        team_code: player.club,
        element_type: player.position,
        status: "a",
        now_cost: player.price(),
        event_points,
        total_points,
        chance_of_playing_next_round: None,
        chance_of_playing_this_round: None,
        can_select: true,
        can_transact: true,
        removed: false,
        special: false,
        news: "",
        news_added: None,
        selected_by_percent: "5.0",
        form: "0.0",
        points_per_game: "0.0",
    }
}

fn element_types() -> Vec<Value> {
    let name = |position| match position {
        Position::Goalkeeper => ("Goalkeeper", "GKP", 1, 1),
        Position::Defender => ("Defender", "DEF", 3, 5),
        Position::Midfielder => ("Midfielder", "MID", 2, 5),
        Position::Forward => ("Forward", "FWD", 1, 3),
    };
    SQUAD
        .iter()
        .map(|(position, count)| {
            let (singular, short, least, most) = name(*position);
            json!({ "id": position, "singular_name": singular, "singular_name_short": short,
                    "squad_select": count, "squad_min_play": least, "squad_max_play": most })
        })
        .collect()
}

fn game_settings() -> Value {
    json!({ "squad_squadplay": 11, "squad_squadsize": 15, "squad_team_limit": 3,
            "squad_total_spend": 1000, "transfers_cap": 20, "max_extra_free_transfers": 4,
            "sys_vice_captain_enabled": true, "timezone": "UTC", "ui_currency_multiplier": 10 })
}

/// The days of the current gameweek on which there is a match: nothing yet, live, provisional (bonus
/// is added the day after), and final when the points are checked.
pub(super) async fn event_status(State(sim): State<Sim>) -> Response {
    let now = sim.now();
    let calendar = sim.calendar(now);
    let Some(gameweek) = calendar.current(now) else {
        return Json(json!({ "status": [], "leagues": "" })).into_response();
    };
    let (phase, shown) = (gameweek.phase_at(now), shown_phase(&sim, &calendar, gameweek, now));
    let matches = fixtures(gameweek);
    let date = |instant: Timestamp| instant.strftime("%Y-%m-%d").to_string();
    let mut dates: Vec<_> = matches.iter().map(|fixture| date(fixture.kickoff)).collect();
    dates.dedup();
    let rows: Vec<_> = dates
        .iter()
        .map(|day| {
            let of_day: Vec<_> = matches.iter().filter(|f| date(f.kickoff) == *day).collect();
            let (points, bonus_added) = match shown {
                Phase::Live if phase == Phase::Checked => ("l", false),
                Phase::Checked => ("r", true),
                Phase::Finished => (day_points(&of_day, now), true),
                _ => {
                    let points = day_points(&of_day, now);
                    (points, points == "p" && date(now - SignedDuration::from_hours(6)) > *day)
                }
            };
            json!({ "bonus_added": bonus_added, "date": day, "event": gameweek.number(),
                    "points": points })
        })
        .collect();
    let leagues = match phase {
        Phase::Checked if shown == Phase::Checked => "Updated",
        Phase::Checked | Phase::Finished => "Updating",
        _ => "",
    };
    Json(json!({ "status": rows, "leagues": leagues })).into_response()
}

fn day_points(matches: &[&Fixture], now: Timestamp) -> &'static str {
    if matches.iter().all(|fixture| fixture.over(now)) {
        "p"
    } else if matches.iter().any(|fixture| fixture.started(now)) {
        "l"
    } else {
        ""
    }
}
