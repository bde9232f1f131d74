//! EventBridge rules: the template's and those that the product puts at run time.
//!
//! Invariants: a rule's firing and its `done_until` are one transaction, and what it fires is a
//! message in the world's queues, so a rule is never forgotten and never fires twice for the same
//! instant, whatever ends the process. A rule that the product changed keeps that change until the
//! template's own text of it changes (as a deployment would reset it).

use std::sync::{Arc, Mutex, MutexGuard};

use clients::Clock;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{
    db::{Db, lock},
    queue,
    schedule::Schedule,
};
use crate::{ACCOUNT, REGION};

/// Where a rule sends its event: a function or a queue, by ARN.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    #[serde(rename = "Id")]
    pub id: String,
    #[serde(rename = "Arn")]
    pub arn: String,
    /// Sent instead of the event.
    #[serde(rename = "Input", default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RuleSpec {
    pub name: String,
    pub expression: String,
    pub enabled: bool,
    pub targets: Vec<Target>,
}

#[derive(Debug, Clone)]
pub struct Rule {
    pub name: String,
    pub enabled: bool,
    pub targets: Vec<Target>,
    schedule: Schedule,
    done_until: Timestamp,
}

#[derive(Clone)]
pub struct Rules {
    pub(super) db: Db,
    pub(super) clock: Clock,
    /// Nothing is due before this; none: not known. Saves reading every rule many times a second.
    quiet_until: Arc<Mutex<Option<Timestamp>>>,
}

/// The message queue that carries invocations of the function `logical_id`.
pub fn invocations(logical_id: &str) -> String {
    format!("invoke:{logical_id}")
}

impl Target {
    /// The world's queue for what is sent to the target, by its ARN.
    pub fn queue(&self) -> Option<String> {
        let (rest, name) = self.arn.rsplit_once(':')?;
        match rest.split(':').nth(2)? {
            "lambda" => Some(invocations(name)),
            "sqs" => Some(name.to_owned()),
            _ => None,
        }
    }
}

pub fn arn(name: &str) -> String {
    format!("arn:aws:events:{REGION}:{ACCOUNT}:rule/{name}")
}

impl Rules {
    /// Takes the kept rules over and brings the template's in. A new rule counts from now.
    pub fn open(db: Db, clock: Clock, specs: &[RuleSpec]) -> anyhow::Result<Self> {
        let now = clock.now().as_microsecond();
        let mut connection = lock(&db);
        let step = connection.transaction()?;
        let mut gone: Vec<String> = step
            .prepare("SELECT name FROM world_rules WHERE template IS NOT NULL")?
            .query_map([], |row| row.get(0))?
            .collect::<rusqlite::Result<_>>()?;
        for spec in specs {
            gone.retain(|name| *name != spec.name);
            step.execute(
                "INSERT INTO world_rules (name, expression, enabled, targets, template, done_until)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)
                 ON CONFLICT (name) DO UPDATE SET
                    expression = excluded.expression, enabled = excluded.enabled,
                    targets = excluded.targets, template = excluded.template,
                    done_until = excluded.done_until
                 WHERE template IS NOT excluded.template",
                params![
                    spec.name,
                    spec.expression,
                    spec.enabled,
                    serde_json::to_string(&spec.targets)?,
                    serde_json::to_string(spec)?,
                    now
                ],
            )?;
        }
        for name in gone {
            step.execute("DELETE FROM world_rules WHERE name = ?1", [name])?;
        }
        step.commit()?;
        drop(connection);
        Ok(Self { db, clock, quiet_until: Arc::default() })
    }

    /// Makes or changes a rule. The same expression again changes nothing about what is due; a new
    /// one counts from now.
    pub fn put(&self, name: &str, expression: &str, enabled: bool) -> anyhow::Result<()> {
        let connection = lock(&self.db);
        connection.execute(
            "INSERT INTO world_rules (name, expression, enabled, targets, done_until)
             VALUES (?1, ?2, ?3, '[]', ?4)
             ON CONFLICT (name) DO UPDATE SET
                done_until = CASE WHEN expression = excluded.expression AND enabled = excluded.enabled
                    THEN done_until ELSE excluded.done_until END,
                expression = excluded.expression, enabled = excluded.enabled",
            params![name, expression, enabled, self.clock.now().as_microsecond()],
        )?;
        *self.quiet_until() = None;
        Ok(())
    }

    /// Switches a rule on or off; false where there is no such rule. What fell due while it was
    /// off does not fire.
    pub fn switch(&self, name: &str, enabled: bool) -> anyhow::Result<bool> {
        let connection = lock(&self.db);
        let changed = connection.execute(
            "UPDATE world_rules SET
                done_until = CASE WHEN enabled = ?2 THEN done_until ELSE ?3 END, enabled = ?2
             WHERE name = ?1",
            params![name, enabled, self.clock.now().as_microsecond()],
        )?;
        *self.quiet_until() = None;
        Ok(changed > 0)
    }

