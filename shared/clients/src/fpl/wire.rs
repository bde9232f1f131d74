//! The official API's bodies, as far as we use them. No logic here.
//!
//! Invariants: unknown fields are ignored; what comes and goes between seasons defaults, null
//! included, and of lists that are only shown what is odd is left out; points, bench points, hits, gameweek numbers,
//! deadlines and the "finished" flags do not: a body without them does not decode. Points may be negative.

use jiff::Timestamp;
use serde::{Deserialize, Deserializer, de::IgnoredAny};

/// `bootstrap-static/`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Bootstrap {
    pub events: Vec<Event>,
    #[serde(default, deserialize_with = "shown")]
    pub elements: Vec<Footballer>,
    #[serde(default, deserialize_with = "shown")]
    pub teams: Vec<Club>,
}

/// A footballer, as far as he is shown: nothing else hangs on it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Footballer {
    pub id: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub web_name: String,
    /// The number of his club; 0 where it is not said.
    #[serde(default, deserialize_with = "or_default")]
    pub team: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Club {
    pub id: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub short_name: String,
}

/// A gameweek.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Event {
    /// 1 to 38.
    pub id: u32,
    /// Seconds UTC since 1970. It can move, though not within a day of itself.
    pub deadline_time_epoch: i64,
    pub finished: bool,
    pub data_checked: bool,
    /// From the deadline on, and until the next one passes.
    pub is_current: bool,
}

/// A row of `fixtures/?event=N`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Fixture {
    pub id: u32,
    #[serde(default)]
    pub kickoff_time: Option<Timestamp>,
    #[serde(default, deserialize_with = "shown_value")]
    pub started: Option<bool>,
    pub finished: bool,
    #[serde(default, deserialize_with = "or_default")]
    pub finished_provisional: bool,
    /// The clubs' numbers; 0 where they are not said.
    #[serde(default, deserialize_with = "or_default")]
    pub team_h: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub team_a: u32,
    /// What was counted in it, kind by kind; nothing before it begins.
    #[serde(default, deserialize_with = "shown")]
    pub stats: Vec<FixtureStat>,
}

/// What was counted in a match of one kind, such as `bps`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct FixtureStat {
    pub identifier: String,
    /// Of the home club's footballers.
    #[serde(default, deserialize_with = "shown")]
    pub h: Vec<CountedOf>,
    /// Of the away club's.
    #[serde(default, deserialize_with = "shown")]
    pub a: Vec<CountedOf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct CountedOf {
    pub element: u32,
    pub value: i32,
}

/// `event-status/`: how far the points of the current gameweek are. No rows before the season.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct EventStatus {
    pub status: Vec<StatusRow>,
    /// "", "Updating" or "Updated".
    #[serde(default, deserialize_with = "or_default")]
    pub leagues: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct StatusRow {
    pub event: u32,
    pub bonus_added: bool,
    /// "" none yet, "l" live, "p" provisional, "r" final.
    pub points: String,
}

/// `entry/{id}/`: somebody's team.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Entry {
    pub id: u64,
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
}

/// `entry/{id}/history/`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct History {
    pub current: Vec<HistoryRow>,
    #[serde(default, deserialize_with = "shown")]
    pub chips: Vec<Chip>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Chip {
    /// wildcard, freehit, bboost or 3xc.
    pub name: String,
    pub event: u32,
}

/// `entry/{id}/event/{gw}/picks/`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Picks {
    #[serde(default)]
    pub active_chip: Option<String>,
    pub entry_history: HistoryRow,
    pub picks: Vec<Pick>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Live {
    pub elements: Vec<LiveElement>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LiveElement {
    pub id: u32,
    pub stats: LiveStats,
    /// One per fixture: two in a double gameweek, none in a blank one.
    #[serde(default, deserialize_with = "or_default")]
    pub explain: Vec<Explain>,
}

/// Summed over the gameweek's fixtures.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct LiveStats {
    pub minutes: u32,
    pub total_points: i64,
    #[serde(default, deserialize_with = "or_default")]
    pub yellow_cards: u32,
    #[serde(default, deserialize_with = "or_default")]
    pub red_cards: u32,
    /// What bonus points are given by.
    #[serde(default, deserialize_with = "shown_value")]
    pub bps: i32,
}

/// A fixture that a footballer's points come from.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Explain {
    pub fixture: u32,
    #[serde(default, deserialize_with = "shown")]
    pub stats: Vec<ExplainedStat>,
}

/// What points were given for.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ExplainedStat {
    #[serde(default, deserialize_with = "or_default")]
    pub identifier: String,
    #[serde(default, deserialize_with = "or_default")]
    pub points: i64,
    #[serde(default, deserialize_with = "or_default")]
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

/// What is only shown, or something else in its place.
#[derive(Deserialize)]
#[serde(untagged)]
enum Shown<T> {
    Read(T),
    Odd(IgnoredAny),
}

impl<T> Shown<T> {
    fn read(self) -> Option<T> {
        match self {
            Self::Read(read) => Some(read),
            Self::Odd(IgnoredAny) => None,
        }
    }
}

/// A list that is only shown: whatever cannot be read of it is left out, and the rest of the body is as good as before.
fn shown<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    let listed: Option<Vec<Shown<T>>> = Option::deserialize(deserializer)?;
    Ok(listed.into_iter().flatten().filter_map(Shown::read).collect())
}

/// A value that is only shown: nothing where it cannot be read.
fn shown_value<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Shown::deserialize(deserializer)?.read().unwrap_or_default())
}
