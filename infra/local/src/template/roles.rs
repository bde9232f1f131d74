//! The functions' roles. What a role says in a way that is not known here is refused: a statement that were
//! skipped would be a grant or a condition that the local run does not hold to.

use serde_json::Value;

use super::{
    events::Subscription,
    intrinsics::Resolver,
    properties::{Properties, only},
};
use crate::{
    aws::{Condition, Effect, Grant, Need, Role},
    world::event::queue_arn,
};

const VERSION: &str = "2012-10-17";
/// What Lambda itself does with a function's role for its queue.
const RECEIVES: [&str; 3] = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"];

/// The role that the property `Role` of the function `function` names.
pub fn read(resolver: &Resolver<'_>, function: &str, own: &Properties) -> Result<Role, String> {
    let arn = resolver.text(own.get("Role").ok_or("it has no Role of its own")?)?;
    let name = arn.rsplit('/').next().unwrap_or_default().to_owned();
    let properties = &resolver.resources.get(&name).ok_or("its Role is none of the template")?["Properties"];
    let properties = properties.as_object().ok_or_else(|| format!("{name}: it has no Properties"))?;
    let grants = grants(resolver, properties).map_err(|what| format!("{name}: {what}"))?;
    Ok(Role { name, function: function.to_owned(), grants })
}

/// Lambda refuses to read a queue for a function whose role may not.
pub fn check_queue(role: &Role, Subscription { queue, .. }: &Subscription) -> Result<(), String> {
    for action in RECEIVES {
        let need = Need { action, resource: queue_arn(queue), ..Need::default() };
        if role.allows(&need).is_err() {
            return Err(format!("{} does not grant {action} on {queue}", role.name));
        }
    }
    Ok(())
}

fn grants(resolver: &Resolver<'_>, properties: &Properties) -> Result<Vec<Grant>, String> {
    only(properties, &["AssumeRolePolicyDocument", "Policies"])?;
    let trust = document(resolver, properties.get("AssumeRolePolicyDocument"))?;
    let lambda = serde_json::json!([{
        "Effect": "Allow", "Principal": { "Service": "lambda.amazonaws.com" }, "Action": "sts:AssumeRole",
    }]);
    if Value::from(trust) != lambda {
        return Err("AssumeRolePolicyDocument: Lambda, and nobody else, has to be let in".to_owned());
    }
    let mut grants = Vec::new();
    let policies = properties.get("Policies").and_then(Value::as_array);
    for policy in policies.ok_or("its Policies are no list")? {
        only(policy.as_object().ok_or("a policy is no mapping")?, &["PolicyDocument", "PolicyName"])?;
        for (at, one) in document(resolver, policy.get("PolicyDocument"))?.iter().enumerate() {
            grants.extend(statement(one).map_err(|what| format!("statement {}: {what}", at + 1))?);
        }
    }
    Ok(grants)
}

/// The statements of a policy.
fn document(resolver: &Resolver<'_>, document: Option<&Value>) -> Result<Vec<Value>, String> {
    let document = resolver.resolve(document.ok_or("it has no policy")?)?;
    only(document.as_object().ok_or("a policy's document is no mapping")?, &["Statement", "Version"])?;
    if document["Version"] != VERSION {
        return Err(format!("a policy's Version is not {VERSION}"));
    }
    document["Statement"].as_array().cloned().ok_or_else(|| "a policy's Statement is no list".to_owned())
}

fn statement(statement: &Value) -> Result<Vec<Grant>, String> {
    let parts = statement.as_object().ok_or("it is no mapping")?;
    only(parts, &["Action", "Condition", "Effect", "Resource", "Sid"])?;
    let effect = match statement["Effect"].as_str() {
        Some("Allow") => Effect::Allow,
        Some("Deny") => Effect::Deny,
        _ => return Err("its Effect is neither Allow nor Deny".to_owned()),
    };
    let conditions = match parts.get("Condition") {
        None => Vec::new(),
        Some(condition) => conditions(condition)?,
    };
    let mut grants = Vec::new();
    let resources = texts(&statement["Resource"]).map_err(|what| format!("Resource: {what}"))?;
    for action in texts(&statement["Action"]).map_err(|what| format!("Action: {what}"))? {
        let grant = |resource: &String| Grant {
            effect,
            action: action.clone(),
            resource: resource.clone(),
            conditions: conditions.clone(),
        };
        grants.extend(resources.iter().map(grant));
    }
    Ok(grants)
}

