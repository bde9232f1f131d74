use clients::HandClock;
use jiff::Timestamp;

use super::{
    db::{self, Db, lock},
    rules::{RuleSpec, Rules, Target},
};
use crate::settings::DataDir;

/// 2026-08-20T09:00:00Z.
const START: i64 = 1_787_216_400;

struct RulesTest {
    db: Db,
    clock: HandClock,
}

impl RulesTest {
    fn new() -> Self {
        let clock = HandClock::at(Timestamp::from_second(START).unwrap());
        Self { db: db::open(&DataDir::Memory).unwrap().world, clock }
    }

    fn rules(&self, specs: &[RuleSpec]) -> Rules {
        Rules::open(self.db.clone(), self.clock.clock(), specs).unwrap()
    }

    fn at(&self, seconds: i64) -> Timestamp {
        self.clock.set(Timestamp::from_second(START + seconds).unwrap());
        self.clock.now()
    }

    fn sent(&self) -> Vec<String> {
        let connection = lock(&self.db);
        let mut select =
            connection.prepare("SELECT body FROM world_messages WHERE queue = 'Q' ORDER BY seq").unwrap();
        let bodies = select.query_map([], |row| row.get(0)).unwrap();
        bodies.collect::<Result<_, _>>().unwrap()
    }
}

fn spec(name: &str, expression: &str, enabled: bool) -> RuleSpec {
    let arn = "arn:aws:sqs:local:000000000000:Q".to_owned();
    let target = Target { id: "q".into(), arn, input: Some(format!("\"{name}\"")) };
    RuleSpec { name: name.into(), expression: expression.into(), enabled, targets: vec![target] }
}

#[test]
fn a_rate_fires_when_its_time_has_passed_and_not_before() {
    let test = RulesTest::new();
    let rules = test.rules(&[spec("tick", "rate(1 minute)", true)]);
    assert_eq!(rules.fire_due(test.at(59)).unwrap(), 0);
    assert_eq!(rules.fire_due(test.at(60)).unwrap(), 1);
    assert_eq!(rules.fire_due(test.at(61)).unwrap(), 0);
    assert_eq!(rules.fire_due(test.at(600)).unwrap(), 1);
}

#[test]
fn a_cron_rule_fires_once_for_each_of_its_instants() {
    let test = RulesTest::new();
    let rules = test.rules(&[spec("minutely", "cron(* * * * ? *)", true)]);
    assert_eq!(rules.fire_due(test.at(185)).unwrap(), 3);
    assert_eq!(rules.fire_due(test.at(186)).unwrap(), 0);
}

#[test]
fn a_restart_keeps_what_the_product_put_and_a_changed_template_resets_it() {
    let test = RulesTest::new();
    let rules = test.rules(&[spec("fence", "cron(0 0 1 1 ? 2199)", false)]);
    rules.put("fence", "cron(2 9 20 8 ? 2026)", true).unwrap();
    let again = test.rules(&[spec("fence", "cron(0 0 1 1 ? 2199)", false)]);
    assert!(again.get("fence").unwrap().unwrap().enabled);
    assert_eq!(again.fire_due(test.at(120)).unwrap(), 1);
    assert_eq!(test.sent(), ["\"fence\""]);
    let reset = test.rules(&[spec("fence", "cron(0 0 2 1 ? 2199)", false)]);
    assert!(!reset.get("fence").unwrap().unwrap().enabled);
    assert!(test.rules(&[]).get("fence").unwrap().is_none());
}

#[test]
fn putting_the_same_expression_again_loses_no_firing_and_makes_none() {
    let test = RulesTest::new();
    let rules = test.rules(&[spec("fence", "cron(2 9 20 8 ? 2026)", true)]);
    let now = test.at(120);
    rules.put("fence", "cron(2 9 20 8 ? 2026)", true).unwrap();
    assert_eq!(rules.fire_due(now).unwrap(), 1);
    rules.put("fence", "cron(2 9 20 8 ? 2026)", true).unwrap();
    assert_eq!(rules.fire_due(test.at(200)).unwrap(), 0);
}

#[test]
fn a_rule_put_for_an_instant_that_has_passed_does_not_fire() {
    let test = RulesTest::new();
    let rules = test.rules(&[]);
    let now = test.at(200);
    rules.put("late", "cron(2 9 20 8 ? 2026)", true).unwrap();
    assert_eq!(rules.fire_due(now).unwrap(), 0);
    assert_eq!(rules.next_cron(now).unwrap(), None);
}

#[test]
fn what_falls_due_while_a_rule_is_off_does_not_fire() {
    let test = RulesTest::new();
    let rules = test.rules(&[spec("tick", "cron(* * * * ? *)", true)]);
    assert!(rules.switch("tick", false).unwrap());
    assert_eq!(rules.fire_due(test.at(300)).unwrap(), 0);
    assert!(rules.switch("tick", true).unwrap());
    assert_eq!(rules.fire_due(test.at(301)).unwrap(), 0);
    assert_eq!(rules.fire_due(test.at(360)).unwrap(), 1);
    assert!(!rules.switch("nobody", true).unwrap());
}
