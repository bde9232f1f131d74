//! When each gameweek opens, locks, plays, ends and is checked, and of what kind it is. Every phase
//! is a function of the calendar and the clock alone, so two readers at the same instant never
//! disagree.
//!
//! Invariants: the phases of a gameweek start in their order, and all of a gameweek's before the next
//! one's deadline. Until one is moved, deadlines are seven days apart and a gameweek is checked more
//! than three days before the next deadline. What has locked never changes any more.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::Season;

pub(crate) const COUNT: u8 = 38;
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
const TO_KICKOFF: SignedDuration = SignedDuration::from_mins(90);
const TO_END_OF_PLAY: SignedDuration = SignedDuration::from_hours(2 * 24 + 11);
/// Deadline to 09:00Z on the day after the last match.
const TO_CHECKED: SignedDuration = SignedDuration::from_mins((2 * 24 + 22) * 60 + 30);
/// How long a gameweek is open at least, and how far its deadline stays from the next one's.
const LEAST_OPEN: SignedDuration = SignedDuration::from_hours(1);
const LEAST_APART: SignedDuration = SignedDuration::from_hours(72);
/// Whoever follows the official game has read of a moved deadline after so long (docs/fpl.md,
/// "Errors": an answer is good for five minutes).
const KNOWN_AFTER: SignedDuration = SignedDuration::from_mins(5);

/// What a gameweek is doing (docs/fpl.md, "The stand-in").
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// Before its deadline.
    Open,
    /// From the deadline to the first kick-off: picks are public.
    Locked,
    /// From the first kick-off to the end of play: points move.
    Live,
    /// Played, substitutions made, points not yet confirmed.
    Finished,
    /// The official points are final.
    Checked,
}

/// Who plays in a gameweek (docs/fpl.md, "The stand-in").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Every club once.
    #[default]
    Normal,
    /// Eight clubs twice, the others once.
    Double,
    /// Two clubs not at all: their match is called off.
    Blank,
    /// Nobody: every match is called off.
    Void,
}

/// A gameweek of a season, 1 to 38, as it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gameweek {
    season: Season,
    number: u8,
    deadline: Timestamp,
    kind: Kind,
    /// When the deadline was last moved, rounded up to a second.
    moved: Option<Timestamp>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Changed {
    kind: Kind,
    deadline: Timestamp,
    #[serde(default)]
    moved: Option<Timestamp>,
}

impl Gameweek {
    fn ordinary(season: Season, number: u8) -> Self {
        let deadline = season.first_deadline() + WEEK * i32::from(number - 1);
        Self { season, number, deadline, kind: Kind::Normal, moved: None }
    }

    pub(crate) fn kept(self) -> Changed {
        Changed { kind: self.kind, deadline: self.deadline, moved: self.moved }
    }

    pub(crate) fn restored(self, kept: &Changed) -> Self {
        Self { kind: kept.kind, deadline: kept.deadline, moved: kept.moved, ..self }
    }

    fn with(self, change: GameweekChange, now: Timestamp) -> Self {
        let mut changed = Self { kind: change.kind.unwrap_or(self.kind), ..self };
        if let Some(deadline) = change.deadline.filter(|deadline| *deadline != self.deadline) {
            changed.deadline = deadline;
            // The runner's clock stops at whole microseconds only.
            changed.moved = Timestamp::from_second(now.as_second() + 1).ok();
        }
        changed
    }

    pub(crate) fn season(self) -> Season {
        self.season
    }

    pub(crate) fn number(self) -> u8 {
        self.number
    }

    pub(crate) fn kind(self) -> Kind {
        self.kind
    }

    pub(crate) fn deadline(self) -> Timestamp {
        self.deadline
    }

    pub(crate) fn first_kickoff(self) -> Timestamp {
        self.deadline + TO_KICKOFF
    }

    pub(crate) fn end_of_play(self) -> Timestamp {
        self.deadline + TO_END_OF_PLAY
    }

    pub(crate) fn checked(self) -> Timestamp {
        self.deadline + TO_CHECKED
    }

    /// When it stops being open, and each phase after that.
    fn boundaries(self) -> [(Phase, Timestamp); 4] {
        [
            (Phase::Locked, self.deadline),
            (Phase::Live, self.first_kickoff()),
            (Phase::Finished, self.end_of_play()),
            (Phase::Checked, self.checked()),
        ]
    }

    /// The phase at `now`. A gameweek whose turn has not come is open too: its own deadline decides.
    pub(crate) fn phase_at(self, now: Timestamp) -> Phase {
        let reached = self.boundaries().into_iter().rev().find(|(_, start)| now >= *start);
        reached.map_or(Phase::Open, |(phase, _)| phase)
    }

    pub(crate) fn locked_at(self, now: Timestamp) -> bool {
        now >= self.deadline
    }

    pub(crate) fn played_at(self, now: Timestamp) -> bool {
        now >= self.end_of_play()
    }
}

