//! What counts against a limit: `LIMIT#<limit>#<hash>/LIMIT` (TTL), and the addresses that an account
//! has logged in from: `KNOWN#<hash>/KNOWN` (TTL). Emails, phones and addresses are hashed.
//!
//! A history is written on condition of the version that was read, so of many tries at once no more
//! are counted in than the limit admits.

use std::time::Duration;

use domain::platform::limits::{History, Limit, Limited};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Store, StoreError,
    platform::{concurrency::pause, table::Key, writes::Put},
};

/// Tries at once on one history: each round lets one of them in, and the others see it.
const TRIES: u32 = 64;
/// How long an address is known to be an account's.
const KNOWN_FOR: SignedDuration = SignedDuration::from_hours(180 * 24);

/// Whose history: a limit, and whom it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    limit: Limit,
    hash: String,
}

impl Counter {
    /// `parts` name whom it is for: an account, an address, or both. Only their hash is kept.
    #[must_use]
    pub fn new(limit: Limit, parts: &[&str]) -> Self {
        Self { limit, hash: hash(parts) }
    }

    fn key(&self) -> Key {
        Key::new(format!("LIMIT#{}#{}", self.limit.into_str(), self.hash), "LIMIT")
    }
}

#[derive(Default, Serialize, Deserialize)]
struct Stored {
    version: u64,
    history: History,
    /// Seconds since 1970. The history itself forgets in time: TTL is late.
    ttl: i64,
}

impl Stored {
    fn after(seen: Option<u64>, history: History, limit: Limit) -> Self {
        let ttl = history.ends(limit).map_or(0, |ends| ends.as_second() + 1);
        Self { version: seen.unwrap_or(0) + 1, history, ttl }
    }
}

/// A counter as it was read.
#[derive(Debug, Clone)]
pub struct CounterRead {
    counter: Counter,
    /// The version that was read; `None`: there was nothing.
    seen: Option<u64>,
    history: History,
}

impl CounterRead {
    /// Whether one more is admitted now; counts nothing.
    pub fn check(&self, now: Timestamp) -> Result<(), Limited> {
        self.history.check(self.counter.limit, now)
    }

    #[must_use]
    pub fn counter(&self) -> &Counter {
        &self.counter
    }

    /// Over what was read: with one more at `now`.
    fn counted(&self, now: Timestamp) -> Put {
        self.over(self.history.with(self.counter.limit, now))
    }

    fn over(&self, history: History) -> Put {
        let next = Stored::after(self.seen, history, self.counter.limit);
        Put::over_version(self.counter.key().item(&next), self.seen)
    }
}

/// Whether one more is admitted, for the transaction of what is counted.
pub(crate) enum Counting {
    /// It counts by this write.
    Counted(Put),
    Limited(Limited),
}

#[derive(Serialize, Deserialize)]
struct Known {
    ttl: i64,
}

fn hash(parts: &[&str]) -> String {
    let mut sha = Sha256::new();
    for part in parts {
        sha.update(part.len().to_be_bytes());
        sha.update(part.as_bytes());
    }
    hex::encode(sha.finalize())
}

fn known_key(account: &str, address: &str) -> Key {
    Key::new(format!("KNOWN#{}", hash(&[account, address])), "KNOWN")
}

impl Store {
    /// Why one more is not admitted now, if it is not; counts nothing.
    pub async fn check_limit(
        &self,
        counter: &Counter,
        now: Timestamp,
    ) -> Result<Option<Limited>, StoreError> {
        Ok(self.read_limit(counter).await?.check(now).err())
    }

    /// A counter as it is, for [`Store::take_limit_as_read`].
    pub async fn read_limit(&self, counter: &Counter) -> Result<CounterRead, StoreError> {
        let stored: Option<Stored> = self.get("limit", counter.key()).await?;
        let seen = stored.as_ref().map(|stored| stored.version);
        Ok(CounterRead { counter: counter.clone(), seen, history: stored.unwrap_or_default().history })
    }

    /// Counts one at `now` where it is admitted; else it is not counted, and the answer says why.
    pub async fn take_limit(&self, counter: &Counter, now: Timestamp) -> Result<Option<Limited>, StoreError> {
        let read = self.read_limit(counter).await?;
        self.take_limit_as_read(read, now).await
    }

    /// The same by what was read of the counter before; it is read again where it has changed since.
    pub async fn take_limit_as_read(
        &self,
        read: CounterRead,
        now: Timestamp,
    ) -> Result<Option<Limited>, StoreError> {
        let limit = read.counter.limit;
        let mut refused = None;
        self.change_as_read(read, |history| {
            refused = history.check(limit, now).err();
            refused.is_none().then(|| history.with(limit, now))
        })
        .await?;
        Ok(refused)
    }

    /// What counts one at `now`, for the transaction of what is counted; refused there where the
    /// history has changed meanwhile.
    pub(crate) async fn counting(&self, counter: &Counter, now: Timestamp) -> Result<Counting, StoreError> {
        let read = self.read_limit(counter).await?;
        Ok(match read.check(now) {
            Ok(()) => Counting::Counted(read.counted(now)),
            Err(limited) => Counting::Limited(limited),
        })
    }

    /// Counts one at `now`, admitted or not.
    pub async fn note_limit(&self, counter: &Counter, now: Timestamp) -> Result<(), StoreError> {
        self.change(counter, |history| Some(history.with(counter.limit, now))).await
    }

    /// Takes back what was counted at `at`: it did not happen.
    pub async fn give_limit_back(&self, counter: &Counter, at: Timestamp) -> Result<(), StoreError> {
        self.change(counter, |history| Some(history.without(at)).filter(|kept| kept != history)).await
    }

    /// Forgets everything that counted.
    pub async fn clear_limit(&self, counter: &Counter) -> Result<(), StoreError> {
        self.change(counter, |history| (*history != History::default()).then(History::default)).await
    }

    /// Notes that an account has logged in from an address.
    pub async fn note_known_address(
        &self,
        account: &str,
        address: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let known = Known { ttl: (at + KNOWN_FOR).as_second() };
        self.put(known_key(account, address).item(&known)).await
    }

    /// Whether an account has logged in from an address lately.
    pub async fn is_known_address(
        &self,
        account: &str,
        address: &str,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let known: Option<Known> = self.get("known address", known_key(account, address)).await?;
        Ok(known.is_some_and(|known| now.as_second() < known.ttl))
    }

    /// Writes what `change` makes of the history; `None` leaves it.
    async fn change(
        &self,
        counter: &Counter,
        change: impl FnMut(&History) -> Option<History>,
    ) -> Result<(), StoreError> {
        let read = self.read_limit(counter).await?;
        self.change_as_read(read, change).await
    }

    async fn change_as_read(
        &self,
        mut read: CounterRead,
        mut change: impl FnMut(&History) -> Option<History>,
    ) -> Result<(), StoreError> {
        for attempt in 0..TRIES {
            let Some(history) = change(&read.history) else { return Ok(()) };
            if self.put_where(read.over(history)).await? {
                return Ok(());
            }
            tokio::time::sleep(pause(attempt).min(Duration::from_millis(50))).await;
            read = self.read_limit(&read.counter).await?;
        }
        Err(StoreError::Contended("a limit"))
    }
}
