//! What a request's idempotency key says about it: act, or give the first answer again.

use domain::{
    UserId,
    payments::prompt::State,
    platform::idempotency::{self, Call, KeyError},
};
use store::platform::idempotency::{Binding, Bound};

use crate::{App, AppError};

/// The key of a request, with what it was sent with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestKey {
    /// SHA-256 (hex) of the key.
    pub key_hash: String,
    /// SHA-256 (hex) of the body in canonical form.
    pub body_hash: String,
}

/// What to do with a request.
#[derive(Debug)]
pub enum KeyCheck {
    /// Act, and bind the key (where there is one) in the same transaction.
    Act(Option<Binding>),
    /// It was accepted before, and made what has this id.
    Again(String),
}

/// What `key` says about a request whose acceptance and effect are one transaction.
///
/// # Errors
/// The table does not answer; the inner error is the caller's.
pub async fn check(
    app: &App,
    player: &UserId,
    call: Call,
    key: Option<&RequestKey>,
) -> Result<Result<KeyCheck, KeyError>, AppError> {
    let Some(key) = key else { return Ok(Ok(KeyCheck::Act(None))) };
    Ok(Ok(match bound(app, player, call, key).await? {
        Ok(bound) => KeyCheck::Again(bound.id),
        Err(Unbound::Free(binding)) => KeyCheck::Act(Some(binding)),
        Err(Unbound::OtherBody) => return Ok(Err(KeyError::OtherBody)),
    }))
}

/// The same for a prompt, which is accepted only once M-Pesa has taken it: an intent whose push was
/// refused binds nothing, and one whose push is under way says so. Where nobody is at it any more
/// and nothing is known of the push, it may have reached the phone: it is answered, never sent again.
///
/// # Errors
/// The table does not answer; the inner error is the caller's.
pub async fn check_prompt(
    app: &App,
    player: &UserId,
    call: Call,
    key: Option<&RequestKey>,
) -> Result<Result<KeyCheck, KeyError>, AppError> {
    let Some(key) = key else { return Ok(Ok(KeyCheck::Act(None))) };
    let bound = match bound(app, player, call, key).await? {
        Ok(bound) => bound,
        Err(Unbound::Free(binding)) => return Ok(Ok(KeyCheck::Act(Some(binding)))),
        Err(Unbound::OtherBody) => return Ok(Err(KeyError::OtherBody)),
    };
    let payment = app.store().payment(&bound.id).await?;
    let accepted = payment.as_ref().is_some_and(|payment| payment.checkout_request_id.is_some());
    let refused = payment.is_none_or(|payment| payment.state == State::Failed);
    let under_way = app.clock().now() < bound.at + idempotency::UNDER_WAY_FOR;
    Ok(match (accepted, refused, under_way) {
        (true, ..) => Ok(KeyCheck::Again(bound.id)),
        (_, true, _) => Ok(KeyCheck::Act(Some(binding(player, call, key, Some(bound.id))))),
        (_, _, true) => Err(KeyError::UnderWay),
        _ => Ok(KeyCheck::Again(bound.id)),
    })
}

enum Unbound {
    Free(Binding),
    OtherBody,
}

async fn bound(
    app: &App,
    player: &UserId,
    call: Call,
    key: &RequestKey,
) -> Result<Result<Bound, Unbound>, AppError> {
    let now = app.clock().now();
    let Some(found) = app.store().bound(player, call, &key.key_hash).await? else {
        return Ok(Err(Unbound::Free(binding(player, call, key, None))));
    };
    if found.released || !idempotency::is_bound(found.at, now) {
        return Ok(Err(Unbound::Free(binding(player, call, key, Some(found.id)))));
    }
    Ok(if found.body_hash == key.body_hash { Ok(found) } else { Err(Unbound::OtherBody) })
}

fn binding(player: &UserId, call: Call, key: &RequestKey, instead_of: Option<String>) -> Binding {
    Binding {
        player: player.clone(),
        call,
        key_hash: key.key_hash.clone(),
        body_hash: key.body_hash.clone(),
        instead_of,
    }
}
