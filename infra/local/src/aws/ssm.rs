//! SSM: the product's secrets, made once at the first start of a world and kept in its database.

use std::{collections::BTreeMap, sync::Arc};

use rusqlite::OptionalExtension;
use serde_json::{Value, json};

use super::reply::Reply;
use crate::{
    ACCOUNT, REGION,
    world::db::{Db, lock},
};

#[derive(Clone)]
pub struct Parameters {
    kept: Arc<BTreeMap<String, String>>,
    /// The full name of what is made when it is asked for, and how.
    published: Option<(String, fn() -> String)>,
}

impl Parameters {
    /// The kept secrets; those of `generated` that are not kept yet are from now on. The full name
    /// is `{prefix}/{name}`.
    pub fn open(db: &Db, prefix: &str, generated: Vec<(String, String)>) -> anyhow::Result<Self> {
        let mut connection = lock(db);
        let step = connection.transaction()?;
        let mut parameters = BTreeMap::new();
        for (name, fresh) in generated {
            let key = format!("secret:{name}");
            let kept: Option<String> = step
                .query_row("SELECT value FROM world_values WHERE name = ?1", [&key], |row| row.get(0))
                .optional()?;
            let value = match kept {
                Some(value) => value,
                None => {
                    step.execute("INSERT INTO world_values (name, value) VALUES (?1, ?2)", [&key, &fresh])?;
                    fresh
                }
            };
            parameters.insert(format!("{}/{name}", prefix.trim_end_matches('/')), value);
        }
        step.commit()?;
        Ok(Self { kept: Arc::new(parameters), published: None })
    }

    /// With one more, `{prefix}/{name}`, that somebody else publishes.
    #[must_use]
    pub fn publishing(mut self, prefix: &str, name: &str, value: fn() -> String) -> Self {
        self.published = Some((format!("{}/{name}", prefix.trim_end_matches('/')), value));
        self
    }

    /// With other values, or none, for these: `{prefix}/{name}` as an operator has changed it. They are not kept.
    #[must_use]
    pub fn changed(mut self, prefix: &str, changes: &BTreeMap<String, Option<String>>) -> Self {
        for (name, value) in changes {
            let full = format!("{}/{name}", prefix.trim_end_matches('/'));
            self.published = self.published.filter(|(published, _)| *published != full);
            let kept = Arc::make_mut(&mut self.kept);
            match value {
                Some(value) => kept.insert(full, value.clone()),
                None => kept.remove(&full),
            };
        }
        self
    }

    fn get(&self, name: &str) -> Option<String> {
        match &self.published {
            Some((published, value)) if published == name => Some(value()),
            _ => self.kept.get(name).cloned(),
        }
    }

    /// The value of the parameter whose full name ends in `/name`.
    pub fn ending_in(&self, name: &str) -> Option<&str> {
        let ending = format!("/{name}");
        self.kept.iter().find(|(full, _)| full.ends_with(&ending)).map(|(_, value)| value.as_str())
    }
}

/// SSM answers for so many at once.
const AT_ONCE: usize = 10;

pub fn answer(parameters: &Parameters, operation: &str, input: &Value) -> Reply {
    if operation != "GetParameters" {
        return Reply::unknown(&format!("SSM's {operation}"));
    }
    let names: Vec<&str> =
        input["Names"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    if names.is_empty() || names.len() > AT_ONCE {
        return Reply::refused("ValidationException", &format!("Names: one to {AT_ONCE} of them."));
    }
    // As from AWS, a caller that forgets to ask for the clear text gets nothing that works.
    let clear = input["WithDecryption"].as_bool().unwrap_or(false);
    let found = |name: &&str| {
        let value = parameters.get(name)?;
        Some(json!({
            "Name": name,
            "Type": "SecureString",
            "Value": if clear { &value } else { "(encrypted)" },
            "Version": 1,
            "ARN": format!("arn:aws:ssm:{REGION}:{ACCOUNT}:parameter{name}"),
            "DataType": "text",
        }))
    };
    let missing: Vec<&&str> = names.iter().filter(|name| parameters.get(name).is_none()).collect();
    let found: Vec<Value> = names.iter().filter_map(found).collect();
    Reply::ok(&json!({ "Parameters": found, "InvalidParameters": missing }))
}
