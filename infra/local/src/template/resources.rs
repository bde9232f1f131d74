//! Queues, rules and tables.

use serde_json::{Value, json};

use super::{
    intrinsics::{Resolver, function_arn, queue_by_arn},
    properties::{Properties, is_enabled, only, text, whole},
};
use crate::world::{
    event::queue_arn,
    queue::{QueueSpec, Redrive},
    rules::{RuleSpec, Target},
    schedule::Schedule,
};

/// A table, ready for CreateTable.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    pub name: String,
    /// The body of CreateTable.
    pub create: Value,
    /// The attribute whose time (seconds since 1970) ends an item.
    pub ttl: Option<String>,
}

/// `AWS::SQS::Queue`; limits as SQS has them, in seconds.
pub fn queue(resolver: &Resolver<'_>, id: &str, properties: &Properties) -> Result<QueueSpec, String> {
    only(
        properties,
        &["MessageRetentionPeriod", "RedrivePolicy", "SqsManagedSseEnabled", "VisibilityTimeout"],
    )?;
    let number = |name, default, least, greatest| whole(resolver, properties, name, default, least, greatest);
    let redrive = match properties.get("RedrivePolicy") {
        None => None,
        Some(policy) => {
            Some(redrive(&resolver.resolve(policy)?).map_err(|what| format!("RedrivePolicy: {what}"))?)
        }
    };
    Ok(QueueSpec {
        name: id.to_owned(),
        visibility_timeout: number("VisibilityTimeout", 30, 0, 43_200)?,
        delay: 0,
        retention: number("MessageRetentionPeriod", 345_600, 60, 1_209_600)?,
        redrive,
    })
}

fn redrive(policy: &Value) -> Result<Redrive, String> {
    let arn = policy["deadLetterTargetArn"].as_str().ok_or("it has no deadLetterTargetArn")?;
    let max = policy["maxReceiveCount"].as_u64();
    let max = max.and_then(|max| u32::try_from(max).ok()).filter(|max| (1..=1000).contains(max));
    Ok(Redrive {
        to: queue_by_arn(arn)?,
        max_receives: max.ok_or("maxReceiveCount is not a whole number from 1 to 1000")?,
    })
}

/// `AWS::Events::Rule` with a schedule.
pub fn rule(resolver: &Resolver<'_>, id: &str, properties: &Properties) -> Result<RuleSpec, String> {
    only(properties, &["Name", "ScheduleExpression", "State", "Targets"])?;
    let expression = text(resolver, properties, "ScheduleExpression")?;
    Schedule::parse(&expression)?;
    let targets = resolver.resolve(properties.get("Targets").ok_or("it has no Targets")?)?;
    let targets = targets.as_array().ok_or("its Targets are no list")?;
    Ok(RuleSpec {
        name: match properties.get("Name") {
            Some(name) => resolver.text(name)?,
            None => id.to_owned(),
        },
        expression,
        enabled: is_enabled(resolver, properties)?,
        targets: targets.iter().map(target).collect::<Result<_, _>>()?,
    })
}

fn target(target: &Value) -> Result<Target, String> {
    only(target.as_object().ok_or("a target is no mapping")?, &["Arn", "DeadLetterConfig", "Id"])?;
    let read: Target = serde_json::from_value(target.clone()).map_err(|e| format!("Targets: {e}"))?;
    if read.arn.starts_with(&function_arn("")) || read.arn.starts_with(&queue_arn("")) {
        Ok(read)
    } else {
        Err(format!("Targets: {} is neither a function nor a queue of the template", read.arn))
    }
}

/// `AWS::DynamoDB::Table`.
pub fn table(resolver: &Resolver<'_>, id: &str, properties: &Properties) -> Result<Table, String> {
    const FOR_CREATE: [&str; 4] =
        ["AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema"];
    const ELSEWHERE: [&str; 4] = [
        "DeletionProtectionEnabled",
        "PointInTimeRecoverySpecification",
        "SSESpecification",
        "TimeToLiveSpecification",
    ];
    only(properties, &[FOR_CREATE.as_slice(), ELSEWHERE.as_slice()].concat())?;
    let mut create = json!({ "TableName": id });
    for property in FOR_CREATE {
        if let Some(value) = properties.get(property) {
            create[property] = resolver.resolve(value)?;
        }
    }
    let ttl = match properties.get("TimeToLiveSpecification") {
        Some(ttl) if ttl["Enabled"] == true => Some(resolver.text(&ttl["AttributeName"])?),
        _ => None,
    };
    Ok(Table { name: id.to_owned(), create, ttl })
}
