//! The draw's record, `DRAW#gameweek#amount`: the entries as they stood at the fence, in parts that
//! carry the attempt's id (`PART#attempt#n`), each but the first in a partition of its own, `DRAW#gameweek#amount#n` (in
//! lists from before that all are in the first one's); `LIST`, written once, names the attempt that counts; `CLOSED` is
//! written before the entries are read, and nothing changes one from then on;
//! `SEED`, written once, is what the leagues come from; `WRITTEN` says how many of them are there, and `TURN` who writes them
//! where they are many. Only the named attempt's parts exist. What the amounts have in common is in `draw_rounds`.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter::once,
};

use domain::{EntryAmount, GameweekId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use crate::{
    Store, StoreError,
    entries::{Entry, EntryOf},
    leagues::{self, EntryLeague, League, place_key, status},
    platform::{
        concurrency,
        conditions::absent,
        table::{Key, s},
        transaction::Transaction,
        writes::{Check, Put},
    },
};

/// Entries in one part: far below the 400 KB of an item.
pub const PART: usize = 500;

/// Which list of entries counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryList {
    pub attempt: String,
    pub parts: usize,
    pub count: usize,
    /// SHA-256 (hex) over what it covers of each entry, a line each, in order. Public from now on.
    pub hash: String,
    #[serde(default)]
    pub covers: Covers,
    pub at: Timestamp,
}

/// What a list's hash is over.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", const_into_str)]
pub enum Covers {
    /// The entries' ids: in lists from before their lines were covered.
    #[default]
    Ids,
    /// The entries' lines (`domain::leagues::entry_line`).
    Lines,
}

/// What a draw's seed was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DrawSeed {
    /// The operator's secret (hex), whose hash was public since the opening.
    pub secret: String,
    /// The hash (hex) of the chain that was asked; absent in records from before it was noted.
    #[serde(default)]
    pub beacon_chain: Option<String>,
    pub beacon_round: u64,
    /// The beacon's value (hex); absent where it did not answer and the draw went on without it.
    #[serde(default)]
    pub beacon: Option<String>,
    #[serde(default)]
    pub beacon_signature: Option<String>,
    /// The seed (hex).
    pub seed: String,
    pub at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct EntryListPart {
    entries: Vec<Entry>,
}

/// A part with its own key: of whatever attempt.
#[derive(Deserialize)]
struct KeptPart {
    sk: String,
    entries: Vec<ListedId>,
}

#[derive(Deserialize)]
struct ListedId {
    id: String,
}

/// How many leagues of a draw are there.
#[derive(Serialize, Deserialize)]
struct LeaguesWritten {
    leagues: usize,
}

#[derive(Serialize)]
struct Closed {
    at: Timestamp,
}

/// What is read of an entry in no league.
#[derive(Deserialize)]
struct Unplaced {
    id: String,
    why: String,
}

fn partition(gameweek: GameweekId, amount: EntryAmount) -> String {
    format!("DRAW#{gameweek}#{}", amount.kes().get())
}

fn closed_key(gameweek: GameweekId, amount: EntryAmount) -> Key {
    Key::new(partition(gameweek, amount), "CLOSED")
}

/// Where a part is: by itself, or, in a list from before that, with the first one.
fn part_keys(pk: &str, attempt: &str, part: usize) -> impl Iterator<Item = Key> + use<> {
    let sk = format!("PART#{attempt}#{part:04}");
    let own = (part > 0).then(|| Key::new(format!("{pk}#{part:04}"), &sk));
    own.into_iter().chain(once(Key::new(pk, &sk)))
}

fn written_key(gameweek: GameweekId, amount: EntryAmount) -> Key {
    Key::new(partition(gameweek, amount), "WRITTEN")
}

fn turn_key(gameweek: GameweekId, amount: EntryAmount) -> Key {
    Key::new(partition(gameweek, amount), "TURN")
}

/// Where an entry in no league is noted.
pub(crate) fn unplaced_key(gameweek: GameweekId, amount: EntryAmount, entry_id: &str) -> Key {
    Key::new(partition(gameweek, amount), format!("UNPLACED#{entry_id}"))
}

