//! A player's own limits lie on the wallet, which every movement of money changes in any case; the profile says that
//! there are some, so that nobody else's payment reads the wallet for them.

use domain::{UserId, accounts::own_limits::OwnLimits};

use crate::{
    Store, StoreError,
    accounts::keys::profile_key,
    ledger::wallets::{Wallet, limits_update},
    platform::{
        conditions::{exists, is},
        transaction::Transaction,
        writes::Update,
    },
};

impl Store {
    /// Puts `limits` in the place of those of `wallet`, reckoned from its postings as they were with it. `false`: the
    /// wallet has moved.
    pub async fn set_own_limits(
        &self,
        player: &UserId,
        wallet: &Wallet,
        limits: &OwnLimits,
    ) -> Result<bool, StoreError> {
        let update = limits_update(player, wallet.limits.as_ref(), limits);
        let profile = Update::of(profile_key(player)).set("hasLimits", true).only_if(exists("pk"));
        let mut transaction = Transaction::new();
        transaction.update(update.only_if(is("version", wallet.version)), ()).update(profile, ());
        self.commit_all(transaction).await
    }
}
