//! Accounts at the paybill: `ACCOUNT#1234567/CLAIM` says whose one is, the profile which one a player has.
//! Both are written in one transaction: sign-up's, or for a player of before a step of its own that repeats
//! without harm.

use std::iter;

use domain::{PaybillAccount, UserId};

use crate::{
    Store, StoreError,
    accounts::{
        keys::profile_key,
        players::{Player, TeamClaim},
    },
    platform::{
        conditions::{absent, exists},
        table::Key,
        transaction::{Outcome, Transaction, Unmet},
        writes::{Put, Update},
    },
    random_id,
};

/// So often an account is picked: of the 900,000 most would have to be taken for one not to be free.
pub(crate) const TRIES: usize = 32;

/// Of all accounts one, unguessable.
pub(crate) fn picked() -> PaybillAccount {
    let id = random_id();
    PaybillAccount::picked_by(u64::from_str_radix(&id[..12], 16).expect("an id is hex digits"))
}

fn account_key(account: PaybillAccount) -> Key {
    Key::new(format!("ACCOUNT#{account}"), "CLAIM")
}

impl Store {
    /// For the transaction that gives it: refused where it is somebody's.
    pub(crate) fn account_claim(&self, account: PaybillAccount, id: &UserId) -> Put {
        let claim = TeamClaim::of(id);
        Put::new(account_key(account).item(&claim))
    }

    /// The player whose account at the paybill it is.
    pub async fn player_by_account(&self, account: PaybillAccount) -> Result<Option<Player>, StoreError> {
        match self.get::<TeamClaim>("account claim", account_key(account)).await? {
            Some(claim) => self.player(&claim.user_id).await,
            None => Ok(None),
        }
    }

    /// The player's account at the paybill. One of before gets it now.
    ///
    /// # Errors
    /// The table is not answering, or there is no such player.
    pub async fn paybill_account(&self, player: &Player) -> Result<PaybillAccount, StoreError> {
        match player.account {
            Some(account) => Ok(account),
            None => self.give_account(player, iter::repeat_with(picked).take(TRIES)).await,
        }
    }

    /// Gives a player who has none the first of `picks` that is nobody's.
    ///
    /// # Errors
    /// As of [`Self::paybill_account`]; none of them is free.
    pub async fn give_account(
        &self,
        player: &Player,
        picks: impl IntoIterator<Item = PaybillAccount>,
    ) -> Result<PaybillAccount, StoreError> {
        for account in picks {
            let given = Update::of(profile_key(&player.id))
                .set("account", account)
                .only_if(exists("pk"))
                .only_if(absent("account"));
            let mut transaction = Transaction::new();
            transaction
                .put(self.account_claim(account, &player.id), Unmet::Pointer)
                .update(given, Unmet::Account);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(account),
                Outcome::Refused(why) if why.contains(&Unmet::Account) => {
                    let now = self.player(&player.id).await?.and_then(|player| player.account);
                    let gone = || StoreError::Refused(format!("there is no player {}", player.id));
                    return now.ok_or_else(gone);
                }
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("the accounts at the paybill"))
    }
}
