//! A function that a queue feeds, and what becomes of the messages by its answer.
//!
//! Invariants: every batch ends in exactly one of: deleted, partly deleted, left to its visibility
//! time-out, or (invocations by a rule) postponed as Lambda postpones asynchronous ones.

use std::{sync::Arc, time::Duration};

use jiff::SignedDuration;
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    BoxFuture, event,
    queue::{Message, Queues},
};

/// A job of the product, with everything that it needs.
pub type Run = Arc<dyn Fn(Value) -> BoxFuture<Result<Value, String>> + Send + Sync>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feed {
    /// An SQS queue; `partial` where the function reports the failed messages of a batch.
    Queue { partial: bool },
    /// Events of rules, one at a time, tried again up to `retries` times: a minute after the first
    /// failure, two after the second (docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html).
    Invocations { retries: u32 },
}

pub struct Consumer {
    pub function: String,
    pub queue: String,
    pub batch_size: usize,
    pub feed: Feed,
    /// Of real time, for one invocation.
    pub time_limit: Duration,
    run: Run,
    slots: Arc<Semaphore>,
    concurrency: usize,
}

impl Consumer {
    pub fn new(
        function: &str,
        queue: &str,
        batch_size: usize,
        concurrency: usize,
        feed: Feed,
        time_limit: Duration,
        run: Run,
    ) -> Self {
        Self {
            function: function.to_owned(),
            queue: queue.to_owned(),
            batch_size,
            feed,
            time_limit,
            run,
            slots: Arc::new(Semaphore::new(concurrency)),
            concurrency,
        }
    }

    /// The right to one more invocation, or none.
    pub(super) fn free_slot(&self) -> Option<OwnedSemaphorePermit> {
        self.slots.clone().try_acquire_owned().ok()
    }

    pub(super) fn in_flight(&self) -> usize {
        self.concurrency - self.slots.available_permits()
    }

    pub(super) async fn invoke(&self, queues: &Queues, batch: Vec<Message>) {
        let event = match self.feed {
            Feed::Queue { .. } => Ok(event::sqs(&self.queue, &batch)),
            Feed::Invocations { .. } => serde_json::from_str(&batch[0].body).map_err(|e| e.to_string()),
        };
        let answer = match event {
            Ok(event) => self.answer(event).await,
            Err(error) => Err(format!("the rule's input is no JSON: {error}")),
        };
        if let Err(error) = &answer {
            tracing::error!(function = self.function, messages = batch.len(), error, "invocation failed");
        }
        if let Err(error) = self.end(queues, &batch, answer) {
            // They become visible again by themselves: at least once, not at most once.
            tracing::error!(
                function = self.function,
                error = format!("{error:#}"),
                "messages could not be ended"
            );
        }
    }

    /// In a task of its own, so that a panic fails this invocation only.
    async fn answer(&self, event: Value) -> Result<Value, String> {
        let run = self.run.clone();
        let mut task = tokio::spawn(async move { run(event).await });
        match tokio::time::timeout(self.time_limit, &mut task).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(panic)) => Err(format!("it broke off: {panic}")),
            Err(_) => {
                task.abort();
                Err(format!("no answer within {} s", self.time_limit.as_secs()))
            }
        }
    }

    fn end(&self, queues: &Queues, batch: &[Message], answer: Result<Value, String>) -> anyhow::Result<()> {
        let receipts = |messages: &dyn Fn(&&Message) -> bool| -> Vec<&str> {
            batch.iter().filter(messages).map(|message| message.receipt.as_str()).collect()
        };
        match (self.feed, answer) {
            (Feed::Queue { partial: true }, Ok(answer)) => {
                let failed = event::failed(batch, &answer);
                let has_failed = |message: &&Message| failed.contains(message.id.as_str());
                queues.leave(&receipts(&has_failed))?;
                queues.delete(&receipts(&|message| !has_failed(message)))
            }
            (_, Ok(_)) => queues.delete(&receipts(&|_| true)),
            (Feed::Queue { .. }, Err(_)) => queues.leave(&receipts(&|_| true)),
            (Feed::Invocations { retries }, Err(_)) => {
                let message = &batch[0];
                if message.receive_count > retries {
                    tracing::error!(
                        function = self.function,
                        event = message.body,
                        "given up: tries used up"
                    );
                    return queues.delete(&[&message.receipt]);
                }
                let wait = SignedDuration::from_mins(i64::from(message.receive_count));
                queues.postpone(&message.receipt, queues.now() + wait)
            }
        }
    }
}
