//! A player sends a typed code in. Nobody holds it before it is credited.

use domain::{
    payments::typed_code::{ReceiptCode, TypedCodeError, TypedCodeStatus},
    platform::{
        idempotency::{KeyError, KeyedCall},
        limits::Limited,
    },
};
use store::{
    accounts::players::Player,
    payments::typed_codes::{Submitted, TypedCode},
    platform::idempotency::Binding,
    random_id,
};

use super::process_soon;
use crate::{
    App,
    platform::{
        flow::{Flow, Refusal},
        idempotency::{self, RequestKey},
        limits,
    },
};

/// A code that is before an admin.
#[derive(Debug, Clone)]
pub struct SubmittedCode {
    pub id: String,
    /// Not, where this player's same code waited already.
    pub is_new: bool,
}

/// Why a code is not taken; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SubmitError {
    #[error(transparent)]
    Code(#[from] TypedCodeError),
    #[error(transparent)]
    Limited(#[from] Limited),
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl Refusal for SubmitError {}

/// Takes a code, once for a key, and has it processed.
pub async fn submit(
    app: &App,
    player: &Player,
    code: &str,
    key: Option<&RequestKey>,
) -> Flow<SubmittedCode, SubmitError> {
    let again = |id| SubmittedCode { id, is_new: true };
    let act = |binding, ()| keep(app, player, code, binding);
    idempotency::once(app, &player.id, (KeyedCall::TypedCode, key), again, async {}, act).await
}

async fn keep(
    app: &App,
    player: &Player,
    code: &str,
    binding: Option<Binding>,
) -> Flow<SubmittedCode, SubmitError> {
    let typed_code = TypedCode {
        id: random_id(),
        user_id: player.id.clone(),
        username: player.username.clone(),
        code: ReceiptCode::parse(code).map_err(SubmitError::from)?,
        status: TypedCodeStatus::Pending,
        created_at: app.clock().now(),
        ended_at: None,
        ended_by: None,
        amount: None,
        reason: None,
        known: None,
        next_check: None,
        checks_over: false,
    };
    let counter = limits::typed_codes(&player.id);
    let taken = match app.store().submit_typed_code(&typed_code, &counter, binding.as_ref()).await? {
        Submitted::New => SubmittedCode { id: typed_code.id, is_new: true },
        // Nothing was made for a key to stand for; the code itself is the key.
        Submitted::Waiting(id) => SubmittedCode { id, is_new: false },
        Submitted::AlreadyCredited => return Err(SubmitError::Code(TypedCodeError::AlreadyCredited).into()),
        Submitted::Limited(limited) => return Err(SubmitError::Limited(limited).into()),
        Submitted::KeyTaken => return Err(SubmitError::Key(KeyError::UnderWay).into()),
    };
    process_soon(app, &taken.id).await;
    Ok(taken)
}
