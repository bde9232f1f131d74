//! Entries: `ENTRIES#gameweek#amount#shard` / time-ordered id. The shard comes from the player's id,
//! so no partition is hot; what makes an entry unique is its player's posting `entry#gameweek`.

pub mod in_order;
pub mod order;

use domain::{
    EntryAmount, FplId, GameweekId, UserId, Username,
    accounts::own_limits::{LimitReached, Spending},
    entries::join,
    influencers::ReferralCode,
    leagues::entry_line::{EntryLine, NameHash},
    ledger::{
        postings::Posting,
        taking_back::{Owes, check_debt},
    },
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    ledger::wallets::{Booking, WALLET_TRIES, Wallet, may_enter},
    platform::{
        table::{Item, Key, shard_of},
        transaction::{Outcome, Transaction, Unmet},
        writes::Put,
    },
};

pub(crate) const SHARDS: u8 = 8;

/// A player's place among those who joined a gameweek at an amount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// Ordered by the time of joining.
    pub id: String,
    pub user_id: UserId,
    pub username: Username,
    /// The name as the draw's list has it; absent in entries from before the list had names.
    #[serde(default)]
    pub name: Option<NameHash>,
    pub fpl_id: FplId,
    /// The team's name, where the official game has told it.
    #[serde(default)]
    pub team_name: Option<String>,
    pub gameweek: GameweekId,
    pub amount: EntryAmount,
    pub at: Timestamp,
    /// The payment that made it, where it was a prompt.
    #[serde(default)]
    pub checkout_id: Option<String>,
    /// Whose link the player came by: noted with the entry, not kept in it.
    #[serde(skip)]
    pub referral: Option<ReferralCode>,
}

impl Entry {
    /// As it stands in the draw's list; `None` in entries from before the list had names.
    #[must_use]
    pub fn line(&self) -> Option<EntryLine> {
        Some(EntryLine::new(&self.id, self.fpl_id, self.name.as_ref()?))
    }
}

/// An entry, by what the posting says that paid for it.
#[derive(Debug, Clone, Copy)]
pub struct EntryOf<'a> {
    pub player: &'a UserId,
    pub gameweek: GameweekId,
    pub amount: EntryAmount,
    pub id: &'a str,
}

/// What became of a wallet join.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joined {
    Entered,
    AlreadyJoined,
    InsufficientBalance,
    /// The account is frozen or suspended, its player has stopped, or a proof of age is wanted: read it again.
    AccountChanged,
    /// The team is another account's by now, or is in this gameweek already.
    TeamElsewhere,
    /// An admin who has decided something about this gameweek.
    KeptOut,
    /// The player owes something: nothing is in the wallet, and nothing may be.
    Owes(Owes),
    /// The player's own limit stands in the way.
    OwnLimit(LimitReached),
}

pub(crate) fn partition(gameweek: GameweekId, amount: EntryAmount, shard: u8) -> String {
    format!("ENTRIES#{gameweek}#{}#{shard}", amount.kes().get())
}

pub(crate) fn entry_key(entry: &Entry) -> Key {
    key_of(entry.gameweek, entry.amount, &entry.user_id, &entry.id)
}

pub(crate) fn key_of(gameweek: GameweekId, amount: EntryAmount, player: &UserId, id: &str) -> Key {
    Key::new(partition(gameweek, amount, shard_of(player.as_str(), SHARDS)), id)
}

pub(crate) fn item(entry: &Entry) -> Item {
    entry_key(entry).item(entry)
}

impl Store {
    /// Takes the entry's stake out of the wallet and enters, in one transaction of the player's own items: wallet,
    /// posting, entry, and the mark of whose link they came by.
    pub async fn join_by_wallet(&self, entry: &Entry) -> Result<Joined, StoreError> {
        let wallet = self.wallet(&entry.user_id).await?;
        self.join_by_wallet_as_read(entry, wallet).await
    }

    /// The same by the wallet as it was read before; it is read again where it has moved since.
    pub async fn join_by_wallet_as_read(
        &self,
        entry: &Entry,
        mut wallet: Wallet,
    ) -> Result<Joined, StoreError> {
        let posting = Posting::entry(&entry.user_id, entry.gameweek, entry.amount);
        for _ in 0..WALLET_TRIES {
            let short = join::check_balance(wallet.balance, entry.amount).err();
            let owes = check_debt(wallet.debt).err();
            let limits = wallet.limits.as_ref();
            let limited =
                limits.and_then(|own| own.check(Spending::Entry, entry.amount.kes(), entry.at).err());
            let kept_out = wallet.kept_out_of == Some(entry.gameweek);
            let refused = kept_out
                .then_some(Joined::KeptOut)
                .or(owes.map(Joined::Owes))
                .or(limited.map(Joined::OwnLimit))
                .or(short.map(|_| Joined::InsufficientBalance));
            if let Some(refused) = refused {
                let booked = self.posting(&entry.user_id, &posting.cause().key()).await?;
                return Ok(booked.map_or(refused, |_| Joined::AlreadyJoined));
            }
            let mut transaction = Transaction::new();
            let booking = Booking { entry_id: Some(&entry.id), ..Booking::of(&posting) };
            let (player, at) = (&entry.user_id, entry.at);
            self.book_if(&mut transaction, player, &wallet, &[booking], at, may_enter(entry.gameweek, at));
            transaction
                .put(Put::new(item(entry)), Unmet::Never)
                .update(self.enters_with_team(entry), Unmet::Team);
            if let Some(code) = &entry.referral {
                transaction.update(self.paid_by(code, &entry.user_id, entry.at), Unmet::Never);
            }
            let Outcome::Refused(why) = self.commit(transaction).await? else { return Ok(Joined::Entered) };
            if why.contains(&Unmet::Booked) {
                return Ok(Joined::AlreadyJoined);
            }
            let now = self.wallet(&entry.user_id).await?;
            if why.contains(&Unmet::Wallet) && now == wallet {
                return Ok(Joined::AccountChanged);
            }
            if why.contains(&Unmet::Team) {
                return Ok(Joined::TeamElsewhere);
            }
            wallet = now;
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// A player's entry into a gameweek, at whatever amount.
    pub async fn entry_of(&self, player: &UserId, gameweek: GameweekId) -> Result<Option<Entry>, StoreError> {
        // The cause is the same for every amount.
        let cause = Posting::entry(player, gameweek, EntryAmount::Fifty).cause().key();
        let Some(posting) = self.posting(player, &cause).await? else { return Ok(None) };
        let amount = posting.entry_amount.and_then(|amount| EntryAmount::try_from(amount.get()).ok());
        match amount.zip(posting.entry_id) {
            Some((amount, id)) => self.get("entry", key_of(gameweek, amount, player, &id)).await,
            None => Ok(None),
        }
    }

    /// A player's entries, each named by its gameweek, amount and id, in no order.
    pub async fn entries_named(
        &self,
        player: &UserId,
        entries: &[(GameweekId, EntryAmount, &str)],
    ) -> Result<Vec<Entry>, StoreError> {
        let keys = entries.iter().map(|(gameweek, amount, id)| key_of(*gameweek, *amount, player, id));
        self.get_many("entry", keys.collect()).await
    }
}
