//! The part of the calendar from which calls tell the current gameweek: a few gameweeks where the season has 38.

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::calendar::{Calendar, Gameweek, GameweekId};

/// So many gameweeks follow the last one that has opened.
const AHEAD: usize = 2;

/// The gameweeks around the current one, in order of their numbers. Nothing in it depends on when it was made, so it
/// stays true until the calendar changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CalendarExcerpt {
    pub season: u16,
    pub gameweeks: Vec<Gameweek>,
    /// Whether the season has gameweeks after these.
    pub more: bool,
}

/// Only the whole calendar tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotInExcerpt;

impl CalendarExcerpt {
    /// Begins one gameweek before the last that has opened. One is enough: that one was closed when the last opened, so only
    /// for a clock that is behind can it still be open, and the current one.
    #[must_use]
    pub fn of(calendar: &Calendar) -> Self {
        let all = &calendar.gameweeks;
        let opened = all.iter().rposition(|gameweek| gameweek.opening.is_some()).unwrap_or(0);
        let end = all.len().min(opened + 1 + AHEAD);
        let gameweeks = all[opened.saturating_sub(1)..end].to_vec();
        Self { season: calendar.season, gameweeks, more: end < all.len() }
    }

    /// What [`Calendar::current`] says.
    ///
    /// # Errors
    /// The current gameweek may be one that is not here: ask the whole calendar.
    pub fn current(
        &self,
        now: Timestamp,
        lead: SignedDuration,
    ) -> Result<Option<(GameweekId, &Gameweek)>, NotInExcerpt> {
        let reached = Calendar::reached(&self.gameweeks, now, lead);
        // It may give way to one that is not here.
        if self.more && reached.is_none_or(|at| at + 1 == self.gameweeks.len()) {
            return Err(NotInExcerpt);
        }
        let current = reached.and_then(|at| self.gameweeks.get(at)).filter(|g| g.settled_at.is_none());
        Ok(current.map(|gameweek| (self.id(gameweek.number), gameweek)))
    }

    /// The gameweek of that number; `None`: it is not here.
    #[must_use]
    pub fn gameweek(&self, number: u8) -> Option<&Gameweek> {
        self.gameweeks.iter().find(|gameweek| gameweek.number == number)
    }

    /// When the gameweek after `number` becomes the current one at the latest: `lead` before its own deadline, and never
    /// while the one before it is open. `None`: there is none after it here.
    #[must_use]
    pub fn next_opens_by(&self, number: u8, lead: SignedDuration) -> Option<Timestamp> {
        let mut pairs = self.gameweeks.windows(2);
        pairs.find_map(|pair| match pair {
            [this, next] if this.number == number => Some((next.deadline - lead).max(this.deadline)),
            _ => None,
        })
    }

    #[must_use]
    pub fn id(&self, number: u8) -> GameweekId {
        GameweekId { season: self.season, number }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gameweeks::calendar::Opening;

    const LEAD: SignedDuration = SignedDuration::from_hours(48);

    fn hours(n: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(n)
    }

    fn opening() -> Opening {
        Opening { at: hours(0), fee_percent: 10, secret_hash: String::new() }
    }

    fn calendar(gameweeks: u8, apart: i64) -> Calendar {
        let gameweek = |n: u8| Gameweek::new(n, hours(apart * i64::from(n)));
        Calendar { season: 2026, gameweeks: (1..=gameweeks).map(gameweek).collect(), read_at: None }
    }

    /// Seasons in which gameweeks are settled at once, late or never, hour by hour, as the job that runs each minute
    /// keeps the openings.
    #[test]
    fn says_the_same_as_the_calendar() {
        for (apart, settled_after) in
            [(168, Some(60)), (168, Some(400)), (168, None), (40, Some(30)), (40, None)]
        {
            let mut season = calendar(8, apart);
            let (mut answered, mut beyond) = (0, 0);
            for now in (0..apart * 8 + 500).map(hours) {
                for gameweek in &mut season.gameweeks {
                    let settled =
                        settled_after.map(|after| gameweek.deadline + SignedDuration::from_hours(after));
                    gameweek.settled_at = settled.filter(|at| *at <= now);
                }
                let expected = season.current(now, LEAD).map(|gameweek| gameweek.number);
                let excerpt = CalendarExcerpt::of(&season);
                assert!(excerpt.gameweeks.len() <= AHEAD + 2);
                match excerpt.current(now, LEAD) {
                    Ok(current) => {
                        assert_eq!(current.map(|(id, _)| id.number), expected, "at {now}");
                        answered += 1;
                    }
                    Err(NotInExcerpt) => beyond += 1,
                }
                if let Some(number) = expected {
                    season.gameweeks[usize::from(number) - 1].opening = Some(opening());
                }
            }
            assert!(beyond * 100 < answered, "{beyond} of {answered} were asked of the calendar");
        }
    }

    #[test]
    fn it_is_the_last_that_has_opened_with_the_one_before_and_two_after_it() {
        let mut season = calendar(8, 168);
        for gameweek in &mut season.gameweeks[..4] {
            gameweek.opening = Some(opening());
        }
        let excerpt = CalendarExcerpt::of(&season);
        let numbers: Vec<u8> = excerpt.gameweeks.iter().map(|gameweek| gameweek.number).collect();
        assert_eq!((numbers, excerpt.more), (vec![3, 4, 5, 6], true));
        assert_eq!(excerpt.gameweek(4), Some(&season.gameweeks[3]));
        assert_eq!(excerpt.gameweek(2), None);
    }

    #[test]
    fn the_next_one_opens_a_lead_before_its_deadline_and_not_before_the_current_one_closes() {
        for (apart, opens_by) in [(168, 168 * 2 - 48), (40, 40)] {
            let season = calendar(2, apart);
            let excerpt = CalendarExcerpt::of(&season);
            assert_eq!(excerpt.next_opens_by(1, LEAD), Some(hours(opens_by)));
            assert_eq!(excerpt.next_opens_by(2, LEAD), None, "it is the last one");
            // It is what the calendar does when the first is never settled.
            let current = |now| season.current(hours(now), LEAD).map(|gameweek| gameweek.number);
            assert_eq!((current(opens_by - 1), current(opens_by)), (Some(1), Some(2)));
        }
    }

    #[test]
    fn is_asked_of_the_calendar_where_nothing_has_opened_for_long() {
        let season = calendar(38, 168);
        assert_eq!(CalendarExcerpt::of(&season).current(hours(168 * 20), LEAD), Err(NotInExcerpt));
    }

    #[test]
    fn a_deadline_that_is_moved_to_later_does_not_bring_the_one_before_back() {
        let mut season = calendar(5, 168);
        season.gameweeks[0].settled_at = Some(hours(200));
        for at in 0..3 {
            season.gameweeks[at].opening = Some(opening());
        }
        let now = hours(168 * 3 - 20);
        assert_eq!(season.current(now, LEAD).map(|g| g.number), Some(3));
        season.gameweeks[2].deadline = hours(168 * 3 + 100);
        assert_eq!(season.current(now, LEAD).map(|g| g.number), Some(3));
        let excerpt = CalendarExcerpt::of(&season);
        assert_eq!(excerpt.current(now, LEAD).map(|found| found.map(|(id, _)| id.number)), Ok(Some(3)));
    }
}