impl Store {
    /// For the transaction that changes an entry: its draw's list is not being made.
    pub(crate) fn list_is_open(&self, gameweek: GameweekId, amount: EntryAmount) -> Check {
        Check::that(closed_key(gameweek, amount), absent("pk"))
    }

    /// Before the entries of a list are read: no entry is changed after that.
    pub async fn close_entry_list(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        self.put_once(closed_key(gameweek, amount).item(&Closed { at })).await.map(drop)
    }

    /// Keeps a part of an attempt's list: the next [`PART`] of its entries, in order.
    pub async fn keep_list_part(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        (attempt, part): (&str, usize),
        entries: Vec<Entry>,
    ) -> Result<(), StoreError> {
        let key = part_keys(&partition(gameweek, amount), attempt, part).next();
        let key = key.ok_or_else(|| StoreError::Refused("a part of a draw's list has no place".into()))?;
        self.put(key.item(&EntryListPart { entries })).await
    }

    /// Keeps a list whose parts are all kept as the draw's, unless one is kept already. Answers the one that counts.
    pub async fn fix_entry_list(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        list: &EntryList,
    ) -> Result<EntryList, StoreError> {
        self.put_once(Key::new(partition(gameweek, amount), "LIST").item(list)).await?;
        let kept = self.entry_list(gameweek, amount).await?;
        kept.ok_or_else(|| StoreError::Refused("a draw's list is not there after it was kept".into()))
    }

    pub async fn entry_list(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
    ) -> Result<Option<EntryList>, StoreError> {
        self.get("draw list", Key::new(partition(gameweek, amount), "LIST")).await
    }

    /// The entries of the list that counts, in order.
    ///
    /// # Errors
    /// The table is not answering, or a part is missing.
    pub async fn listed_entries(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        list: &EntryList,
    ) -> Result<Vec<Entry>, StoreError> {
        let parts =
            concurrency::try_map(0..list.parts, |part| self.listed_part(gameweek, amount, list, part));
        Ok(parts.await?.into_iter().flatten().collect())
    }

    /// A part of the list that counts, from 0.
    ///
    /// # Errors
    /// The table is not answering, or the part is missing.
    pub async fn listed_part(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        list: &EntryList,
        part: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        let keys = part_keys(&partition(gameweek, amount), &list.attempt, part);
        let found: Option<EntryListPart> = self.first_of("draw part", keys).await?;
        let found = found.ok_or_else(|| StoreError::Refused("a part of a draw's list is missing".into()))?;
        Ok(found.entries)
    }

    /// Keeps the seed, unless one is kept already. Answers the one that counts.
    pub async fn fix_draw_seed(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        seed: &DrawSeed,
    ) -> Result<DrawSeed, StoreError> {
        self.put_once(Key::new(partition(gameweek, amount), "SEED").item(seed)).await?;
        let kept = self.draw_seed(gameweek, amount).await?;
        kept.ok_or_else(|| StoreError::Refused("a draw's seed is not there after it was kept".into()))
    }

    pub async fn draw_seed(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
    ) -> Result<Option<DrawSeed>, StoreError> {
        self.get("draw seed", Key::new(partition(gameweek, amount), "SEED")).await
    }

    /// How many of a draw's leagues are there, from the first on, as far as that was noted.
    pub async fn leagues_written(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
    ) -> Result<usize, StoreError> {
        let written: Option<LeaguesWritten> =
            self.get("leagues written", written_key(gameweek, amount)).await?;
        Ok(written.map_or(0, |written| written.leagues))
    }

    /// Notes that the first so many leagues are there. Who writes it late says less, and no harm is done.
    pub async fn note_leagues_written(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        leagues: usize,
    ) -> Result<(), StoreError> {
        self.put(written_key(gameweek, amount).item(&LeaguesWritten { leagues })).await
    }

    /// Takes the turn to write a draw's leagues for `who` until `until`, or keeps it. `false`: it is somebody else's.
    pub async fn take_turn_to_draw(
        &self,
        (gameweek, amount): (GameweekId, EntryAmount),
        who: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        self.hold(turn_key(gameweek, amount), who, now, until).await
    }

    /// Gives that turn back.
    pub async fn end_turn_to_draw(
        &self,
        (gameweek, amount): (GameweekId, EntryAmount),
        who: &str,
    ) -> Result<(), StoreError> {
        self.let_go(turn_key(gameweek, amount), who).await
    }

