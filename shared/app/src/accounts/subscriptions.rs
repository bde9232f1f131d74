//! The browsers that a player's pushes go to. A browser has one subscription. It belongs to the player who logged in
//! there last, and the player before gets nothing on it any more. When a player's sessions are ended, the pushes to the
//! browsers that were added in them end too.

use domain::UserId;
use store::accounts::{
    notifications::{Notifications, Subscription},
    players::Player,
    sessions::Session,
};

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, Refusal},
        push::sealed::BrowserKeys,
    },
};

/// Why a browser is not kept; the text is what the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SubscriptionError {
    #[error("This is no subscription of a browser.")]
    Garbage,
    #[error("This browser's push service is not known to us.")]
    UnknownService,
}

impl Refusal for SubscriptionError {}

/// A subscription as the browser tells it.
pub struct SubscriptionRequest<'a> {
    pub endpoint: &'a str,
    pub p256dh: &'a str,
    pub auth: &'a str,
}

/// Has `player`'s pushes go to a browser in which this session is, and nobody else's go there any more.
pub async fn add(
    app: &App,
    player: &Player,
    session: &Session,
    new: SubscriptionRequest<'_>,
) -> Flow<Subscription, SubscriptionError> {
    if new.endpoint.is_empty() || BrowserKeys::parse(new.p256dh, new.auth).is_none() {
        return Err(SubscriptionError::Garbage.into());
    }
    if app.config().push_services.origin_of(new.endpoint).is_none() {
        return Err(SubscriptionError::UnknownService.into());
    }
    let subscription = Subscription {
        id: Subscription::id_of(new.endpoint),
        endpoint: new.endpoint.to_owned(),
        p256dh: new.p256dh.to_owned(),
        auth: new.auth.to_owned(),
        at: app.clock().now(),
        session: session.family.clone(),
        password_resets: Some(player.password_resets),
    };
    app.store().subscribe(&player.id, &subscription).await?;
    Ok(subscription)
}

/// Has no more pushes go to one of `player`'s browsers. One that is not theirs, or not any more, is no error.
pub async fn remove(app: &App, player: &UserId, id: &str) -> Result<Notifications, AppError> {
    Ok(app.store().unsubscribe(player, id, app.clock().now()).await?)
}

/// Whether a browser gets every kind of push: only as long as nobody has ended all sessions since it was added. After
/// that it may be a thief's, or the owner's while a thief has the account, and it gets only pushes about the account's
/// security.
#[must_use]
pub fn is_trusted(player: &Player, browser: &Subscription) -> bool {
    match browser.password_resets {
        Some(resets) => resets == player.password_resets,
        None => player.password_reset_at.is_none_or(|at| browser.at >= at),
    }
}

/// The browsers that were added in a session go on with it, where it alone is left of the account's. Where that cannot be
/// noted they are told of the account's safety alone, until they are turned on again.
pub(super) async fn go_on(app: &App, session: &Session) {
    let change = |set: &mut Notifications| {
        for browser in set.subscriptions.iter_mut().filter(|browser| browser.session == session.family) {
            browser.password_resets = Some(session.password_resets + 1);
        }
    };
    if let Err(error) = app.store().change_notifications(&session.user_id, change).await {
        tracing::warn!(player = %session.user_id, %error, "a browser does not go on with its session");
    }
}

/// Has no more pushes go to the browsers that were added in other sessions than those which `stays` names.
pub(super) async fn end_but(
    app: &App,
    player: &UserId,
    stays: impl Fn(&str) -> bool,
) -> Result<(), AppError> {
    let set = app.store().notifications(player).await?;
    for browser in set.subscriptions.iter().filter(|browser| !stays(&browser.session)) {
        app.store().unsubscribe(player, &browser.id, app.clock().now()).await?;
    }
    Ok(())
}