/// What is to be set for a gameweek; a part left out stays as it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub struct GameweekChange {
    pub kind: Option<Kind>,
    /// All phases move with it. Whole seconds.
    pub deadline: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GameweekRefused {
    #[error("There is no gameweek {0}.")]
    Unknown(u8),
    #[error("Gameweek {0}'s deadline has passed.")]
    Locked(u8),
    /// The new deadline cannot be, with the reason.
    #[error("{0}")]
    Deadline(String),
}

/// Why a gameweek is not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    #[error(transparent)]
    Refused(#[from] GameweekRefused),
    /// The database cannot be written.
    #[error(transparent)]
    NotKept(#[from] anyhow::Error),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Calendar {
    season: Season,
    gameweeks: Vec<Gameweek>,
}

impl Calendar {
    /// The season as it is until something is set.
    pub(crate) fn ordinary(season: Season) -> Self {
        let gameweeks = (1..=COUNT).map(|number| Gameweek::ordinary(season, number)).collect();
        Self { season, gameweeks }
    }

    pub(crate) fn season(&self) -> Season {
        self.season
    }

    pub(crate) fn all(&self) -> impl DoubleEndedIterator<Item = Gameweek> {
        self.gameweeks.iter().copied()
    }

    pub(crate) fn get(&self, number: u8) -> Option<Gameweek> {
        self.gameweeks.get(usize::from(number).checked_sub(1)?).copied()
    }

    pub(crate) fn locked_at(&self, now: Timestamp) -> impl Iterator<Item = Gameweek> {
        self.all().take_while(move |gameweek| gameweek.locked_at(now))
    }

    /// The gameweek that the official game calls current: the last whose deadline has passed.
    pub(crate) fn current(&self, now: Timestamp) -> Option<Gameweek> {
        self.locked_at(now).last()
    }

    pub(crate) fn start_of(&self, gameweek: Gameweek, phase: Phase) -> Timestamp {
        let start = gameweek.boundaries().into_iter().find(|(at, _)| *at == phase);
        start.map_or_else(|| self.opens(gameweek), |(_, start)| start)
    }

    /// When the gameweek before is checked, or the season opens.
    fn opens(&self, gameweek: Gameweek) -> Timestamp {
        self.get(gameweek.number - 1).map_or(self.season.opens(), Gameweek::checked)
    }

    /// Every deadline, first kick-off, end of play and "checked", and the instants at which a moved
    /// deadline has got about, after `after` and not after `until`, in order.
    pub(crate) fn boundaries(&self, after: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        let phases = self.all().flat_map(|gameweek| gameweek.boundaries().map(|(_, start)| start));
        let known = self.all().filter_map(|gameweek| Some(gameweek.moved? + KNOWN_AFTER));
        let mut instants: Vec<_> = phases.chain(known).filter(|at| *at > after && *at <= until).collect();
        instants.sort_unstable();
        instants
    }

    pub(crate) fn put(&mut self, changed: Gameweek) {
        for gameweek in self.gameweeks.iter_mut().filter(|gameweek| gameweek.number == changed.number) {
            *gameweek = changed;
        }
    }

    /// The gameweek after `change`, if it may be made at `now`.
    pub(crate) fn changed(
        &self,
        number: u8,
        change: GameweekChange,
        now: Timestamp,
    ) -> Result<Gameweek, GameweekRefused> {
        let gameweek = self.get(number).ok_or(GameweekRefused::Unknown(number))?;
        if gameweek.locked_at(now) {
            return Err(GameweekRefused::Locked(number));
        }
        if let Some(deadline) = change.deadline {
            self.check_deadline(gameweek, deadline, now).map_err(GameweekRefused::Deadline)?;
        }
        Ok(gameweek.with(change, now))
    }

    fn check_deadline(&self, gameweek: Gameweek, deadline: Timestamp, now: Timestamp) -> Result<(), String> {
        let number = gameweek.number;
        if deadline.subsec_nanosecond() != 0 {
            return Err("A deadline is a whole second.".into());
        }
        if deadline <= now {
            return Err(format!("{deadline} has passed: it is {now}."));
        }
        let earliest = self.opens(gameweek) + LEAST_OPEN;
        if deadline < earliest {
            return Err(format!(
                "Gameweek {number}'s deadline cannot be before {earliest}: an hour after the gameweek opens."
            ));
        }
        let next = self.get(number + 1).map_or(self.season.ends(), Gameweek::deadline);
        let latest = next - LEAST_APART;
        if deadline > latest {
            return Err(format!(
                "Gameweek {number}'s deadline cannot be after {latest}: three days before the next one's."
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
impl Calendar {
    pub(crate) fn first() -> Self {
        Self::ordinary(Season::ALL[0])
    }

    /// The ordinary season with one gameweek of another kind.
    pub(crate) fn with(number: u8, kind: Kind) -> Self {
        let mut calendar = Self::first();
        let gameweek = calendar.get(number).expect("a test asks for a gameweek that there is");
        calendar.put(Gameweek { kind, ..gameweek });
        calendar
    }
}

#[cfg(test)]
#[path = "calendar_tests.rs"]
mod tests;
