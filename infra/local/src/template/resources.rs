//! Queues, rules and tables, and what a resource's name stands for on one machine.

use serde_json::{Map, Value, json};

use super::intrinsics::Resolver;
use crate::{
    ACCOUNT, REGION,
    world::{
        event::queue_arn,
        queue::{QueueSpec, Redrive},
        rules::{self, RuleSpec, Target},
        schedule::Schedule,
    },
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

/// What `!Ref` gives for a resource.
pub fn reference(resolver: &Resolver<'_>, id: &str, resource: &Value) -> Result<String, String> {
    let named = |property: &str| match resource["Properties"].get(property) {
        Some(name) => resolver.text(name),
        None => Ok(id.to_owned()),
    };
    match resource["Type"].as_str() {
        Some("AWS::SQS::Queue") => Ok(queue_url(id)),
        Some("AWS::DynamoDB::Table") => named("TableName"),
        Some("AWS::Events::Rule" | "AWS::SSM::Parameter") => named("Name"),
        Some("AWS::S3::Bucket") => named("BucketName"),
        Some("AWS::SES::EmailIdentity") => named("EmailIdentity"),
        _ => Ok(id.to_owned()),
    }
}

/// What `!GetAtt` gives for a resource.
pub fn attribute(
    resolver: &Resolver<'_>,
    id: &str,
    resource: &Value,
    attribute: &str,
) -> Result<String, String> {
    let kind = resource["Type"].as_str().unwrap_or_default();
    Ok(match (kind, attribute) {
        ("AWS::SQS::Queue", "Arn") => queue_arn(id),
        ("AWS::SQS::Queue", "QueueName") => id.to_owned(),
        ("AWS::SQS::Queue", "QueueUrl") => queue_url(id),
        ("AWS::Serverless::Function", "Arn") => function_arn(id),
        ("AWS::Events::Rule", "Arn") => rules::arn(&reference(resolver, id, resource)?),
        ("AWS::DynamoDB::Table", "Arn") => {
            let name = reference(resolver, id, resource)?;
            format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}")
        }
        (
            "AWS::SQS::Queue" | "AWS::Serverless::Function" | "AWS::Events::Rule" | "AWS::DynamoDB::Table",
            other,
        ) => {
            return Err(format!("{id} has no attribute {other} in the local run"));
        }
        // A name that is good for nothing but being different from the others.
        (_, other) => format!("{id}.{other}.{REGION}"),
    })
}

/// The ARN of the function with this logical id.
pub fn function_arn(id: &str) -> String {
    format!("arn:aws:lambda:{REGION}:{ACCOUNT}:function:{id}")
}

fn queue_url(id: &str) -> String {
    format!("http://sqs.{REGION}/{ACCOUNT}/{id}")
}

/// The queue with this ARN.
pub fn queue_by_arn(arn: &str) -> Result<String, String> {
    let prefix = queue_arn("");
    arn.strip_prefix(&prefix).map(str::to_owned).ok_or_else(|| format!("{arn} is no queue of the template"))
}

/// Refuses properties that nobody here has thought about.
pub fn only(properties: &Map<String, Value>, known: &[&str]) -> Result<(), String> {
    match properties.keys().find(|name| !known.contains(&name.as_str())) {
        Some(unknown) => Err(format!("the local run does not know the property {unknown}")),
        None => Ok(()),
    }
}

/// A whole number between `least` and `greatest`, or `default` where the property is not there.
pub fn whole(
    resolver: &Resolver<'_>,
    properties: &Map<String, Value>,
    name: &str,
    default: u32,
    least: u32,
    greatest: u32,
) -> Result<u32, String> {
    let Some(value) = properties.get(name) else { return Ok(default) };
    let text = resolver.text(value)?;
    text.parse()
        .ok()
        .filter(|number| (least..=greatest).contains(number))
        .ok_or_else(|| format!("{name} is {text}, not a whole number from {least} to {greatest}"))
}

/// `AWS::SQS::Queue`; limits as SQS has them, in seconds.
pub fn queue(
    resolver: &Resolver<'_>,
    id: &str,
    properties: &Map<String, Value>,
) -> Result<QueueSpec, String> {
    only(
        properties,
        &[
            "DelaySeconds",
            "KmsMasterKeyId",
            "MessageRetentionPeriod",
            "QueueName",
            "ReceiveMessageWaitTimeSeconds",
            "RedriveAllowPolicy",
            "RedrivePolicy",
            "SqsManagedSseEnabled",
            "Tags",
            "VisibilityTimeout",
        ],
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
        delay: number("DelaySeconds", 0, 0, 900)?,
        retention: number("MessageRetentionPeriod", 345_600, 60, 1_209_600)?,
        redrive,
    })
}

