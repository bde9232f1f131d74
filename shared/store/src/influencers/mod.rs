//! Influencers: `INFLUENCER#code/INFLUENCER`, listed and unique by name in `INFLUENCERS` / name. What is
//! counted lies in `INFLUENCER#code#shard`: `VISITS` is a counter, `PLAYER#id` a mark for each player who
//! came by the code.
//!
//! A mark is the player's own item: made in the transaction that makes the account, and dated in the one
//! that makes an entry. So a count is what happened, whatever died when, and nothing that players share
//! is in either transaction. Visits are only an indication: a lost reply may count one twice.

mod invitations;

use domain::{
    UserId,
    influencers::{InfluencerName, ReferralCode},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Page, Store, StoreError,
    admin::audit::AuditRecord,
    platform::{
        concurrency,
        table::{Key, Range, shard_of},
        transaction::{Outcome, Transaction},
        writes::{Put, Update},
    },
};

const SHARDS: u8 = 4;

/// A code of fifty random bits is hardly ever taken; it is made anew this often.
const TRIES: u32 = 4;

const LIST: &str = "INFLUENCERS";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Influencer {
    pub name: InfluencerName,
    pub code: ReferralCode,
    pub created_at: Timestamp,
}

/// What came of a link, an influencer's or a player's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reach {
    pub visits: u64,
    pub sign_ups: u64,
    /// Players who have joined at least once.
    pub paying_players: u64,
}

/// An item of a shard: the counter, or a player's mark.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShardItem {
    #[serde(default)]
    visits: Option<u64>,
    #[serde(default)]
    signed_up_at: Option<Timestamp>,
    #[serde(default)]
    first_entry_at: Option<Timestamp>,
}

/// What is unique about an influencer.
#[derive(Clone, Copy, PartialEq)]
enum Unique {
    Name,
    Code,
}

fn partition(code: &ReferralCode) -> String {
    format!("INFLUENCER#{code}")
}

fn key(code: &ReferralCode) -> Key {
    Key::new(partition(code), "INFLUENCER")
}

fn listed_key(name: &InfluencerName) -> Key {
    Key::new(LIST, name.key())
}

fn shard(code: &ReferralCode, shard: u8) -> String {
    format!("INFLUENCER#{code}#{shard}")
}

fn mark_key(code: &ReferralCode, player: &UserId) -> Key {
    let of_player = shard_of(player.as_str(), SHARDS);
    Key::new(shard(code, of_player), format!("PLAYER#{player}"))
}

/// Letters of a new code.
fn random_code() -> ReferralCode {
    // All of these bytes of a UUID are random.
    let random = *Uuid::new_v4().as_bytes();
    let [a, b, c, d, e, f, _, _, _, _, g, h, i, j, _, _] = random;
    ReferralCode::from_random([a, b, c, d, e, f, g, h, i, j])
}

impl Store {
    /// Makes an influencer with a code of their own. `None`: the name is taken.
    pub async fn create_influencer(
        &self,
        name: InfluencerName,
        act: &AuditRecord,
    ) -> Result<Option<Influencer>, StoreError> {
        for _ in 0..TRIES {
            let influencer = Influencer { name: name.clone(), code: random_code(), created_at: act.at };
            let mut transaction = Transaction::new();
            transaction
                .put(Put::new(listed_key(&name).item(&influencer)), Unique::Name)
                .put(Put::new(key(&influencer.code).item(&influencer)), Unique::Code)
                .put(self.recorded(&act.clone().to(format!("code {}", influencer.code))), Unique::Code);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(Some(influencer)),
                Outcome::Refused(why) if why.contains(&Unique::Name) => return Ok(None),
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a referral code"))
    }

    pub async fn influencer(&self, code: &ReferralCode) -> Result<Option<Influencer>, StoreError> {
        self.get("influencer", key(code)).await
    }

    /// A page of influencers in order of their names, after the one named `after`. The cursor says only
    /// that there are more.
    pub async fn influencers(
        &self,
        after: Option<&InfluencerName>,
        limit: i32,
    ) -> Result<Page<Influencer>, StoreError> {
        let after = after.map(InfluencerName::key);
        let range = Range { pk: LIST, prefix: "", after: after.as_deref(), newest_first: false, limit };
        self.range("influencer", range).await
    }

    /// Counts a visit of a code that exists.
    pub async fn count_visit(&self, code: &ReferralCode) -> Result<(), StoreError> {
        let [random, ..] = *Uuid::new_v4().as_bytes();
        let counter = Key::new(shard(code, random % SHARDS), "VISITS");
        self.update(Update::of(counter).add("visits", 1)).await.map(drop)
    }

    /// What came of a link: reads every mark, some 8,000 of a shard at a time.
    pub async fn reach(&self, code: &ReferralCode) -> Result<Reach, StoreError> {
        let shards = concurrency::try_map(0..SHARDS, |number| self.reach_of(shard(code, number))).await?;
        Ok(shards.into_iter().fold(Reach::default(), |sum, of| Reach {
            visits: sum.visits + of.visits,
            sign_ups: sum.sign_ups + of.sign_ups,
            paying_players: sum.paying_players + of.paying_players,
        }))
    }

    async fn reach_of(&self, pk: String) -> Result<Reach, StoreError> {
        let mut reach = Reach::default();
        let mut after: Option<String> = None;
        loop {
            let range =
                Range { pk: &pk, prefix: "", after: after.as_deref(), newest_first: false, limit: 10_000 };
            let page = self.range::<ShardItem>("referral", range).await?;
            for item in page.items {
                reach.visits += item.visits.unwrap_or(0);
                reach.sign_ups += u64::from(item.signed_up_at.is_some());
                reach.paying_players += u64::from(item.first_entry_at.is_some());
            }
            match page.cursor {
                Some(cursor) => after = Some(cursor),
                None => return Ok(reach),
            }
        }
    }

    /// For the transaction that makes the account: the player came by `code`.
    pub(crate) fn signed_up_by(&self, code: &ReferralCode, player: &UserId, at: Timestamp) -> Put {
        let mark = ShardItem { visits: None, signed_up_at: Some(at), first_entry_at: None };
        Put::new(mark_key(code, player).item(&mark))
    }

    /// For the transaction that makes an entry: the player who came by `code` pays. The first entry's
    /// time stays.
    pub(crate) fn paid_by(&self, code: &ReferralCode, player: &UserId, at: Timestamp) -> Update {
        Update::of(mark_key(code, player)).set_if_absent("firstEntryAt", at)
    }
}
