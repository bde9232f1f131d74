//! The few calls that every entity's file is made of.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    Client,
    error::{ProvideErrorMetadata, SdkError},
    types::{AttributeValue, KeysAndAttributes, ReturnConsumedCapacity},
};
use serde::{Serialize, de::DeserializeOwned};

use super::concurrency::pause;
use crate::StoreError;

pub(crate) type Item = HashMap<String, AttributeValue>;

/// What DynamoDB takes in one BatchGetItem.
const BATCH_GET: usize = 100;

/// The product's table. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pub(crate) client: Client,
    pub(crate) name: String,
}

/// Where an item is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub pk: String,
    pub sk: String,
}

impl Key {
    pub fn new(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self { pk: pk.into(), sk: sk.into() }
    }

    pub fn attributes(self) -> Item {
        HashMap::from([("pk".to_owned(), s(self.pk)), ("sk".to_owned(), s(self.sk))])
    }

    /// `value` as the item at this key.
    pub fn item<T: Serialize>(self, value: &T) -> Item {
        let mut item: Item = serde_dynamo::to_item(value).expect("our own structs are maps of plain values");
        item.retain(|_, value| !matches!(value, AttributeValue::Null(_)));
        item.extend(self.attributes());
        item
    }
}

pub(crate) fn s(text: impl Into<String>) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn n(number: impl ToString) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

/// The text of an item's attribute.
pub(crate) fn text(item: &Item, attribute: &str) -> Option<String> {
    item.get(attribute).and_then(|value| value.as_s().ok()).cloned()
}

/// Which of `shards` a text falls into.
pub(crate) fn shard_of(text: &str, shards: u8) -> u8 {
    text.bytes().fold(0_u8, u8::wrapping_add) % shards
}

/// One page and where the next begins.
#[derive(Debug, Clone)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub cursor: Option<String>,
}

/// A query over one partition, in order of the sort keys.
pub(crate) struct Range<'a> {
    pub pk: &'a str,
    pub prefix: &'a str,
    /// Only sort keys strictly beyond this one.
    pub after: Option<&'a str>,
    pub newest_first: bool,
    pub limit: i32,
}

pub(crate) fn parse<T: DeserializeOwned>(entity: &'static str, item: Item) -> Result<T, StoreError> {
    serde_dynamo::from_item(item).map_err(|source| StoreError::Corrupt { entity, source })
}

impl Store {
    #[must_use]
    pub fn new(client: Client, name: impl Into<String>) -> Self {
        Self { client, name: name.into() }
    }

