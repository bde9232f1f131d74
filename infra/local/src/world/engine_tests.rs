//! The mover with made-up jobs: what runs, when, in which order.

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex},
    time::Duration,
};

use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::{
    BoxFuture,
    clock::WorldClock,
    consumer::{Consumer, Feed, Run},
    db::{self, Db},
    engine::{Engine, OutsideWorld},
    jump::{JumpError, Target},
    queue::{QueueSpec, Queues, Redrive},
    rules::{RuleSpec, Rules, Target as RuleTarget, invocations},
};
use crate::settings::DataDir;

/// A whole minute, so that cron expressions can name instants near it.
const START: &str = "2026-08-20T09:00:00Z";

fn start() -> Timestamp {
    START.parse().unwrap()
}

fn after(seconds: i64) -> Timestamp {
    start() + SignedDuration::from_secs(seconds)
}

/// What ran, in order, with the seconds since the start.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<(String, i64)>>>);

impl Log {
    fn add(&self, what: impl Into<String>, now: Timestamp) {
        self.0.lock().unwrap().push((what.into(), now.duration_since(start()).as_secs()));
    }

    fn is(&self, expected: &[(&str, i64)]) {
        let seen = self.0.lock().unwrap().clone();
        let expected: Vec<_> = expected.iter().map(|(what, at)| ((*what).to_owned(), *at)).collect();
        assert_eq!(seen, expected);
    }

    fn count(&self, what: &str) -> usize {
        self.0.lock().unwrap().iter().filter(|(seen, _)| seen == what).count()
    }
}

struct FakeSeason {
    due: Mutex<BTreeSet<Timestamp>>,
    boundaries: Vec<Timestamp>,
    log: Log,
}

impl OutsideWorld for FakeSeason {
    fn next_due(&self) -> anyhow::Result<Option<Timestamp>> {
        Ok(self.due.lock().unwrap().first().copied())
    }

    fn run_due(&self, now: Timestamp) -> BoxFuture<anyhow::Result<usize>> {
        let mut due = self.due.lock().unwrap();
        let later = due.split_off(&(now + SignedDuration::from_nanos(1)));
        let done = std::mem::replace(&mut *due, later);
        for at in &done {
            self.log.add("season", *at);
        }
        Box::pin(async move { Ok(done.len()) })
    }

    fn changed(&self) -> Arc<Notify> {
        Arc::default()
    }

    fn boundaries(&self, after: Timestamp, until: Timestamp) -> Vec<Timestamp> {
        self.boundaries.iter().copied().filter(|at| *at > after && *at <= until).collect()
    }
}

struct Setup {
    db: Db,
    log: Log,
    season: Vec<i64>,
    boundaries: Vec<i64>,
    rules: Vec<RuleSpec>,
}

impl Setup {
    fn new() -> Self {
        Self {
            db: db::open(&DataDir::Memory).unwrap().world,
            log: Log::default(),
            season: Vec::new(),
            boundaries: Vec::new(),
            rules: Vec::new(),
        }
    }

    fn rule(mut self, name: &str, expression: &str) -> Self {
        let arn = "arn:aws:lambda:local:000000000000:function:Ruled".to_owned();
        let target = RuleTarget { id: "one".into(), arn, input: Some(json!({ "rule": name }).to_string()) };
        let targets = vec![target];
        self.rules.push(RuleSpec {
            name: name.into(),
            expression: expression.into(),
            enabled: true,
            targets,
        });
        self
    }

