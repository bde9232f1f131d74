//! One write of an item: what is written, and under which condition (`conditions`). Several at once are in
//! `transaction`.

use aws_sdk_dynamodb::types::{self, TransactWriteItem};
use serde::Serialize;

use crate::{
    Store, StoreError,
    platform::{
        conditions::{Condition, Placeholders, absent, attribute, is},
        table::{Item, Key, written},
        worklists::worklist_position,
    },
};

/// Changes of some attributes of an item, which is made where it is not there, unless a condition forbids it.
#[derive(Debug, Clone)]
pub(crate) struct Update {
    key: Key,
    set: Vec<String>,
    remove: Vec<String>,
    add: Vec<String>,
    condition: Option<Condition>,
    placeholders: Placeholders,
}

impl Update {
    pub fn of(key: Key) -> Self {
        let (set, remove, add) = (Vec::new(), Vec::new(), Vec::new());
        Self { key, set, remove, add, condition: None, placeholders: Placeholders::default() }
    }

    pub fn set(mut self, path: &str, value: impl Serialize) -> Self {
        let (path, value) = (self.placeholders.name(path), self.placeholders.value(attribute(value)));
        self.set.push(format!("{path} = {value}"));
        self
    }

    /// Sets it where there is a value, and leaves it as it is where there is none.
    pub fn set_some(self, path: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.set(path, value),
            None => self,
        }
    }

    pub fn set_or_remove(self, path: &str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.set(path, value),
            None => self.remove(path),
        }
    }

    /// What is there stays.
    pub fn set_if_absent(mut self, path: &str, value: impl Serialize) -> Self {
        let (path, value) = (self.placeholders.name(path), self.placeholders.value(attribute(value)));
        self.set.push(format!("{path} = if_not_exists({path}, {value})"));
        self
    }

    /// To the number that is there, or to nothing.
    pub fn add(mut self, path: &str, number: impl Serialize) -> Self {
        let (path, value) = (self.placeholders.name(path), self.placeholders.value(attribute(number)));
        self.add.push(format!("{path} {value}"));
        self
    }

    pub fn remove(mut self, path: &str) -> Self {
        let path = self.placeholders.name(path);
        self.remove.push(path);
        self
    }

    /// Puts the item on a worklist, and off any other.
    pub fn on_worklist(self, list: &str, position: &str) -> Self {
        let [(pk, list), (sk, position)] = worklist_position(list, position);
        self.set(pk, list).set(sk, position)
    }

    pub fn off_worklist(self) -> Self {
        self.remove("listPk").remove("listSk")
    }

    /// Said more than once, all of it has to hold.
    pub fn only_if(mut self, condition: Condition) -> Self {
        self.condition = Some(match self.condition {
            Some(before) => before.and(condition),
            None => condition,
        });
        self
    }

    /// For the calls of DynamoDB.
    pub fn build(mut self, table: &str) -> types::Update {
        let condition = self.condition.map(|condition| condition.text(&mut self.placeholders));
        let parts = [("SET", self.set), ("REMOVE", self.remove), ("ADD", self.add)];
        let parts = parts.iter().filter(|(_, part)| !part.is_empty());
        let parts: Vec<String> = parts.map(|(word, part)| format!("{word} {}", part.join(", "))).collect();
        types::Update::builder()
            .table_name(table)
            .set_key(Some(self.key.attributes()))
            .update_expression(parts.join(" "))
            .set_condition_expression(condition)
            .set_expression_attribute_names(self.placeholders.names())
            .set_expression_attribute_values(self.placeholders.values())
            .build()
            .expect("table, key and expression are given")
    }
}

/// An item that is written whole.
#[derive(Debug, Clone)]
pub(crate) struct Put {
    item: Item,
    condition: Option<Condition>,
}

impl Put {
    /// Where nothing is yet.
    pub fn new(item: Item) -> Self {
        Self::over(item).only_if(absent("pk"))
    }

    /// Whatever is there.
    pub fn over(item: Item) -> Self {
        Self { item, condition: None }
    }

    /// Over the version that was read, or where there was none.
    pub fn over_version(item: Item, seen: Option<u64>) -> Self {
        match seen {
            Some(seen) => Self::over(item).only_if(is("version", seen)),
            None => Self::new(item),
        }
    }

    pub fn only_if(self, condition: Condition) -> Self {
        Self { condition: Some(condition), ..self }
    }

    pub fn build(self, table: &str) -> types::Put {
        let mut placeholders = Placeholders::default();
        types::Put::builder()
            .table_name(table)
            .set_item(Some(self.item))
            .set_condition_expression(self.condition.map(|condition| condition.text(&mut placeholders)))
            .set_expression_attribute_names(placeholders.names())
            .set_expression_attribute_values(placeholders.values())
            .build()
            .expect("table and item are given")
    }
}

/// An item that has to be as the condition says, and stays as it is.
#[derive(Debug, Clone)]
pub(crate) struct Check {
    key: Key,
    condition: Condition,
}

impl Check {
    pub fn that(key: Key, condition: Condition) -> Self {
        Self { key, condition }
    }

