//! How long to wait between tries: exponential, with jitter, and a few tries at most.
//!
//! Invariant: a wait is never longer than `longest`, and the number of tries is bounded.

use std::time::Duration;

/// The tries of one call and the waits between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    pub tries: u32,
    /// The wait before the second try, before jitter; it doubles at each further one.
    pub first: Duration,
    pub longest: Duration,
}

impl Backoff {
    /// Three tries, some 400 ms and 800 ms apart: short enough for a player who is waiting.
    pub const fn short() -> Self {
        Self { tries: 3, first: Duration::from_millis(400), longest: Duration::from_secs(2) }
    }

    /// The wait after the `failed`-th try (1 is the first), or none when there are no tries left.
    pub fn after(&self, failed: u32) -> Option<Duration> {
        // A machine without randomness still has to wait: it waits the whole of it.
        let jitter = getrandom::u32().unwrap_or(u32::MAX);
        self.after_with(failed, jitter)
    }

    /// Half of the wait is fixed and half is drawn, so that callers who failed together part ways
    /// but none comes back at once.
    fn after_with(&self, failed: u32, jitter: u32) -> Option<Duration> {
        if failed >= self.tries {
            return None;
        }
        let doublings = failed.saturating_sub(1).min(16);
        let whole = self.first.saturating_mul(1 << doublings).min(self.longest).as_secs_f64();
        let share = f64::from(jitter) / f64::from(u32::MAX);
        Some(Duration::from_secs_f64(whole / 2.0 + whole / 2.0 * share))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BACKOFF: Backoff =
        Backoff { tries: 4, first: Duration::from_millis(100), longest: Duration::from_millis(300) };

    #[test]
    fn doubles_up_to_the_longest_and_ends() {
        let whole = |failed| BACKOFF.after_with(failed, u32::MAX);
        assert_eq!(whole(1), Some(Duration::from_millis(100)));
        assert_eq!(whole(2), Some(Duration::from_millis(200)));
        assert_eq!(whole(3), Some(Duration::from_millis(300)));
        assert_eq!(whole(4), None);
        assert_eq!(BACKOFF.after_with(1, 0), Some(Duration::from_millis(50)));
    }

    #[test]
    fn a_single_try_never_waits() {
        let once = Backoff { tries: 1, ..BACKOFF };
        assert_eq!(once.after(1), None);
    }

    proptest::proptest! {
        #[test]
        fn stays_within_its_bounds(failed in 1u32..4, jitter: u32) {
            let wait = BACKOFF.after_with(failed, jitter).expect("there are tries left");
            proptest::prop_assert!(wait >= Duration::from_millis(50));
            proptest::prop_assert!(wait <= BACKOFF.longest);
        }
    }
}
