//! Each function of the template with its role, as the lists of grants read them.

use std::collections::BTreeMap;

use yaml_serde::Value;

use super::template::{log_group, parsed, pascal};

pub struct Function {
    pub name: String,
    pub properties: Value,
    pub role: Value,
}

pub fn functions_of_the_template() -> Vec<Function> {
    let template = parsed();
    let resources = &template["Resources"];
    let functions = resources.as_mapping().unwrap().iter();
    let functions: Vec<Function> = functions
        .filter(|(_, resource)| resource["Type"] == "AWS::Serverless::Function")
        .map(|(_, function)| {
            let properties = function["Properties"].clone();
            let name = properties["Handler"].as_str().unwrap().to_owned();
            let role = resources[format!("{}Role", pascal(&name)).as_str()]["Properties"].clone();
            Function { name, properties, role }
        })
        .collect();
    assert!(functions.len() > 80, "{}", functions.len());
    functions
}

/// The text inside a value, whatever intrinsic is around it.
pub fn text(value: &Value) -> &str {
    match value {
        Value::Tagged(tagged) => text(&tagged.value),
        other => other.as_str().unwrap_or_default(),
    }
}

impl Function {
    pub fn statements(&self) -> Vec<&Value> {
        let policies = self.role["Policies"].as_sequence().unwrap().iter();
        policies.flat_map(|policy| policy["PolicyDocument"]["Statement"].as_sequence().unwrap()).collect()
    }

    /// Each action that is allowed, and on what.
    pub fn grants(&self) -> Vec<(&str, &str)> {
        let mut grants = Vec::new();
        for statement in self.statements() {
            if statement["Effect"] == "Deny" {
                continue;
            }
            assert_eq!(statement["Effect"], Value::from("Allow"));
            let resources = match &statement["Resource"] {
                Value::Sequence(several) => several.iter().collect(),
                one => vec![one],
            };
            for action in statement["Action"].as_sequence().unwrap() {
                grants.extend(resources.iter().map(|resource| (text(action), text(resource))));
            }
        }
        grants
    }

    /// What a grant is on, in the words of the lists.
    pub fn kind_of(&self, resource: &str) -> &'static str {
        match resource {
            table if table.ends_with(":table/${TableInUse.Value}") => "Table",
            index if index.ends_with(":table/${TableInUse.Value}/index/lists") => "Table/lists",
            index if index.ends_with(":table/${TableInUse.Value}/index/days") => "Table/days",
            "JobDeadLetters.Arn" => "failed events",
            log if log == format!("{}.Arn", log_group(&self.name)) => "own log",
            queue if queue == text(&self.properties["Events"]["Queue"]["Properties"]["Queue"]) => "own queue",
            queue if queue.ends_with("Queue.Arn") => "queue",
            dead if dead.ends_with("DeadLetters.Arn") => "dead letters",
            parameter if parameter.contains(":parameter${SecretsPrefix}/") => "parameter",
            identity if identity.ends_with(":identity/*") => "identity",
            rule if rule.ends_with(":rule/${AWS::StackName}-deadline-fence") => "rule",
            other => panic!("{}: a grant on {other}", self.name),
        }
    }
}

/// The calls' names, by whether their document asks for a token (`Some(true)`), takes one, or knows none.
pub fn tokens() -> BTreeMap<String, Option<bool>> {
    let document = serde_json::to_value(functions::document()).unwrap();
    let endpoints = functions::endpoints().into_iter();
    let token = |path: &str, method: &str| {
        let security = document["paths"][path][method.to_lowercase()]["security"]
            .as_array()
            .filter(|ways| !ways.is_empty())?;
        Some(security.iter().all(|way| way.as_object().is_some_and(|way| !way.is_empty())))
    };
    endpoints.map(|e| (e.name.clone(), token(&e.path, e.method.as_str()))).collect()
}
