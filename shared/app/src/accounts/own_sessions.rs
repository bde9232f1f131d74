//! A player's own sessions: which stand, and ending them.

use store::accounts::{players::Player, sessions::Session};

use crate::{
    App, AppError,
    accounts::subscriptions,
    platform::{
        flow::{Flow, Refusal},
        security_log::{SecurityEntry, SecurityEvent},
    },
};

/// The session is none of the player's, or has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("There is no such session.")]
pub struct NoSuchSession;

impl Refusal for NoSuchSession {}

/// Which of them to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending<'a> {
    One(&'a str),
    /// All but this one.
    Others,
}

/// The sessions that stand, the last used first.
pub async fn list(app: &App, player: &Player) -> Result<Vec<Session>, AppError> {
    let mut sessions = app.store().sessions(&player.id).await?;
    sessions.retain(|session| app.is_valid(player, session));
    sessions.sort_by_key(|session| std::cmp::Reverse(session.rotated_at));
    Ok(sessions)
}

/// Ends one, or all but `current`, and the pushes to their browsers. Pushes to browsers whose session has run out end as well:
/// nobody can tell who has such a browser now.
pub async fn end(
    app: &App,
    player: &Player,
    current: &Session,
    ending: Ending<'_>,
) -> Flow<(), NoSuchSession> {
    let standing = list(app, player).await?;
    let ends = |family: &str| match ending {
        Ending::One(id) => family == id,
        Ending::Others => family != current.family,
    };
    let to_end: Vec<&Session> = standing.iter().filter(|session| ends(&session.family)).collect();
    let stands = |family: &str| standing.iter().any(|session| session.family == family);
    // Nothing is known of the session of one that an older version has added.
    let stays =
        |family: &str| !ends(family) && (stands(family) || (family.is_empty() && ending != Ending::Others));
    // Before them, and no reason to leave them standing where it fails: asked again, it is made good.
    let pushes = subscriptions::end_but(app, &player.id, stays).await;
    for session in &to_end {
        app.store().end_session(session, app.clock().now()).await?;
        app.log_security(SecurityEntry::new(SecurityEvent::SignedOut).of(&player.id)).await;
    }
    pushes?;
    if to_end.is_empty() && ending != Ending::Others {
        return Err(NoSuchSession.into());
    }
    Ok(())
}
