//! The entries of a gameweek and amount in order of joining, over all shards, without reading all.
//!
//! `CHECKPOINTS#gameweek#amount#shard` / `COUNT` holds the id of every hundredth entry of a shard, and how
//! many there are up to the last one. It covers only entries older than any attempt to join lives, so
//! what it says never changes; what came since is counted. How many there are, and which place an
//! entry has, cost about the same however many have joined. In the last minutes before a deadline many have joined since:
//! for a place in a provisional group the younger ones have marks too, made anew each minute, and a late attempt may make
//! such a place wrong by one until then.

use aws_sdk_dynamodb::types::Select;
use domain::{EntryAmount, GameweekId, UserId, leagues::draw::LEAGUE_SIZE};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    entries::{Entry, SHARDS, key_of, partition},
    platform::{
        concurrency::try_map,
        table::{Item, Key, Range, s},
    },
    time_ordered_id,
};

/// A mark stands at every so many entries of a shard.
const MARK_EVERY: usize = 100;
/// And among those that are younger than what is settled.
const YOUNG_MARK_EVERY: usize = 25;
/// Entries younger than this may still be joined by older ones: an attempt lives for less than a minute, and its clock and
/// that of whoever counts may each be a minute off.
const SETTLED_AFTER: SignedDuration = SignedDuration::from_mins(3);

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Checkpoints {
    /// The ids of the 100th, 200th … entry of the shard.
    marks: Vec<String>,
    /// The last entry that was counted, and how many there are with it.
    last: Option<String>,
    count: usize,
    /// The ids of the 25th, 50th … entry after the last one, as it was a minute ago.
    #[serde(default)]
    young: Vec<String>,
}

/// A group of ten before the draw, with its place among the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvisionalGroup {
    /// From 1.
    pub number: usize,
    pub entries: Vec<Entry>,
}

fn checkpoints_key(gameweek: GameweekId, amount: EntryAmount, shard: u8) -> Key {
    // Each in a partition of its own: whoever looks at the own place reads all of them.
    Key::new(format!("CHECKPOINTS#{gameweek}#{}#{shard}", amount.kes().get()), "COUNT")
}

/// Which part of a shard: ids strictly between the two.
#[derive(Clone, Copy, Default)]
struct Between<'a> {
    after: Option<&'a str>,
    before: Option<&'a str>,
}

