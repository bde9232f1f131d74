//! That nobody acts on their own player's account.

use domain::UserId;
use store::accounts::players::Player;

use crate::platform::flow::Refusal;

/// Nobody acts on what is their own player's, whatever the safeguards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("This is your own account's. Another admin has to do it.")]
pub struct OwnAccount;

impl Refusal for OwnAccount {}

/// That what is acted on is not the admin's own player's.
pub fn check_not_own(admin: &Player, whose: &UserId) -> Result<(), OwnAccount> {
    if admin.id == *whose { Err(OwnAccount) } else { Ok(()) }
}