    /// The engine with `work` behind the queue "work" (batches of two); rules are only logged.
    fn engine(
        &self,
        work: impl Fn(&Queues, Value) -> Result<Value, String> + Send + Sync + 'static,
    ) -> Arc<Engine> {
        let clock = WorldClock::open(self.db.clone(), start()).unwrap();
        let now = clock.as_clock();
        let wake = Arc::new(Notify::new());
        let spec = |name: &str, redrive| QueueSpec {
            name: name.into(),
            visibility_timeout: 30,
            delay: 0,
            retention: 86_400,
            redrive,
        };
        let redrive = Redrive { to: "dead".into(), max_receives: 3 };
        let specs = vec![spec("work", Some(redrive)), spec("dead", None), spec(&invocations("Ruled"), None)];
        let queues = Queues::open(self.db.clone(), now.clone(), specs, wake.clone()).unwrap();
        let rules = Rules::open(self.db.clone(), now.clone(), &self.rules).unwrap();
        let season = Arc::new(FakeSeason {
            due: Mutex::new(self.season.iter().map(|at| after(*at)).collect()),
            boundaries: self.boundaries.iter().map(|at| after(*at)).collect(),
            log: self.log.clone(),
        });
        let work: Run = {
            let (queues, work) = (queues.clone(), Arc::new(work));
            Arc::new(move |event| {
                let (queues, work) = (queues.clone(), work.clone());
                Box::pin(async move { work(&queues, event) })
            })
        };
        let ruled: Run = {
            let log = self.log.clone();
            Arc::new(move |event| {
                log.add(event["rule"].as_str().unwrap(), now.now());
                Box::pin(async { Ok(Value::Null) })
            })
        };
        let limit = Duration::from_secs(5);
        let partial = Feed::Queue { partial: true };
        let consumers = vec![
            Consumer::new("work", "work", 2, 3, partial, limit, work),
            Consumer::new(
                "ruled",
                &invocations("Ruled"),
                1,
                3,
                Feed::Invocations { retries: 2 },
                limit,
                ruled,
            ),
        ];
        let mut engine = Engine::new(clock, queues, rules, season, consumers, wake);
        engine.patience = 100;
        Arc::new(engine)
    }
}

fn logging(setup: &Setup) -> impl Fn(&Queues, Value) -> Result<Value, String> + Send + Sync + 'static {
    let log = setup.log.clone();
    move |queues, event| {
        for record in event["Records"].as_array().unwrap() {
            log.add(record["body"].as_str().unwrap(), queues.now());
        }
        Ok(Value::Null)
    }
}

fn send(engine: &Engine, body: &str, delay: i64) {
    engine.queues.send("work", body, Some(delay)).unwrap();
}

#[tokio::test]
async fn a_jump_runs_everything_at_its_own_instant_and_in_order() {
    let mut setup = Setup::new().rule("once", "cron(2 9 20 8 ? 2026)").rule("rate", "rate(1 minute)");
    setup.season = vec![30, 500];
    setup.boundaries = vec![200];
    let engine = setup.engine(logging(&setup));
    let held = engine.clock.lock();
    held.move_to(after(1)).unwrap();
    drop(held);
    send(&engine, "now", 0);
    send(&engine, "delayed", 60);
    send(&engine, "too late", 900);
    let now = engine.jump(Target::At(after(400))).await.unwrap();
    assert_eq!(now, after(400));
    setup.log.is(&[("now", 1), ("season", 30), ("delayed", 61), ("once", 120), ("rate", 200), ("rate", 400)]);
}

#[tokio::test]
async fn what_a_job_sends_is_delivered_before_the_clock_goes_on() {
    let setup = Setup::new();
    let logged = logging(&setup);
    let engine = setup.engine(move |queues, event| {
        logged(queues, event.clone())?;
        if event["Records"][0]["body"] == "first" {
            queues.send("work", "second", None).unwrap();
            queues.send("work", "in a minute", Some(60)).unwrap();
        }
        Ok(Value::Null)
    });
    send(&engine, "first", 10);
    engine.jump(Target::At(after(300))).await.unwrap();
    let seen: Vec<String> = setup.log.0.lock().unwrap().iter().map(|(what, _)| what.clone()).collect();
    assert_eq!(seen, ["first", "second", "in a minute"]);
    let times: Vec<i64> = setup.log.0.lock().unwrap().iter().map(|(_, at)| *at).collect();
    assert_eq!((times[1] - times[0], times[2] - times[0]), (0, 60));
}

#[tokio::test]
async fn a_message_that_fails_is_tried_again_after_its_time_out_and_then_set_aside() {
    let setup = Setup::new();
    let log = setup.log.clone();
    let engine = setup.engine(move |_, event| {
        log.add("try", start());
        let id = event["Records"][0]["messageId"].clone();
        Ok(json!({ "batchItemFailures": [{ "itemIdentifier": id }] }))
    });
    send(&engine, "poison", 0);
    engine.jump(Target::Ahead(45)).await.unwrap();
    assert_eq!(setup.log.count("try"), 2);
    engine.jump(Target::Ahead(600)).await.unwrap();
    assert_eq!(setup.log.count("try"), 3);
    assert_eq!(engine.queues.counts("dead", engine.clock.now()).unwrap().visible, 1);
}

