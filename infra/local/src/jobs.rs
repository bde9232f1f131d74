//! The template's functions that queues and rules start, joined with the product's jobs.

use std::{collections::BTreeMap, sync::Arc};

use app::App;
use functions::Job;
use serde_json::Value;

use crate::{
    settings::Refusal,
    template::{Function, Template},
    world::{
        consumer::{Consumer, Feed, Run},
        queue::QueueSpec,
        rules::invocations,
    },
};

/// How many invocations of one function rules may have under way at once.
const INVOCATIONS_AT_ONCE: usize = 10;
/// How long Lambda keeps an invocation that it could not run. Seconds.
const INVOCATION_RETENTION: u32 = 6 * 3600;

/// The template's queues, and one for the invocations of each function that rules may start.
#[must_use]
pub fn queues(template: &Template) -> Vec<QueueSpec> {
    let started_by_rules = template.functions.iter().filter(|function| function.routes.is_empty());
    let invocations = started_by_rules.map(|function| QueueSpec {
        name: invocations(&function.id),
        // Longer than an invocation can take: only a killed process brings one back by itself.
        visibility_timeout: u32::try_from(function.timeout.as_secs()).unwrap_or(900) + 60,
        delay: 0,
        retention: INVOCATION_RETENTION,
        redrive: None,
    });
    template.queues.iter().cloned().chain(invocations).collect()
}

/// Every function that a queue or a rule starts, ready to run.
///
/// # Errors
/// A Handler of the template is no function of the product.
pub fn consumers(template: &Template, jobs: Vec<Job>, app: &App) -> Result<Vec<Consumer>, Refusal> {
    let mut jobs: BTreeMap<&str, Job> = jobs.into_iter().map(|job| (job.name, job)).collect();
    let mut consumers = Vec::new();
    for function in template.functions.iter().filter(|function| function.routes.is_empty()) {
        let job = jobs.remove(function.handler.as_str()).ok_or_else(|| {
            let what = format!("{}: Handler {} is no job of the product", function.id, function.handler);
            Refusal::new("template.yaml", what)
        })?;
        consumers.extend(feeds(function, &run(job, app.clone())));
    }
    check_targets(template)?;
    Ok(consumers)
}

fn run(job: Job, app: App) -> Run {
    Arc::new(move |event: Value| {
        let running = (job.run)(app.clone(), event);
        Box::pin(async move { running.await.map_err(|error| error.to_string()) })
    })
}

fn feeds(function: &Function, run: &Run) -> Vec<Consumer> {
    let limit = function.timeout;
    let by_queue = function.subscriptions.iter().map(|subscription| {
        let feed = Feed::Queue { partial: subscription.partial };
        let (batch, at_once) = (subscription.batch_size as usize, subscription.max_concurrency as usize);
        Consumer::new(&function.handler, &subscription.queue, batch, at_once, feed, limit, run.clone())
    });
    let feed = Feed::Invocations { retries: function.retries };
    let queue = invocations(&function.id);
    let by_rule = Consumer::new(&function.handler, &queue, 1, INVOCATIONS_AT_ONCE, feed, limit, run.clone());
    by_queue.chain([by_rule]).collect()
}

/// A rule's function must be one that can be started by a rule.
fn check_targets(template: &Template) -> Result<(), Refusal> {
    let queues = queues(template);
    for rule in &template.rules {
        for target in &rule.targets {
            if !queues.iter().any(|queue| Some(&queue.name) == target.queue().as_ref()) {
                let what = format!("rule {}: {} can not be started by a rule", rule.name, target.arn);
                return Err(Refusal::new("template.yaml", what));
            }
        }
    }
    Ok(())
}
