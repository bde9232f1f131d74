//! The calendar, once the official one has been read. Nothing here asks or writes: an answer is judged
//! as a whole, then taken over as far as it may be.
//!
//! Invariants: what an answer leaves out stays; a deadline that has passed does not move; points are
//! final while the official game says so, or paid or called off; a season gives way to the next whatever it owes.

use clients::fpl::{self, Bootstrap, Event, EventStatus};
use domain::gameweeks::calendar::{Calendar, Gameweek};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};

/// So long an answer is good enough (docs/fpl.md, "Errors").
const READ_EVERY: SignedDuration = SignedDuration::from_mins(5);
/// From so long before a deadline to its fence it is read at each run.
const NEAR: SignedDuration = SignedDuration::from_mins(10);
/// So long without a reading somebody has to know.
const STALE_AFTER: SignedDuration = SignedDuration::from_hours(24);

/// A new season is shown about so long before its first deadline.
const SOON: SignedDuration = SignedDuration::from_hours(60 * 24);

/// Whether the official calendar is read now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    No,
    /// If the official game's status, which is small, says that this gameweek is over.
    IfConfirmed(u8),
    Yes,
}

/// An answer that is no calendar: nothing of it is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Odd {
    #[error("it has no first gameweek")]
    NoFirst,
    #[error("{0} is no gameweek, or has no deadline")]
    NotAGameweek(u32),
    #[error("its deadlines are not in order at gameweek {0}")]
    OutOfOrder(u8),
}

/// The official calendar: gameweeks from the first, deadlines in order of their numbers.
#[derive(Debug)]
pub(super) struct Official<'a> {
    season: u16,
    gameweeks: Vec<OfficialGameweek<'a>>,
    status: &'a EventStatus,
}

#[derive(Debug)]
struct OfficialGameweek<'a> {
    number: u8,
    deadline: Timestamp,
    event: &'a Event,
}

impl<'a> Official<'a> {
    /// # Errors
    /// It is none.
    pub(super) fn read(bootstrap: &'a Bootstrap, status: &'a EventStatus) -> Result<Self, Odd> {
        let gameweeks = bootstrap.events.iter().map(|event| {
            let number = u8::try_from(event.id).ok().filter(|number| *number > 0);
            let deadline = Timestamp::from_second(event.deadline_time_epoch).ok();
            let (number, deadline) = number.zip(deadline).ok_or(Odd::NotAGameweek(event.id))?;
            Ok(OfficialGameweek { number, deadline, event })
        });
        let mut gameweeks = gameweeks.collect::<Result<Vec<_>, Odd>>()?;
        gameweeks.sort_by_key(|gameweek| gameweek.number);
        let first = gameweeks.first().filter(|gameweek| gameweek.number == 1).ok_or(Odd::NoFirst)?;
        let year = first.deadline.to_zoned(TimeZone::UTC).year();
        let season = u16::try_from(year).map_err(|_| Odd::NotAGameweek(1))?;
        for pair in gameweeks.windows(2) {
            if pair[0].number == pair[1].number || pair[0].deadline >= pair[1].deadline {
                return Err(Odd::OutOfOrder(pair[1].number));
            }
        }
        Ok(Self { season, gameweeks, status })
    }

    pub(super) fn season(&self) -> u16 {
        self.season
    }

    /// Whether it takes the place of the season that is played: it begins after everything that was closed there,
    /// and soon, where something was still to come there.
    fn comes_after(&self, played: &Calendar, now: Timestamp) -> bool {
        let Some(first) = self.gameweeks.first().map(|gameweek| gameweek.deadline) else { return false };
        let closed = played.gameweeks.iter().filter(|gameweek| !gameweek.is_open(now));
        let all_closed = played.gameweeks.iter().all(|gameweek| !gameweek.is_open(now));
        closed.map(|gameweek| gameweek.deadline).all(|deadline| deadline < first)
            && (all_closed || first < now + SOON)
    }

    /// Whether the official game itself has closed a gameweek.
    fn has_closed(&self, number: u8) -> bool {
        self.gameweeks.iter().any(|g| g.number >= number && (g.event.is_current || g.event.finished))
    }
}

/// Whether to read: each five minutes, near a deadline and after a failure at each run, and as soon as
/// points could just have become final.
pub(super) fn due(known: Option<&Calendar>, now: Timestamp) -> Due {
    let read_at = known.and_then(|calendar| calendar.read_at);
    let (Some(calendar), Some(read_at)) = (known, read_at) else { return Due::Yes };
    let is_near = |gameweek: &Gameweek| now >= gameweek.deadline - NEAR && now <= gameweek.fence();
    if now >= read_at + READ_EVERY || calendar.gameweeks.iter().any(is_near) {
        return Due::Yes;
    }
    let played = calendar.gameweeks.iter().rev().find(|gameweek| !gameweek.is_open(now));
    let awaited = played.filter(|gameweek| gameweek.final_at.is_none() && gameweek.settled_at.is_none());
    awaited.map_or(Due::No, |gameweek| Due::IfConfirmed(gameweek.number))
}

