//! The sum tree of a reading (docs/trust.md), in parts that are each small: `TREE#id#LEAVES` has the wallets as they
//! were read, page by page, `TREE#id` / `STATE` how far the tree is built, with the tops of its runs, and
//! `TREE#id#00042` / `RUN` the wallets of one run in the tree's order. TTL takes all of them.

use domain::{
    Kes, UserId,
    ledger::sum_tree::{Hash, Node},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, is},
        table::Key,
        writes::Put,
    },
};

/// Longer than there is a reading that shows them, should the next one fail.
const KEPT_SECONDS: i64 = 4 * 24 * 60 * 60;
/// An item is far below what DynamoDB takes: 16 bytes of id and 8 of money each.
pub const LEAVES_AT_ONCE: usize = 4_096;

/// A player and what their wallet held.
pub type Holding = (UserId, Kes);

/// How far a tree is built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumTree {
    pub id: String,
    /// Of the leaves' nonces, which decide the leaves' order too.
    pub secret: Hash,
    pub leaves: u64,
    /// Of each run that is written: its top, and how the nonce of its first leaf begins.
    pub runs: Vec<(Node, u64)>,
    pub done: bool,
    pub at: Timestamp,
}

#[derive(Serialize, Deserialize)]
struct StoredTree {
    secret: String,
    leaves: u64,
    /// How many runs: what the next step stands on.
    written: usize,
    #[serde(with = "serde_bytes")]
    runs: Vec<u8>,
    done: bool,
    at: Timestamp,
    ttl: i64,
}

#[derive(Serialize, Deserialize)]
struct StoredLeaves {
    /// Of a page.
    name: String,
    #[serde(with = "serde_bytes")]
    leaves: Vec<u8>,
    ttl: i64,
}

fn state_key(id: &str) -> Key {
    Key::new(format!("TREE#{id}"), "STATE")
}

fn run_key(id: &str, run: usize) -> Key {
    Key::new(format!("TREE#{id}#{run:05}"), "RUN")
}

fn pages(id: &str) -> String {
    format!("TREE#{id}#LEAVES")
}

impl Store {
    /// Keeps wallets of a reading under `name`, which nothing else is called.
    pub async fn put_leaves(
        &self,
        (id, name): (&str, &str),
        leaves: &[Holding],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.put(Key::new(pages(id), name).item(&stored(name, leaves, now)?)).await
    }

    /// Every page of wallets that was kept, with its name.
    pub async fn leaves(&self, id: &str) -> Result<Vec<(String, Vec<Holding>)>, StoreError> {
        let pages: Vec<StoredLeaves> = self.all("leaves", &pages(id), "").await?;
        pages.into_iter().map(|page| Ok((page.name, unpacked(&page.leaves)?))).collect()
    }

    /// Keeps the wallets of a run: the same at every try.
    pub async fn put_tree_run(
        &self,
        (id, run): (&str, usize),
        leaves: &[Holding],
        now: Timestamp,
    ) -> Result<(), StoreError> {
        self.put(run_key(id, run).item(&stored("", leaves, now)?)).await
    }

    pub async fn tree_run(&self, id: &str, run: usize) -> Result<Option<Vec<Holding>>, StoreError> {
        let stored: Option<StoredLeaves> = self.get("run of a tree", run_key(id, run)).await?;
        stored.map(|stored| unpacked(&stored.leaves)).transpose()
    }

    pub async fn sum_tree(&self, id: &str) -> Result<Option<SumTree>, StoreError> {
        let Some(stored) = self.get::<StoredTree>("sum tree", state_key(id)).await? else { return Ok(None) };
        let mut secret = Hash::default();
        hex::decode_to_slice(&stored.secret, &mut secret).map_err(|_| broken("a tree's secret"))?;
        Ok(Some(SumTree {
            id: id.to_owned(),
            secret,
            leaves: stored.leaves,
            runs: stored.runs.chunks_exact(48).map(run_of).collect(),
            done: stored.done,
            at: stored.at,
        }))
    }

    /// Writes how far a tree is built, after `seen` runs (`None`: it is begun). `false`: somebody else has.
    pub async fn put_sum_tree(&self, tree: &SumTree, seen: Option<usize>) -> Result<bool, StoreError> {
        let mut runs = Vec::with_capacity(tree.runs.len() * 48);
        for (top, first) in &tree.runs {
            runs.extend(top.hash);
            runs.extend(top.sum.get().to_be_bytes());
            runs.extend(first.to_be_bytes());
        }
        let stored = StoredTree {
            secret: hex::encode(tree.secret),
            leaves: tree.leaves,
            written: tree.runs.len(),
            runs,
            done: tree.done,
            at: tree.at,
            ttl: tree.at.as_second() + KEPT_SECONDS,
        };
        let as_seen = match seen {
            None => absent("pk"),
            Some(seen) => is("written", seen).and(is("done", false)),
        };
        self.put_where(Put::over(state_key(&tree.id).item(&stored)).only_if(as_seen)).await
    }
}

fn broken(what: &str) -> StoreError {
    StoreError::Refused(format!("{what} is not as it was written"))
}

fn stored(name: &str, leaves: &[Holding], now: Timestamp) -> Result<StoredLeaves, StoreError> {
    let mut bytes = Vec::with_capacity(leaves.len() * 24);
    for (player, held) in leaves {
        bytes.extend(hex::decode(player.as_str()).map_err(|_| broken("a player's id"))?);
        bytes.extend(held.get().to_be_bytes());
    }
    Ok(StoredLeaves { name: name.to_owned(), leaves: bytes, ttl: now.as_second() + KEPT_SECONDS })
}

fn unpacked(bytes: &[u8]) -> Result<Vec<Holding>, StoreError> {
    let leaf = |bytes: &[u8]| {
        let (player, held) = bytes.split_at(16);
        let player = UserId::parse(&hex::encode(player)).map_err(|_| broken("a leaf"))?;
        Ok((player, Kes::new(number(held))))
    };
    bytes.chunks_exact(24).map(leaf).collect()
}

fn run_of(bytes: &[u8]) -> (Node, u64) {
    let mut hash = Hash::default();
    hash.copy_from_slice(&bytes[..32]);
    (Node { hash, sum: Kes::new(number(&bytes[32..40])) }, number(&bytes[40..]).cast_unsigned())
}

fn number(bytes: &[u8]) -> i64 {
    bytes.iter().fold(0, |number, byte| number << 8 | i64::from(*byte))
}
