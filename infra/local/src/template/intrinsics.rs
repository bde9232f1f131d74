//! CloudFormation's functions (`!Ref`, `!Sub`, `!GetAtt`, `!If` …), resolved for one machine.
//! Invariant: a name that the template does not declare is an error, never an empty text.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::resources;
use crate::{ACCOUNT, REGION};

/// Turns YAML with short tags into plain JSON with the long forms.
pub fn plain(value: yaml_serde::Value) -> Result<Value, String> {
    use yaml_serde::Value as Yaml;
    Ok(match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(b) => Value::Bool(b),
        Yaml::Number(n) => serde_json::to_value(n).map_err(|e| e.to_string())?,
        Yaml::String(s) => Value::String(s),
        Yaml::Sequence(items) => Value::Array(items.into_iter().map(plain).collect::<Result<_, _>>()?),
        Yaml::Mapping(pairs) => {
            let mut map = Map::new();
            for (key, value) in pairs {
                let Value::String(key) = plain(key)? else {
                    return Err("a key is no text (quote it)".to_owned());
                };
                let value = plain(value).map_err(|what| format!("{key}: {what}"))?;
                map.insert(key, value);
            }
            Value::Object(map)
        }
        Yaml::Tagged(tagged) => {
            let tag = tagged.tag.to_string();
            let tag = tag.trim_start_matches('!');
            let inner = plain(tagged.value)?;
            match (tag, &inner) {
                ("Ref" | "Condition", _) => json!({ tag: inner }),
                ("GetAtt", Value::String(path)) => {
                    let (id, attribute) = path.split_once('.').ok_or("!GetAtt is Name.Attribute")?;
                    json!({ "Fn::GetAtt": [id, attribute] })
                }
                _ => json!({ format!("Fn::{tag}"): inner }),
            }
        }
    })
}

/// Knows what the names in a template stand for.
pub struct Resolver<'a> {
    parameters: BTreeMap<String, Option<Value>>,
    resources: &'a Map<String, Value>,
    conditions: &'a Value,
    mappings: &'a Value,
}

impl<'a> Resolver<'a> {
    pub fn new(document: &'a Value, overrides: &BTreeMap<&str, String>) -> Result<Self, String> {
        let mut parameters = BTreeMap::new();
        for (name, declared) in document["Parameters"].as_object().into_iter().flatten() {
            let value = match overrides.get(name.as_str()) {
                Some(value) => Some(Value::String(value.clone())),
                None => declared.get("Default").cloned(),
            };
            parameters.insert(name.clone(), value);
        }
        Ok(Self {
            parameters,
            resources: super::section(document, "Resources")?,
            conditions: &document["Conditions"],
            mappings: &document["Mappings"],
        })
    }

    /// `value` with every function in it carried out. `AWS::NoValue` takes the key away.
    pub fn resolve(&self, value: &Value) -> Result<Value, String> {
        match value {
            Value::Array(items) => {
                let items: Vec<Value> =
                    items.iter().map(|item| self.resolve(item)).collect::<Result<_, _>>()?;
                Ok(Value::Array(items.into_iter().filter(|item| !is_no_value(item)).collect()))
            }
            Value::Object(map) => {
                if map.len() == 1
                    && let Some((name, argument)) = map.iter().next()
                    && (name == "Ref" || name.starts_with("Fn::"))
                {
                    return self.call(name, argument);
                }
                let mut resolved = Map::new();
                for (key, value) in map {
                    let value = self.resolve(value).map_err(|what| format!("{key}: {what}"))?;
                    if !is_no_value(&value) {
                        resolved.insert(key.clone(), value);
                    }
                }
                Ok(Value::Object(resolved))
            }
            other => Ok(other.clone()),
        }
    }

    /// A resolved value that must be a text or something written as one.
    pub fn text(&self, value: &Value) -> Result<String, String> {
        as_text(&self.resolve(value)?)
    }

    /// The same, or none for `AWS::NoValue`.
    pub fn optional_text(&self, value: &Value) -> Result<Option<String>, String> {
        let value = self.resolve(value)?;
        if is_no_value(&value) { Ok(None) } else { as_text(&value).map(Some) }
    }

    /// Whether the named condition, or the condition written out, holds.
    pub fn condition(&self, condition: &Value) -> Result<bool, String> {
        if let Some(name) = condition.as_str() {
            let written = self.conditions.get(name).ok_or_else(|| format!("no condition is named {name}"))?;
            return self.condition(written);
        }
        let (name, argument) = condition
            .as_object()
            .and_then(|map| map.iter().next())
            .ok_or("a condition is a name or a function")?;
        let items = || argument.as_array().ok_or_else(|| format!("{name} needs a list"));
        match name.as_str() {
            "Condition" => self.condition(argument),
            "Fn::Equals" => match items()?.as_slice() {
                [a, b] => Ok(self.text(a)? == self.text(b)?),
                _ => Err("Fn::Equals compares two values".to_owned()),
            },
            "Fn::Not" => match items()?.as_slice() {
                [one] => Ok(!self.condition(one)?),
                _ => Err("Fn::Not has one condition".to_owned()),
            },
            "Fn::And" => items()?.iter().try_fold(true, |all, one| Ok(self.condition(one)? && all)),
            "Fn::Or" => items()?.iter().try_fold(false, |any, one| Ok(self.condition(one)? || any)),
            other => Err(format!("{other} is no condition")),
        }
    }

