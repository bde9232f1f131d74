//! Push messages to players' phones, beside the mails and from the same facts (`platform::mail`). The queue `pushes` has
//! messages that say what to tell whom (`send`), and the rounds in which all of a gameweek are told (`rounds`).
//!
//! Nothing of money waits for a push, and none is made of what was not booked. A push service that is down delays pushes;
//! a browser that is gone is forgotten; from ten to seven in Kenya a phone is left alone, but for money that its player
//! moved in the last half hour. What is of no use any more is dropped.

pub mod rounds;
pub(crate) mod sealed;
mod send;
pub mod services;
mod texts;

use domain::UserId;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use store::accounts::notifications::{Notifications, Subscription};

use crate::{
    App, AppError,
    platform::{
        mail::{MailSubject, found::Found},
        queues::Message,
    },
};
use rounds::Round;

/// To `send-push`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "task", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum PushTask {
    /// One message to one browser.
    Send {
        to: UserId,
        subscription: String,
        about: MailSubject,
        /// When it was first asked for.
        since: Timestamp,
        /// How often it was put off.
        tried: u32,
    },
    /// A step of a round: the players after `after`.
    Round { round: Round, step: u32, after: Option<String> },
}

impl Message for PushTask {
    const QUEUE: &'static str = "pushes";
    fn url(app: &App) -> &str {
        &app.config().queues.pushes
    }
}

/// Takes a message of the queue.
pub async fn process(app: &App, task: PushTask) -> Result<(), AppError> {
    match task {
        PushTask::Send { .. } => send::send(app, &task).await,
        PushTask::Round { round, step, after } => rounds::step(app, &round, step, after.as_deref()).await,
    }
}

/// Has what was found told on every phone of a player who has asked for its kind.
pub(super) async fn hand_over(
    app: &App,
    about: &MailSubject,
    found: &Found,
    set: &Notifications,
) -> Result<(), AppError> {
    if !found.is_pushed(set) {
        return Ok(());
    }
    let since = app.clock().now();
    let message = |subscription: &Subscription| PushTask::Send {
        to: found.to.id.clone(),
        subscription: subscription.id.clone(),
        about: about.clone(),
        since,
        tried: 0,
    };
    let is_news = |subscription: &&Subscription| {
        found.came_about().is_none_or(|came_about| came_about >= subscription.at)
    };
    let messages: Vec<PushTask> = set.subscriptions.iter().filter(is_news).map(message).collect();
    app.send_all(&messages).await
}

/// Has a round begin after `delay`. Begun twice it tells nobody twice. Where the queue does not take it nobody is told: no
/// money waits for a push.
pub(crate) async fn begin(app: &App, round: Round, delay: SignedDuration) {
    if let Err(error) = app.send(&PushTask::Round { round, step: 0, after: None }, delay).await {
        tracing::warn!(%error, alarm = error.alarm(), "nobody is told by push");
    }
}