fn redrive(policy: &Value) -> Result<Redrive, String> {
    let arn = policy["deadLetterTargetArn"].as_str().ok_or("it has no deadLetterTargetArn")?;
    let max = &policy["maxReceiveCount"];
    let max = max.as_u64().or_else(|| max.as_str()?.parse().ok());
    let max = max.and_then(|max| u32::try_from(max).ok()).filter(|max| (1..=1000).contains(max));
    Ok(Redrive {
        to: queue_by_arn(arn)?,
        max_receives: max.ok_or("maxReceiveCount is not a whole number from 1 to 1000")?,
    })
}

/// `AWS::Events::Rule` with a schedule.
pub fn rule(resolver: &Resolver<'_>, id: &str, properties: &Map<String, Value>) -> Result<RuleSpec, String> {
    only(properties, &["Description", "EventBusName", "Name", "ScheduleExpression", "State", "Targets"])?;
    let expression = properties.get("ScheduleExpression").ok_or("it has no ScheduleExpression")?;
    let expression = resolver.text(expression)?;
    Schedule::parse(&expression)?;
    let targets = match properties.get("Targets") {
        None => Vec::new(),
        Some(targets) => {
            let targets = resolver.resolve(targets)?;
            let targets = targets.as_array().ok_or("its Targets are no list")?;
            targets.iter().map(target).collect::<Result<_, _>>()?
        }
    };
    Ok(RuleSpec {
        name: match properties.get("Name") {
            Some(name) => resolver.text(name)?,
            None => id.to_owned(),
        },
        expression,
        enabled: match properties.get("State") {
            Some(state) => state_enabled(&resolver.text(state)?)?,
            None => true,
        },
        targets,
    })
}

/// A rule's State.
pub fn state_enabled(state: &str) -> Result<bool, String> {
    match state {
        "ENABLED" => Ok(true),
        "DISABLED" => Ok(false),
        other => Err(format!("State is {other}, not ENABLED or DISABLED")),
    }
}

fn target(target: &Value) -> Result<Target, String> {
    let properties = target.as_object().ok_or("a target is no mapping")?;
    only(properties, &["Arn", "DeadLetterConfig", "Id", "Input", "RetryPolicy"])?;
    let read: Target = serde_json::from_value(target.clone()).map_err(|e| format!("Targets: {e}"))?;
    if let Some(input) = &read.input {
        serde_json::from_str::<Value>(input).map_err(|e| format!("a target's Input is no JSON: {e}"))?;
    }
    if read.arn.starts_with(&function_arn("")) || read.arn.starts_with(&queue_arn("")) {
        Ok(read)
    } else {
        Err(format!("Targets: {} is neither a function nor a queue of the template", read.arn))
    }
}

/// `AWS::DynamoDB::Table`.
pub fn table(resolver: &Resolver<'_>, id: &str, properties: &Map<String, Value>) -> Result<Table, String> {
    const FOR_CREATE: [&str; 6] = [
        "AttributeDefinitions",
        "BillingMode",
        "GlobalSecondaryIndexes",
        "KeySchema",
        "LocalSecondaryIndexes",
        "ProvisionedThroughput",
    ];
    const ELSEWHERE: [&str; 11] = [
        "ContributorInsightsSpecification",
        "DeletionProtectionEnabled",
        "KinesisStreamSpecification",
        "OnDemandThroughput",
        "PointInTimeRecoverySpecification",
        "SSESpecification",
        "StreamSpecification",
        "TableClass",
        "TableName",
        "Tags",
        "TimeToLiveSpecification",
    ];
    only(properties, &[FOR_CREATE.as_slice(), ELSEWHERE.as_slice()].concat())?;
    let name = match properties.get("TableName") {
        Some(name) => resolver.text(name)?,
        None => id.to_owned(),
    };
    let mut create = json!({ "TableName": name });
    for property in FOR_CREATE {
        if let Some(value) = properties.get(property) {
            create[property] = resolver.resolve(value)?;
        }
    }
    if let Some(stream) = properties.get("StreamSpecification") {
        let view = resolver.text(&stream["StreamViewType"])?;
        create["StreamSpecification"] = json!({ "StreamEnabled": true, "StreamViewType": view });
    }
    let ttl = match properties.get("TimeToLiveSpecification") {
        Some(ttl) if ttl["Enabled"] == true => Some(resolver.text(&ttl["AttributeName"])?),
        _ => None,
    };
    Ok(Table { name, create, ttl })
}
