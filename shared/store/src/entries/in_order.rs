//! The entries of a gameweek and amount in order of joining, read from all shards side by side: however many there are,
//! a few thousand are held at once.

use std::collections::VecDeque;

use domain::{EntryAmount, GameweekId};

use crate::{
    Store, StoreError,
    entries::{Entry, SHARDS, partition},
    platform::{concurrency::try_map, table::Range},
};

/// Entries of one read.
const READ: i32 = 500;
/// A shard that has no more than so many left is read on when another one has none: both in one go.
const FEW: usize = 50;

/// Goes over entries in order of joining.
#[derive(Debug)]
pub struct InOrder<'a> {
    store: &'a Store,
    shards: Vec<Shard>,
}

#[derive(Debug)]
struct Shard {
    pk: String,
    read: VecDeque<Entry>,
    after: Option<String>,
    ended: bool,
}

impl Shard {
    fn next_id(&self) -> Option<&str> {
        self.read.front().map(|entry| entry.id.as_str())
    }
}

impl Store {
    /// All of them, or those after the one with id `after`.
    pub fn entries_in_order(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        after: Option<&str>,
    ) -> InOrder<'_> {
        let shard = |shard| Shard {
            pk: partition(gameweek, amount, shard),
            read: VecDeque::new(),
            after: after.map(str::to_owned),
            ended: false,
        };
        InOrder { store: self, shards: (0..SHARDS).map(shard).collect() }
    }
}

impl InOrder<'_> {
    /// The next one; `None` when all were there.
    pub async fn next(&mut self) -> Result<Option<Entry>, StoreError> {
        while self.shards.iter().any(|shard| shard.read.is_empty() && !shard.ended) {
            self.read_on().await?;
        }
        let left = self.shards.iter_mut().filter(|shard| !shard.read.is_empty());
        Ok(left.min_by(|a, b| a.next_id().cmp(&b.next_id())).and_then(|shard| shard.read.pop_front()))
    }

    /// The next `n`, or as many as are left.
    pub async fn part(&mut self, n: usize) -> Result<Vec<Entry>, StoreError> {
        let mut part = Vec::with_capacity(n);
        while part.len() < n {
            let Some(entry) = self.next().await? else { break };
            part.push(entry);
        }
        Ok(part)
    }

    async fn read_on(&mut self) -> Result<(), StoreError> {
        let store = self.store;
        let wanted = self.shards.iter_mut().filter(|shard| shard.read.len() <= FEW && !shard.ended);
        try_map(wanted, |shard| async move {
            let after = shard.after.take();
            let range = Range {
                pk: &shard.pk,
                prefix: "",
                after: after.as_deref(),
                newest_first: false,
                limit: READ,
            };
            let page = store.range::<Entry>("entry", range).await?;
            shard.read.extend(page.items);
            shard.ended = page.cursor.is_none();
            shard.after = page.cursor;
            Ok::<_, StoreError>(())
        })
        .await
        .map(drop)
    }
}
