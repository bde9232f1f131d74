//! The template's functions that queues and rules start, joined with the product's jobs.

use std::{collections::BTreeMap, sync::Arc};

use app::App;
use functions::Job;
use serde_json::Value;
use sim::Sim;

use tokio::task::JoinSet;

use crate::{
    aws::Role,
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
/// How often Lambda tries an invocation by a rule again.
const RETRIES: u32 = 2;
/// How long Lambda keeps an invocation that it could not run. Seconds.
const INVOCATION_RETENTION: u32 = 6 * 3600;

/// The template's queues, and one for the invocations of each function that rules may start.
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

/// The template's functions that are no HTTP functions, each with its job.
///
/// # Errors
/// A Handler of the template is no job of the product, or a rule starts what is none.
pub fn joined(template: &Template, jobs: Vec<Job>) -> Result<Vec<(Function, Job)>, Refusal> {
    let refuse = |what: String| Refusal::new("template.yaml", what);
    let mut jobs: BTreeMap<&str, Job> = jobs.into_iter().map(|job| (job.name, job)).collect();
    let mut joined = Vec::new();
    for function in &template.functions {
        let Function { id, handler, .. } = function;
        if function.routes.is_empty() {
            let job = jobs.remove(handler.as_str());
            let job =
                job.ok_or_else(|| refuse(format!("{id}: Handler {handler} is no job of the product")))?;
            joined.push((function.clone(), job));
        } else if !function.subscriptions.is_empty() {
            return Err(refuse(format!("{id}: it has both a route and a queue")));
        }
    }
    let queues = queues(template);
    for rule in &template.rules {
        for target in &rule.targets {
            if !queues.iter().any(|queue| Some(&queue.name) == target.queue().as_ref()) {
                return Err(refuse(format!("rule {}: {} is started by no rule", rule.name, target.arn)));
            }
        }
    }
    Ok(joined)
}

/// The jobs, each run by the product as its own function has it.
pub fn consumers(
    joined: Vec<(Function, Job)>,
    app_of: impl Fn(Arc<Role>) -> App,
    sim: &Sim,
) -> Vec<Consumer> {
    let feeds = |(function, job): (Function, Job)| {
        let app = app_of(function.role.clone());
        app.secrets().read_together(job.deployment.secrets());
        feeds(&function, &run(job, app, sim.clone()))
    };
    joined.into_iter().flat_map(feeds).collect()
}

/// The job's answer. Where everything is delivered more than once, one of the other deliveries runs at the same
/// time and the rest when that is over: both are what a job has to bear.
fn run(job: Job, app: App, sim: Sim) -> Run {
    Arc::new(move |event: Value| {
        let deliver = {
            let (run, app) = (job.run.clone(), app.clone());
            move || run(app.clone(), event.clone())
        };
        let extra = sim.faults().extra_deliveries;
        Box::pin(async move {
            let at_once: JoinSet<_> = (0..extra.min(1)).map(|_| deliver()).collect();
            let answer = deliver().await.map_err(|error| error.to_string());
            at_once.join_all().await;
            let after: JoinSet<_> = (1..extra).map(|_| deliver()).collect();
            after.join_all().await;
            answer
        })
    })
}

fn feeds(function: &Function, run: &Run) -> Vec<Consumer> {
    let limit = function.timeout;
    let by_queue = function.subscriptions.iter().map(|subscription| {
        let feed = Feed::Queue { partial: subscription.partial };
        let (batch, at_once) = (subscription.batch_size as usize, subscription.max_concurrency as usize);
        Consumer::new(&function.handler, &subscription.queue, batch, at_once, feed, limit, run.clone())
    });
    let feed = Feed::Invocations { retries: RETRIES };
    let queue = invocations(&function.id);
    let by_rule = Consumer::new(&function.handler, &queue, 1, INVOCATIONS_AT_ONCE, feed, limit, run.clone());
    by_queue.chain([by_rule]).collect()
}
