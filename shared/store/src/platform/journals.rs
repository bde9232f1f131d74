//! What came about on a day, for exports and for the questions about receipts: a sparse index that holds
//! nothing but the keys of postings, withdrawals, prompts and receipts, by day (UTC) and time. An item's day never
//! changes, so the index is written once, when the item is made; what it is now is read from the table. Sharded as the
//! worklists are. In the table the index is `days`.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::de::DeserializeOwned;

use crate::{
    Page, Store, StoreError,
    platform::{
        concurrency::try_map,
        table::{Item, Key, s, shard_of, text},
    },
};

const INDEX: &str = "days";
const SHARDS: u8 = 4;

/// What is found by day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Journal {
    Postings,
    Withdrawals,
    Payments,
    /// When each was credited.
    Receipts,
}

impl Journal {
    fn partition(self, day: Date, shard: u8) -> String {
        let name = match self {
            Self::Postings => "POSTINGS",
            Self::Withdrawals => "WITHDRAWALS",
            Self::Payments => "PAYMENTS",
            Self::Receipts => "RECEIPTS",
        };
        format!("{name}#{day}#{shard}")
    }
}

/// The day of an instant, UTC.
#[must_use]
pub fn day(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// `item` with its place in `journal`.
pub(crate) fn with_journal_position(mut item: Item, journal: Journal, at: Timestamp) -> Item {
    let part = |name: &str| text(&item, name).unwrap_or_default();
    let position = format!("{:014}#{}#{}", at.as_millisecond(), part("pk"), part("sk"));
    let shard = shard_of(&position, SHARDS);
    item.insert("dayPk".to_owned(), s(journal.partition(day(at), shard)));
    item.insert("daySk".to_owned(), s(position));
    item
}

impl Store {
    /// A page of what came about on a day, oldest first.
    pub(crate) async fn of_day<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        journal: Journal,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<T>, StoreError> {
        let shards = try_map(0..SHARDS, |shard| {
            let query = self
                .client
                .query()
                .table_name(&self.name)
                .index_name(INDEX)
                .key_condition_expression("dayPk = :day AND daySk > :after")
                .expression_attribute_values(":day", s(journal.partition(day, shard)))
                .expression_attribute_values(":after", s(after.unwrap_or(" ")))
                .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX));
            async move { Ok::<_, StoreError>(query.send().await?.items.unwrap_or_default()) }
        });
        let items = shards.await?.into_iter().flatten();
        let mut found: Vec<(String, Key)> = items.filter_map(indexed).collect();
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        let more = found.len() > limit;
        found.truncate(limit);
        let cursor = more.then(|| found.last().map(|(position, _)| position.clone())).flatten();
        let items = self.get_in_order(entity, found.into_iter().map(|(_, key)| key).collect()).await?;
        Ok(Page { items, cursor })
    }
}

/// What the index says of an item: its position and its key.
fn indexed(item: Item) -> Option<(String, Key)> {
    Some((text(&item, "daySk")?, Key::new(text(&item, "pk")?, text(&item, "sk")?)))
}
