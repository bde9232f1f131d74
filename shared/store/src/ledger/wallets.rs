//! Wallets (`USER#id/WALLET`) and postings (`USER#id/POST#<cause>`): a balance changes only in the
//! transaction that writes the posting which says why.
//!
//! The wallet's version orders a player's postings and lets each of them carry the balance after it;
//! a wallet that moved meanwhile refuses the transaction, which is then made again from a new read.
//!
//! What a player owes stands beside the balance. [`Store::book`] and [`Store::book_if`] are the only ways to change either: whatever a
//! posting brings pays the debt first, in the same transaction, by a posting of its own. So with a debt there
//! is nothing in the wallet.

use domain::{
    GameweekId, Kes, UserId,
    accounts::own_limits::{DatedMovement, OwnLimits},
    ledger::{
        postings::{Cause, Posting},
        taking_back::paid_at_once,
        taxes::Withheld,
    },
};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

pub use super::postings::{DatedPosting, StoredPosting};
use crate::{
    Page, Store, StoreError,
    accounts::keys::partition,
    platform::{
        conditions::{Condition, absent, due, is, is_not, is_not_so},
        journals::{Journal, with_journal_position},
        table::{Item, Key, Range},
        transaction::{Outcome, Transaction, Unmet},
        writes::{Check, Put, Update},
    },
};

/// Somebody else's transaction may move a player's wallet this often in a row before we give up.
pub(crate) const WALLET_TRIES: u32 = 16;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Wallet {
    pub balance: Kes,
    /// How many postings have changed it, or what is owed.
    pub version: u64,
    /// What the player owes.
    #[serde(default)]
    pub debt: Kes,
    /// The player's own limits, of who has set one, with what is used of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<OwnLimits>,
    /// The gameweek that its player, an admin, has decided something about: they do not enter it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept_out_of: Option<GameweekId>,
}

/// Where a wallet has its balance. Who may not move money may not write an attribute of this name (the functions'
/// roles), so nothing else is called so.
pub const BALANCE: &str = "balance";

/// A posting to be written with a wallet's change.
pub(crate) struct Booking<'a> {
    pub posting: &'a Posting,
    pub receipt: Option<&'a str>,
    pub entry_id: Option<&'a str>,
    /// For the player to read.
    pub note: Option<&'a str>,
    /// Of a withdrawal or a deposit.
    pub tax: Option<Withheld>,
}

impl<'a> Booking<'a> {
    pub fn of(posting: &'a Posting) -> Self {
        Self { posting, receipt: None, entry_id: None, note: None, tax: None }
    }
}

pub(crate) fn key(player: &UserId) -> Key {
    Key::new(partition(player), "WALLET")
}

pub(crate) fn posting_key(pk: impl Into<String>, cause: &str) -> Key {
    Key::new(pk, format!("POST#{cause}"))
}

pub(crate) fn empty(player: &UserId) -> Item {
    key(player).item(&Wallet {
        balance: Kes::ZERO,
        version: 0,
        debt: Kes::ZERO,
        limits: None,
        kept_out_of: None,
    })
}

/// A posting that changes no wallet, in the partition `pk`.
pub(crate) fn operator_posting(pk: String, posting: &Posting, at: Timestamp) -> Item {
    withdrawal_posting(pk, posting, None, at)
}

/// The same of a withdrawal's end, with what is kept back of it.
pub(crate) fn withdrawal_posting(
    pk: String,
    posting: &Posting,
    tax: Option<Withheld>,
    at: Timestamp,
) -> Item {
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
        tax,
        cause,
    };
    with_journal_position(posting_key(pk, &stored.cause).item(&stored), Journal::Postings, at)
}

/// The marks of a player who has stopped, in milliseconds since 1970, and of one who has to prove their age.
pub(crate) const STOPPED_UNTIL: &str = "stoppedUntil";
pub(crate) const AGE_PROOF_WANTED: &str = "ageProofWanted";

/// The account, or its wallet's marks of it: neither frozen nor suspended, and no admin has asked for a proof of age.
pub(crate) fn not_looked_into() -> Condition {
    is_not_so("frozen").and(is_not_so("suspended")).and(is_not_so(AGE_PROOF_WANTED))
}

/// For the booking that enters `gameweek` at `at`, of the marks that a wallet has of its account: not looked into, not stopped
/// by the player, and not kept out. (That the team is its own stands on the team's claim.)
pub(crate) fn may_enter(gameweek: GameweekId, at: Timestamp) -> Condition {
    let kept_out = absent("keptOutOf").or(is_not("keptOutOf", gameweek));
    not_looked_into().and(due(STOPPED_UNTIL, at)).and(kept_out)
}

/// That a wallet's limits, and what is used of them, are as they were read.
pub(crate) fn limits_as(read: Option<&OwnLimits>) -> Condition {
    match read {
        Some(limits) => is("limits.version", limits.version()),
        None => absent("limits"),
    }
}

/// Changes a player's limits, or what is held of them, and nothing else of the wallet.
pub(crate) fn limits_update(player: &UserId, read: Option<&OwnLimits>, limits: &OwnLimits) -> Update {
    Update::of(key(player)).set("limits", limits).only_if(limits_as(read))
}

/// For the booking of a withdrawal: not frozen.
pub(crate) fn is_not_frozen() -> Condition {
    is_not_so("frozen")
}

impl Store {
    /// For a transaction that lets money out: the player owes nothing.
    pub(crate) fn owes_nothing(&self, player: &UserId) -> Check {
        Check::that(key(player), absent("debt").or(is("debt", 0)))
    }

