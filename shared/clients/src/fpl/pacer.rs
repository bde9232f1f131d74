//! Whose turn it is: requests leave one after another, at a set pace, whoever makes them.
//!
//! Invariant: two turns are never closer than the interval, and none is given inside a pause that
//! the other side asked for. The pace is real time; a pause ends by the product's clock, which in the
//! local run jumps.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use tokio::time::{Instant, sleep_until};

use crate::Clock;

/// A queue of turns, shared by every clone of a client.
#[derive(Debug)]
pub(super) struct Pacer {
    interval: Duration,
    clock: Clock,
    turns: Mutex<Turns>,
}

#[derive(Debug, Default)]
struct Turns {
    next: Option<Instant>,
    paused_until: Option<Timestamp>,
}

/// There is no turn before the deadline; none was taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoTurn;

impl Pacer {
    /// `per_second` requests a second; 0 counts as 1.
    pub fn new(per_second: u32, clock: Clock) -> Self {
        let interval = Duration::from_secs(1) / per_second.max(1);
        Self { interval, clock, turns: Mutex::default() }
    }

    /// Waits for a turn before `deadline`.
    pub async fn turn(&self, deadline: Instant) -> Result<(), NoTurn> {
        let turn = self.take(Instant::now(), deadline)?;
        sleep_until(turn).await;
        Ok(())
    }

    /// Nobody's turn comes before `wait` has passed.
    pub fn pause(&self, wait: Duration) {
        let wait = SignedDuration::try_from(wait).unwrap_or(SignedDuration::MAX);
        let until = self.clock.now().saturating_add(wait).unwrap_or(Timestamp::MAX);
        let mut turns = self.turns();
        turns.paused_until = turns.paused_until.max(Some(until));
    }

    fn take(&self, now: Instant, deadline: Instant) -> Result<Instant, NoTurn> {
        let mut turns = self.turns();
        let pause = turns.paused_until.map(|until| until.duration_since(self.clock.now()));
        let pause = pause.and_then(|left| Duration::try_from(left).ok()).unwrap_or_default();
        let turn = turns.next.map_or(now, |turn| turn.max(now)).max(now + pause);
        if turn >= deadline {
            return Err(NoTurn);
        }
        turns.next = Some(turn + self.interval);
        Ok(turn)
    }

    fn turns(&self) -> MutexGuard<'_, Turns> {
        // Neither part can be half written, so a panic elsewhere leaves them usable.
        self.turns.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HandClock;

    const HALF: Duration = Duration::from_millis(500);

    fn pacer(per_second: u32) -> Pacer {
        Pacer::new(per_second, HandClock::at(Timestamp::UNIX_EPOCH).clock())
    }

    #[test]
    fn turns_are_an_interval_apart() {
        let (pacer, now) = (pacer(2), Instant::now());
        let far = now + Duration::from_secs(60);
        assert_eq!(pacer.take(now, far), Ok(now));
        assert_eq!(pacer.take(now, far), Ok(now + HALF));
        assert_eq!(pacer.take(now, far), Ok(now + 2 * HALF));
        let later = now + Duration::from_secs(10);
        assert_eq!(pacer.take(later, far), Ok(later), "idle time is not saved up");
    }

    #[test]
    fn a_turn_past_the_deadline_is_not_taken() {
        let (pacer, now) = (pacer(2), Instant::now());
        let soon = now + Duration::from_millis(400);
        assert_eq!(pacer.take(now, soon), Ok(now));
        assert_eq!(pacer.take(now, soon), Err(NoTurn));
        assert_eq!(pacer.take(now, now + HALF * 2), Ok(now + HALF));
    }

    #[test]
    fn a_pause_holds_everybody_back_and_is_never_shortened() {
        let (pacer, now) = (pacer(200), Instant::now());
        let far = now + Duration::from_secs(60);
        pacer.pause(Duration::from_secs(5));
        pacer.pause(Duration::from_secs(3));
        assert_eq!(pacer.take(now, far), Ok(now + Duration::from_secs(5)));
    }

    #[test]
    fn a_pause_ends_when_the_clock_has_jumped_over_it() {
        let clock = HandClock::at(Timestamp::UNIX_EPOCH);
        let (pacer, now) = (Pacer::new(2, clock.clock()), Instant::now());
        pacer.pause(Duration::from_secs(30));
        assert_eq!(pacer.take(now, now + Duration::from_secs(10)), Err(NoTurn));
        clock.set(Timestamp::from_second(31).unwrap());
        assert_eq!(pacer.take(now, now + Duration::from_secs(10)), Ok(now));
    }

    #[test]
    fn no_pace_is_one_a_second() {
        assert_eq!(pacer(0).interval, Duration::from_secs(1));
    }
}