impl Store {
    /// Up to `limit` entries in order of joining, after the one with id `after`. Reads little more
    /// than it answers, however many have joined.
    pub async fn entries_page(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Entry>, StoreError> {
        let mut merged: Vec<Entry> = Vec::new();
        let mut after = after.map(str::to_owned);
        let share = i32::try_from(limit / usize::from(SHARDS) + LEAGUE_SIZE).unwrap_or(i32::MAX);
        while merged.len() < limit {
            // Up to the earliest end of a shard's part, the order over all shards is known.
            let mut known_until: Option<String> = None;
            let mut part: Vec<Entry> = Vec::new();
            let after_last = after.as_deref();
            let pages = try_map(0..SHARDS, |shard| async move {
                let pk = partition(gameweek, amount, shard);
                let range =
                    Range { pk: &pk, prefix: "", after: after_last, newest_first: false, limit: share };
                self.range::<Entry>("entry", range).await
            });
            for page in pages.await? {
                if let Some(end) = page.cursor {
                    known_until = Some(match known_until {
                        Some(known) => known.min(end),
                        None => end,
                    });
                }
                part.extend(page.items);
            }
            part.sort_by(|a, b| a.id.cmp(&b.id));
            if let Some(end) = &known_until {
                part.retain(|entry| entry.id <= *end);
            }
            after = part.last().map(|entry| entry.id.clone());
            merged.extend(part);
            if known_until.is_none() {
                break;
            }
        }
        merged.truncate(limit);
        Ok(merged)
    }

    /// How many have joined a gameweek, in the order of `EntryAmount::ALL`, counted now.
    pub async fn count_all_entries(&self, gameweek: GameweekId) -> Result<[usize; 3], StoreError> {
        let mut joined = [0; 3];
        for (amount, count) in EntryAmount::ALL.into_iter().zip(&mut joined) {
            *count = self.count_entries(gameweek, amount).await?;
        }
        Ok(joined)
    }

    /// How many have joined a gameweek at an amount, counted now.
    pub async fn count_entries(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
    ) -> Result<usize, StoreError> {
        let kept = self.checkpoints(gameweek, amount).await?;
        let counts = try_map((0..SHARDS).zip(kept), |(shard, known)| async move {
            let since = Between { after: known.last.as_deref(), before: None };
            Ok::<_, StoreError>(known.count + self.count_between(gameweek, amount, shard, since).await?)
        });
        Ok(counts.await?.into_iter().sum())
    }

    /// The group of ten that a player's entry is in before the draw.
    pub async fn provisional_group(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        player: &UserId,
        entry_id: &str,
    ) -> Result<ProvisionalGroup, StoreError> {
        let near = i32::try_from(LEAGUE_SIZE).expect("a league is small");
        let kept = self.checkpoints(gameweek, amount).await?;
        let shards = try_map((0..SHARDS).zip(kept), |(shard, known)| async move {
            let pk = partition(gameweek, amount, shard);
            let range = |newest_first| {
                let range = Range { pk: &pk, prefix: "", after: Some(entry_id), newest_first, limit: near };
                self.range::<Entry>("entry", range)
            };
            tokio::try_join!(
                self.entries_before(gameweek, amount, shard, &known, entry_id),
                range(true),
                range(false),
            )
        });
        let own = self.get::<Entry>("entry", key_of(gameweek, amount, player, entry_id));
        let (shards, own) = tokio::try_join!(shards, own)?;
        let (mut place, mut around): (usize, Vec<Entry>) = (0, own.into_iter().collect());
        for (before, earlier, later) in shards {
            place += before;
            around.extend(earlier.items.into_iter().chain(later.items));
        }
        around.sort_by(|a, b| a.id.cmp(&b.id));
        let own = around.iter().position(|entry| entry.id == entry_id).unwrap_or(0);
        let first = own.saturating_sub(place % LEAGUE_SIZE);
        let entries = around.into_iter().skip(first).take(LEAGUE_SIZE).collect();
        Ok(ProvisionalGroup { number: place / LEAGUE_SIZE + 1, entries })
    }

    /// Brings the checkpoints of a gameweek and amount up to `now`: reads only what came since. Answers how many
    /// have joined.
    pub async fn advance_checkpoints(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        now: Timestamp,
    ) -> Result<usize, StoreError> {
        let settled = time_ordered_id(now - SETTLED_AFTER);
        let mut joined = 0;
        for (shard, before) in (0..SHARDS).zip(self.checkpoints(gameweek, amount).await?) {
            let mut known = Checkpoints { young: Vec::new(), ..before.clone() };
            let pk = partition(gameweek, amount, shard);
            let (mut after, mut young) = (known.last.clone(), 0_usize);
            loop {
                let range =
                    Range { pk: &pk, prefix: "", after: after.as_deref(), newest_first: false, limit: 500 };
                let page = self.range::<Entry>("entry", range).await?;
                for Entry { id, .. } in page.items {
                    if id < settled {
                        known.count += 1;
                        if known.count.is_multiple_of(MARK_EVERY) {
                            known.marks.push(id.clone());
                        }
                        known.last = Some(id);
                    } else {
                        young += 1;
                        if young.is_multiple_of(YOUNG_MARK_EVERY) {
                            known.young.push(id);
                        }
                    }
                }
                after = page.cursor;
                if after.is_none() {
                    break;
                }
            }
            joined += known.count + young;
            if known != before {
                // Two jobs at once write the same or one of them less: the next run makes it good.
                self.put(checkpoints_key(gameweek, amount, shard).item(&known)).await?;
            }
        }
        Ok(joined)
    }

    /// Those of each shard, in the order of the shards.
    async fn checkpoints(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
    ) -> Result<Vec<Checkpoints>, StoreError> {
        let keys = (0..SHARDS).map(|shard| checkpoints_key(gameweek, amount, shard)).collect();
        let kept = self.get_each("checkpoints", keys).await?;
        Ok(kept.into_iter().map(Option::unwrap_or_default).collect())
    }

    /// How many entries of a shard come before `entry_id`.
    async fn entries_before(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        shard: u8,
        known: &Checkpoints,
        entry_id: &str,
    ) -> Result<usize, StoreError> {
        let marks = known.marks.partition_point(|mark| mark.as_str() < entry_id);
        let (mut counted, mut after) = match marks {
            0 => (0, None),
            marks => (marks * MARK_EVERY, Some(known.marks[marks - 1].as_str())),
        };
        if let Some(last) = known.last.as_deref().filter(|last| *last < entry_id) {
            (counted, after) = (known.count, Some(last));
        }
        let young = known.young.partition_point(|mark| mark.as_str() < entry_id);
        if let Some(mark) = young.checked_sub(1).map(|last| known.young[last].as_str()) {
            (counted, after) = (known.count + young * YOUNG_MARK_EVERY, Some(mark));
        }
        let between = Between { after, before: Some(entry_id) };
        Ok(counted + self.count_between(gameweek, amount, shard, between).await?)
    }

    async fn count_between(
        &self,
        gameweek: GameweekId,
        amount: EntryAmount,
        shard: u8,
        between: Between<'_>,
    ) -> Result<usize, StoreError> {
        let pk = partition(gameweek, amount, shard);
        let mut count = 0;
        let mut start: Option<Item> = between.after.map(|after| Key::new(&pk, after).attributes());
        loop {
            let query = self
                .client
                .query()
                .table_name(&self.name)
                .expression_attribute_values(":pk", s(&pk))
                .select(Select::Count)
                .set_exclusive_start_key(start);
            let query = match between.before {
                None => query.key_condition_expression("pk = :pk"),
                Some(before) => query
                    .key_condition_expression("pk = :pk AND sk < :before")
                    .expression_attribute_values(":before", s(before)),
            };
            let answer = query.send().await?;
            count += usize::try_from(answer.count).unwrap_or(0);
            match answer.last_evaluated_key {
                Some(key) => start = Some(key),
                None => return Ok(count),
            }
        }
    }
}
