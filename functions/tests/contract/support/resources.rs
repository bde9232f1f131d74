//! The template's resources in JSON, with the long forms of CloudFormation's functions.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};
use yaml_serde::Value as Yaml;

use super::template::parsed;

pub struct Template(Value);

impl Template {
    pub fn new() -> Self {
        Self(plain(&parsed()))
    }

    /// A part of the template: `Parameters`, `Resources`, …
    pub fn part(&self, name: &str) -> &Map<String, Value> {
        self.0[name].as_object().unwrap_or_else(|| panic!("the template has no {name}"))
    }

    pub fn resource(&self, id: &str) -> &Value {
        self.part("Resources").get(id).unwrap_or_else(|| panic!("the template has no {id}"))
    }

    pub fn properties(&self, id: &str) -> &Value {
        &self.resource(id)["Properties"]
    }

    /// The ids and properties of what is of a type.
    pub fn of_type<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = (&'a str, &'a Value)> {
        let resources = self.part("Resources").iter().filter(move |(_, resource)| resource["Type"] == kind);
        resources.map(|(id, resource)| (id.as_str(), &resource["Properties"]))
    }

    /// The functions that the API calls, by their ids, each with its method.
    pub fn routes(&self) -> BTreeMap<String, String> {
        let paths = self.properties("Api")["DefinitionBody"]["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|path| path.as_object().unwrap());
        let route = |(method, operation): (&String, &Value)| {
            let uri = operation["x-amazon-apigateway-integration"]["uri"]["Fn::Sub"].as_str().unwrap();
            let (_, id) = uri.split_once("/functions/${").unwrap();
            let (id, _) = id.split_once(".Arn").or_else(|| id.split_once("Aliaslive")).unwrap();
            (id.to_owned(), method.to_uppercase())
        };
        operations.map(route).collect()
    }

    pub fn globals(&self) -> &Value {
        &self.0["Globals"]["Function"]
    }
}

fn plain(value: &Yaml) -> Value {
    match value {
        Yaml::Null => Value::Null,
        Yaml::Bool(b) => json!(b),
        Yaml::Number(n) => serde_json::to_value(n).unwrap(),
        Yaml::String(text) => json!(text),
        Yaml::Sequence(items) => items.iter().map(plain).collect(),
        Yaml::Mapping(pairs) => {
            pairs.iter().map(|(key, value)| (key.as_str().unwrap().to_owned(), plain(value))).collect()
        }
        Yaml::Tagged(tagged) => {
            let tag = tagged.tag.to_string();
            let name = match tag.trim_start_matches('!') {
                "Ref" => "Ref".to_owned(),
                tag => format!("Fn::{tag}"),
            };
            json!({ name: plain(&tagged.value) })
        }
    }
}

/// `!If [condition, value, !Ref AWS::NoValue]`
pub fn only_if(condition: &str, value: Value) -> Value {
    json!({ "Fn::If": [condition, value, { "Ref": "AWS::NoValue" }] })
}