/// Whether the official calendar could not be read, or not be believed, for a day in which points and
/// deadlines are waited for.
pub(super) fn is_stale(calendar: &Calendar, now: Timestamp) -> bool {
    calendar.read_at.is_some_and(|last| now >= last + STALE_AFTER)
        && calendar.gameweeks.iter().any(|gameweek| gameweek.settled_at.is_none())
}

/// What the calendar is once `official`, asked for at `asked_at`, has been read. `None`: as it was.
pub(super) fn followed(
    known: Option<Calendar>,
    official: &Official<'_>,
    asked_at: Timestamp,
    now: Timestamp,
) -> Option<Calendar> {
    let season = official.season;
    let mut calendar = match known {
        // Another run asked later and was answered sooner.
        Some(known) if known.read_at.is_some_and(|last| last > asked_at) => return None,
        Some(known) if known.season == season => known,
        Some(known) if known.season > season => {
            tracing::warn!(season, "the official game shows a season that is over");
            return None;
        }
        Some(known) if !official.comes_after(&known, now) => {
            tracing::error!(
                season,
                alarm = "season",
                "a season is said to begin that cannot follow the one that is played"
            );
            return Some(Calendar { read_at: Some(asked_at), ..known });
        }
        _ => Calendar { season, gameweeks: Vec::new(), read_at: None },
    };
    for gameweek in &official.gameweeks {
        take_over(&mut calendar, gameweek, official, now);
    }
    calendar.read_at = Some(asked_at);
    Some(calendar)
}

fn take_over(
    calendar: &mut Calendar,
    OfficialGameweek { number, deadline, event }: &OfficialGameweek<'_>,
    official: &Official<'_>,
    now: Timestamp,
) {
    let at = calendar.gameweeks.partition_point(|gameweek| gameweek.number < *number);
    if calendar.gameweeks.get(at).is_none_or(|gameweek| gameweek.number != *number) {
        calendar.gameweeks.insert(at, first_seen(*number, *deadline, now));
    }
    let gameweek = &mut calendar.gameweeks[at];
    // A deadline that has passed does not move any more: entries were refused by it.
    if gameweek.is_open(now) && gameweek.deadline != *deadline {
        move_deadline(gameweek, *deadline, official.has_closed(*number), now);
    }
    if !gameweek.is_open(now) && event.finished {
        gameweek.ended_at.get_or_insert(now);
    }
    if gameweek.called_off.is_some() {
        // Its stakes are given back: whatever comes now decides nothing any more.
    } else if !gameweek.is_open(now) && fpl::is_final(event, official.status) {
        gameweek.final_at.get_or_insert(now);
    } else if gameweek.final_at.is_some() && gameweek.settled_at.is_none() {
        tracing::warn!(gameweek = number, "points that were final are taken back");
        gameweek.final_at = None;
    }
}

/// A gameweek that was not known. One that is over already: nobody entered, there is nothing to play.
fn first_seen(number: u8, deadline: Timestamp, now: Timestamp) -> Gameweek {
    let mut gameweek = Gameweek::new(number, deadline);
    if !gameweek.is_open(now) {
        gameweek.drawn_at = Some(now);
        gameweek.drawn_entries = Some([0; 3]);
        gameweek.settled_at = Some(now);
    }
    gameweek
}

/// Moves the deadline of a gameweek that is open. One that is to have been already is believed only
/// where the official game has closed the gameweek too; it then closes now, so that what was entered
/// in good faith is in, and the beacon's value for its draw is still to come.
fn move_deadline(gameweek: &mut Gameweek, official: Timestamp, has_closed: bool, now: Timestamp) {
    let (number, known) = (gameweek.number, gameweek.deadline);
    if official > now {
        tracing::info!(gameweek = number, from = %known, to = %official, "a deadline has moved");
        gameweek.deadline = official;
    } else if has_closed {
        let closed = Timestamp::from_second(now.as_second() + 1).unwrap_or(now);
        tracing::error!(gameweek = number, from = %known, to = %official, alarm = "deadline",
            "a deadline has moved and passed before we saw it: the gameweek closes now");
        gameweek.deadline = closed.min(known);
    } else {
        tracing::error!(gameweek = number, from = %known, to = %official, alarm = "deadline",
            "a deadline is said to have passed, and the gameweek to be open: it is not moved");
    }
}

#[cfg(test)]
#[path = "official_calendar_tests.rs"]
mod tests;
