//! What a function's role grants, decided as IAM decides it: what no statement allows is refused.

use super::needs::Need;
use crate::ACCOUNT;

/// The role of a function, as the template has it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Role {
    /// Its logical id.
    pub name: String,
    /// The logical id of the function, which is the name of its session.
    pub function: String,
    pub grants: Vec<Grant>,
}

/// An action on a resource, under the conditions of its statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    pub action: String,
    pub resource: String,
    pub conditions: Vec<Condition>,
}

/// The conditions that the template uses; any other one is refused when it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// `ForAllValues:StringLike` of `dynamodb:LeadingKeys`: the partition of every item is like one of these.
    LeadingKeys(Vec<String>),
    /// `StringEquals` of `ses:FromAddress`: one of these.
    FromAddress(Vec<String>),
}

impl Condition {
    fn holds(&self, need: &Need) -> bool {
        match self {
            Self::LeadingKeys(patterns) => {
                need.leading_keys.iter().all(|key| patterns.iter().any(|pattern| is_like(key, pattern)))
            }
            Self::FromAddress(addresses) => need.from.as_ref().is_some_and(|from| addresses.contains(from)),
        }
    }
}

impl Role {
    /// The grant that allows what is needed.
    pub fn allows(&self, need: &Need) -> Option<&Grant> {
        self.grants.iter().find(|grant| {
            is_like(need.action, &grant.action)
                && is_like(&need.resource, &grant.resource)
                && grant.conditions.iter().all(|condition| condition.holds(need))
        })
    }

    /// Who calls, as AWS names a function with this role.
    pub fn user(&self) -> String {
        format!("arn:aws:sts::{ACCOUNT}:assumed-role/{}/{}", self.name, self.function)
    }
}

/// IAM's patterns: `*` is any text, `?` any character.
fn is_like(text: &str, pattern: &str) -> bool {
    fn like(text: &[u8], pattern: &[u8]) -> bool {
        match pattern.split_first() {
            None => text.is_empty(),
            Some((b'*', rest)) => (0..=text.len()).any(|at| like(&text[at..], rest)),
            Some((first, rest)) => {
                text.split_first().is_some_and(|(t, text)| (*first == b'?' || t == first) && like(text, rest))
            }
        }
    }
    like(text.as_bytes(), pattern.as_bytes())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    const TABLE: &str = "arn:aws:dynamodb:local:000000000000:table/Table";

    fn need(action: &'static str, resource: &str, keys: &[&str]) -> Need {
        Need {
            action,
            resource: resource.to_owned(),
            leading_keys: keys.iter().map(|key| (*key).to_owned()).collect(),
            from: None,
        }
    }

    fn role(action: &str, resource: &str, conditions: Vec<Condition>) -> Role {
        let grant = Grant { action: action.into(), resource: resource.into(), conditions };
        Role { grants: vec![grant], ..Role::default() }
    }

    #[rstest]
    #[case("", "", true)]
    #[case("SEASON", "SEASON", true)]
    #[case("SEASONS", "SEASON", false)]
    #[case("USER#1", "USER#*", true)]
    #[case("USER#", "USER#*", true)]
    #[case("USERS#1", "USER#*", false)]
    #[case("ENTRIES#2026-03#50#1", "ENTRIES#*#50#*", true)]
    #[case("ENTRIES#2026-03#100#1", "ENTRIES#*#50#*", false)]
    #[case("abc", "a?c", true)]
    #[case("abbc", "a?c", false)]
    #[case("anything", "*", true)]
    fn patterns_are_iams(#[case] text: &str, #[case] pattern: &str, #[case] like: bool) {
        assert_eq!(is_like(text, pattern), like);
    }

    #[test]
    fn action_and_resource_have_to_be_granted_together() {
        let reads = role("dynamodb:GetItem", TABLE, vec![]);
        assert!(reads.allows(&need("dynamodb:GetItem", TABLE, &["USER#1"])).is_some());
        assert!(reads.allows(&need("dynamodb:PutItem", TABLE, &["USER#1"])).is_none());
        assert!(reads.allows(&need("dynamodb:GetItem", &format!("{TABLE}2"), &["USER#1"])).is_none());
        assert!(
            reads.allows(&need("dynamodb:GetItem", &format!("{TABLE}/index/lists"), &["USER#1"])).is_none()
        );
    }

    #[test]
    fn the_partition_of_every_item_has_to_be_granted() {
        let keys = vec![Condition::LeadingKeys(vec!["SEASON".into(), "PAY#*".into()])];
        let reads = role("dynamodb:BatchGetItem", TABLE, keys);
        assert!(reads.allows(&need("dynamodb:BatchGetItem", TABLE, &["PAY#1", "SEASON"])).is_some());
        assert!(reads.allows(&need("dynamodb:BatchGetItem", TABLE, &["PAY#1", "USER#1"])).is_none());
    }

    #[test]
    fn mails_are_from_the_granted_address() {
        let sends =
            role("ses:SendEmail", "arn:*:identity/*", vec![Condition::FromAddress(vec!["a@b.test".into()])]);
        let from = |from: Option<&str>| Need {
            from: from.map(str::to_owned),
            ..need("ses:SendEmail", "arn:aws:ses:identity/x", &[])
        };
        assert!(sends.allows(&from(Some("a@b.test"))).is_some());
        assert!(sends.allows(&from(Some("c@b.test"))).is_none());
        assert!(sends.allows(&from(None)).is_none());
    }

    #[test]
    fn who_calls_is_named_as_aws_does() {
        let role = Role { name: "LogInRole".into(), function: "LogInFunction".into(), grants: vec![] };
        assert_eq!(role.user(), "arn:aws:sts::000000000000:assumed-role/LogInRole/LogInFunction");
    }
}
