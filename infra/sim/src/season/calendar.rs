//! When each gameweek opens, locks, plays, ends and is checked. Every phase is a function of the
//! clock alone, so two readers at the same instant never disagree.
//!
//! Invariants: deadlines are seven days apart; checked is more than three days before the next
//! deadline; the phases of a gameweek start in their order.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// Where the simulated clock starts by default: the first gameweek is open, its deadline 49½ hours away.
pub const FIRST_OPEN: &str = "2026-08-20T09:00:00Z";

const COUNT: u8 = 38;
/// 2026-08-22T10:30:00Z, a Saturday.
const FIRST_DEADLINE: Timestamp = Timestamp::constant(1_787_394_600, 0);
/// [`FIRST_OPEN`] as an instant.
const SEASON_OPENS: Timestamp = Timestamp::constant(1_787_216_400, 0);
const WEEK: SignedDuration = SignedDuration::from_hours(7 * 24);
const TO_KICKOFF: SignedDuration = SignedDuration::from_mins(90);
const TO_END_OF_PLAY: SignedDuration = SignedDuration::from_hours(2 * 24 + 11);
/// Deadline to 09:00Z on the day after the last match.
const TO_CHECKED: SignedDuration = SignedDuration::from_mins((2 * 24 + 22) * 60 + 30);

/// What a gameweek is doing (facts/fpl.md, "The simulator's states").
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

impl Phase {
    pub(crate) const ALL: [Self; 5] = [Self::Open, Self::Locked, Self::Live, Self::Finished, Self::Checked];
}

/// A gameweek of the season, 1 to 38.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Gameweek(u8);

impl Gameweek {
    pub(crate) fn new(number: u8) -> Option<Self> {
        (1..=COUNT).contains(&number).then_some(Self(number))
    }

    pub(crate) fn all() -> impl DoubleEndedIterator<Item = Self> {
        (1..=COUNT).map(Self)
    }

    pub(crate) fn number(self) -> u8 {
        self.0
    }

    /// The gameweek before, if this is not the first.
    pub(crate) fn previous(self) -> Option<Self> {
        Self::new(self.0 - 1)
    }

    pub(crate) fn deadline(self) -> Timestamp {
        FIRST_DEADLINE + WEEK * i32::from(self.0 - 1)
    }

    pub(crate) fn first_kickoff(self) -> Timestamp {
        self.deadline() + TO_KICKOFF
    }

    pub(crate) fn end_of_play(self) -> Timestamp {
        self.deadline() + TO_END_OF_PLAY
    }

    pub(crate) fn checked(self) -> Timestamp {
        self.deadline() + TO_CHECKED
    }

    pub(crate) fn start_of(self, phase: Phase) -> Timestamp {
        match phase {
            Phase::Open => self.previous().map_or(SEASON_OPENS, Self::checked),
            Phase::Locked => self.deadline(),
            Phase::Live => self.first_kickoff(),
            Phase::Finished => self.end_of_play(),
            Phase::Checked => self.checked(),
        }
    }

    /// The phase at `now`. A gameweek whose turn has not come is open too: its own deadline decides.
    pub(crate) fn phase_at(self, now: Timestamp) -> Phase {
        Phase::ALL
            .into_iter()
            .rev()
            .find(|phase| *phase != Phase::Open && now >= self.start_of(*phase))
            .unwrap_or(Phase::Open)
    }

    pub(crate) fn locked_at(self, now: Timestamp) -> bool {
        now >= self.deadline()
    }

    pub(crate) fn played_at(self, now: Timestamp) -> bool {
        now >= self.end_of_play()
    }
}

/// The gameweek that the official game calls current: the last whose deadline has passed.
pub(crate) fn current(now: Timestamp) -> Option<Gameweek> {
    Gameweek::all().rev().find(|gameweek| gameweek.locked_at(now))
}

/// Every deadline, first kick-off, end of play and "checked" after `after` and not after `until`.
pub(crate) fn boundaries(after: Timestamp, until: Timestamp) -> Vec<Timestamp> {
    let mut instants: Vec<_> = Gameweek::all()
        .flat_map(|gameweek| Phase::ALL[1..].iter().map(move |phase| gameweek.start_of(*phase)))
        .filter(|instant| *instant > after && *instant <= until)
        .collect();
    instants.sort_unstable();
    instants
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_first_gameweek_keeps_its_dates() {
        let first = Gameweek::new(1).unwrap();
        assert_eq!(first.start_of(Phase::Open), at(FIRST_OPEN));
        assert_eq!(first.deadline(), at("2026-08-22T10:30:00Z"));
        assert_eq!(first.first_kickoff(), at("2026-08-22T12:00:00Z"));
        assert_eq!(first.end_of_play(), at("2026-08-24T21:30:00Z"));
        assert_eq!(first.checked(), at("2026-08-25T09:00:00Z"));
        assert_eq!(Gameweek::new(38).unwrap().deadline(), at("2027-05-08T10:30:00Z"));
    }

    #[test]
    fn a_phase_begins_exactly_at_its_instant() {
        for gameweek in Gameweek::all() {
            for phase in &Phase::ALL[1..] {
                let start = gameweek.start_of(*phase);
                assert_eq!(gameweek.phase_at(start), *phase);
                assert!(gameweek.phase_at(start - SignedDuration::from_millis(1)) < *phase);
            }
        }
    }

    #[test]
    fn a_gameweek_is_checked_three_days_before_the_next_deadline() {
        for (gameweek, next) in Gameweek::all().zip(Gameweek::all().skip(1)) {
            assert!(next.deadline().duration_since(gameweek.checked()) >= SignedDuration::from_hours(72));
            assert_eq!(next.start_of(Phase::Open), gameweek.checked());
        }
        assert!(FIRST_DEADLINE.duration_since(SEASON_OPENS) >= SignedDuration::from_hours(48));
    }

    #[test]
    fn boundaries_leave_out_their_start_and_include_their_end() {
        let first = Gameweek::new(1).unwrap();
        assert_eq!(
            boundaries(first.deadline(), first.checked()),
            [first.first_kickoff(), first.end_of_play(), first.checked()]
        );
        assert_eq!(boundaries(SEASON_OPENS, at("2027-07-01T00:00:00Z")).len(), 38 * 4);
    }

    #[test]
    fn nothing_is_current_before_the_season_and_the_last_stays() {
        assert_eq!(current(SEASON_OPENS), None);
        assert_eq!(current(FIRST_DEADLINE).map(Gameweek::number), Some(1));
        assert_eq!(current(at("2027-07-01T00:00:00Z")).map(Gameweek::number), Some(38));
    }
}
