//! What came about on a day, for exports and for the questions about receipts: a sparse index that holds
//! nothing but the keys of postings, withdrawals, prompts and receipts, by day (UTC) and time. An item's day never
//! changes, so the index is written once, when the item is made; what it is now is read from the table. Sharded as the
//! worklists are. In the table the index is `days`.

use jiff::{Timestamp, civil::Date, tz::TimeZone};
use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    Page, Store, StoreError,
    ledger::{reversals::DatedReceipt, wallets::StoredPosting},
    payments::prompts::Payment,
    platform::table::{Item, Key, s},
    withdrawals::requests::Withdrawal,
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

/// A posting and in whose partition it is: a player's, or a league's where it is the operator's alone.
#[derive(Debug, Clone, Deserialize)]
pub struct DatedPosting {
    pk: String,
    #[serde(flatten)]
    pub posting: StoredPosting,
}

impl DatedPosting {
    /// The player's id; `None` for the operator's own.
    #[must_use]
    pub fn user_id(&self) -> Option<&str> {
        self.pk.strip_prefix("USER#")
    }
}

/// The day of an instant, UTC.
#[must_use]
pub fn day(at: Timestamp) -> Date {
    at.to_zoned(TimeZone::UTC).date()
}

/// `item` with its place in `journal`.
pub(crate) fn with_journal_position(mut item: Item, journal: Journal, at: Timestamp) -> Item {
    let part = |name: &str| item.get(name).and_then(|value| value.as_s().ok()).cloned().unwrap_or_default();
    let position = format!("{:014}#{}#{}", at.as_millisecond(), part("pk"), part("sk"));
    let shard = position.bytes().fold(0_u8, u8::wrapping_add) % SHARDS;
    item.insert("dayPk".to_owned(), s(journal.partition(day(at), shard)));
    item.insert("daySk".to_owned(), s(position));
    item
}

impl Store {
    /// A page of a day's postings, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn postings_of_day(
        &self,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<DatedPosting>, StoreError> {
        self.of_day("posting", Journal::Postings, day, after, limit).await
    }

    /// A page of the withdrawals that were asked for on a day, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn withdrawals_of_day(
        &self,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Withdrawal>, StoreError> {
        self.of_day("withdrawal", Journal::Withdrawals, day, after, limit).await
    }

    /// A page of the prompts that were sent on a day, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn payments_of_day(
        &self,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Payment>, StoreError> {
        self.of_day("payment", Journal::Payments, day, after, limit).await
    }

    /// A page of the receipts that were credited on a day, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn receipts_of_day(
        &self,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<DatedReceipt>, StoreError> {
        self.of_day("receipt", Journal::Receipts, day, after, limit).await
    }

    async fn of_day<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        journal: Journal,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<T>, StoreError> {
        let mut found: Vec<(String, Key)> = Vec::new();
        for shard in 0..SHARDS {
            let query = self
                .client
                .query()
                .table_name(&self.name)
                .index_name(INDEX)
                .key_condition_expression("dayPk = :day AND daySk > :after")
                .expression_attribute_values(":day", s(journal.partition(day, shard)))
                .expression_attribute_values(":after", s(after.unwrap_or(" ")))
                .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX));
            found.extend(query.send().await?.items.unwrap_or_default().into_iter().filter_map(indexed));
        }
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
    let part = |name: &str| item.get(name).and_then(|value| value.as_s().ok()).cloned();
    Some((part("daySk")?, Key::new(part("pk")?, part("sk")?)))
}
