//! The official API's bodies, as far as we use them. No logic here.
//!
//! Invariants: unknown fields are ignored; what comes and goes between seasons defaults, null
//! included; points, bench points, hits, gameweek numbers, deadlines and the "finished" flags do
//! not: a body without them does not decode. Points may be negative.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, Serialize};

/// `bootstrap-static/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bootstrap {
    pub events: Vec<Event>,
    pub elements: Vec<Element>,
    pub teams: Vec<Team>,
    #[serde(default)]
    pub total_players: Option<u64>,
}

/// A gameweek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// 1 to 38.
    pub id: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    /// Seconds UTC since 1970. It can move, though not within a day of itself.
    pub deadline_time_epoch: i64,
    pub finished: bool,
    pub data_checked: bool,
    /// From the deadline on, and until the next one passes.
    pub is_current: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub is_previous: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub is_next: bool,
    #[serde(default)]
    pub average_entry_score: Option<i64>,
    #[serde(default)]
    pub highest_score: Option<i64>,
}

/// A footballer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    pub id: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub web_name: String,
    pub team: u32,
    /// 1 goalkeeper, 2 defender, 3 midfielder, 4 forward.
    pub element_type: u8,
}

/// A club.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Team {
    pub id: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub short_name: String,
}

/// A row of `fixtures/?event=N`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    pub id: u32,
    /// None while it is unscheduled.
    #[serde(default)]
    pub event: Option<u32>,
    #[serde(default)]
    pub kickoff_time: Option<Timestamp>,
    /// None while it is unscheduled.
    #[serde(default)]
    pub started: Option<bool>,
    pub finished: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub finished_provisional: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub minutes: u32,
    pub team_h: u32,
    pub team_a: u32,
    #[serde(default)]
    pub team_h_score: Option<u32>,
    #[serde(default)]
    pub team_a_score: Option<u32>,
}

/// `event-status/`: how far the points of the current gameweek are. No rows before the season.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventStatus {
    pub status: Vec<StatusRow>,
    /// "", "Updating" or "Updated".
    #[serde(default, deserialize_with = "or_default")]
    pub leagues: String,
}

/// A day of matches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusRow {
    pub event: u32,
    pub bonus_added: bool,
    /// "" none yet, "l" live, "p" provisional, "r" final.
    pub points: String,
    #[serde(default, deserialize_with = "or_default")]
    pub date: String,
}

/// `entry/{id}/`: somebody's team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub id: u64,
    /// The team's name.
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub player_first_name: String,
    #[serde(default, deserialize_with = "or_default")]
    pub player_last_name: String,
    /// It has no row for a gameweek before this one.
    #[serde(default)]
    pub started_event: Option<u32>,
    #[serde(default)]
    pub current_event: Option<u32>,
}

/// `entry/{id}/history/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    pub current: Vec<HistoryRow>,
    #[serde(default, deserialize_with = "or_default")]
    pub chips: Vec<Chip>,
}

/// A team's gameweek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryRow {
    pub event: u32,
    /// Before hits: net is `points - event_transfers_cost`.
    pub points: i64,
    /// Of the season so far, hits deducted.
    pub total_points: i64,
    /// What the extra transfers cost, in points.
    pub event_transfers_cost: i64,
    /// After automatic substitutions; 0 under Bench Boost.
    pub points_on_bench: i64,
    #[serde(default, deserialize_with = "or_default")]
    pub event_transfers: u32,
    #[serde(default)]
    pub rank: Option<u64>,
    #[serde(default)]
    pub overall_rank: Option<u64>,
}

/// A chip that was played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chip {
    /// wildcard, freehit, bboost or 3xc.
    pub name: String,
    pub event: u32,
}

/// `entry/{id}/event/{gw}/picks/`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picks {
    #[serde(default)]
    pub active_chip: Option<String>,
    #[serde(default, deserialize_with = "or_default")]
    pub automatic_subs: Vec<AutomaticSub>,
    pub entry_history: HistoryRow,
    pub picks: Vec<Pick>,
}

/// Made only when the gameweek ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomaticSub {
    pub element_in: u32,
    pub element_out: u32,
}

/// One footballer of a squad.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pick {
    pub element: u32,
    /// 1 to 15; 12 to 15 are the bench.
    pub position: u8,
    /// 0 on the bench, 2 or 3 for the captain.
    pub multiplier: u8,
    pub is_captain: bool,
    pub is_vice_captain: bool,
    #[serde(default)]
    pub element_type: Option<u8>,
}

/// `event/{gw}/live/`. A gameweek to come has no elements.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Live {
    pub elements: Vec<LiveElement>,
}

/// A footballer's gameweek.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveElement {
    pub id: u32,
    pub stats: LiveStats,
    /// One per fixture: two in a double gameweek, none in a blank one.
    #[serde(default, deserialize_with = "or_default")]
    pub explain: Vec<Explain>,
}

/// Summed over the gameweek's fixtures.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveStats {
    pub minutes: u32,
    pub total_points: i64,
    #[serde(default, deserialize_with = "or_default")]
    pub goals_scored: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub assists: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub clean_sheets: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub goals_conceded: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub own_goals: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub penalties_saved: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub penalties_missed: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub yellow_cards: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub red_cards: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub saves: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub bonus: u32,
}

/// Where a footballer's points of one fixture come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explain {
    pub fixture: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub stats: Vec<ExplainStat>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExplainStat {
    /// "minutes", "goals_scored" and so on.
    pub identifier: String,
    pub points: i64,
    pub value: i64,
}

/// Null as what is absent: fields come and go between seasons, and some are null before it.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}