    /// Writes a league of the draw and its members' places, at once and the same at every try. `in_blocks`:
    /// [`Store::lie_in_blocks`].
    pub async fn create_league(&self, league: &League, in_blocks: bool) -> Result<(), StoreError> {
        // The last place is that of before there were blocks.
        let place = if in_blocks { 0 } else { leagues::keys(league.id()).count() - 1 };
        let mut transaction = Transaction::new();
        if let Some((key, status)) =
            leagues::keys(league.id()).nth(place).zip(status::new_item(league.id(), place))
        {
            transaction.put(Put::new(key.item(league)), ());
            transaction.put(Put::new(status), ());
        }
        for member in &league.members {
            let place =
                EntryLeague { gameweek: league.gameweek, amount: league.amount, number: league.number };
            transaction.put(Put::over(place_key(&member.user_id, league.gameweek).item(&place)), ());
        }
        // Refused: an attempt before this one wrote it, and the draw makes the same league every time.
        self.commit(transaction).await.map(drop)
    }

    /// Why these entries, each with its gameweek, amount and id, are in no league: by the entry's id, for
    /// those that are in none.
    pub async fn why_unplaced(
        &self,
        entries: &[(GameweekId, EntryAmount, &str)],
    ) -> Result<BTreeMap<String, String>, StoreError> {
        let key = |(gameweek, amount, id): &(_, _, &str)| unplaced_key(*gameweek, *amount, id);
        let noted: Vec<Unplaced> = self.get_many("unplaced entry", entries.iter().map(key).collect()).await?;
        Ok(noted.into_iter().map(|Unplaced { id, why }| (id, why)).collect())
    }

    /// Notes that an entry was found that no league has, so that it is seen even once it is refunded.
    pub async fn note_unplaced(&self, entry: &Entry, why: &str) -> Result<(), StoreError> {
        let mut item = unplaced_key(entry.gameweek, entry.amount, &entry.id).item(entry);
        item.insert("why".to_owned(), s(why));
        self.put(item).await
    }

    /// Where an entry is in what the draw keeps: in each attempt's parts, with its place there; and by itself, where it is
    /// in no league. An attempt that does not count may have had a few entries more or less before it: the parts beside
    /// are looked at too.
    pub(crate) async fn listed_at(
        &self,
        entry: &EntryOf<'_>,
    ) -> Result<Vec<(Key, Option<usize>)>, StoreError> {
        let first = partition(entry.gameweek, entry.amount);
        let part = self.part_of(entry).await?;
        // Where all parts are in one partition, it is the first one's.
        let parts = BTreeSet::from([0, part.saturating_sub(1), part, part + 1]);
        let found = concurrency::try_map(parts, |part| {
            let pk = if part == 0 { first.clone() } else { format!("{first}#{part:04}") };
            async move {
                let kept: Vec<KeptPart> = self.all("draw part", &pk, "PART#").await?;
                let places = kept.into_iter().filter_map(|KeptPart { sk, entries }| {
                    let at = entries.iter().position(|listed| listed.id == entry.id)?;
                    Some((Key::new(&pk, sk), Some(at)))
                });
                Ok::<Vec<_>, StoreError>(places.collect())
            }
        });
        let mut found: Vec<(Key, Option<usize>)> = found.await?.into_iter().flatten().collect();
        let unplaced = unplaced_key(entry.gameweek, entry.amount, entry.id);
        if self.get::<Unplaced>("unplaced entry", unplaced.clone()).await?.is_some() {
            found.push((unplaced, None));
        }
        Ok(found)
    }

    /// In which part of the list that counts an entry is, or would be: they are in order of their ids.
    async fn part_of(&self, entry: &EntryOf<'_>) -> Result<usize, StoreError> {
        let Some(list) = self.entry_list(entry.gameweek, entry.amount).await? else { return Ok(0) };
        let (mut part, mut end) = (0, list.parts);
        while end - part > 1 {
            let middle = part.midpoint(end);
            let listed = self.listed_part(entry.gameweek, entry.amount, &list, middle).await?;
            if listed.first().is_some_and(|first| first.id.as_str() <= entry.id) {
                part = middle;
            } else {
                end = middle;
            }
        }
        Ok(part)
    }
}
