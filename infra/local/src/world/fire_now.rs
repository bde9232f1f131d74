//! Schedules by hand: a rule's function is started at once, however often, or not at all. For trying
//! out what a schedule does that fires early, late, twice or never.

use super::{
    db::lock,
    engine::Engine,
    jump::JumpError,
    rules::{Rule, Rules, select, send},
};

impl Rules {
    /// Fires every rule with the queue `target` among its targets once, whether it is on or off; when
    /// it fires by itself stays as it was. Says how many there are.
    pub fn fire_now(&self, target: &str) -> anyhow::Result<usize> {
        let rules = self.of(target)?;
        let now = self.clock.now();
        let mut connection = lock(&self.db);
        let step = connection.transaction()?;
        for rule in &rules {
            send(&step, rule, now, now)?;
        }
        step.commit()?;
        Ok(rules.len())
    }

    /// Switches every rule with the queue `target` among its targets on or off. Says how many there
    /// are.
    pub fn switch_all(&self, target: &str, enabled: bool) -> anyhow::Result<usize> {
        let rules = self.of(target)?;
        for rule in &rules {
            self.switch(&rule.name, enabled)?;
        }
        Ok(rules.len())
    }

    fn of(&self, target: &str) -> anyhow::Result<Vec<Rule>> {
        let mut rules = select(&lock(&self.db), "TRUE", [])?;
        rules.retain(|rule| rule.targets.iter().any(|aim| aim.queue().as_deref() == Some(target)));
        Ok(rules)
    }
}

impl Engine {
    /// Starts the scheduled function `name` now and runs what follows from it, while the clock stands
    /// still; no other rule fires. `false`: no rule starts such a function.
    pub async fn start(&self, name: &str) -> Result<bool, JumpError> {
        let _mover = self.mover.lock().await;
        let held = self.clock.lock();
        let mut fired = 0;
        for queue in self.queues_of(name) {
            fired += self.rules.fire_now(queue)?;
        }
        self.drain(&held).await?;
        Ok(fired > 0)
    }

    /// Switches the rules that start the function `name` on or off. `false`: there are none.
    pub fn switch(&self, name: &str, enabled: bool) -> anyhow::Result<bool> {
        let mut switched = 0;
        for queue in self.queues_of(name) {
            switched += self.rules.switch_all(queue, enabled)?;
        }
        Ok(switched > 0)
    }

    fn queues_of<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        let own = self.consumers.iter().filter(move |consumer| consumer.function == name);
        own.map(|consumer| consumer.queue.as_str())
    }
}
