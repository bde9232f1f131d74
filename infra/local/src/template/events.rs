//! What starts a function: routes, queues, schedules.

use serde_json::{Map, Value};

use super::{
    functions::{Function, Route, Subscription},
    intrinsics::Resolver,
    resources::{function_arn, only, queue_by_arn, state_enabled, whole},
};
use crate::world::{
    rules::{RuleSpec, Target},
    schedule::Schedule,
};

/// How many batches Lambda takes from a queue at once where the template sets no limit: it starts
/// with five pollers, and more would only queue up for this machine's cores.
const POLLERS: u32 = 5;
const METHODS: [&str; 6] = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"];

/// Adds one event to the function it belongs to.
pub fn add(
    resolver: &Resolver<'_>,
    function: &mut Function,
    rules: &mut Vec<RuleSpec>,
    name: &str,
    event: &Value,
) -> Result<(), String> {
    let empty = Map::new();
    let properties = event.get("Properties").and_then(Value::as_object).unwrap_or(&empty);
    match event["Type"].as_str().ok_or("it has no Type")? {
        "HttpApi" => function.routes.push(route(resolver, properties)?),
        "SQS" => function.subscriptions.extend(subscription(resolver, properties)?),
        "Schedule" => rules.push(schedule(resolver, &function.id, name, properties)?),
        unknown => return Err(format!("the local run does not know the event type {unknown}")),
    }
    Ok(())
}

fn required(resolver: &Resolver<'_>, properties: &Map<String, Value>, name: &str) -> Result<String, String> {
    let value = properties.get(name).ok_or_else(|| format!("it has no {name}"))?;
    resolver.text(value).map_err(|what| format!("{name}: {what}"))
}

fn flag(
    resolver: &Resolver<'_>,
    properties: &Map<String, Value>,
    name: &str,
) -> Result<Option<bool>, String> {
    let Some(value) = properties.get(name) else { return Ok(None) };
    match resolver.text(value)?.as_str() {
        "true" => Ok(Some(true)),
        "false" => Ok(Some(false)),
        other => Err(format!("{name} is {other}, not true or false")),
    }
}

fn route(resolver: &Resolver<'_>, properties: &Map<String, Value>) -> Result<Route, String> {
    only(
        properties,
        &["ApiId", "Auth", "Method", "Path", "PayloadFormatVersion", "RouteSettings", "TimeoutInMillis"],
    )?;
    let route = Route {
        method: required(resolver, properties, "Method")?.to_uppercase(),
        path: required(resolver, properties, "Path")?,
    };
    if !METHODS.contains(&route.method.as_str()) {
        return Err(format!("Method cannot be {}", route.method));
    }
    if !route.path.starts_with('/') || route.path.contains('*') || route.path.contains("+}") {
        return Err(format!("Path cannot be {}", route.path));
    }
    Ok(route)
}

fn subscription(
    resolver: &Resolver<'_>,
    properties: &Map<String, Value>,
) -> Result<Option<Subscription>, String> {
    only(
        properties,
        &[
            "BatchSize",
            "Enabled",
            "FunctionResponseTypes",
            "MaximumBatchingWindowInSeconds",
            "Queue",
            "ScalingConfig",
        ],
    )?;
    let queue = queue_by_arn(&required(resolver, properties, "Queue")?)?;
    // Batches are not waited for: the window would only slow a single machine down.
    whole(resolver, properties, "MaximumBatchingWindowInSeconds", 0, 0, 300)?;
    let partial = match properties.get("FunctionResponseTypes") {
        None => false,
        Some(types) => {
            let types = resolver.resolve(types)?;
            if types != serde_json::json!(["ReportBatchItemFailures"]) {
                return Err(format!("FunctionResponseTypes is {types}"));
            }
            true
        }
    };
    let max_concurrency = match properties.get("ScalingConfig") {
        None => POLLERS,
        Some(scaling) => {
            let scaling = scaling.as_object().ok_or("ScalingConfig is no mapping")?;
            only(scaling, &["MaximumConcurrency"])?;
            whole(resolver, scaling, "MaximumConcurrency", POLLERS, 2, 1000)?
        }
    };
    let batch_size = whole(resolver, properties, "BatchSize", 10, 1, 10_000)?;
    let enabled = flag(resolver, properties, "Enabled")?.unwrap_or(true);
    Ok(enabled.then_some(Subscription { queue, batch_size, max_concurrency, partial }))
}

fn schedule(
    resolver: &Resolver<'_>,
    function: &str,
    event: &str,
    properties: &Map<String, Value>,
) -> Result<RuleSpec, String> {
    only(
        properties,
        &["DeadLetterConfig", "Description", "Enabled", "Input", "Name", "RetryPolicy", "Schedule", "State"],
    )?;
    let expression = required(resolver, properties, "Schedule")?;
    Schedule::parse(&expression)?;
    let enabled = match (flag(resolver, properties, "Enabled")?, properties.get("State")) {
        (Some(_), Some(_)) => return Err("it has both Enabled and State".to_owned()),
        (Some(enabled), None) => enabled,
        (None, Some(state)) => state_enabled(&resolver.text(state)?)?,
        (None, None) => true,
    };
    let input = properties.get("Input").map(|input| resolver.text(input)).transpose()?;
    if let Some(input) = &input {
        serde_json::from_str::<Value>(input).map_err(|e| format!("Input is no JSON: {e}"))?;
    }
    // SAM names the rule after the function and the event where the template does not.
    let logical_id = format!("{function}{event}");
    let name = properties.get("Name").map(|name| resolver.text(name)).transpose()?;
    let target = Target { id: format!("{logical_id}LambdaTarget"), arn: function_arn(function), input };
    Ok(RuleSpec { name: name.unwrap_or(logical_id), expression, enabled, targets: vec![target] })
}
