//! EventBridge: the product puts its one rule at run time, and the template has what the rule starts.

use serde_json::{Value, json};

use super::reply::Reply;
use crate::world::{
    rules::{self, Rules},
    schedule::Schedule,
};

pub fn answer(rules: &Rules, operation: &str, input: &Value) -> Reply {
    match operation {
        "PutRule" => put(rules, input).unwrap_or_else(|refused| refused),
        "DescribeRule" => describe(rules, input["Name"].as_str().unwrap_or_default()),
        other => Reply::unknown(&format!("EventBridge's {other}")),
    }
}

fn describe(rules: &Rules, name: &str) -> Reply {
    match rules.told(name) {
        Ok(Some((expression, enabled))) => Reply::ok(&json!({
            "Name": name,
            "Arn": rules::arn(name),
            "ScheduleExpression": expression,
            "State": if enabled { "ENABLED" } else { "DISABLED" },
        })),
        Ok(None) => {
            let text = format!("Rule {name} does not exist on EventBus default.");
            Reply::refused("ResourceNotFoundException", &text)
        }
        Err(error) => Reply::broken(&error),
    }
}

fn put(rules: &Rules, input: &Value) -> Result<Reply, Reply> {
    let invalid = |message: String| Reply::refused("ValidationException", &message);
    let name = input["Name"].as_str().filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| invalid("Name is missing.".to_owned()))?;
    let expression = input["ScheduleExpression"].as_str().unwrap_or_default();
    Schedule::parse(expression)
        .map_err(|what| invalid(format!("Parameter ScheduleExpression is not valid: {what}.")))?;
    let enabled = match input["State"].as_str() {
        None | Some("ENABLED") => true,
        Some("DISABLED") => false,
        Some(other) => return Err(invalid(format!("Parameter State is not valid: {other}."))),
    };
    rules.put(name, expression, enabled).map_err(|error| Reply::broken(&error))?;
    Ok(Reply::ok(&json!({ "RuleArn": rules::arn(name) })))
}
