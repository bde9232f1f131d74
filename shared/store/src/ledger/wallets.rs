//! Wallets (`USER#id/WALLET`) and postings (`USER#id/POST#<cause>`): a balance changes only in the
//! transaction that writes the posting which says why.
//!
//! The wallet's version orders a player's postings and lets each of them carry the balance after it;
//! a wallet that moved meanwhile refuses the transaction, which is then made again from a new read.
//!
//! What a player owes stands beside the balance. [`Store::book`] is the only way to change either: whatever a
//! posting brings pays the debt first, in the same transaction, by a posting of its own. So with a debt there
//! is nothing in the wallet.

use aws_sdk_dynamodb::types::{ConditionCheck, Put, Update};
use domain::{
    Kes, UserId,
    ledger::{
        postings::{Leg, Posting},
        taking_back::paid_at_once,
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    accounts::players::partition,
    platform::{
        journals::{Journal, with_journal_position},
        table::{Item, Key, Range, n},
        transaction::Transaction,
    },
};

/// Somebody else's transaction may move a player's wallet this often in a row before we give up.
pub(crate) const WALLET_TRIES: u32 = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wallet {
    pub balance: Kes,
    /// How many postings have changed it, or what is owed.
    pub version: u64,
    /// What the player owes.
    #[serde(default)]
    pub debt: Kes,
}

/// A posting as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredPosting {
    pub cause: String,
    pub kind: String,
    /// What the player's wallet gained.
    pub amount: Kes,
    pub balance_after: Kes,
    pub legs: Vec<Leg>,
    #[serde(default)]
    pub receipt: Option<String>,
    pub at: Timestamp,
    /// The wallet's version that this posting made; absent where the wallet did not change.
    #[serde(default)]
    pub version: Option<u64>,
    /// What the posting belongs to: an entry's id, for one.
    #[serde(default)]
    pub entry_id: Option<String>,
    #[serde(default)]
    pub entry_amount: Option<Kes>,
    /// Why, for the player to read, where the kind does not say it.
    #[serde(default)]
    pub note: Option<String>,
}

/// A posting to be written with a wallet's change.
pub(crate) struct Booking<'a> {
    pub posting: &'a Posting,
    pub receipt: Option<&'a str>,
    pub entry_id: Option<&'a str>,
    /// For the player to read.
    pub note: Option<&'a str>,
}

impl<'a> Booking<'a> {
    pub fn of(posting: &'a Posting) -> Self {
        Self { posting, receipt: None, entry_id: None, note: None }
    }
}

pub(crate) fn key(player: &UserId) -> Key {
    Key::new(partition(player), "WALLET")
}

pub(crate) fn posting_key(pk: impl Into<String>, cause: &str) -> Key {
    Key::new(pk, format!("POST#{cause}"))
}

pub(crate) fn empty(player: &UserId) -> Item {
    key(player).item(&Wallet { balance: Kes::ZERO, version: 0, debt: Kes::ZERO })
}

/// A posting that changes no wallet, in the partition `pk`.
pub(crate) fn operator_posting(pk: String, posting: &Posting, at: Timestamp) -> Item {
    let cause = posting.cause().key();
    let stored = StoredPosting {
        kind: posting.cause().kind().to_owned(),
        amount: Kes::ZERO,
        balance_after: Kes::ZERO,
        legs: posting.legs().to_vec(),
        receipt: None,
        at,
        version: None,
        entry_id: None,
        entry_amount: None,
        note: None,
        cause,
    };
    with_journal_position(posting_key(pk, &stored.cause).item(&stored), Journal::Postings, at)
}

impl Store {
    /// For a transaction that lets money out: the player owes nothing.
    pub(crate) fn owes_nothing(&self, player: &UserId) -> ConditionCheck {
        ConditionCheck::builder()
            .table_name(&self.name)
            .set_key(Some(key(player).attributes()))
            .condition_expression("attribute_not_exists(debt) OR debt = :nothing")
            .expression_attribute_values(":nothing", n(0))
            .build()
            .expect("table, key and condition are given")
    }

