//! What a request's idempotency key says about it: act, or give the first answer again.

use domain::{
    UserId,
    payments::prompt::PaymentState,
    platform::idempotency::{self, KeyError, KeyedCall},
};
use store::platform::idempotency::{Binding, Bound};

use crate::{
    App, AppError,
    platform::flow::{Flow, FlowError, Refusal},
};

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

impl Refusal for KeyError {}

/// Acts once for all requests of `call` with the same key and body: the others are answered by `again`, with the id
/// of what the first has made. `ahead` is read while the key is looked at, and changes nothing; what it says is judged
/// by `act`.
pub async fn once<T, R, P, F>(
    app: &App,
    player: &UserId,
    (call, key): (KeyedCall, Option<&RequestKey>),
    again: impl Fn(String) -> T,
    ahead: impl Future<Output = P>,
    act: impl FnOnce(Option<Binding>, P) -> F,
) -> Flow<T, R>
where
    R: From<KeyError>,
    F: Future<Output = Flow<T, R>>,
{
    let (checked, ahead) = tokio::join!(check(app, player, call, key), ahead);
    let binding = match checked.map_err(FlowError::within)? {
        KeyCheck::Again(id) => return Ok(again(id)),
        KeyCheck::Act(binding) => binding,
    };
    match act(binding, ahead).await {
        // Of two requests at once one may be refused because the other has acted: it gets the other's answer.
        Err(refused) if key.is_some() => {
            match check(app, player, call, key).await.map_err(FlowError::within)? {
                KeyCheck::Again(id) => Ok(again(id)),
                KeyCheck::Act(_) => Err(refused),
            }
        }
        outcome => outcome,
    }
}

/// What `key` says about a request.
///
/// For a call that sends a prompt: if M-Pesa refused it, the key is free again; while it is being sent, the answer is
/// [`KeyError::UnderWay`]; if M-Pesa took it, the first answer is given. If its outcome was never recorded, it may be
/// on the phone: the first answer is given and nothing is sent again. For every other call the key is bound in the
/// transaction that does the work.
pub async fn check(
    app: &App,
    player: &UserId,
    call: KeyedCall,
    key: Option<&RequestKey>,
) -> Flow<KeyCheck, KeyError> {
    let Some(key) = key else { return Ok(KeyCheck::Act(None)) };
    let free = |instead_of| Ok(KeyCheck::Act(Some(binding(player, call, key, instead_of))));
    let now = app.clock().now();
    let Some(bound) = app.store().bound(player, call, &key.key_hash).await? else { return free(None) };
    if bound.released || !idempotency::is_bound(bound.at, now) {
        return free(Some(bound.id));
    }
    if bound.body_hash != key.body_hash {
        return Err(KeyError::OtherBody.into());
    }
    match call {
        KeyedCall::Withdraw | KeyedCall::TypedCode | KeyedCall::Case | KeyedCall::CaseMessage => {
            Ok(KeyCheck::Again(bound.id))
        }
        KeyedCall::Deposit | KeyedCall::Pay => match prompt_of(app, &bound).await? {
            Push::Refused => free(Some(bound.id)),
            Push::Unknown if now < bound.at + idempotency::UNDER_WAY_FOR => Err(KeyError::UnderWay.into()),
            Push::Accepted | Push::Unknown => Ok(KeyCheck::Again(bound.id)),
        },
    }
}

/// What is known of a prompt that a key is bound to.
enum Push {
    Accepted,
    Refused,
    Unknown,
}

async fn prompt_of(app: &App, bound: &Bound) -> Result<Push, AppError> {
    Ok(match app.store().payment(&bound.id).await? {
        Some(payment) if payment.checkout_request_id.is_some() => Push::Accepted,
        Some(payment) if payment.state != PaymentState::Failed => Push::Unknown,
        Some(_) | None => Push::Refused,
    })
}

fn binding(player: &UserId, call: KeyedCall, key: &RequestKey, instead_of: Option<String>) -> Binding {
    Binding {
        player: player.clone(),
        call,
        key_hash: key.key_hash.clone(),
        body_hash: key.body_hash.clone(),
        instead_of,
    }
}