#[tokio::test]
async fn of_a_batch_only_what_failed_comes_again() {
    let setup = Setup::new();
    let logged = logging(&setup);
    let engine = setup.engine(move |queues, event| {
        logged(queues, event.clone())?;
        let records = event["Records"].as_array().unwrap();
        let bad = records
            .iter()
            .filter(|r| r["body"] == "bad" && r["attributes"]["ApproximateReceiveCount"] == "1");
        let bad: Vec<Value> = bad.map(|r| json!({ "itemIdentifier": r["messageId"] })).collect();
        Ok(json!({ "batchItemFailures": bad }))
    });
    send(&engine, "good", 0);
    send(&engine, "bad", 0);
    engine.jump(Target::Ahead(60)).await.unwrap();
    assert_eq!((setup.log.count("good"), setup.log.count("bad")), (1, 2));
}

#[tokio::test]
async fn a_job_that_breaks_off_fails_its_batch_and_nothing_else() {
    let setup = Setup::new();
    let log = setup.log.clone();
    let engine = setup.engine(move |_, event| {
        log.add("try", start());
        assert_ne!(event["Records"][0]["attributes"]["ApproximateReceiveCount"], "1");
        Ok(Value::Null)
    });
    send(&engine, "a", 0);
    engine.jump(Target::Ahead(60)).await.unwrap();
    assert_eq!(setup.log.count("try"), 2);
}

#[tokio::test]
async fn a_queue_that_never_gets_empty_ends_the_jump_and_is_named() {
    let setup = Setup::new();
    let engine = setup.engine(|queues, _| {
        queues.send("work", "again", None).unwrap();
        Ok(Value::Null)
    });
    send(&engine, "again", 0);
    let error = engine.jump(Target::Ahead(60)).await.unwrap_err();
    assert!(matches!(&error, JumpError::Circles { queue, .. } if queue == "work"), "{error}");
}

#[tokio::test]
async fn the_clock_never_goes_back() {
    let setup = Setup::new();
    let engine = setup.engine(logging(&setup));
    engine.jump(Target::Ahead(60)).await.unwrap();
    assert!(matches!(engine.jump(Target::At(after(10))).await, Err(JumpError::Back { .. })));
    assert!(engine.clock.now() >= after(60));
}

#[tokio::test]
async fn no_advance_runs_what_is_due() {
    let setup = Setup::new().rule("rate", "rate(1 hour)");
    let engine = setup.engine(logging(&setup));
    send(&engine, "now", 0);
    engine.jump(Target::Ahead(0)).await.unwrap();
    assert_eq!((setup.log.count("now"), setup.log.count("rate")), (1, 1));
}

#[tokio::test]
async fn a_rule_that_fired_does_not_fire_again_after_a_restart() {
    let setup = Setup::new().rule("once", "cron(2 9 20 8 ? 2026)").rule("hourly", "cron(0 * * * ? *)");
    let engine = setup.engine(logging(&setup));
    engine.jump(Target::At(after(3600))).await.unwrap();
    drop(engine);
    let engine = setup.engine(logging(&setup));
    engine.jump(Target::At(after(7300))).await.unwrap();
    setup.log.is(&[("once", 120), ("hourly", 3600), ("hourly", 7200)]);
}

#[tokio::test]
async fn without_a_jump_messages_are_delivered_by_themselves() {
    let setup = Setup::new();
    let delivered = Arc::new(Notify::new());
    let engine = {
        let delivered = delivered.clone();
        setup.engine(move |_, _| {
            delivered.notify_one();
            Ok(Value::Null)
        })
    };
    let running = tokio::spawn(engine.clone().run());
    send(&engine, "a", 0);
    delivered.notified().await;
    engine.stop().await;
    running.await.unwrap();
    assert_eq!(engine.queues.counts("work", engine.clock.now()).unwrap(), super::queue::Counts::default());
}
