use std::sync::Arc;

use clients::HandClock;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Notify;

use super::{
    db::{self, Db},
    queue::{Counts, QueueSpec, Queues, Redrive, SendError},
};
use crate::settings::DataDir;

/// Queues "work" (3 tries, then "dead") on a clock that is set by hand.
struct QueueTest {
    db: Db,
    clock: HandClock,
    queues: Queues,
}

fn spec(name: &str, redrive: Option<Redrive>) -> QueueSpec {
    QueueSpec { name: name.into(), visibility_timeout: 30, delay: 0, retention: 86_400, redrive }
}

fn opened(db: Db, clock: &HandClock) -> Queues {
    let redrive = Redrive { to: "dead".into(), max_receives: 3 };
    let specs = vec![spec("work", Some(redrive)), spec("dead", None)];
    Queues::open(db, clock.clock(), specs, Arc::new(Notify::new())).unwrap()
}

impl QueueTest {
    fn new() -> Self {
        let db = db::open(&DataDir::Memory).unwrap().world;
        let clock = HandClock::at(Timestamp::from_second(1_000_000).unwrap());
        Self { queues: opened(db.clone(), &clock), db, clock }
    }

    fn now(&self) -> Timestamp {
        self.clock.now()
    }

    fn pass(&self, seconds: i64) {
        self.clock.set(self.now() + SignedDuration::from_secs(seconds));
    }

    fn send(&self, body: &str, delay: Option<i64>) {
        self.queues.send("work", body, delay).unwrap();
    }

    fn bodies(&self, queue: &str) -> Vec<String> {
        let taken = self.queues.receive(queue, 10, self.now()).unwrap();
        taken.into_iter().map(|message| message.body).collect()
    }
}

#[test]
fn a_message_is_hidden_while_it_is_worked_on_and_comes_back_after_the_time_out() {
    let test = QueueTest::new();
    test.send("a", None);
    assert_eq!(test.bodies("work"), ["a"]);
    assert!(test.bodies("work").is_empty());
    test.pass(29);
    assert!(test.bodies("work").is_empty());
    test.pass(1);
    let again = test.queues.receive("work", 10, test.now()).unwrap();
    assert_eq!(again[0].receive_count, 2);
    assert_eq!(again[0].first_received_at, Timestamp::from_second(1_000_000).unwrap());
}

#[test]
fn a_delayed_message_waits_by_the_simulated_clock() {
    let test = QueueTest::new();
    test.send("later", Some(900));
    assert!(test.bodies("work").is_empty());
    let due = test.queues.next_visible(&["work", "dead"], test.now()).unwrap();
    assert_eq!(due, Some(Timestamp::from_second(1_000_900).unwrap()));
    test.pass(900);
    assert_eq!(test.bodies("work"), ["later"]);
}

#[test]
fn deleting_a_delivery_ends_the_message_and_an_old_receipt_does_nothing() {
    let test = QueueTest::new();
    test.send("a", None);
    let first = test.queues.receive("work", 1, test.now()).unwrap();
    test.pass(30);
    let second = test.queues.receive("work", 1, test.now()).unwrap();
    test.queues.delete(&[&first[0].receipt]).unwrap();
    test.pass(30);
    assert_eq!(test.queues.counts("work", test.now()).unwrap().visible, 1);
    test.queues.delete(&[&second[0].receipt]).unwrap();
    assert_eq!(test.queues.counts("work", test.now()).unwrap(), Counts::default());
}

#[test]
fn after_its_tries_a_message_goes_to_the_dead_letter_queue() {
    let test = QueueTest::new();
    test.send("poison", None);
    for _ in 0..3 {
        assert_eq!(test.bodies("work"), ["poison"]);
        test.pass(30);
    }
    assert!(test.bodies("work").is_empty());
    assert_eq!(test.bodies("dead"), ["poison"]);
}

#[test]
fn what_was_in_flight_is_visible_again_after_a_restart_and_what_had_failed_still_waits() {
    let test = QueueTest::new();
    test.send("in flight", None);
    test.send("failed", None);
    let taken = test.queues.receive("work", 10, test.now()).unwrap();
    test.queues.leave(&[&taken[1].receipt]).unwrap();
    let restarted = opened(test.db.clone(), &test.clock);
    let seen = restarted.receive("work", 10, test.now()).unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].body.as_str(), seen[0].receive_count), ("in flight", 2));
}

#[test]
fn a_postponed_message_is_due_at_its_new_instant() {
    let test = QueueTest::new();
    test.send("a", None);
    let taken = test.queues.receive("work", 1, test.now()).unwrap();
    let later = Timestamp::from_second(1_000_060).unwrap();
    test.queues.postpone(&taken[0].receipt, later).unwrap();
    assert_eq!(test.queues.next_visible(&["work"], test.now()).unwrap(), Some(later));
}

#[test]
fn messages_older_than_the_retention_are_gone() {
    let test = QueueTest::new();
    test.send("old", None);
    test.pass(86_401);
    test.send("new", None);
    assert_eq!(test.bodies("work"), ["new"]);
}

#[test]
fn what_sqs_refuses_is_refused() {
    let test = QueueTest::new();
    let long = "x".repeat(256 * 1024 + 1);
    let send = |queue: &str, body: &str, delay| test.queues.send(queue, body, delay);
    assert!(matches!(send("none", "a", None), Err(SendError::UnknownQueue(_))));
    assert!(matches!(send("work", "", None), Err(SendError::Empty)));
    assert!(matches!(send("work", &long, None), Err(SendError::TooLong)));
    assert!(matches!(send("work", "a", Some(901)), Err(SendError::Delay(901))));
    assert!(matches!(send("work", "a", Some(-1)), Err(SendError::Delay(-1))));
    send("work", &long[1..], Some(900)).unwrap();
}
