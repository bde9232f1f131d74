//! The intent of a prompt, written before M-Pesa is called, with the room that it takes of its player's own limits.

use domain::platform::idempotency::KeyError;
use store::{
    StoreError,
    payments::prompts::{HeldRoom, Intended, Payment},
    platform::idempotency::Binding,
};

use super::PromptError;
use crate::{App, AppError, platform::flow::Flow};

/// A player's limits may move this often in a row before we give up.
const TRIES: u32 = 16;

/// Writes the intent, and holds room for it where its player has limits: of two at once that do not fit both, the second
/// is refused before anything is sent.
pub async fn write(
    app: &App,
    payment: &Payment,
    instead_of: Option<&str>,
    binding: Option<&Binding>,
) -> Flow<(), PromptError> {
    for _ in 0..TRIES {
        let read = if payment.holds_room { app.store().wallet(&payment.user_id).await?.limits } else { None };
        let with_it = match read.clone() {
            Some(limits) => {
                let held = limits.hold(&payment.id, payment.spends(), payment.created_at);
                Some(held.map_err(PromptError::from)?)
            }
            None => None,
        };
        let room = read.as_ref().zip(with_it.as_ref()).map(|(read, with_it)| HeldRoom { read, with_it });
        match app.store().create_payment(payment, instead_of, binding, room).await? {
            Intended::Written => return Ok(()),
            Intended::PromptOpen => return Err(PromptError::StillOpen.into()),
            Intended::KeyTaken => return Err(PromptError::Key(KeyError::UnderWay).into()),
            Intended::LimitsMoved => {}
        }
    }
    Err(AppError::from(StoreError::Contended("a player's limits")).into())
}
