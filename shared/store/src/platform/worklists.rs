//! Worklists of the operator: a sparse index that holds only what still needs somebody, in order of time. Sharded, so
//! that a busy hour does not meet one partition's limit. In the table the index is `lists`.

use serde::de::DeserializeOwned;

use crate::{
    Store, StoreError,
    platform::table::{Item, parse, s},
};

const INDEX: &str = "lists";
const SHARDS: u8 = 4;

/// One page and where the next begins.
#[derive(Debug, Clone)]
pub struct Page<T> {
    pub items: Vec<T>,
    pub cursor: Option<String>,
}

/// Puts `item` on `list`; `position` is its time and id.
pub(crate) fn put_on_worklist(item: &mut Item, list: &str, position: &str) {
    let shard = position.bytes().fold(0_u8, u8::wrapping_add) % SHARDS;
    item.insert("listPk".to_owned(), s(format!("{list}#{shard}")));
    item.insert("listSk".to_owned(), s(position));
}

/// For an update expression that takes an item off its list.
pub(crate) const OFF_WORKLIST: &str = "listPk, listSk";

impl Store {
    /// A page of `list`, oldest first. The index lags a little: acts on what it shows are conditional.
    pub(crate) async fn worklist_page<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        list: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<T>, StoreError> {
        let mut found: Vec<(String, Item)> = Vec::new();
        for shard in 0..SHARDS {
            let query = self
                .client
                .query()
                .table_name(&self.name)
                .index_name(INDEX)
                .key_condition_expression("listPk = :list AND listSk > :after")
                .expression_attribute_values(":list", s(format!("{list}#{shard}")))
                .expression_attribute_values(":after", s(after.unwrap_or(" ")))
                .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX));
            for item in query.send().await?.items.unwrap_or_default() {
                let position = item.get("listSk").and_then(|sk| sk.as_s().ok().cloned());
                found.extend(position.map(|position| (position, item)));
            }
        }
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        let more = found.len() > limit;
        found.truncate(limit);
        let cursor = more.then(|| found.last().map(|(position, _)| position.clone())).flatten();
        let items = found.into_iter().map(|(_, item)| parse(entity, item)).collect::<Result<_, _>>()?;
        Ok(Page { items, cursor })
    }

    /// The last `limit` of `list`, newest first.
    pub(crate) async fn worklist_newest<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        list: &str,
        limit: usize,
    ) -> Result<Vec<T>, StoreError> {
        let mut found: Vec<(String, Item)> = Vec::new();
        for shard in 0..SHARDS {
            let query = self
                .client
                .query()
                .table_name(&self.name)
                .index_name(INDEX)
                .key_condition_expression("listPk = :list")
                .expression_attribute_values(":list", s(format!("{list}#{shard}")))
                .scan_index_forward(false)
                .limit(i32::try_from(limit).unwrap_or(i32::MAX));
            for item in query.send().await?.items.unwrap_or_default() {
                let position = item.get("listSk").and_then(|sk| sk.as_s().ok().cloned());
                found.extend(position.map(|position| (position, item)));
            }
        }
        found.sort_by(|(a, _), (b, _)| b.cmp(a));
        found.truncate(limit);
        found.into_iter().map(|(_, item)| parse(entity, item)).collect()
    }
}
