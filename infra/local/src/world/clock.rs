//! The simulated clock: real speed from where it was, forward jumps, never back.
//!
//! Invariants: no instant is ever given out that is later than the *mark* in the database, and a
//! restart begins at the mark; so the clock never goes back, not even over a killed process. The
//! mark is kept a little ahead; where the keeper falls behind, the clock stands still at it.

use std::{
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use clients::Clock;
use jiff::{SignedDuration, Timestamp};
use rusqlite::OptionalExtension;

use super::db::{Db, lock};

/// How far the mark is kept ahead, and how often it must be kept.
const AHEAD: SignedDuration = SignedDuration::from_secs(3);
pub const KEEP_EVERY: Duration = Duration::from_millis(500);

#[derive(Clone)]
pub struct WorldClock {
    state: Arc<Mutex<State>>,
    db: Db,
}

struct State {
    base: Timestamp,
    since: Instant,
    /// Standing still at `base`: somebody moves it.
    held: bool,
    mark: Timestamp,
}

impl State {
    fn now(&self) -> Timestamp {
        if self.held {
            return self.base;
        }
        let passed = SignedDuration::try_from(self.since.elapsed()).unwrap_or(SignedDuration::MAX);
        self.base.saturating_add(passed).unwrap_or(Timestamp::MAX).min(self.mark)
    }
}

impl WorldClock {
    /// Goes on from where the kept clock stopped, or starts at `start` in a new world.
    pub fn open(db: Db, start: Timestamp) -> anyhow::Result<Self> {
        let kept: Option<i64> =
            lock(&db).query_row("SELECT mark FROM world_clock", [], |row| row.get(0)).optional()?;
        let base = match kept {
            Some(mark) => Timestamp::from_microsecond(mark)?,
            None => start,
        };
        let state = State { base, since: Instant::now(), held: false, mark: base };
        let clock = Self { state: Arc::new(Mutex::new(state)), db };
        clock.keep()?;
        Ok(clock)
    }

    pub fn as_clock(&self) -> Clock {
        let clock = self.clone();
        Clock::from_fn(move || clock.now())
    }

    pub fn now(&self) -> Timestamp {
        self.state().now()
    }

    /// Puts the mark ahead again; to be called every [`KEEP_EVERY`].
    pub fn keep(&self) -> anyhow::Result<()> {
        let mark = {
            let state = self.state();
            if state.held {
                return Ok(());
            }
            state.now().saturating_add(AHEAD)?
        };
        self.raise(mark)
    }

    /// Makes the clock stand still and says where, until what is given back is dropped.
    #[must_use]
    pub fn lock(&self) -> LockedClock<'_> {
        let mut state = self.state();
        state.base = state.now();
        state.held = true;
        LockedClock(self)
    }

    /// The last thing of a clean stop: the next start begins at this very instant.
    pub fn stop(&self) -> anyhow::Result<()> {
        let now = {
            let mut state = self.state();
            state.base = state.now();
            state.held = true;
            state.base
        };
        // Rounded up: what was given out may be finer than what is kept.
        let mark = now.as_microsecond() + 1;
        lock(&self.db).execute("UPDATE world_clock SET mark = ?1", [mark])?;
        Ok(())
    }

    /// The mark goes to the file first and is used only then.
    fn raise(&self, mark: Timestamp) -> anyhow::Result<()> {
        let mark = Timestamp::from_microsecond(mark.as_microsecond())?;
        lock(&self.db).execute(
            "INSERT INTO world_clock (one, mark) VALUES (1, ?1)
             ON CONFLICT (one) DO UPDATE SET mark = MAX(mark, excluded.mark)",
            [mark.as_microsecond()],
        )?;
        let mut state = self.state();
        state.mark = state.mark.max(mark);
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The clock standing still. Dropped, it runs on at real speed from where it stands.
pub struct LockedClock<'a>(&'a WorldClock);

impl LockedClock<'_> {
    pub fn now(&self) -> Timestamp {
        self.0.now()
    }

    /// Moves the clock forward to `to`; an earlier instant moves nothing.
    ///
    /// # Errors
    /// The database cannot be written: the clock stays where it is.
    pub fn move_to(&self, to: Timestamp) -> anyhow::Result<()> {
        // What the database holds is whole microseconds: nothing finer may be given out.
        let to = Timestamp::from_microsecond(to.as_microsecond())?;
        self.0.raise(to)?;
        let mut state = self.0.state();
        state.base = state.base.max(to);
        Ok(())
    }
}

impl Drop for LockedClock<'_> {
    fn drop(&mut self) {
        {
            let mut state = self.0.state();
            state.since = Instant::now();
            state.held = false;
        }
        // Without the new mark the clock would stand still until it is kept next: no harm done.
        if let Err(error) = self.0.keep() {
            tracing::error!(error = format!("{error:#}"), "the clock's mark could not be kept");
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::{TempDir, tempdir};

    use super::*;
    use crate::{settings::DataDir, world::db};

    const START: &str = "2026-08-20T09:00:00Z";

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn opened(dir: &TempDir) -> (db::Files, WorldClock) {
        let files = db::open(&DataDir::Path(dir.path().to_owned())).unwrap();
        let clock = WorldClock::open(files.world.clone(), at(START)).unwrap();
        (files, clock)
    }

    #[test]
    fn a_new_world_starts_where_it_was_told() {
        let clock = WorldClock::open(db::open(&DataDir::Memory).unwrap().world, at(START)).unwrap();
        let passed = clock.now().duration_since(at(START));
        assert!(!passed.is_negative() && passed < SignedDuration::from_secs(60));
    }

    #[test]
    fn it_jumps_forward_and_never_back() {
        let clock = WorldClock::open(db::open(&DataDir::Memory).unwrap().world, at(START)).unwrap();
        let held = clock.lock();
        held.move_to(at("2026-08-21T00:00:00Z")).unwrap();
        assert_eq!(clock.now(), at("2026-08-21T00:00:00Z"));
        held.move_to(at(START)).unwrap();
        assert_eq!(clock.now(), at("2026-08-21T00:00:00Z"));
        drop(held);
        assert!(clock.now() >= at("2026-08-21T00:00:00Z"));
    }

    #[test]
    fn a_killed_process_never_gives_an_earlier_instant_afterwards() {
        let dir = tempdir().unwrap();
        let (files, clock) = opened(&dir);
        clock.lock().move_to(at("2026-09-01T00:00:00Z")).unwrap();
        let last = clock.now();
        drop((clock, files));
        let (_files, clock) = opened(&dir);
        assert!(clock.now() >= last);
    }

    #[test]
    fn a_clean_stop_goes_on_at_the_same_instant() {
        let dir = tempdir().unwrap();
        let (files, clock) = opened(&dir);
        clock.stop().unwrap();
        let last = clock.now();
        drop((clock, files));
        let (_files, clock) = opened(&dir);
        let passed = clock.now().duration_since(last);
        assert!(passed < AHEAD && !passed.is_negative(), "{passed}");
    }

    #[test]
    fn it_stands_still_at_the_mark_when_nobody_keeps_it() {
        let clock = WorldClock::open(db::open(&DataDir::Memory).unwrap().world, at(START)).unwrap();
        clock.state().since = Instant::now().checked_sub(Duration::from_secs(3600)).unwrap();
        let mark = clock.state().mark;
        assert_eq!(clock.now(), mark);
        clock.keep().unwrap();
        assert!(clock.now() > mark);
    }
}