    fn build(self, table: &str) -> types::ConditionCheck {
        let mut placeholders = Placeholders::default();
        types::ConditionCheck::builder()
            .table_name(table)
            .set_key(Some(self.key.attributes()))
            .condition_expression(self.condition.text(&mut placeholders))
            .set_expression_attribute_names(placeholders.names())
            .set_expression_attribute_values(placeholders.values())
            .build()
            .expect("table, key and condition are given")
    }
}

/// One item of a transaction.
#[derive(Debug, Clone)]
pub(crate) enum Write {
    Put(Put),
    Update(Update),
    Check(Check),
}

impl Write {
    pub fn build(self, table: &str) -> TransactWriteItem {
        let item = TransactWriteItem::builder();
        match self {
            Self::Put(put) => item.put(put.build(table)),
            Self::Update(update) => item.update(update.build(table)),
            Self::Check(check) => item.condition_check(check.build(table)),
        }
        .build()
    }
}

impl Store {
    /// `false`: its condition did not hold.
    pub(crate) async fn update(&self, update: Update) -> Result<bool, StoreError> {
        let update = update.build(&self.name);
        let request = self
            .client
            .update_item()
            .table_name(update.table_name)
            .set_key(Some(update.key))
            .update_expression(update.update_expression)
            .set_condition_expression(update.condition_expression)
            .set_expression_attribute_names(update.expression_attribute_names)
            .set_expression_attribute_values(update.expression_attribute_values);
        written(request.send().await)
    }

    /// Makes the first of `updates` whose condition holds, if there is one.
    pub(crate) async fn update_first(&self, updates: impl Iterator<Item = Update>) -> Result<(), StoreError> {
        for update in updates {
            if self.update(update).await? {
                break;
            }
        }
        Ok(())
    }

    /// `false`: its condition did not hold.
    pub(crate) async fn put_where(&self, put: Put) -> Result<bool, StoreError> {
        let put = put.build(&self.name);
        let request = self
            .client
            .put_item()
            .table_name(put.table_name)
            .set_item(Some(put.item))
            .set_condition_expression(put.condition_expression)
            .set_expression_attribute_names(put.expression_attribute_names)
            .set_expression_attribute_values(put.expression_attribute_values);
        written(request.send().await)
    }

    /// Writes `item` where nothing is yet. `false`: something was there, and stays.
    pub(crate) async fn put_once(&self, item: Item) -> Result<bool, StoreError> {
        self.put_where(Put::new(item)).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::conditions::exists;

    #[test]
    fn an_update_says_what_is_written_and_when() {
        let update = Update::of(Key::new("PAY#1", "PAY"))
            .set("state", "FAILED")
            .set_some("reason", None::<&str>)
            .set_or_remove("receipt", None::<&str>)
            .set_if_absent("firstAt", 5)
            .add("times", 1)
            .off_worklist()
            .only_if(exists("pk"))
            .only_if(is("state", "PENDING").and(absent("claim").or(is("claim.paid", false))))
            .build("table");
        assert_eq!(
            update.update_expression,
            "SET #state = :v0, #firstAt = if_not_exists(#firstAt, :v1) \
             REMOVE #receipt, #listPk, #listSk ADD #times :v2"
        );
        assert_eq!(
            update.condition_expression.as_deref(),
            Some(
                "attribute_exists(#pk) AND #state = :v3 AND (attribute_not_exists(#claim) OR #claim.#paid = :v4)"
            )
        );
        let names = update.expression_attribute_names.unwrap();
        assert!(names.iter().all(|(placeholder, name)| *placeholder == format!("#{name}")));
        let mut names: Vec<_> = names.into_values().collect();
        names.sort();
        assert_eq!(
            names,
            ["claim", "firstAt", "listPk", "listSk", "paid", "pk", "receipt", "state", "times"]
        );
        let values = update.expression_attribute_values.unwrap();
        let values: Vec<_> = (0..5).map(|at| values[&format!(":v{at}")].clone()).collect();
        assert_eq!(
            values,
            [attribute("FAILED"), attribute(5), attribute(1), attribute("PENDING"), attribute(false)]
        );
        assert_eq!(update.key, Key::new("PAY#1", "PAY").attributes());
    }

    #[test]
    fn what_is_not_used_is_not_sent() {
        let update = Update::of(Key::new("a", "b")).remove("notBefore").build("table");
        assert_eq!(update.update_expression, "REMOVE #notBefore");
        assert_eq!((update.condition_expression, update.expression_attribute_values), (None, None));
        let put = Put::over(Item::new()).build("table");
        assert_eq!((put.condition_expression, put.expression_attribute_names), (None, None));
    }

    #[test]
    fn a_put_is_of_a_new_item_or_of_the_version_that_was_read() {
        let text = |put: Put| put.build("table").condition_expression;
        assert_eq!(text(Put::over_version(Item::new(), None)).as_deref(), Some("attribute_not_exists(#pk)"));
        assert_eq!(text(Put::over_version(Item::new(), Some(3))).as_deref(), Some("#version = :v0"));
    }
}
