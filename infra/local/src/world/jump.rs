//! Jumps of the simulated clock: it stands still and is moved from due thing to due thing; at each
//! one everything that fell due is run and the queues are drained before it goes on.
//!
//! Invariants: things run in the order of their instants; a rate rule fires once at each boundary
//! and once at the target; the answer comes when nothing is visible any more; a queue that never
//! gets empty ends the jump with an error that names it, and the clock stays where it was reached.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};

use super::{clock::LockedClock, engine::Engine, rules::Rates};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    At(Timestamp),
    /// So many seconds from now; 0 only runs what is due.
    Ahead(u32),
}

/// More than a season: a longer jump is a mistyped year, and would run for hours.
const LONGEST: SignedDuration = SignedDuration::from_hours(400 * 24);

#[derive(Debug, thiserror::Error)]
pub enum JumpError {
    #[error("The clock never goes back: it is {now} already.")]
    Back { now: Timestamp },
    #[error("A jump goes at most 400 days ahead.")]
    TooFar,
    #[error("Queue {queue} does not get empty at {now}: it delivered {batches} batches.")]
    Circles { queue: String, now: Timestamp, batches: usize },
    #[error("The runner is stopping.")]
    Stopping,
    #[error(transparent)]
    Broken(#[from] anyhow::Error),
}

impl Engine {
    /// Moves the clock to `target`, running everything that falls due on the way. Says the instant
    /// from which the clock runs on.
    pub async fn jump(&self, target: Target) -> Result<Timestamp, JumpError> {
        let _mover = self.mover.lock().await;
        let held = self.clock.lock();
        let start = held.now();
        let ahead = match target {
            Target::At(at) => at.duration_since(start),
            Target::Ahead(seconds) => SignedDuration::from_secs(i64::from(seconds)),
        };
        if ahead.is_negative() {
            return Err(JumpError::Back { now: start });
        }
        if ahead > LONGEST {
            return Err(JumpError::TooFar);
        }
        let target = start + ahead;
        self.rules.fire(start, Rates::Never)?;
        self.drain(&held).await?;
        while let Some(stop) = self.next_stop(held.now(), target)? {
            held.move_to(stop.at)?;
            let rates = if stop.boundary { Rates::Now } else { Rates::Never };
            self.rules.fire(stop.at, rates)?;
            self.drain(&held).await?;
        }
        held.move_to(target)?;
        self.rules.fire(held.now(), Rates::Now)?;
        self.drain(&held).await?;
        Ok(held.now())
    }

    fn next_stop(&self, now: Timestamp, target: Timestamp) -> anyhow::Result<Option<Stop>> {
        let boundary = self.season.boundaries(now, target).first().copied();
        let queues: Vec<&str> = self.consumers.iter().map(|consumer| consumer.queue.as_str()).collect();
        let others =
            [self.season.next_due()?, self.rules.next_cron(now)?, self.queues.next_visible(&queues, now)?];
        // What is due at the target itself runs together with its rate rules.
        let between = |at: &Timestamp| *at > now && *at < target;
        let due = others.into_iter().flatten().chain(boundary).filter(between).min();
        Ok(due.map(|at| Stop { at, boundary: boundary == Some(at) }))
    }

    /// Runs what is due until nothing is visible and every invocation has ended.
    pub(super) async fn drain(&self, held: &LockedClock<'_>) -> Result<(), JumpError> {
        let now = held.now();
        let mut batches: BTreeMap<&str, usize> = BTreeMap::new();
        loop {
            if self.stopping() {
                return Err(JumpError::Stopping);
            }
            let in_flight = self.in_flight();
            let mut done = self.season.run_due(now).await?;
            for consumer in &self.consumers {
                let started = self.deliver(consumer, now)?;
                done += started;
                let count = batches.entry(&consumer.queue).or_default();
                *count += started;
                if *count > self.patience {
                    let queue = consumer.queue.clone();
                    return Err(JumpError::Circles { queue, now, batches: *count });
                }
            }
            match (done, in_flight) {
                // Nothing was in flight before everything was read, so nothing can have come.
                (0, 0) => return Ok(()),
                (0, _) => self.woken().await,
                _ => {}
            }
        }
    }
}

struct Stop {
    at: Timestamp,
    boundary: bool,
}