fn conditions(condition: &Value) -> Result<Vec<Condition>, String> {
    let mut conditions = Vec::new();
    for (operator, tests) in condition.as_object().ok_or("Condition is no mapping")? {
        for (key, values) in tests.as_object().ok_or("Condition is no mapping")? {
            let values = texts(values).map_err(|what| format!("Condition: {key}: {what}"))?;
            conditions.push(match (operator.as_str(), key.as_str()) {
                ("ForAllValues:StringLike", "dynamodb:LeadingKeys") => Condition::LeadingKeys(values),
                ("ForAnyValue:StringEquals", "dynamodb:Attributes") => Condition::Attributes(values),
                ("StringEquals", "ses:FromAddress") => Condition::FromAddress(values),
                _ => return Err(format!("the local run does not know the Condition {operator} of {key}")),
            });
        }
    }
    Ok(conditions)
}

/// A text, or several.
fn texts(value: &Value) -> Result<Vec<String>, String> {
    let one = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(|| format!("{value} is no text"));
    match value {
        Value::Array(several) if !several.is_empty() => several.iter().map(one).collect(),
        other => one(other).map(|text| vec![text]),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::template::Template;

    const GOOD: &str = include_str!("test.yaml");

    fn read(text: &str) -> Result<Template, String> {
        Template::parse(text, &BTreeMap::from([("PublicOrigin", "http://localhost:4000".to_owned())]))
    }

    #[test]
    fn a_role_is_its_statements() {
        let template = read(GOOD).unwrap();
        let role = &template.functions[0].role;
        assert_eq!(role.user(), format!("arn:aws:sts::000000000000:assumed-role/Role/{}", role.function));
        let grant =
            |action: &str| role.grants.iter().filter(|grant| grant.action == action).collect::<Vec<_>>();
        let table = "arn:aws:dynamodb:local:000000000000:table/Table";
        let get = grant("dynamodb:GetItem")[0];
        assert_eq!(get.resource, table);
        assert_eq!(get.conditions, [Condition::LeadingKeys(vec!["SEASON".into(), "PAY#*".into()])]);
        let queries: Vec<&str> =
            grant("dynamodb:Query").iter().map(|grant| grant.resource.as_str()).collect();
        assert_eq!(queries, [format!("{table}/index/lists"), format!("{table}/index/days")]);
        let from = Condition::FromAddress(vec!["no-reply@fplleagues.test".into()]);
        assert_eq!(grant("ses:SendEmail")[0].conditions, [from]);
        assert_eq!(grant("sqs:ReceiveMessage")[0].resource, queue_arn("PaymentsQueue"));
    }

    #[test]
    fn what_is_not_known_of_a_role_is_refused_and_not_skipped() {
        for (good, bad, what) in [
            ("Effect: Allow\n", "Effect: allow\n", "neither Allow nor Deny"),
            ("Action: ['dynamodb:GetItem']", "NotAction: ['dynamodb:GetItem']", "NotAction"),
            ("ForAllValues:StringLike", "ForAnyValue:StringLike", "ForAnyValue:StringLike"),
            ("dynamodb:LeadingKeys", "dynamodb:Attributes", "dynamodb:Attributes"),
            ("ses:FromAddress", "ses:Recipients", "ses:Recipients"),
            ("Service: lambda.amazonaws.com", "AWS: '*'", "nobody else"),
            ("PolicyName: own", "PolicyName: own\n          Name: a", "the property Name"),
            ("      Policies:", "      ManagedPolicyArns: [a]\n      Policies:", "ManagedPolicyArns"),
            ("      Handler: login\n      Role: !GetAtt Role.Arn\n", "      Handler: login\n", "no Role"),
            (
                "'sqs:ReceiveMessage'",
                "'sqs:SendMessage'",
                "does not grant sqs:ReceiveMessage on PaymentsQueue",
            ),
        ] {
            let text = GOOD.replacen(good, bad, 1);
            assert_ne!(text, GOOD, "{good}");
            let refused = read(&text).unwrap_err();
            assert!(refused.contains(what), "{bad}: {refused}");
        }
    }
}