    /// # Errors
    /// The table is not answering, or there is no such wallet.
    pub async fn wallet(&self, player: &UserId) -> Result<Wallet, StoreError> {
        let wallet = self.get("wallet", key(player)).await?;
        wallet.ok_or_else(|| StoreError::Refused(format!("player {player} has no wallet")))
    }

    /// Whether there is or was such a player: a wallet stays when its account is erased.
    pub async fn has_wallet(&self, player: &UserId) -> Result<bool, StoreError> {
        Ok(self.get::<Wallet>("wallet", key(player)).await?.is_some())
    }

    /// A player's posting under `cause`.
    pub async fn posting(&self, player: &UserId, cause: &str) -> Result<Option<StoredPosting>, StoreError> {
        self.get("posting", posting_key(partition(player), cause)).await
    }

    /// How much of the money that came in under `cause` has paid the player's debt, in KES.
    pub async fn towards_debt(&self, player: &UserId, cause: &str) -> Result<Kes, StoreError> {
        let paid = self.posting(player, &Cause::DebtPaid { of: cause.to_owned() }.key()).await?;
        Ok(paid.map_or(Kes::ZERO, |paid| -paid.amount))
    }

    /// A player's movements of money, newest first (a season's are some hundreds: read and sorted).
    pub async fn postings(&self, player: &UserId) -> Result<Vec<StoredPosting>, StoreError> {
        let mut postings: Vec<StoredPosting> = self.all("posting", &partition(player), "POST#").await?;
        postings.sort_by_key(|posting| std::cmp::Reverse((posting.at, posting.version)));
        Ok(postings)
    }

    /// A page of a day's postings, oldest first.
    pub async fn postings_of_day(
        &self,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<DatedPosting>, StoreError> {
        self.of_day("posting", Journal::Postings, day, after, limit).await
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
    /// postings; what is owed is paid by what they bring. Refused with [`Unmet::Wallet`] where the
    /// wallet is not as read, with [`Unmet::Booked`] where a cause is booked already.
    ///
    /// # Panics
    /// The caller has checked that the wallet covers it: a balance below zero is never written.
    pub(crate) fn book(
        &self,
        transaction: &mut Transaction<Unmet>,
        player: &UserId,
        wallet: &Wallet,
        bookings: &[Booking<'_>],
        at: Timestamp,
    ) {
        let update = booked(transaction, player, wallet, bookings, at);
        transaction.update(update, Unmet::Wallet);
    }

    /// As [`Store::book`], where the account is as `account` says by the marks that the wallet has of it. Refused with
    /// [`Unmet::Wallet`] as well: a wallet that is as it was read has not moved, so it is the account.
    pub(crate) fn book_if(
        &self,
        transaction: &mut Transaction<Unmet>,
        player: &UserId,
        wallet: &Wallet,
        bookings: &[Booking<'_>],
        at: Timestamp,
        account: Condition,
    ) {
        let update = booked(transaction, player, wallet, bookings, at).only_if(account);
        transaction.update(update, Unmet::Wallet);
    }

    /// Puts a prize or a refund into a wallet. `false`: it was booked before.
    pub async fn credit_wallet(
        &self,
        player: &UserId,
        posting: &Posting,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(player).await?;
            let mut transaction = Transaction::new();
            self.book(&mut transaction, player, &wallet, &[Booking::of(posting)], at);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(true),
                Outcome::Refused(why) if why.contains(&Unmet::Booked) => return Ok(false),
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a wallet"))
    }
}

/// Adds the postings to `transaction`, and answers what they make of the wallet.
fn booked(
    transaction: &mut Transaction<Unmet>,
    player: &UserId,
    wallet: &Wallet,
    bookings: &[Booking<'_>],
    at: Timestamp,
) -> Update {
    let mut after = wallet.clone();
    for booking in bookings {
        after = after.with(booking.posting, at);
        transaction.put(posting_put(player, &after, booking, at), Unmet::Booked);
        let paid = paid_at_once(after.debt, after.balance);
        if paid.is_positive() {
            let payment = Posting::debt_paid(player, booking.posting.cause(), paid);
            after = after.with(&payment, at);
            transaction.put(posting_put(player, &after, &Booking::of(&payment), at), Unmet::Booked);
        }
    }
    Update::of(key(player))
        .set(BALANCE, after.balance)
        .set("version", after.version)
        .set("debt", after.debt)
        .set_some("limits", after.limits)
        .only_if(is("version", wallet.version))
        .only_if(is(BALANCE, wallet.balance))
        .only_if(limits_as(wallet.limits.as_ref()))
}

/// A posting that has made the wallet `after`.
fn posting_put(player: &UserId, after: &Wallet, booking: &Booking<'_>, at: Timestamp) -> Put {
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
        tax: booking.tax,
    };
    let item = posting_key(partition(player), &stored.cause).item(&stored);
    Put::new(with_journal_position(item, Journal::Postings, at))
}

impl Wallet {
    fn with(self, posting: &Posting, at: Timestamp) -> Self {
        let (cause, change) = (posting.cause().key(), posting.wallet_change());
        let movement = DatedMovement { cause: &cause, change: posting.before_excise(), at };
        let after = Self {
            limits: self.limits.map(|limits| limits.booked(movement)),
            balance: self.balance + change,
            version: self.version + 1,
            debt: self.debt + posting.debt_change(),
            kept_out_of: self.kept_out_of,
        };
        assert!(after.balance >= Kes::ZERO, "a wallet is never below zero");
        assert!(after.debt >= Kes::ZERO, "nobody pays more than they owe");
        after
    }
}
