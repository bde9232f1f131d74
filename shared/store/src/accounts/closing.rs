//! Accounts that their players have closed: `closedAt` on the profile, which is on the worklist [`CLOSED`] until what is
//! personal is gone (`erasure`). Sessions end with it, for the count of password resets goes up.

use domain::UserId;
use jiff::Timestamp;

use crate::{
    Page, Store, StoreError,
    accounts::{keys::profile_key, players::Player},
    ledger::wallets::{self, Wallet},
    platform::{
        conditions::{absent, exists, is},
        transaction::Transaction,
        writes::{Check, Update},
    },
};

const CLOSED: &str = "CLOSED";
/// What its player reads in a case that ends with the account, should that be open again.
const WITH_THE_ACCOUNT: &str = "The account was closed.";

impl Store {
    /// Closes an account whose wallet is still as it was read, and its open cases with it. `false`: something moved it
    /// meanwhile, it is looked into (frozen, suspended, a proof of age asked for), or closed already.
    pub async fn close_account(
        &self,
        player: &UserId,
        wallet: Wallet,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let closed = Update::of(profile_key(player))
            .set("closedAt", at)
            .set("closedVersion", wallet.version)
            .add("passwordResets", 1)
            .on_worklist(CLOSED, &format!("{at}#{player}"))
            .only_if(exists("pk"))
            .only_if(absent("closedAt"))
            .only_if(wallets::not_looked_into());
        let mut transaction = Transaction::new();
        transaction
            .update(closed, ())
            .check(Check::that(wallets::key(player), is("version", wallet.version)), ());
        self.close_cases_with_account(&mut transaction, player, WITH_THE_ACCOUNT, at).await?;
        self.commit_all(transaction).await
    }

    /// Opens an account again that was closed at `closed_at`: something of it is open, or money has come in. `false`: it is
    /// open, its player has closed it once more since, or what is personal goes already.
    pub async fn open_again(&self, player: &UserId, closed_at: Timestamp) -> Result<bool, StoreError> {
        let opened =
            Update::of(profile_key(player)).remove("closedAt").remove("closedVersion").off_worklist();
        self.update(opened.only_if(is("closedAt", closed_at)).only_if(absent("erasingAt"))).await
    }

    /// Notes that what is personal begins to go, while the wallet is as it was read: from then on there is no way back.
    /// `false`: something moved it meanwhile, or it is looked into or open again.
    pub async fn begin_erasure(
        &self,
        player: &UserId,
        wallet: Wallet,
        closed_at: Timestamp,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let begun = Update::of(profile_key(player))
            .set("erasingAt", at)
            .only_if(is("closedAt", closed_at))
            .only_if(wallets::not_looked_into());
        let as_read =
            Update::of(wallets::key(player)).set("erasingAt", at).only_if(is("version", wallet.version));
        let mut transaction = Transaction::new();
        transaction.update(begun, ()).update(as_read, ());
        self.commit_all(transaction).await
    }

    /// The closed accounts in which something personal is left, the longest closed first.
    pub async fn closed_accounts(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Player>, StoreError> {
        self.worklist_page("player", CLOSED, after, limit).await
    }
}