    /// The item at `key`, read consistently: what the decision to write stands on.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        key: Key,
    ) -> Result<Option<T>, StoreError> {
        let request = self.client.get_item().table_name(&self.name).consistent_read(true);
        let answer = request
            .set_key(Some(key.attributes()))
            .return_consumed_capacity(ReturnConsumedCapacity::Total)
            .send()
            .await?;
        answer.item.map(|item| parse(entity, item)).transpose()
    }

    /// The first item that there is at `keys`.
    pub(crate) async fn first_of<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        keys: impl Iterator<Item = Key>,
    ) -> Result<Option<T>, StoreError> {
        for key in keys {
            let found = self.get(entity, key).await?;
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The items at `keys` that exist, in no order.
    pub(crate) async fn get_many<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        keys: Vec<Key>,
    ) -> Result<Vec<T>, StoreError> {
        let found = self.get_items(keys).await?;
        found.into_iter().map(|item| parse(entity, item)).collect()
    }

    pub(crate) async fn get_items(&self, keys: Vec<Key>) -> Result<Vec<Item>, StoreError> {
        let mut found = Vec::with_capacity(keys.len());
        for chunk in keys.chunks(BATCH_GET) {
            let wanted = chunk.iter().cloned().map(Key::attributes).collect();
            let keys = KeysAndAttributes::builder().set_keys(Some(wanted)).consistent_read(true).build();
            let mut wanted =
                HashMap::from([(self.name.clone(), keys.expect("the keys of the batch are given"))]);
            let mut tries = 0;
            while !wanted.is_empty() {
                tries += 1;
                if tries > 10 {
                    return Err(StoreError::Unavailable("a batch of reads was never finished".into()));
                }
                if tries > 1 {
                    // A key that many read at once bears the rest a little later.
                    tokio::time::sleep(pause(tries)).await;
                }
                let answer = self.client.batch_get_item().set_request_items(Some(wanted)).send().await?;
                found.extend(answer.responses.into_iter().flat_map(HashMap::into_values).flatten());
                wanted = answer.unprocessed_keys.unwrap_or_default();
            }
        }
        Ok(found)
    }

    /// As [`Store::get_many`], in the order of `keys`; what is gone is left out.
    pub(crate) async fn get_in_order<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        keys: Vec<Key>,
    ) -> Result<Vec<T>, StoreError> {
        Ok(self.get_each(entity, keys).await?.into_iter().flatten().collect())
    }

    /// What is at each of `keys`, which differ.
    pub(crate) async fn get_each<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        keys: Vec<Key>,
    ) -> Result<Vec<Option<T>>, StoreError> {
        let mut found: HashMap<(Option<String>, Option<String>), Item> = HashMap::with_capacity(keys.len());
        for item in self.get_items(keys.clone()).await? {
            found.insert((text(&item, "pk"), text(&item, "sk")), item);
        }
        let each = keys.into_iter().map(|key| found.remove(&(Some(key.pk), Some(key.sk))));
        each.map(|item| item.map(|item| parse(entity, item)).transpose()).collect()
    }

    /// One page of a partition. The page's cursor is the last sort key that was read.
    pub(crate) async fn range<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        range: Range<'_>,
    ) -> Result<Page<T>, StoreError> {
        let Page { items, cursor } = self.range_of_items(range).await?;
        let items = items.into_iter().map(|item| parse(entity, item));
        Ok(Page { items: items.collect::<Result<_, _>>()?, cursor })
    }

    /// The same of whatever kinds.
    pub(crate) async fn range_of_items(&self, range: Range<'_>) -> Result<Page<Item>, StoreError> {
        let mut query = self.client.query().table_name(&self.name).consistent_read(true);
        query = query
            .expression_attribute_values(":pk", s(range.pk))
            .scan_index_forward(!range.newest_first)
            .limit(range.limit)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        query = if range.prefix.is_empty() {
            query.key_condition_expression("pk = :pk")
        } else {
            query
                .key_condition_expression("pk = :pk AND begins_with(sk, :prefix)")
                .expression_attribute_values(":prefix", s(range.prefix))
        };
        if let Some(after) = range.after {
            query = query.set_exclusive_start_key(Some(Key::new(range.pk, after).attributes()));
        }
        let answer = query.send().await?;
        let last = answer.last_evaluated_key;
        let cursor = last.and_then(|key| text(&key, "sk"));
        Ok(Page { items: answer.items.unwrap_or_default(), cursor })
    }

    /// Every item of a partition whose sort key begins with `prefix`, page by page.
    pub(crate) async fn all<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        pk: &str,
        prefix: &str,
    ) -> Result<Vec<T>, StoreError> {
        let items = self.all_items(pk, prefix).await?.into_iter();
        items.map(|item| parse(entity, item)).collect()
    }

    /// The same of whatever kinds.
    pub(crate) async fn all_items(&self, pk: &str, prefix: &str) -> Result<Vec<Item>, StoreError> {
        let mut items = Vec::new();
        let mut after: Option<String> = None;
        loop {
            let range = Range { pk, prefix, after: after.as_deref(), newest_first: false, limit: 1000 };
            let page = self.range_of_items(range).await?;
            items.extend(page.items);
            match page.cursor {
                Some(cursor) => after = Some(cursor),
                None => return Ok(items),
            }
        }
    }

    /// Writes `item` whatever is there: for what is the same at every try.
    pub(crate) async fn put(&self, item: Item) -> Result<(), StoreError> {
        self.client.put_item().table_name(&self.name).set_item(Some(item)).send().await?;
        Ok(())
    }
}

/// `true` where it was written, `false` where its condition did not hold.
pub(crate) fn written<T, E, R>(answer: Result<T, SdkError<E, R>>) -> Result<bool, StoreError>
where
    E: std::error::Error + ProvideErrorMetadata + 'static,
    R: std::fmt::Debug,
{
    match answer {
        Ok(_) => Ok(true),
        Err(error) if error.code() == Some("ConditionalCheckFailedException") => Ok(false),
        Err(error) => Err(error.into()),
    }
}
