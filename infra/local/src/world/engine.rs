//! The mover: brings what is due to the functions, as the simulated clock goes.
//!
//! Invariants: one mover at a time (`mover`): the normal run or one jump; a function never gets
//! more batches at once than its concurrency; an invocation ends its messages only after the
//! function has answered. Everything that waits is in the database, so a mover that is dropped in
//! the middle of anything loses nothing.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use tokio::sync::{Mutex, Notify};

use super::{
    BoxFuture,
    clock::{KEEP_EVERY, WorldClock},
    consumer::Consumer,
    queue::Queues,
    rules::Rules,
};

/// How long the normal run sleeps where nothing wakes it.
const IDLE_SLEEP: Duration = Duration::from_millis(100);

pub trait OutsideWorld: Send + Sync {
    fn next_due(&self) -> anyhow::Result<Option<Timestamp>>;
    /// Does everything due until `now`, in order; says how many things. Never called twice at once.
    fn run_due(&self, now: Timestamp) -> BoxFuture<anyhow::Result<usize>>;
    /// Woken whenever something new may be due.
    fn changed(&self) -> Arc<Notify>;
    /// The instants after `after` and not after `until` at which rate rules fire while the clock
    /// jumps, sorted: deadlines, what the draw waits for after them, kick-offs, ends of play, points checked, and when the
    /// calendar has changed.
    fn boundaries(&self, after: Timestamp, until: Timestamp) -> Vec<Timestamp>;
}

pub struct Engine {
    pub(super) clock: WorldClock,
    pub(super) queues: Queues,
    pub(super) rules: Rules,
    pub(super) season: Arc<dyn OutsideWorld>,
    pub(super) consumers: Vec<Arc<Consumer>>,
    /// Woken by a new message and by an invocation that ended.
    pub(super) wake: Arc<Notify>,
    pub(super) mover: Mutex<()>,
    stopping: AtomicBool,
    /// How many batches one queue may deliver at one instant of a jump before it counts as going
    /// round in circles.
    pub(super) patience: usize,
}

impl Engine {
    /// `wake` is the one that `queues` was opened with.
    pub fn new(
        clock: WorldClock,
        queues: Queues,
        rules: Rules,
        season: Arc<dyn OutsideWorld>,
        consumers: Vec<Consumer>,
        wake: Arc<Notify>,
    ) -> Self {
        Self {
            clock,
            queues,
            rules,
            season,
            consumers: consumers.into_iter().map(Arc::new).collect(),
            wake,
            mover: Mutex::new(()),
            stopping: AtomicBool::new(false),
            patience: 20_000,
        }
    }

    pub fn clock(&self) -> &WorldClock {
        &self.clock
    }

    pub fn queues(&self) -> &Queues {
        &self.queues
    }

    /// The normal run: delivers what is visible and fires what is due, until [`Engine::stop`].
    pub async fn run(self: Arc<Self>) {
        let changed = self.season.changed();
        while !self.stopping() {
            if let Err(error) = self.catch_up().await {
                tracing::error!(error = format!("{error:#}"), "what is due could not be run");
                tokio::time::sleep(IDLE_SLEEP).await;
            }
            tokio::select! {
                () = self.wake.notified() => {}
                () = changed.notified() => {}
                () = tokio::time::sleep(IDLE_SLEEP) => {}
            }
        }
    }

    /// Keeps the clock's mark ahead, for ever.
    pub async fn keep_clock(self: Arc<Self>) {
        loop {
            tokio::time::sleep(KEEP_EVERY).await;
            if let Err(error) = self.clock.keep() {
                tracing::error!(error = format!("{error:#}"), "the clock's mark could not be kept");
            }
        }
    }

    /// Starts nothing any more and returns when every invocation has ended.
    pub async fn stop(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        let _mover = self.mover.lock().await;
        while self.in_flight() > 0 {
            self.woken().await;
        }
    }

    pub(super) fn stopping(&self) -> bool {
        self.stopping.load(Ordering::SeqCst)
    }

    async fn catch_up(&self) -> anyhow::Result<()> {
        let _mover = self.mover.lock().await;
        loop {
            if self.stopping() {
                return Ok(());
            }
            let now = self.clock.now();
            let mut done = self.rules.fire_due(now)?;
            done += self.season.run_due(now).await?;
            for consumer in &self.consumers {
                done += self.deliver(consumer, now)?;
            }
            if done == 0 {
                return Ok(());
            }
        }
    }

    /// Starts as many invocations as are visible and allowed; says how many.
    pub(super) fn deliver(&self, consumer: &Arc<Consumer>, now: Timestamp) -> anyhow::Result<usize> {
        let mut started = 0;
        while let Some(slot) = consumer.free_slot() {
            let batch = self.queues.receive(&consumer.queue, consumer.batch_size, now)?;
            if batch.is_empty() {
                break;
            }
            let (consumer, queues, wake) = (consumer.clone(), self.queues.clone(), self.wake.clone());
            tokio::spawn(async move {
                consumer.invoke(&queues, batch).await;
                drop(slot);
                wake.notify_one();
            });
            started += 1;
        }
        Ok(started)
    }

    pub(super) fn in_flight(&self) -> usize {
        self.consumers.iter().map(|consumer| consumer.in_flight()).sum()
    }

    /// Until an invocation ends, a message comes, or a moment has passed (the normal run may have
    /// taken the wake-up).
    pub(super) async fn woken(&self) {
        // Too late by this much at worst; the wake-up is the rule.
        drop(tokio::time::timeout(Duration::from_millis(5), self.wake.notified()).await);
    }
}
