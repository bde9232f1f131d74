//! The gameweek: which one players act on, whether it is open, and which setting it uses
//! (docs/decisions.md, "A gameweek that is open stays the current one"). Always decided by comparing
//! instants, never by a schedule.

use std::{collections::BTreeMap, fmt, str::FromStr};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{Kes, UserId, leagues::draw};

/// The draw's fence stands this long after the deadline: longer than any attempt to join lives (30 s), and
/// long enough for M-Pesa to tell of prompts that were answered in time.
pub const FENCE_AFTER_DEADLINE: SignedDuration = SignedDuration::from_mins(10);

/// Where the fence stood before the lists' hashes were public: such draws are still checked by it.
pub const FENCE_BEFORE_LISTS_WERE_PUBLIC: SignedDuration = SignedDuration::from_mins(2);

/// So long after the deadline the list of entries waits for payments whose success was heard of in time and
/// that are not decided. What runs each minute has fixed the list by 25 minutes after the deadline then, and
/// has drawn by 56 where the beacon is silent: long before the first kick-off, at 90.
pub const LIST_WAITS_AFTER_DEADLINE: SignedDuration = SignedDuration::from_mins(23);

/// A season and a number, written `2026-03`: what every key, cause and job carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameweekId {
    /// The year in which the season starts: 2026 for 2026/27.
    pub season: u16,
    /// 1 to 38 in an ordinary season.
    pub number: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a gameweek: a season and a number, such as 2026-03")]
pub struct NotAGameweek;

impl fmt::Display for GameweekId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}", self.season, self.number)
    }
}

impl FromStr for GameweekId {
    type Err = NotAGameweek;
    fn from_str(text: &str) -> Result<Self, NotAGameweek> {
        let (season, number) = text.split_once('-').ok_or(NotAGameweek)?;
        let id = Self {
            season: season.parse().map_err(|_| NotAGameweek)?,
            number: number.parse().map_err(|_| NotAGameweek)?,
        };
        if id.to_string() == text { Ok(id) } else { Err(NotAGameweek) }
    }
}

impl Serialize for GameweekId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GameweekId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// That a gameweek is called off. It is not taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalledOff {
    pub at: Timestamp,
    pub admin: UserId,
    /// Shown to everybody who had entered.
    pub reason: String,
}

/// What is known of one gameweek of the season: the official dates and how far our work is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Gameweek {
    pub number: u8,
    /// The official deadline (UTC). It can move until it is near.
    pub deadline: Timestamp,
    /// What was fixed when it opened for entries.
    #[serde(default)]
    pub opening: Option<Opening>,
    /// When its leagues were drawn.
    #[serde(default)]
    pub drawn_at: Option<Timestamp>,
    /// How many were in the draw, in the order of [`EntryAmount::ALL`].
    #[serde(default)]
    pub drawn_entries: Option<[usize; 3]>,
    /// When the official game said that all of it was played: from then on substitutions count.
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// Since when the official points are final, as far as we have seen; they can be taken back.
    #[serde(default)]
    pub final_at: Option<Timestamp>,
    /// When paying the winners was asked for.
    #[serde(default)]
    pub settling_since: Option<Timestamp>,
    /// When messages were last sent for the leagues that are left.
    #[serde(default)]
    pub fanned_out_at: Option<Timestamp>,
    /// Why paying cannot begin, where something outside of us holds it up.
    #[serde(default)]
    pub held_up: Option<String>,
    /// Since it was called off: every stake that is not paid out goes back.
    #[serde(default)]
    pub called_off: Option<CalledOff>,
    /// When nothing was left to pay.
    #[serde(default)]
    pub settled_at: Option<Timestamp>,
    /// What its leagues paid in prizes by then; not known of gameweeks from before it was noted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prizes: Option<Kes>,
    /// What a newer version has written and this one does not know: kept.
    #[serde(flatten)]
    pub unknown: BTreeMap<String, serde_json::Value>,
}

/// What a gameweek is bound to from its opening on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Opening {
    pub at: Timestamp,
    /// The operator's share of what a league collects, in percent.
    pub fee_percent: u8,
    /// SHA-256 (hex) of the secret that goes into the draw's seed.
    pub secret_hash: String,
}

/// Where a gameweek stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum GameweekState {
    Open,
    Closed,
    Final,
    Settling,
    Settled,
}

impl Gameweek {
    /// A gameweek of which only the official deadline is known.
    #[must_use]
    pub fn new(number: u8, deadline: Timestamp) -> Self {
        Self {
            number,
            deadline,
            opening: None,
            drawn_at: None,
            drawn_entries: None,
            ended_at: None,
            final_at: None,
            settling_since: None,
            fanned_out_at: None,
            held_up: None,
            called_off: None,
            settled_at: None,
            prizes: None,
            unknown: BTreeMap::new(),
        }
    }

