//! How a player sends money by hand so that it is credited by itself.

use std::fmt;

use domain::PaybillAccount;
use store::accounts::players::Player;

use crate::{App, AppError};

/// The paybill, and a player's own account there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnPaybill {
    pub number: String,
    pub account: PaybillAccount,
}

impl OwnPaybill {
    /// The player's; one of before gets an account now.
    pub async fn of(app: &App, player: &Player) -> Result<Self, AppError> {
        let account = app.store().paybill_account(player).await?;
        Ok(Self { number: app.config().paybill.number.clone(), account })
    }
}

impl fmt::Display for OwnPaybill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with your account {}", self.number, self.account)
    }
}
