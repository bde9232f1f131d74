//! Asking for a withdrawal, and where withdrawals are found.

use domain::{
    Kes, UserId,
    ledger::postings::Posting,
    platform::limits::{Limit, Limited},
};
use jiff::{Timestamp, civil::Date};

use super::{Withdrawal, key, position};
use crate::{
    Page, Store, StoreError,
    accounts::keys::partition,
    ledger::wallets::{Booking, StoredPosting, Wallet, is_not_frozen},
    platform::{
        idempotency::Binding,
        journals::{Journal, with_journal_position},
        limits::{Counter, Counting},
        table::Key,
        transaction::{Outcome, Transaction, Unmet},
        worklists::put_on_worklist,
        writes::Put,
    },
};

const PENDING: &str = "WITHDRAWALS#pending";

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requested {
    /// The wallet's balance after it.
    Done(Kes),
    /// Another request has bound the key meanwhile.
    KeyTaken,
    /// The wallet is not as it was read.
    WalletMoved,
    /// The account is frozen.
    Frozen,
    /// Too many were asked for lately.
    Limited(Limited),
}

/// The withdrawals that these postings took out of a wallet.
fn asked_for(postings: &[StoredPosting]) -> Vec<Key> {
    let ids = postings.iter().filter_map(|posting| posting.cause.split_once('#'));
    ids.map(|(_, id)| key(id)).collect()
}

impl Store {
    /// Takes the money out of `wallet`, as it was read and covers it, notes and counts the request and binds its key,
    /// in one step.
    pub async fn request_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        wallet: &Wallet,
        binding: Option<&Binding>,
    ) -> Result<Requested, StoreError> {
        let posting = Posting::withdrawal_requested(&withdrawal.user_id, &withdrawal.id, withdrawal.amount);
        let item = key(&withdrawal.id).item(withdrawal);
        let mut item = with_journal_position(item, Journal::Withdrawals, withdrawal.created_at);
        put_on_worklist(&mut item, PENDING, &position(withdrawal));
        let mut transaction = Transaction::new();
        transaction
            .put(Put::new(item), Unmet::Booked)
            .put(self.phone_of(&withdrawal.user_id, &withdrawal.phone), Unmet::Booked);
        let at = withdrawal.created_at;
        let counter = Counter::new(Limit::Withdrawals, &[withdrawal.user_id.as_str()]);
        match self.counting(&counter, at).await? {
            Counting::Counted(counting) => transaction.put(counting, Unmet::Limit),
            Counting::Limited(limited) => return Ok(Requested::Limited(limited)),
        };
        if let Some(binding) = binding {
            transaction.put(self.bind(binding, &withdrawal.id, at), Unmet::Key);
        }
        let (player, bookings) =
            (&withdrawal.user_id, [Booking { tax: withdrawal.tax, ..Booking::of(&posting) }]);
        self.book_if(&mut transaction, player, wallet, &bookings, at, is_not_frozen());
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Requested::Done(wallet.balance - withdrawal.amount),
            Outcome::Refused(why) if why.contains(&Unmet::Key) => Requested::KeyTaken,
            Outcome::Refused(why) if why.contains(&Unmet::Booked) => {
                return Err(StoreError::Refused("a new withdrawal's id was taken".into()));
            }
            Outcome::Refused(why)
                if !why.contains(&Unmet::Limit) && self.wallet(player).await? == *wallet =>
            {
                Requested::Frozen
            }
            Outcome::Refused(_) => Requested::WalletMoved,
        })
    }

    pub async fn withdrawal(&self, id: &str) -> Result<Option<Withdrawal>, StoreError> {
        self.get("withdrawal", key(id)).await
    }

    /// The withdrawals that wait for an admin, oldest first.
    pub async fn pending_withdrawals(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Withdrawal>, StoreError> {
        self.worklist_page("withdrawal", PENDING, after, limit).await
    }

    /// A page of the withdrawals that were asked for on a day, oldest first.
    pub async fn withdrawals_of_day(
        &self,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Withdrawal>, StoreError> {
        self.of_day("withdrawal", Journal::Withdrawals, day, after, limit).await
    }

    /// A player's own withdrawals, newest first.
    pub async fn withdrawals_of(&self, player: &UserId) -> Result<Vec<Withdrawal>, StoreError> {
        let postings = self.postings_of_kind(player, "withdrawal#", 100).await?.items;
        let mut found: Vec<Withdrawal> = self.get_many("withdrawal", asked_for(&postings)).await?;
        found.sort_by_key(|withdrawal| std::cmp::Reverse(withdrawal.created_at));
        Ok(found)
    }

    /// Every withdrawal of a player's.
    pub async fn all_withdrawals_of(&self, player: &UserId) -> Result<Vec<Withdrawal>, StoreError> {
        let postings: Vec<StoredPosting> =
            self.all("posting", &partition(player), "POST#withdrawal#").await?;
        self.get_many("withdrawal", asked_for(&postings)).await
    }

    /// What `player` has asked for and nobody pays yet, newest first: as many as it takes for `wallet`, as it was
    /// read, to cover `amount`. A debt is paid first by what comes back. What M-Pesa has said something of is
    /// left to the admins: it may have been paid.
    pub(crate) async fn unpaid_to_cover(
        &self,
        player: &UserId,
        amount: Kes,
        wallet: &Wallet,
        now: Timestamp,
    ) -> Result<Vec<Withdrawal>, StoreError> {
        if wallet.balance >= amount {
            return Ok(Vec::new());
        }
        let mut unpaid = self.all_withdrawals_of(player).await?;
        unpaid.retain(|withdrawal| withdrawal.is_nobodys_yet(now));
        unpaid.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        let (mut lacking, mut covering) = (amount - wallet.balance + wallet.debt, Vec::new());
        for withdrawal in unpaid {
            if lacking.is_positive() {
                lacking = lacking - withdrawal.amount;
                covering.push(withdrawal);
            }
        }
        Ok(covering)
    }
}
