//! Worklists of the admins: a sparse index that holds only what still needs somebody, in order of time. Sharded, so
//! that a busy hour does not meet one partition's limit. In the table the index is `lists`.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use serde::de::DeserializeOwned;

use crate::{
    Store, StoreError,
    platform::{
        concurrency::try_map,
        table::{Item, Page, parse, s, shard_of, text},
    },
};

const INDEX: &str = "lists";
const SHARDS: u8 = 4;

/// The attributes of a place on `list`; `position` is its time and id.
pub(crate) fn worklist_position(list: &str, position: &str) -> [(&'static str, String); 2] {
    let shard = shard_of(position, SHARDS);
    [("listPk", format!("{list}#{shard}")), ("listSk", position.to_owned())]
}

/// Puts `item` on `list`.
pub(crate) fn put_on_worklist(item: &mut Item, list: &str, position: &str) {
    let attributes = worklist_position(list, position);
    item.extend(attributes.map(|(name, value)| (name.to_owned(), s(value))));
}

/// The first `limit` of what was found in order, and where the next page begins.
fn page<T: DeserializeOwned>(
    entity: &'static str,
    mut found: Vec<(String, Item)>,
    limit: usize,
) -> Result<Page<T>, StoreError> {
    let more = found.len() > limit;
    found.truncate(limit);
    let cursor = more.then(|| found.last().map(|(position, _)| position.clone())).flatten();
    let items = found.into_iter().map(|(_, item)| parse(entity, item)).collect::<Result<_, _>>()?;
    Ok(Page { items, cursor })
}

impl Store {
    /// A page of `list`, oldest first. The index lags a little: acts on what it shows are conditional.
    pub(crate) async fn worklist_page<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        list: &str,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<T>, StoreError> {
        let after = s(after.unwrap_or(" "));
        let mut found = self
            .of_every_shard(list, |query| {
                query
                    .key_condition_expression("listPk = :list AND listSk > :after")
                    .expression_attribute_values(":after", after.clone())
                    .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX))
            })
            .await?;
        found.sort_by(|(a, _), (b, _)| a.cmp(b));
        page(entity, found, limit)
    }

    /// A page of `list`, newest first, those before the position `before`.
    pub(crate) async fn worklist_newest<T: DeserializeOwned>(
        &self,
        entity: &'static str,
        list: &str,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Page<T>, StoreError> {
        // No position begins with a tilde, and all sort before it.
        let before = s(before.unwrap_or("~"));
        let mut found = self
            .of_every_shard(list, |query| {
                query
                    .key_condition_expression("listPk = :list AND listSk < :before")
                    .expression_attribute_values(":before", before.clone())
                    .scan_index_forward(false)
                    .limit(i32::try_from(limit + 1).unwrap_or(i32::MAX))
            })
            .await?;
        found.sort_by(|(a, _), (b, _)| b.cmp(a));
        page(entity, found, limit)
    }

    /// What `query` finds in each shard of `list`, with its position.
    async fn of_every_shard(
        &self,
        list: &str,
        query: impl Fn(QueryFluentBuilder) -> QueryFluentBuilder,
    ) -> Result<Vec<(String, Item)>, StoreError> {
        let shards = try_map(0..SHARDS, |shard| {
            let of_shard = self
                .client
                .query()
                .table_name(&self.name)
                .index_name(INDEX)
                .expression_attribute_values(":list", s(format!("{list}#{shard}")));
            let asked = query(of_shard).send();
            async move { Ok::<_, StoreError>(asked.await?.items.unwrap_or_default()) }
        });
        let items = shards.await?.into_iter().flatten();
        Ok(items.filter_map(|item| Some((text(&item, "listSk")?, item))).collect())
    }
}