    fn call(&self, name: &str, argument: &Value) -> Result<Value, String> {
        let list = || argument.as_array().map(Vec::as_slice).ok_or_else(|| format!("{name} needs a list"));
        match name {
            "Ref" => self.reference(argument.as_str().ok_or("Ref needs a name")?),
            "Fn::Sub" => self.substitute(argument).map(Value::String),
            "Fn::GetAtt" => match list()? {
                [id, attribute] => self.attribute(&self.text(id)?, &self.text(attribute)?),
                _ => Err("Fn::GetAtt is [Name, Attribute]".to_owned()),
            },
            "Fn::If" => match list()? {
                [condition, then, otherwise] => {
                    self.resolve(if self.condition(condition)? { then } else { otherwise })
                }
                _ => Err("Fn::If has a condition and two values".to_owned()),
            },
            "Fn::Join" => match list()? {
                [between, items] => {
                    let Value::Array(items) = self.resolve(items)? else {
                        return Err("Fn::Join joins a list".to_owned());
                    };
                    let items: Vec<String> = items.iter().map(as_text).collect::<Result<_, _>>()?;
                    Ok(Value::String(items.join(&self.text(between)?)))
                }
                _ => Err("Fn::Join is [between, items]".to_owned()),
            },
            "Fn::FindInMap" => match list()? {
                [map, first, second] => {
                    let (map, first, second) = (self.text(map)?, self.text(first)?, self.text(second)?);
                    let found = &self.mappings[&map][&first][&second];
                    if found.is_null() {
                        return Err(format!("Mappings has no {map}.{first}.{second}"));
                    }
                    self.resolve(found)
                }
                _ => Err("Fn::FindInMap is [map, key, key]".to_owned()),
            },
            other => Err(format!("the local run does not know {other}")),
        }
    }

    fn reference(&self, name: &str) -> Result<Value, String> {
        if let Some(parameter) = self.parameters.get(name) {
            return parameter.clone().ok_or_else(|| {
                format!("the parameter {name} has no default, and the local run gives it no value")
            });
        }
        let pseudo = match name {
            "AWS::Region" => REGION,
            "AWS::AccountId" => ACCOUNT,
            "AWS::Partition" => "aws",
            "AWS::URLSuffix" => "amazonaws.com",
            "AWS::StackName" => "local",
            "AWS::StackId" => "arn:aws:cloudformation:local:000000000000:stack/local/0",
            "AWS::NoValue" => return Ok(json!({ "Ref": "AWS::NoValue" })),
            _ => {
                let physical = match self.resources.get(name) {
                    Some(resource) => resources::reference(self, name, resource)?,
                    // SAM makes this one where no HttpApi is declared.
                    None if name == "ServerlessHttpApi" => name.to_owned(),
                    None => return Err(format!("nothing is named {name}")),
                };
                return Ok(Value::String(physical));
            }
        };
        Ok(Value::String(pseudo.to_owned()))
    }

    fn attribute(&self, id: &str, attribute: &str) -> Result<Value, String> {
        let resource = self.resources.get(id).ok_or_else(|| format!("nothing is named {id}"))?;
        resources::attribute(self, id, resource, attribute).map(Value::String)
    }

    fn substitute(&self, argument: &Value) -> Result<String, String> {
        let (text, own) = match argument {
            Value::String(text) => (text.as_str(), None),
            Value::Array(parts) => match parts.as_slice() {
                [Value::String(text), Value::Object(own)] => (text.as_str(), Some(own)),
                _ => return Err("Fn::Sub is [text, values]".to_owned()),
            },
            _ => return Err("Fn::Sub needs a text".to_owned()),
        };
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let (name, after) = after.split_once('}').ok_or_else(|| format!("\"{text}\" has an open ${{"))?;
            out.push_str(before);
            match (name.strip_prefix('!'), own.and_then(|own| own.get(name)), name.split_once('.')) {
                (Some(literal), ..) => out.push_str(&format!("${{{literal}}}")),
                (_, Some(value), _) => out.push_str(&self.text(value)?),
                (_, _, Some((id, attribute))) => out.push_str(&as_text(&self.attribute(id, attribute)?)?),
                _ => out.push_str(&as_text(&self.reference(name)?)?),
            }
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }
}

fn is_no_value(value: &Value) -> bool {
    value.get("Ref").is_some_and(|name| name == "AWS::NoValue")
}

fn as_text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(b) => Ok(b.to_string()),
        other => Err(format!("{other} is no text")),
    }
}
