//! What waits in the queues, and what failed for good: an admin sees it without AWS's own console.

use aws_sdk_sqs::types::QueueAttributeName::{ApproximateNumberOfMessages, RedrivePolicy};
use serde::Deserialize;
use store::platform::concurrency::try_map;

use crate::{App, AppError, platform::error::of_aws};

/// A queue, by messages. SQS counts them about, and a few seconds late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueBacklog {
    pub queue: &'static str,
    /// Sent, and not begun.
    pub waiting: u64,
    /// Failed five times: its dead letters.
    pub dead: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backlog {
    pub queues: Vec<QueueBacklog>,
    /// Events of jobs that failed for good.
    pub failed_events: u64,
}

/// What SQS says of a queue.
struct Attributes {
    waiting: u64,
    /// The address of its dead letters.
    dead_letters: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Redrive {
    dead_letter_target_arn: String,
}

/// All queues, asked at once.
pub async fn backlog(app: &App) -> Result<Backlog, AppError> {
    let urls = &app.config().queues;
    let queues = try_map(urls.read(), |(queue, url)| of_queue(app, queue, url));
    let failed_events = attributes(app, "job dead letters", &urls.job_dead_letters);
    let (queues, failed_events) = tokio::try_join!(queues, failed_events)?;
    Ok(Backlog { queues, failed_events: failed_events.waiting })
}

async fn of_queue(app: &App, queue: &'static str, url: &str) -> Result<QueueBacklog, AppError> {
    let Attributes { waiting, dead_letters } = attributes(app, queue, url).await?;
    let dead_letters = dead_letters.ok_or_else(|| unreadable(queue, "it has no dead letters"))?;
    let dead = attributes(app, queue, &dead_letters).await?.waiting;
    Ok(QueueBacklog { queue, waiting, dead })
}

async fn attributes(app: &App, queue: &'static str, url: &str) -> Result<Attributes, AppError> {
    let failed = |problem| AppError::Queue { queue, problem };
    let request = app.sqs().get_queue_attributes().queue_url(url);
    let request = request.attribute_names(ApproximateNumberOfMessages).attribute_names(RedrivePolicy);
    let answer = request.send().await.map_err(|error| of_aws(error, failed))?;
    let of = |name| answer.attributes().and_then(|attributes| attributes.get(&name)).map(String::as_str);
    let waiting = of(ApproximateNumberOfMessages).and_then(|count| count.parse().ok());
    let dead_letters = of(RedrivePolicy).map(|policy| dead_letters(url, policy));
    Ok(Attributes {
        waiting: waiting.ok_or_else(|| unreadable(queue, "SQS does not say how many wait"))?,
        dead_letters: dead_letters.transpose().map_err(|problem| unreadable(queue, &problem))?,
    })
}

/// Both queues are of one account and region, so their addresses differ by the name alone.
fn dead_letters(url: &str, policy: &str) -> Result<String, String> {
    let Redrive { dead_letter_target_arn: arn } =
        serde_json::from_str(policy).map_err(|error| format!("its redrive policy: {error}"))?;
    let (account, _) = url.rsplit_once('/').ok_or("its address has no name")?;
    let (_, name) = arn.rsplit_once(':').ok_or("its dead letters have no name")?;
    Ok(format!("{account}/{name}"))
}

fn unreadable(queue: &'static str, problem: &str) -> AppError {
    AppError::Queue { queue, problem: problem.to_owned() }
}