    /// Open or not: the clock against the official deadline, at each request.
    #[must_use]
    pub fn is_open(&self, now: Timestamp) -> bool {
        now < self.deadline
    }

    #[must_use]
    pub fn state(&self, now: Timestamp) -> GameweekState {
        if self.is_open(now) {
            GameweekState::Open
        } else if self.settled_at.is_some() {
            GameweekState::Settled
        } else if self.settling_since.is_some() {
            GameweekState::Settling
        } else if self.final_at.is_some() {
            GameweekState::Final
        } else {
            GameweekState::Closed
        }
    }

    /// Whether nothing is owed to anybody: settled, or drawn without a single league.
    #[must_use]
    pub fn is_paid(&self) -> bool {
        let leagues = |entries: &[usize; 3]| entries.iter().map(|count| draw::sizes(*count).len()).sum();
        let empty = self.drawn_at.is_some() && self.drawn_entries.as_ref().map(leagues) == Some(0_usize);
        self.settled_at.is_some() || empty
    }

    /// From here on nothing enters the draw any more.
    #[must_use]
    pub fn fence(&self) -> Timestamp {
        self.deadline + FENCE_AFTER_DEADLINE
    }

    /// From here on the list of entries waits for nothing any more.
    #[must_use]
    pub fn list_waits_until(&self) -> Timestamp {
        self.deadline + LIST_WAITS_AFTER_DEADLINE
    }
}

/// The season as players act on it, gameweeks in order of their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Calendar {
    pub season: u16,
    pub gameweeks: Vec<Gameweek>,
    /// When the official calendar was last read.
    #[serde(default)]
    pub read_at: Option<Timestamp>,
}

impl Calendar {
    /// The gameweek that players act on. It gives way to the next one when it is settled and, once it
    /// is closed, from `lead` before the next one's deadline: an open one stays however close the
    /// deadlines are. One that has opened stays where its deadline is moved to later: people have entered it.
    /// `None`: nothing to play.
    #[must_use]
    pub fn current(&self, now: Timestamp, lead: SignedDuration) -> Option<&Gameweek> {
        let reached = Self::reached(&self.gameweeks, now, lead)?;
        Some(&self.gameweeks[reached]).filter(|current| current.settled_at.is_none())
    }

    /// How far players are in `gameweeks`: the place of the one that has not given way to the next.
    pub(super) fn reached(gameweeks: &[Gameweek], now: Timestamp, lead: SignedDuration) -> Option<usize> {
        let gives_way = |pair: &[Gameweek]| {
            let [current, next] = pair else { return false };
            let is_due = next.opening.is_some() || now >= next.deadline - lead;
            current.settled_at.is_some() || (!current.is_open(now) && is_due)
        };
        let passed = gameweeks.windows(2).take_while(|pair| gives_way(pair)).count();
        (!gameweeks.is_empty()).then_some(passed)
    }

    /// The oldest gameweek that is closed and not settled: what "end gameweek" means by default.
    #[must_use]
    pub fn oldest_unsettled(&self, now: Timestamp) -> Option<&Gameweek> {
        self.gameweeks.iter().find(|g| g.settled_at.is_none() && !g.is_open(now))
    }

    /// The gameweeks that are closed and still owe somebody something.
    pub fn owed(&self, now: Timestamp) -> impl Iterator<Item = &Gameweek> {
        self.gameweeks.iter().filter(move |gameweek| !gameweek.is_open(now) && !gameweek.is_paid())
    }

    #[must_use]
    pub fn gameweek(&self, number: u8) -> Option<&Gameweek> {
        self.gameweeks.iter().find(|g| g.number == number)
    }

    #[must_use]
    pub fn id(&self, number: u8) -> GameweekId {
        GameweekId { season: self.season, number }
    }
}

/// One turn of a switch: what it became, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn<T> {
    pub at: Timestamp,
    pub value: T,
    /// Whose turn it was: a reply that was lost must not turn it back.
    #[serde(default)]
    pub id: String,
}

/// The value of a switch at an instant, from its turns (in order of time) and its value before the first turn. A
/// gameweek uses the deduction as of its deadline. (The fee is no switch: it is [`Opening::fee_percent`].)
#[must_use]
pub fn value_at<T: Copy>(turns: &[Turn<T>], before_any: T, at: Timestamp) -> T {
    turns.iter().take_while(|turn| turn.at <= at).last().map_or(before_any, |turn| turn.value)
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
