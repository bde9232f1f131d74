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

/// An action on a resource, allowed or forbidden under the conditions of its statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    pub effect: Effect,
    pub action: String,
    pub resource: String,
    pub conditions: Vec<Condition>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    Allow,
    /// Whatever allows it.
    Deny,
}

/// Why something is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    NotAllowed,
    Forbidden,
}

/// The conditions that the template uses; any other one is refused when it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// `ForAllValues:StringLike` of `dynamodb:LeadingKeys`: the partition of every item is like one of these.
    LeadingKeys(Vec<String>),
    /// `ForAnyValue:StringEquals` of `dynamodb:Attributes`: one of these is written, or a write stands on it.
    Attributes(Vec<String>),
    /// `StringEquals` of `ses:FromAddress`: one of these.
    FromAddress(Vec<String>),
}

impl Condition {
    fn holds(&self, need: &Need) -> bool {
        match self {
            Self::LeadingKeys(patterns) => {
                need.leading_keys.iter().all(|key| patterns.iter().any(|pattern| is_like(key, pattern)))
            }
            Self::Attributes(names) => need.attributes.iter().any(|name| names.contains(name)),
            Self::FromAddress(addresses) => need.from.as_ref().is_some_and(|from| addresses.contains(from)),
        }
    }
}

impl Role {
    /// The grant that allows what is needed.
    ///
    /// # Errors
    /// No statement allows it, or one forbids it.
    pub fn allows(&self, need: &Need) -> Result<&Grant, Why> {
        let of = |effect| {
            self.grants.iter().find(|grant| {
                grant.effect == effect
                    && is_like(need.action, &grant.action)
                    && is_like(&need.resource, &grant.resource)
                    && grant.conditions.iter().all(|condition| condition.holds(need))
            })
        };
        match of(Effect::Deny) {
            Some(_) => Err(Why::Forbidden),
            None => of(Effect::Allow).ok_or(Why::NotAllowed),
        }
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
            ..Need::default()
        }
    }

    fn role(action: &str, resource: &str, conditions: Vec<Condition>) -> Role {
        let grant =
            Grant { effect: Effect::Allow, action: action.into(), resource: resource.into(), conditions };
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
        assert!(reads.allows(&need("dynamodb:GetItem", TABLE, &["USER#1"])).is_ok());
        assert!(reads.allows(&need("dynamodb:PutItem", TABLE, &["USER#1"])).is_err());
        assert!(reads.allows(&need("dynamodb:GetItem", &format!("{TABLE}2"), &["USER#1"])).is_err());
        assert!(
            reads.allows(&need("dynamodb:GetItem", &format!("{TABLE}/index/lists"), &["USER#1"])).is_err()
        );
    }

    #[test]
    fn the_partition_of_every_item_has_to_be_granted() {
        let keys = vec![Condition::LeadingKeys(vec!["SEASON".into(), "PAY#*".into()])];
        let reads = role("dynamodb:BatchGetItem", TABLE, keys);
        assert!(reads.allows(&need("dynamodb:BatchGetItem", TABLE, &["PAY#1", "SEASON"])).is_ok());
        assert!(reads.allows(&need("dynamodb:BatchGetItem", TABLE, &["PAY#1", "USER#1"])).is_err());
    }

    #[test]
    fn what_is_forbidden_is_refused_whatever_allows_it() {
        let mut writes = role("dynamodb:*", TABLE, vec![]);
        writes.grants.push(Grant {
            effect: Effect::Deny,
            action: "dynamodb:UpdateItem".into(),
            resource: TABLE.into(),
            conditions: vec![Condition::Attributes(vec!["balance".into()])],
        });
        let update = |attributes: &[&str]| Need {
            attributes: attributes.iter().map(|name| (*name).to_owned()).collect(),
            ..need("dynamodb:UpdateItem", TABLE, &["USER#1"])
        };
        assert!(writes.allows(&update(&["pk", "version"])).is_ok());
        assert_eq!(writes.allows(&update(&["pk", "balance"])).unwrap_err(), Why::Forbidden);
        assert_eq!(writes.allows(&need("sqs:SendMessage", TABLE, &[])).unwrap_err(), Why::NotAllowed);
    }

    #[test]
    fn mails_are_from_the_granted_address() {
        let sends =
            role("ses:SendEmail", "arn:*:identity/*", vec![Condition::FromAddress(vec!["a@b.test".into()])]);
        let from = |from: Option<&str>| Need {
            from: from.map(str::to_owned),
            ..need("ses:SendEmail", "arn:aws:ses:identity/x", &[])
        };
        assert!(sends.allows(&from(Some("a@b.test"))).is_ok());
        assert!(sends.allows(&from(Some("c@b.test"))).is_err());
        assert!(sends.allows(&from(None)).is_err());
    }

    #[test]
    fn who_calls_is_named_as_aws_does() {
        let role = Role { name: "LogInRole".into(), function: "LogInFunction".into(), grants: vec![] };
        assert_eq!(role.user(), "arn:aws:sts::000000000000:assumed-role/LogInRole/LogInFunction");
    }
}
