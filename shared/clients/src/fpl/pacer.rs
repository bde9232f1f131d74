//! Whose turn it is: requests leave one after another, at a set pace, whoever makes them.
//!
//! Invariant: two turns are never closer than the interval, and none is given inside a pause that
//! the other side asked for.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

/// A queue of turns, shared by every clone of a client.
#[derive(Debug)]
pub(super) struct Pacer {
    interval: Duration,
    next: Mutex<Option<Instant>>,
}

/// There is no turn before the deadline; none was taken.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct NoTurn;

impl Pacer {
    /// `per_second` requests a second; 0 counts as 1.
    pub fn new(per_second: u32) -> Self {
        Self { interval: Duration::from_secs(1) / per_second.max(1), next: Mutex::new(None) }
    }

    /// Waits for a turn before `deadline`.
    pub async fn turn(&self, deadline: Instant) -> Result<(), NoTurn> {
        let turn = self.take(Instant::now(), deadline)?;
        sleep_until(turn).await;
        Ok(())
    }

    /// Nobody's turn comes before `until`.
    pub fn pause(&self, until: Instant) {
        let mut next = self.next();
        *next = Some(next.map_or(until, |turn| turn.max(until)));
    }

    fn take(&self, now: Instant, deadline: Instant) -> Result<Instant, NoTurn> {
        let mut next = self.next();
        let turn = next.map_or(now, |turn| turn.max(now));
        if turn >= deadline {
            return Err(NoTurn);
        }
        *next = Some(turn + self.interval);
        Ok(turn)
    }

    fn next(&self) -> MutexGuard<'_, Option<Instant>> {
        // One instant cannot be half written, so a panic elsewhere leaves it usable.
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Duration = Duration::from_millis(500);

    #[test]
    fn turns_are_an_interval_apart() {
        let (pacer, now) = (Pacer::new(2), Instant::now());
        let far = now + Duration::from_secs(60);
        assert_eq!(pacer.take(now, far), Ok(now));
        assert_eq!(pacer.take(now, far), Ok(now + HALF));
        assert_eq!(pacer.take(now, far), Ok(now + 2 * HALF));
        let later = now + Duration::from_secs(10);
        assert_eq!(pacer.take(later, far), Ok(later), "idle time is not saved up");
    }

    #[test]
    fn a_turn_past_the_deadline_is_not_taken() {
        let (pacer, now) = (Pacer::new(2), Instant::now());
        let soon = now + Duration::from_millis(400);
        assert_eq!(pacer.take(now, soon), Ok(now));
        assert_eq!(pacer.take(now, soon), Err(NoTurn));
        assert_eq!(pacer.take(now, now + HALF * 2), Ok(now + HALF));
    }

    #[test]
    fn a_pause_holds_everybody_back_and_is_never_shortened() {
        let (pacer, now) = (Pacer::new(200), Instant::now());
        let far = now + Duration::from_secs(60);
        pacer.pause(now + Duration::from_secs(5));
        pacer.pause(now + Duration::from_secs(3));
        assert_eq!(pacer.take(now, far), Ok(now + Duration::from_secs(5)));
    }

    #[test]
    fn no_pace_is_one_a_second() {
        assert_eq!(Pacer::new(0).interval, Duration::from_secs(1));
    }
}
