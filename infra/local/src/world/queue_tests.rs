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
struct World {
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

impl World {
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
    let world = World::new();
    world.send("a", None);
    assert_eq!(world.bodies("work"), ["a"]);
    assert!(world.bodies("work").is_empty());
    world.pass(29);
    assert!(world.bodies("work").is_empty());
    world.pass(1);
    let again = world.queues.receive("work", 10, world.now()).unwrap();
    assert_eq!(again[0].receive_count, 2);
    assert_eq!(again[0].first_received_at, Timestamp::from_second(1_000_000).unwrap());
}

#[test]
fn a_delayed_message_waits_by_the_simulated_clock() {
    let world = World::new();
    world.send("later", Some(900));
    assert!(world.bodies("work").is_empty());
    let due = world.queues.next_visible(&["work", "dead"], world.now()).unwrap();
    assert_eq!(due, Some(Timestamp::from_second(1_000_900).unwrap()));
    world.pass(900);
    assert_eq!(world.bodies("work"), ["later"]);
}

#[test]
fn deleting_a_delivery_ends_the_message_and_an_old_receipt_does_nothing() {
    let world = World::new();
    world.send("a", None);
    let first = world.queues.receive("work", 1, world.now()).unwrap();
    world.pass(30);
    let second = world.queues.receive("work", 1, world.now()).unwrap();
    world.queues.delete(&[&first[0].receipt]).unwrap();
    world.pass(30);
    assert_eq!(world.queues.counts("work", world.now()).unwrap().visible, 1);
    world.queues.delete(&[&second[0].receipt]).unwrap();
    assert_eq!(world.queues.counts("work", world.now()).unwrap(), Counts::default());
}

#[test]
fn after_its_tries_a_message_goes_to_the_dead_letter_queue() {
    let world = World::new();
    world.send("poison", None);
    for _ in 0..3 {
        assert_eq!(world.bodies("work"), ["poison"]);
        world.pass(30);
    }
    assert!(world.bodies("work").is_empty());
    assert_eq!(world.bodies("dead"), ["poison"]);
}

#[test]
fn what_was_in_flight_is_visible_again_after_a_restart_and_what_had_failed_still_waits() {
    let world = World::new();
    world.send("flying", None);
    world.send("failed", None);
    let taken = world.queues.receive("work", 10, world.now()).unwrap();
    world.queues.leave(&[&taken[1].receipt]).unwrap();
    let restarted = opened(world.db.clone(), &world.clock);
    let seen = restarted.receive("work", 10, world.now()).unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!((seen[0].body.as_str(), seen[0].receive_count), ("flying", 2));
}

#[test]
fn a_postponed_message_is_due_at_its_new_instant() {
    let world = World::new();
    world.send("a", None);
    let taken = world.queues.receive("work", 1, world.now()).unwrap();
    let later = Timestamp::from_second(1_000_060).unwrap();
    world.queues.postpone(&taken[0].receipt, later).unwrap();
    assert_eq!(world.queues.next_visible(&["work"], world.now()).unwrap(), Some(later));
}

#[test]
fn messages_older_than_the_retention_are_gone() {
    let world = World::new();
    world.send("old", None);
    world.pass(86_401);
    world.send("new", None);
    assert_eq!(world.bodies("work"), ["new"]);
}

#[test]
fn what_sqs_refuses_is_refused() {
    let world = World::new();
    let long = "x".repeat(256 * 1024 + 1);
    let send = |queue: &str, body: &str, delay| world.queues.send(queue, body, delay);
    assert!(matches!(send("none", "a", None), Err(SendError::UnknownQueue(_))));
    assert!(matches!(send("work", "", None), Err(SendError::Empty)));
    assert!(matches!(send("work", &long, None), Err(SendError::TooLong)));
    assert!(matches!(send("work", "a", Some(901)), Err(SendError::Delay(901))));
    assert!(matches!(send("work", "a", Some(-1)), Err(SendError::Delay(-1))));
    send("work", &long[1..], Some(900)).unwrap();
}
