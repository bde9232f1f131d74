//! `entry/{id}/…`: a team, its season so far, and its picks. Picks are 404 until the deadline, and
//! everything is 404 for a team that does not exist.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

use super::{
    broken, not_found,
    spoiled::{half_update, shown},
};
use crate::{
    Sim,
    entries::{Known, Pick, Week, weeks},
    noise::Noise,
    season::{Calendar, Gameweek, Season},
};

/// Ids beyond this are nobody's.
const MOST_ID: u64 = 1_000_000_000_000;

pub(crate) fn parse_id(text: &str) -> Option<u64> {
    text.parse().ok().filter(|id| (1..=MOST_ID).contains(id))
}

pub(super) async fn summary(State(sim): State<Sim>, Path(id): Path<String>) -> Response {
    of_team(&sim, &id, |team| {
        let Team { id, known, weeks, .. } = team;
        let (id, latest) = (*id, weeks.last());
        let season = team.calendar.season();
        let (first, last) = manager(season, id);
        let entered: Vec<_> = weeks.iter().map(|week| week.gameweek.number()).collect();
        Some(json!({
            "id": id,
            "joined_time": season.shown_from(),
            "started_event": 1,
            "favourite_team": id % 20 + 1,
            "player_first_name": first,
            "player_last_name": last,
            "player_region_id": 111,
            "player_region_name": "Kenya",
            "player_region_iso_code_short": "KE",
            "player_region_iso_code_long": "KEN",
            "years_active": id % 9,
            "summary_overall_points": latest.map(|week| week.season_total),
            "summary_overall_rank": latest.map(|week| rank(id, week, week.season_total)),
            "summary_event_points": latest.map(|week| week.points),
            "summary_event_rank": latest.map(|week| rank(id, week, week.points)),
            "current_event": latest.map(|week| week.gameweek.number()),
            "leagues": { "classic": [], "h2h": [], "cup": { "matches": [] }, "cup_matches": [] },
            "name": team_name(season, id, known),
            "name_change_blocked": false,
            "entered_events": entered,
            "kit": null,
            "club_badge_src": null,
            "last_deadline_bank": latest.map(bank),
            "last_deadline_value": latest.map(|_| BUDGET),
            "last_deadline_total_transfers": weeks.iter().map(|week| week.transfers).sum::<u32>(),
        }))
    })
}

pub(super) async fn history(State(sim): State<Sim>, Path(id): Path<String>) -> Response {
    of_team(&sim, &id, |team| {
        let chips: Vec<_> = team
            .weeks
            .iter()
            .filter_map(|week| {
                let time = week.gameweek.deadline() - SignedDuration::from_mins(40);
                Some(json!({ "name": week.chip?.name(), "time": time, "event": week.gameweek.number() }))
            })
            .collect();
        let (latest, before) = match team.weeks.split_last() {
            Some((latest, before)) => (team.shown(&sim, latest.gameweek), before),
            None => (None, &[][..]),
        };
        let current: Vec<_> = before.iter().chain(&latest).map(|week| row(team.id, week)).collect();
        Some(json!({ "current": current, "past": past(team.calendar.season(), team.id), "chips": chips }))
    })
}

pub(super) async fn picks(State(sim): State<Sim>, Path((id, gameweek)): Path<(String, String)>) -> Response {
    of_team(&sim, &id, |team| {
        let asked = gameweek.parse().ok().and_then(|number| team.calendar.get(number))?;
        let week = team.shown(&sim, asked)?;
        let substitutions: Vec<_> = week
            .substitutions
            .iter()
            .map(|made| {
                json!({
                    "entry": team.id,
                    "element_in": made.came_in,
                    "element_out": made.went_out,
                    "event": week.gameweek.number(),
                })
            })
            .collect();
        Some(json!({
            "active_chip": week.chip.map(crate::entries::Chip::name),
            "automatic_subs": substitutions,
            "entry_history": row(team.id, &week),
            "picks": week.picks.iter().map(pick).collect::<Vec<_>>(),
        }))
    })
}

/// A team that exists, with its gameweeks whose deadline has passed.
struct Team {
    id: u64,
    known: Known,
    calendar: Arc<Calendar>,
    now: Timestamp,
    weeks: Vec<Week>,
}

impl Team {
    fn weeks_at(&self, sim: &Sim, now: Timestamp) -> Vec<Week> {
        let mut weeks = weeks(self.id, &self.known, &self.calendar, now);
        half_update(sim, &self.calendar, self.id, &mut weeks, now);
        weeks
    }