    /// A rule's expression as it was put, and whether it fires.
    pub fn told(&self, name: &str) -> anyhow::Result<Option<(String, bool)>> {
        let select = "SELECT expression, enabled FROM world_rules WHERE name = ?1";
        let told = lock(&self.db).query_row(select, [name], |row| Ok((row.get(0)?, row.get(1)?)));
        Ok(told.optional()?)
    }

    #[cfg(test)]
    pub fn get(&self, name: &str) -> anyhow::Result<Option<Rule>> {
        Ok(select(&lock(&self.db), "name = ?1", [name])?.pop())
    }

    /// The first instant after `now` at which a cron rule fires. (Rates do not fire by themselves
    /// while the clock jumps.)
    pub fn next_cron(&self, now: Timestamp) -> anyhow::Result<Option<Timestamp>> {
        let rules = select(&lock(&self.db), "enabled", [])?;
        let crons = rules.iter().filter(|rule| !rule.schedule.is_rate());
        Ok(crons.filter_map(|rule| rule.schedule.next_after(rule.done_until.max(now))).min())
    }

    /// Fires what fell due until `now`: cron rules once for each of their instants, rate rules
    /// once. Says how many firings there were.
    pub fn fire_due(&self, now: Timestamp) -> anyhow::Result<usize> {
        if self.quiet_until().is_some_and(|until| now < until) {
            return Ok(0);
        }
        self.fire(now, Rates::WhenDue)
    }

    /// Fires the cron rules that fell due until `now`, and the others as `rates` has it.
    pub(super) fn fire(&self, now: Timestamp, rates: Rates) -> anyhow::Result<usize> {
        let mut connection = lock(&self.db);
        let step = connection.transaction()?;
        let mut fired = 0;
        let mut next = Timestamp::MAX;
        for rule in select(&step, "enabled", [])? {
            let instants = rule.due(now, rates);
            for instant in &instants {
                send(&step, &rule, *instant, now)?;
            }
            let done_until = if instants.is_empty() { rule.done_until } else { now };
            next = next.min(rule.schedule.next_after(done_until).unwrap_or(Timestamp::MAX));
            if !instants.is_empty() {
                fired += instants.len();
                step.execute(
                    "UPDATE world_rules SET done_until = ?2 WHERE name = ?1",
                    params![rule.name, now.as_microsecond()],
                )?;
            }
        }
        step.commit()?;
        *self.quiet_until() = Some(next);
        Ok(fired)
    }

    /// Written only while the database is held, so that what it says belongs to what is there.
    fn quiet_until(&self) -> MutexGuard<'_, Option<Timestamp>> {
        self.quiet_until.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Whether rate rules fire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rates {
    WhenDue,
    /// Once, due or not.
    Now,
    Never,
}

impl Rule {
    fn due(&self, now: Timestamp, rates: Rates) -> Vec<Timestamp> {
        let next = |after| self.schedule.next_after(after).filter(|next| *next <= now);
        if !self.schedule.is_rate() {
            return std::iter::successors(next(self.done_until), |last| next(*last)).collect();
        }
        let fires = match rates {
            Rates::Never => false,
            Rates::Now => true,
            Rates::WhenDue => next(self.done_until).is_some(),
        };
        if fires { vec![now] } else { Vec::new() }
    }

    fn event(&self, instant: Timestamp) -> Value {
        json!({
            "version": "0",
            "id": uuid::Uuid::new_v4().to_string(),
            "detail-type": "Scheduled Event",
            "source": "aws.events",
            "account": ACCOUNT,
            "time": instant.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            "region": REGION,
            "resources": [arn(&self.name)],
            "detail": {},
        })
    }
}

pub(super) fn send(
    connection: &Connection,
    rule: &Rule,
    instant: Timestamp,
    now: Timestamp,
) -> anyhow::Result<()> {
    for target in &rule.targets {
        let Some(queue) = target.queue() else {
            tracing::error!(rule = rule.name, target = target.arn, "a rule's target is not in the template");
            continue;
        };
        let body = target.input.clone().unwrap_or_else(|| rule.event(instant).to_string());
        queue::put(connection, &queue, &body, now, now)?;
    }
    Ok(())
}

/// The rules for which `holds`, by their names.
pub(super) fn select(connection: &Connection, holds: &str, params: impl Params) -> anyhow::Result<Vec<Rule>> {
    let mut select =
        connection.prepare_cached(&format!("SELECT * FROM world_rules WHERE {holds} ORDER BY name"))?;
    let rules = select.query_map(params, |row| Ok(read(row)))?.collect::<rusqlite::Result<Vec<_>>>()?;
    rules.into_iter().collect()
}

fn read(row: &Row<'_>) -> anyhow::Result<Rule> {
    let expression: String = row.get("expression")?;
    let targets: String = row.get("targets")?;
    Ok(Rule {
        name: row.get("name")?,
        enabled: row.get("enabled")?,
        targets: serde_json::from_str(&targets)?,
        schedule: Schedule::parse(&expression).map_err(anyhow::Error::msg)?,
        done_until: Timestamp::from_microsecond(row.get("done_until")?)?,
    })
}
