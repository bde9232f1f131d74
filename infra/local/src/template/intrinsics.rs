//! CloudFormation's functions that the template uses (`!Ref`, `!Sub`, `!GetAtt`), resolved for one machine, and what
//! a resource's name stands for there.
//! Invariant: a name that the template does not declare is an error, never an empty text.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::{ACCOUNT, REGION, aws::arns::table_arn, world::event::queue_arn};

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
            match tag.trim_start_matches('!') {
                "Ref" => json!({ "Ref": plain(tagged.value)? }),
                tag => json!({ format!("Fn::{tag}"): plain(tagged.value)? }),
            }
        }
    })
}

/// Knows what the names in a template stand for.
pub struct Resolver<'a> {
    parameters: BTreeMap<String, Option<Value>>,
    /// By their names.
    pub conditions: Map<String, Value>,
    pub resources: &'a Map<String, Value>,
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
        let resources = document["Resources"].as_object().ok_or("it has no Resources")?;
        let conditions = document["Conditions"].as_object().cloned().unwrap_or_default();
        Ok(Self { parameters, conditions, resources })
    }

    /// `value` with every function in it carried out. What is `AWS::NoValue` is not there.
    pub fn resolve(&self, value: &Value) -> Result<Value, String> {
        match value {
            Value::Array(items) => {
                let items = items.iter().map(|item| self.resolve(item));
                items.filter(|item| *item != Ok(Value::Null)).collect()
            }
            Value::Object(map) => {
                if map.len() == 1
                    && let Some((name, argument)) = map.iter().next()
                    && (name == "Ref" || name.starts_with("Fn::"))
                {
                    return self.call(name, argument);
                }
                let resolved = |(key, value)| match self.resolve(value) {
                    Ok(value) => Ok((String::clone(key), value)),
                    Err(what) => Err(format!("{key}: {what}")),
                };
                let resolved = map.iter().map(resolved);
                resolved.filter(|item| !matches!(item, Ok((_, Value::Null)))).collect()
            }
            other => Ok(other.clone()),
        }
    }

    /// A resolved value that must be a text or something written as one.
    pub fn text(&self, value: &Value) -> Result<String, String> {
        as_text(&self.resolve(value)?)
    }

    fn call(&self, name: &str, argument: &Value) -> Result<Value, String> {
        if name == "Fn::If" {
            return self.either(argument);
        }
        let argument = argument.as_str().ok_or_else(|| format!("{name} needs a text"))?;
        match name {
            "Ref" => self.reference(argument),
            "Fn::Sub" => self.substitute(argument).map(Value::String),
            "Fn::GetAtt" => self.attribute(argument).map(Value::String),
            other => Err(format!("the local run does not know {other}")),
        }
    }

    fn reference(&self, name: &str) -> Result<Value, String> {
        if let Some(parameter) = self.parameters.get(name) {
            return parameter.clone().ok_or_else(|| {
                format!("the parameter {name} has no default, and the local run gives it no value")
            });
        }
        if name == "AWS::NoValue" {
            return Ok(Value::Null);
        }
        Ok(Value::String(match name {
            "AWS::Region" => REGION.to_owned(),
            "AWS::AccountId" => ACCOUNT.to_owned(),
            "AWS::Partition" => "aws".to_owned(),
            "AWS::URLSuffix" => "amazonaws.com".to_owned(),
            "AWS::StackName" => "local".to_owned(),
            resource => match self.kind(resource)? {
                "AWS::SQS::Queue" => format!("http://sqs.{REGION}/{ACCOUNT}/{resource}"),
                _ => resource.to_owned(),
            },
        }))
    }

    fn attribute(&self, path: &str) -> Result<String, String> {
        let (id, attribute) = path.split_once('.').ok_or("!GetAtt is Name.Attribute")?;
        match (self.kind(id)?, attribute) {
            ("AWS::SQS::Queue", "Arn") => Ok(queue_arn(id)),
            ("AWS::Serverless::Function", "Arn") => Ok(function_arn(id)),
            ("AWS::SSM::Parameter", "Value") => self.text(&self.resources[id]["Properties"]["Value"]),
            ("AWS::DynamoDB::Table", "Arn") => Ok(table_arn(id, None)),
            ("AWS::IAM::Role", "Arn") => Ok(format!("arn:aws:iam::{ACCOUNT}:role/{id}")),
            ("AWS::Logs::LogGroup", "Arn") => Ok(format!("arn:aws:logs:{REGION}:{ACCOUNT}:log-group:{id}:*")),
            _ => Err(format!("{id} has no attribute {attribute} in the local run")),
        }
    }

    fn kind(&self, id: &str) -> Result<&str, String> {
        let resource = self.resources.get(id).ok_or_else(|| format!("nothing is named {id}"))?;
        Ok(resource["Type"].as_str().unwrap_or_default())
    }

    fn substitute(&self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let (name, after) = after.split_once('}').ok_or_else(|| format!("\"{text}\" has an open ${{"))?;
            out.push_str(before);
            out.push_str(&match name.contains('.') {
                true => self.attribute(name)?,
                false => as_text(&self.reference(name)?)?,
            });
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }
}

/// The ARN of the function with this logical id.
pub fn function_arn(id: &str) -> String {
    format!("arn:aws:lambda:{REGION}:{ACCOUNT}:function:{id}")
}

/// The queue with this ARN.
pub fn queue_by_arn(arn: &str) -> Result<String, String> {
    let prefix = queue_arn("");
    arn.strip_prefix(&prefix).map(str::to_owned).ok_or_else(|| format!("{arn} is no queue of the template"))
}

pub fn as_text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(b) => Ok(b.to_string()),
        other => Err(format!("{other} is no text")),
    }
}
