//! One message, one push to one browser at the most. What is put off goes on by one line of messages, as mails do: the
//! note of it says whose turn it is (`store::platform::mailed`).

use std::time::Duration;

use clients::push::{PushError, PushMessage};
use domain::accounts::notifications::{Kind, awaited_until, quiet_until};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use store::{
    accounts::notifications::Subscription,
    platform::mailed::{Hold, NextTurn},
};

use super::{
    PushTask,
    sealed::{BrowserKeys, authorization},
    texts,
};
use crate::{
    App, AppError,
    accounts::subscriptions,
    platform::{
        flow::{Flow, FlowError},
        mail::{find::find, found::Found},
        queues::is_next_lost,
        secrets::names,
    },
};

/// Longer than the function runs: who holds a push for longer is gone.
const CLAIMED_FOR: SignedDuration = SignedDuration::from_secs(60);
/// Between two tries, and between two looks at the clock at night: as far as SQS goes.
const PAUSE: SignedDuration = SignedDuration::from_mins(15);

/// What the service worker reads.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    kind: Kind,
    title: &'a str,
    body: &'a str,
    /// The page that it opens.
    path: &'a str,
    /// A phone shows one notification of this name.
    tag: &'a str,
    lang: &'static str,
    /// Until then it may make a noise at night as well: in milliseconds since 1970. A phone may be reached hours later.
    #[serde(skip_serializing_if = "Option::is_none")]
    rings_until: Option<i64>,
}

/// Sends the push that `task` is about, unless it is out, not wanted any more, or of no use.
pub(super) async fn send(app: &App, task: &PushTask) -> Result<(), AppError> {
    let PushTask::Send { to, subscription, about, since, tried } = task else { return Ok(()) };
    let Some(found) = find(app, about).await?.filter(|found| found.to.id == *to) else { return Ok(()) };
    let set = app.store().notifications(to).await?;
    let browser = set.subscriptions.iter().find(|browser| browser.id == *subscription);
    let Some(browser) = browser.filter(|_| found.is_pushed(&set)) else { return Ok(()) };
    if found.kind() != Kind::Security && !subscriptions::is_trusted(&found.to, browser) {
        return Ok(());
    }
    if !app.store().is_subscriber(to, subscription).await? {
        app.store().unsubscribe(to, subscription, app.clock().now()).await?;
        return Ok(());
    }
    let now = app.clock().now();
    let cause = format!("push#{subscription}#{}", found.cause);
    match app.store().claim_mail(to, (&cause, *tried), now, now + CLAIMED_FOR).await? {
        Hold::Ours => {}
        Hold::Sent => return Ok(()),
        Hold::Others => return app.send(task, CLAIMED_FOR).await,
        Hold::PutOff(next) => return take_up(app, task, next).await,
    }
    let until = *since + found.kind().keeps_for();
    if now >= until {
        tracing::info!(player = %to, cause, "a push came too late");
        return Ok(app.store().note_mailed(to, &cause, now).await?);
    }
    let rings_until = found.moved_at(app).await?.map(awaited_until);
    if let Some(morning) = quiet_until(now).filter(|_| rings_until.is_none_or(|until| until <= now)) {
        return put_off(app, task, &cause, now + PAUSE.min(morning.duration_since(now))).await;
    }
    let Some(text) = texts::of(&found, set.language) else {
        return Ok(app.store().note_mailed(to, &cause, now).await?);
    };
    let shown = Shown {
        kind: found.kind(),
        title: &text.title,
        body: &text.body,
        path: &text.path,
        tag: &found.cause,
        lang: set.language.into_str(),
        rings_until: rings_until.map(Timestamp::as_millisecond),
    };
    let refused = deliver(app, browser, &found, &shown, (now, until)).await.err().map(FlowError::refusal);
    match refused.transpose()? {
        None => tracing::info!(player = %to, cause, "pushed"),
        Some(PushError::Gone) => {
            app.store().unsubscribe(to, subscription, app.clock().now()).await?;
            tracing::info!(player = %to, "a browser takes no more pushes");
        }
        Some(PushError::NotAnswering(why)) => {
            tracing::warn!(player = %to, why, tried, "a push is put off");
            return put_off(app, task, &cause, now + PAUSE).await;
        }
        Some(PushError::Refused(status)) => {
            tracing::error!(player = %to, cause, status, "a push service refuses a push");
        }
    }
    Ok(app.store().note_mailed(to, &cause, app.clock().now()).await?)
}

async fn deliver(
    app: &App,
    browser: &Subscription,
    found: &Found,
    shown: &Shown<'_>,
    (now, until): (Timestamp, Timestamp),
) -> Flow<(), PushError> {
    // The setting may have changed since it was told.
    let Some(origin) = app.config().push_services.origin_of(&browser.endpoint) else {
        return Err(FlowError::Refused(PushError::Gone));
    };
    let Some(keys) = BrowserKeys::parse(&browser.p256dh, &browser.auth) else {
        return Err(FlowError::Refused(PushError::Gone));
    };
    let key = app.secrets().text(names::PUSH_KEY).await?;
    let message = PushMessage {
        authorization: authorization(&key, &origin, &app.config().mail_from, now)?,
        keeps_for: Duration::try_from(until.duration_since(now)).unwrap_or_default(),
        urgent: matches!(found.kind(), Kind::Deadline | Kind::Payment | Kind::Security),
        body: keys.seal(shown)?,
    };
    app.http().push(&browser.endpoint, message).await.map_err(FlowError::Refused)
}

/// Puts a push off to its next turn, by whoever has this one.
async fn put_off(app: &App, task: &PushTask, cause: &str, at: Timestamp) -> Result<(), AppError> {
    let PushTask::Send { to, tried, .. } = task else { return Ok(()) };
    let next = NextTurn { turn: tried.saturating_add(1), at };
    if app.store().put_mail_off(to, (cause, *tried), next).await? {
        return next_turn(app, task, next).await;
    }
    Ok(())
}

/// A message whose turn is over has come once more: where its next one was never sent it is sent now.
async fn take_up(app: &App, task: &PushTask, next: NextTurn) -> Result<(), AppError> {
    let PushTask::Send { tried, .. } = task else { return Ok(()) };
    let put_off = (u64::from(next.turn), next.at - PAUSE);
    let lost = is_next_lost((*tried).into(), put_off, app.clock().now());
    if lost { next_turn(app, task, next).await } else { Ok(()) }
}

async fn next_turn(app: &App, task: &PushTask, next: NextTurn) -> Result<(), AppError> {
    let mut again = task.clone();
    if let PushTask::Send { tried, .. } = &mut again {
        *tried = next.turn;
    }
    app.send(&again, next.at.duration_since(app.clock().now())).await
}
