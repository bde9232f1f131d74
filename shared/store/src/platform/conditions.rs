//! What an item has to be like for a write. Names and values get their placeholders here, so no attribute's name meets
//! DynamoDB's reserved words; a value has the form that serde gives it in its item.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use jiff::Timestamp;
use serde::Serialize;

use crate::platform::table::Item;

/// What an item has to be like. A path may go into a map, `claim.paid`, and into a list, `members[3].username`.
#[derive(Debug, Clone)]
pub(crate) enum Condition {
    Function(&'static str, String, Option<AttributeValue>),
    Compare(String, &'static str, AttributeValue),
    BeforeAttribute(String, String),
    OneOf(String, Vec<AttributeValue>),
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
}

pub(crate) fn exists(path: &str) -> Condition {
    Condition::Function("attribute_exists", path.to_owned(), None)
}

pub(crate) fn absent(path: &str) -> Condition {
    Condition::Function("attribute_not_exists", path.to_owned(), None)
}

pub(crate) fn begins_with(path: &str, prefix: &str) -> Condition {
    Condition::Function("begins_with", path.to_owned(), Some(attribute(prefix)))
}

pub(crate) fn is(path: &str, value: impl Serialize) -> Condition {
    Condition::Compare(path.to_owned(), "=", attribute(value))
}

/// That a text is the one that was read, or still is not there.
pub(crate) fn is_as_read(path: &str, read: Option<&str>) -> Condition {
    read.map_or_else(|| absent(path), |read| is(path, read))
}

pub(crate) fn is_not(path: &str, value: impl Serialize) -> Condition {
    Condition::Compare(path.to_owned(), "<>", attribute(value))
}

/// That a mark is not set.
pub(crate) fn is_not_so(mark: &str) -> Condition {
    absent(mark).or(is_not(mark, true))
}

pub(crate) fn less(path: &str, value: impl Serialize) -> Condition {
    Condition::Compare(path.to_owned(), "<", attribute(value))
}

pub(crate) fn at_most(path: &str, value: impl Serialize) -> Condition {
    Condition::Compare(path.to_owned(), "<=", attribute(value))
}

pub(crate) fn more(path: &str, value: impl Serialize) -> Condition {
    Condition::Compare(path.to_owned(), ">", attribute(value))
}

/// That an instant, kept in milliseconds since 1970, has come, or none is kept.
pub(crate) fn due(path: &str, now: Timestamp) -> Condition {
    absent(path).or(at_most(path, now.as_millisecond()))
}

pub(crate) fn less_than_attribute(path: &str, other: &str) -> Condition {
    Condition::BeforeAttribute(path.to_owned(), other.to_owned())
}

pub(crate) fn one_of<T: Serialize>(path: &str, values: impl IntoIterator<Item = T>) -> Condition {
    Condition::OneOf(path.to_owned(), values.into_iter().map(attribute).collect())
}

impl Condition {
    pub fn and(self, other: Self) -> Self {
        Self::And(Box::new(self), Box::new(other))
    }

    pub fn or(self, other: Self) -> Self {
        Self::Or(Box::new(self), Box::new(other))
    }

    pub fn text(self, placeholders: &mut Placeholders) -> String {
        match self {
            Self::Function(function, path, value) => {
                let path = placeholders.name(&path);
                match value {
                    Some(value) => format!("{function}({path}, {})", placeholders.value(value)),
                    None => format!("{function}({path})"),
                }
            }
            Self::Compare(path, operator, value) => {
                format!("{} {operator} {}", placeholders.name(&path), placeholders.value(value))
            }
            Self::BeforeAttribute(path, other) => {
                format!("{} < {}", placeholders.name(&path), placeholders.name(&other))
            }
            Self::OneOf(path, values) => {
                let path = placeholders.name(&path);
                let values: Vec<String> = values.into_iter().map(|value| placeholders.value(value)).collect();
                format!("{path} IN ({})", values.join(", "))
            }
            Self::And(one, other) => {
                format!("{} AND {}", one.in_and(placeholders), other.in_and(placeholders))
            }
            Self::Or(one, other) => format!("{} OR {}", one.text(placeholders), other.text(placeholders)),
        }
    }

    fn in_and(self, placeholders: &mut Placeholders) -> String {
        let or = matches!(self, Self::Or(..));
        let text = self.text(placeholders);
        if or { format!("({text})") } else { text }
    }
}

/// A value as an attribute.
pub(crate) fn attribute(value: impl Serialize) -> AttributeValue {
    serde_dynamo::to_attribute_value(value).expect("what we keep are plain values and maps of them")
}

/// What the texts of expressions stand for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Placeholders {
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

impl Placeholders {
    pub fn name(&mut self, path: &str) -> String {
        let parts: Vec<String> = path.split('.').map(|part| format!("#{part}")).collect();
        let name = |part: &str| part.split_once('[').map_or(part, |(name, _)| name).to_owned();
        self.names.extend(parts.iter().map(|part| (name(part), name(&part[1..]))));
        parts.join(".")
    }

    pub fn value(&mut self, value: AttributeValue) -> String {
        let placeholder = format!(":v{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    pub fn names(&self) -> Option<HashMap<String, String>> {
        Some(self.names.clone()).filter(|names| !names.is_empty())
    }

    pub fn values(self) -> Option<Item> {
        Some(self.values).filter(|values| !values.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(condition: Condition) -> String {
        condition.text(&mut Placeholders::default())
    }

    #[test]
    fn an_or_in_an_and_is_in_parentheses() {
        let either = || is("status", "pending").or(at_most("until", 7));
        assert_eq!(
            text(either().and(exists("pk"))),
            "(#status = :v0 OR #until <= :v1) AND attribute_exists(#pk)"
        );
        assert_eq!(
            text(exists("pk").and(less("at", 1)).or(more("at", 2))),
            "attribute_exists(#pk) AND #at < :v0 OR #at > :v1"
        );
        assert_eq!(
            text(one_of("state", ["a", "b"]).and(begins_with("listPk", "LIST"))),
            "#state IN (:v0, :v1) AND begins_with(#listPk, :v2)"
        );
        assert_eq!(text(less_than_attribute("asOf", "askedAt")), "#asOf < #askedAt");
    }
}
