use std::{sync::Arc, time::Duration};

use clients::HandClock;
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    consumer::{Consumer, Feed, Run},
    db,
    queue::{Counts, QueueSpec, Queues},
};
use crate::settings::DataDir;

const START: i64 = 1_787_216_400;

/// One queue on a clock that is set by hand, and a function behind it.
struct ConsumerTest {
    queues: Queues,
    clock: HandClock,
}

impl ConsumerTest {
    fn new() -> Self {
        let db = db::open(&DataDir::Memory).unwrap().world;
        let clock = HandClock::at(Timestamp::from_second(START).unwrap());
        let spec = QueueSpec {
            name: "q".into(),
            visibility_timeout: 900,
            delay: 0,
            retention: 86_400,
            redrive: None,
        };
        let queues = Queues::open(db, clock.clock(), vec![spec], Arc::default()).unwrap();
        queues.send("q", "{}", None).unwrap();
        Self { queues, clock }
    }

    /// Delivers what is visible so many seconds after the start; says how many messages that were.
    async fn deliver(&self, consumer: &Consumer, after: i64) -> usize {
        self.clock.set(Timestamp::from_second(START + after).unwrap());
        let batch = self.queues.receive("q", 10, self.queues.now()).unwrap();
        let count = batch.len();
        if count > 0 {
            consumer.invoke(&self.queues, batch).await;
        }
        count
    }
}

fn consumer(feed: Feed, limit: Duration, run: Run) -> Consumer {
    Consumer::new("f", "q", 10, 1, feed, limit, run)
}

#[tokio::test]
async fn an_invocation_without_an_answer_in_time_has_failed() {
    let test = ConsumerTest::new();
    let never: Run = Arc::new(|_| Box::pin(std::future::pending()));
    let consumer = consumer(Feed::Queue { partial: false }, Duration::from_millis(1), never);
    assert_eq!(test.deliver(&consumer, 0).await, 1);
    assert_eq!(test.deliver(&consumer, 899).await, 0);
    assert_eq!(test.deliver(&consumer, 900).await, 1);
}

#[tokio::test]
async fn what_a_rule_started_is_tried_again_after_one_and_two_minutes_and_then_given_up() {
    let test = ConsumerTest::new();
    let failing: Run = Arc::new(|_| Box::pin(async { Err("no".to_owned()) }));
    let consumer = consumer(Feed::Invocations { retries: 2 }, Duration::from_secs(5), failing);
    let mut tried = Vec::new();
    for after in (0..600).step_by(10) {
        if test.deliver(&consumer, after).await > 0 {
            tried.push(after);
        }
    }
    assert_eq!(tried, [0, 60, 180]);
    assert_eq!(test.queues.counts("q", test.queues.now()).unwrap(), Counts::default());
}

#[tokio::test]
async fn without_partial_failures_an_answer_ends_the_whole_batch() {
    let test = ConsumerTest::new();
    let named: Run = Arc::new(|event: Value| {
        let id = event["Records"][0]["messageId"].clone();
        Box::pin(async move { Ok(json!({ "batchItemFailures": [{ "itemIdentifier": id }] })) })
    });
    let consumer = consumer(Feed::Queue { partial: false }, Duration::from_secs(5), named);
    assert_eq!(test.deliver(&consumer, 0).await, 1);
    assert_eq!(test.queues.counts("q", test.queues.now()).unwrap(), Counts::default());
}