    /// What is said where `asked` is asked for; nothing before its deadline.
    fn shown(&self, sim: &Sim, asked: Gameweek) -> Option<Week> {
        if !asked.locked_at(self.now) {
            return None;
        }
        let (gameweek, now) = shown(sim, &self.calendar, asked, self.now);
        let mut weeks = if now == self.now { self.weeks.clone() } else { self.weeks_at(sim, now) };
        weeks.drain(..).find(|week| week.gameweek == gameweek)
    }
}

fn of_team(sim: &Sim, id: &str, answer: impl FnOnce(&Team) -> Option<Value>) -> Response {
    let Some(id) = parse_id(id) else { return not_found() };
    let now = sim.now();
    let calendar = sim.calendar(now);
    let known = match sim.entries().seen(calendar.season(), id) {
        Ok(known) => known,
        Err(error) => return broken(&error),
    };
    if !known.exists() {
        return not_found();
    }
    if !known.answers() {
        return StatusCode::BAD_GATEWAY.into_response();
    }
    let mut team = Team { id, known, calendar, now, weeks: Vec::new() };
    team.weeks = team.weeks_at(sim, now);
    answer(&team).map_or_else(not_found, |body| Json(body).into_response())
}

/// What a team may spend, in tenths of a million.
const BUDGET: u32 = 1000;

fn bank(week: &Week) -> u32 {
    BUDGET.saturating_sub(week.picks.iter().map(|pick| pick.player.price()).sum())
}

fn row(id: u64, week: &Week) -> Value {
    json!({
        "event": week.gameweek.number(),
        "points": week.points,
        "total_points": week.season_total,
        "rank": rank(id, week, week.points),
        "rank_sort": rank(id, week, week.points),
        "overall_rank": rank(id, week, week.season_total),
        "overall_rank_percentage": "50",
        "percentile_rank": 50,
        "bank": bank(week),
        "value": BUDGET,
        "event_transfers": week.transfers,
        "event_transfers_cost": week.cost,
        "points_on_bench": week.on_bench,
    })
}

fn pick(pick: &Pick) -> Value {
    json!({
        "element": pick.player.id,
        "position": pick.place,
        "multiplier": pick.multiplier,
        "is_captain": pick.captain,
        "is_vice_captain": pick.vice,
        "element_type": pick.player.position,
    })
}

/// A made-up place among nine million; only its being a number matters.
fn rank(id: u64, week: &Week, points: i32) -> u64 {
    let points = u64::from(points.unsigned_abs());
    1 + Noise::of(week.gameweek.season(), "rank", &[id, points]).next() % 9_000_000
}

fn past(season: Season, id: u64) -> Vec<Value> {
    let mut noise = Noise::of(season, "past", &[id]);
    let seasons = noise.below(4);
    (0..seasons)
        .map(|at| {
            let year = usize::from(season.year()) - seasons + at;
            json!({
                "season_name": format!("{year}/{:02}", (year + 1) % 100),
                "total_points": 1700 + noise.below(800),
                "rank": 1 + noise.below(9_000_000),
            })
        })
        .collect()
}

fn manager(season: Season, id: u64) -> (&'static str, &'static str) {
    const FIRST: [&str; 16] = [
        "Achieng", "Baraka", "Chebet", "Dalmas", "Esther", "Faith", "Gitonga", "Hassan", "Imani", "Juma",
        "Kamau", "Leila", "Mutua", "Njeri", "Otieno", "Wanjiru",
    ];
    const LAST: [&str; 14] = [
        "Barasa", "Chege", "Ekai", "Gathoni", "Kariuki", "Kiprono", "Lagat", "Mboya", "Mwangi", "Ndegwa",
        "Odhiambo", "Wafula", "Wairimu", "Yusuf",
    ];
    let mut noise = Noise::of(season, "manager", &[id]);
    (FIRST[noise.below(FIRST.len())], LAST[noise.below(LAST.len())])
}

/// The team's name, as set or made up.
pub(crate) fn team_name(season: Season, id: u64, known: &Known) -> String {
    const OF: [&str; 10] = [
        "Nairobi", "Kisumu", "Mombasa", "Nakuru", "Eldoret", "Thika", "Kitale", "Machakos", "Lamu", "Kericho",
    ];
    const WHAT: [&str; 10] = [
        "Lions",
        "Matatus",
        "Strikers",
        "Wanderers",
        "Tuskers",
        "Rangers",
        "Eagles",
        "Sharks",
        "Stars",
        "Pundits",
    ];
    known.set.team_name.clone().unwrap_or_else(|| {
        let mut noise = Noise::of(season, "team", &[id]);
        format!("{} {}", OF[noise.below(OF.len())], WHAT[noise.below(WHAT.len())])
    })
}
