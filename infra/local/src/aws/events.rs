//! EventBridge: the rules that the product makes and re-asserts at run time.

use serde_json::{Value, json};

use super::reply::Reply;
use crate::world::{
    queue::Queues,
    rules::{self, Rules, Target},
    schedule::Schedule,
};

pub fn answer(rules: &Rules, queues: &Queues, operation: &str, input: &Value) -> Reply {
    let answered = match operation {
        "PutRule" => put(rules, input),
        "PutTargets" => put_targets(rules, queues, input),
        "DescribeRule" => describe(rules, input),
        "EnableRule" => switch(rules, input, true),
        "DisableRule" => switch(rules, input, false),
        other => return Reply::unknown(&format!("EventBridge's {other}")),
    };
    answered.unwrap_or_else(|refused| refused)
}

fn put(rules: &Rules, input: &Value) -> Result<Reply, Reply> {
    let name = name(input, "Name")?;
    let expression = input["ScheduleExpression"].as_str().unwrap_or_default();
    if let Err(what) = Schedule::parse(expression) {
        return Err(invalid(&format!("Parameter ScheduleExpression is not valid: {what}.")));
    }
    let enabled = match input["State"].as_str() {
        None | Some("ENABLED") => true,
        Some("DISABLED") => false,
        Some(other) => return Err(invalid(&format!("Parameter State is not valid: {other}."))),
    };
    rules.put(name, expression, enabled, input["Description"].as_str()).map_err(|e| Reply::broken(&e))?;
    Ok(Reply::ok(&json!({ "RuleArn": rules::arn(name) })))
}

fn put_targets(rules: &Rules, queues: &Queues, input: &Value) -> Result<Reply, Reply> {
    let name = name(input, "Rule")?;
    let targets: Vec<Target> =
        serde_json::from_value(input["Targets"].clone()).map_err(|e| invalid(&format!("Targets: {e}")))?;
    for target in &targets {
        // AWS takes any ARN and fails when the rule fires; here a wrong one is told at once.
        if target.queue().is_none_or(|queue| queues.spec(&queue).is_none()) {
            return Err(invalid(&format!("Target {}: nothing local has the ARN {}.", target.id, target.arn)));
        }
        if let Some(input) = &target.input
            && serde_json::from_str::<Value>(input).is_err()
        {
            return Err(invalid(&format!("JSON syntax error in input for target {}.", target.id)));
        }
    }
    match rules.put_targets(name, targets).map_err(|e| Reply::broken(&e))? {
        true => Ok(Reply::ok(&json!({ "FailedEntryCount": 0, "FailedEntries": [] }))),
        false => Err(unknown(name)),
    }
}

fn describe(rules: &Rules, input: &Value) -> Result<Reply, Reply> {
    let name = name(input, "Name")?;
    let rule = rules.get(name).map_err(|e| Reply::broken(&e))?.ok_or_else(|| unknown(name))?;
    let mut answer = json!({
        "Name": rule.name,
        "Arn": rules::arn(name),
        "ScheduleExpression": rule.expression,
        "State": if rule.enabled { "ENABLED" } else { "DISABLED" },
        "EventBusName": "default",
    });
    if let Some(description) = rule.description {
        answer["Description"] = Value::String(description);
    }
    Ok(Reply::ok(&answer))
}

fn switch(rules: &Rules, input: &Value, enabled: bool) -> Result<Reply, Reply> {
    let name = name(input, "Name")?;
    match rules.switch(name, enabled).map_err(|e| Reply::broken(&e))? {
        true => Ok(Reply::ok(&json!({}))),
        false => Err(unknown(name)),
    }
}

fn name<'a>(input: &'a Value, key: &str) -> Result<&'a str, Reply> {
    input[key].as_str().filter(|name| !name.is_empty()).ok_or_else(|| invalid(&format!("{key} is missing.")))
}

fn invalid(message: &str) -> Reply {
    Reply::refused("ValidationException", message)
}

fn unknown(name: &str) -> Reply {
    Reply::refused("ResourceNotFoundException", &format!("Rule {name} does not exist on EventBus default."))
}