    /// # Errors
    /// The table is not answering, or there is no such wallet.
    pub async fn wallet(&self, player: &UserId) -> Result<Wallet, StoreError> {
        let wallet = self.get("wallet", key(player)).await?;
        wallet.ok_or_else(|| StoreError::Refused(format!("player {player} has no wallet")))
    }

    /// A player's posting under `cause`.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn posting(&self, player: &UserId, cause: &str) -> Result<Option<StoredPosting>, StoreError> {
        self.get("posting", posting_key(partition(player), cause)).await
    }

    /// A player's movements of money, newest first (a season's are some hundreds: read and sorted).
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn postings(&self, player: &UserId) -> Result<Vec<StoredPosting>, StoreError> {
        let mut postings: Vec<StoredPosting> = self.all("posting", &partition(player), "POST#").await?;
        postings.sort_by_key(|posting| std::cmp::Reverse((posting.at, posting.version)));
        Ok(postings)
    }

    /// A page of a player's postings whose cause begins with `prefix`, in order of their keys.
    pub(crate) async fn postings_of_kind(
        &self,
        player: &UserId,
        prefix: &str,
        limit: i32,
    ) -> Result<Page<StoredPosting>, StoreError> {
        let prefix = format!("POST#{prefix}");
        let pk = partition(player);
        let range = Range { pk: &pk, prefix: &prefix, after: None, newest_first: true, limit };
        self.range("posting", range).await
    }

    /// Adds to `transaction`: the wallet from what was read to what `bookings` make of it, and their
    /// postings; what is owed is paid by what they bring. Refused with `moved` where the wallet is not as
    /// read, with `booked` where a cause is booked already.
    ///
    /// # Panics
    /// The caller has checked that the wallet covers it: a balance below zero is never written.
    pub(crate) fn book<R: Copy + PartialEq>(
        &self,
        transaction: &mut Transaction<R>,
        player: &UserId,
        wallet: Wallet,
        bookings: &[Booking<'_>],
        at: Timestamp,
        (moved, booked): (R, R),
    ) {
        let mut after = wallet;
        for booking in bookings {
            after = after.with(booking.posting);
            transaction.put(self.posting_put(player, after, booking, at), booked);
            let paid = paid_at_once(after.debt, after.balance);
            if paid.is_positive() {
                let payment = Posting::debt_paid(player, booking.posting.cause(), paid);
                after = after.with(&payment);
                transaction.put(self.posting_put(player, after, &Booking::of(&payment), at), booked);
            }
        }
        let update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(player).attributes()))
            .update_expression("SET balance = :after, version = :version, debt = :debt")
            .condition_expression("version = :seen AND balance = :before")
            .expression_attribute_values(":after", n(after.balance.get()))
            .expression_attribute_values(":version", n(after.version))
            .expression_attribute_values(":debt", n(after.debt.get()))
            .expression_attribute_values(":seen", n(wallet.version))
            .expression_attribute_values(":before", n(wallet.balance.get()))
            .build()
            .expect("table, key and expression are given");
        transaction.update(update, moved);
    }

    /// A posting that has made the wallet `after`.
    fn posting_put(&self, player: &UserId, after: Wallet, booking: &Booking<'_>, at: Timestamp) -> Put {
        let amount = booking.posting.wallet_change();
        let stored = StoredPosting {
            cause: booking.posting.cause().key(),
            kind: booking.posting.cause().kind().to_owned(),
            amount,
            balance_after: after.balance,
            legs: booking.posting.legs().to_vec(),
            receipt: booking.receipt.map(str::to_owned),
            at,
            version: Some(after.version),
            entry_id: booking.entry_id.map(str::to_owned),
            entry_amount: booking.entry_id.map(|_| -amount),
            note: booking.note.map(str::to_owned),
        };
        let item = posting_key(partition(player), &stored.cause).item(&stored);
        self.new_put(with_journal_position(item, Journal::Postings, at))
    }
}

impl Wallet {
    fn with(self, posting: &Posting) -> Self {
        let after = Self {
            balance: self.balance + posting.wallet_change(),
            version: self.version + 1,
            debt: self.debt + posting.debt_change(),
        };
        assert!(after.balance >= Kes::ZERO, "a wallet is never below zero");
        assert!(after.debt >= Kes::ZERO, "nobody pays more than they owe");
        after
    }
}
