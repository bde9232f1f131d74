//! What starts a function: routes, queues, schedules.

use super::{
    intrinsics::{Resolver, function_arn, queue_by_arn},
    properties::{Properties, is_enabled, only, text, whole},
};
use crate::world::{
    rules::{RuleSpec, Target},
    schedule::Schedule,
};

/// How many batches Lambda takes from a queue at once where the template sets no limit: it starts
/// with five pollers, and more would only queue up for this machine's cores.
const POLLERS: u32 = 5;
const METHODS: [&str; 6] = ["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"];

pub enum Event {
    Route(Route),
    Subscription(Subscription),
    Schedule(RuleSpec),
}

/// A path of the HTTP API, as API Gateway writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    pub method: String,
    pub path: String,
}

/// A queue that feeds the function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub queue: String,
    pub batch_size: u32,
    pub max_concurrency: u32,
    /// The function reports the failed messages of a batch.
    pub partial: bool,
}

/// The event `name` of the function with the logical id `function`.
pub fn read(
    resolver: &Resolver<'_>,
    function: &str,
    name: &str,
    event: &serde_json::Value,
) -> Result<Event, String> {
    let empty = Properties::new();
    let properties = event["Properties"].as_object().unwrap_or(&empty);
    match event["Type"].as_str().ok_or("it has no Type")? {
        "HttpApi" => route(resolver, properties).map(Event::Route),
        "SQS" => subscription(resolver, properties).map(Event::Subscription),
        "Schedule" => schedule(resolver, function, name, properties).map(Event::Schedule),
        unknown => Err(format!("the local run does not know the event type {unknown}")),
    }
}

/// The routes of an HTTP API that has a document, each with the logical id of the function that it calls.
pub fn routes(resolver: &Resolver<'_>, properties: &Properties) -> Result<Vec<(String, Route)>, String> {
    let Some(document) = properties.get("DefinitionBody") else { return Ok(Vec::new()) };
    let paths = document["paths"].as_object().ok_or("its document has no paths")?;
    let mut routes = Vec::new();
    for (path, operations) in paths {
        for (method, operation) in operations.as_object().ok_or("a path is no mapping")? {
            let wrong = |what: &str| format!("{method} {path}: {what}");
            let integration = &operation["x-amazon-apigateway-integration"];
            if integration["type"] != "aws_proxy" || integration["payloadFormatVersion"] != "2.0" {
                return Err(wrong("it hands nothing over to a function"));
            }
            let uri = integration["uri"]["Fn::Sub"].as_str().ok_or_else(|| wrong("its uri is no !Sub"))?;
            let id = uri
                .split_once("/functions/${")
                .and_then(|(_, rest)| rest.split_once("}/invocations"))
                .and_then(|(id, _)| id.strip_suffix(".Arn").or_else(|| id.strip_suffix("Aliaslive")))
                .ok_or_else(|| wrong("its uri names no function"))?;
            let route = serde_json::json!({ "Method": method, "Path": path });
            let route = self::route(resolver, route.as_object().ok_or("it is no mapping")?)?;
            routes.push((id.to_owned(), route));
        }
    }
    Ok(routes)
}

fn route(resolver: &Resolver<'_>, properties: &Properties) -> Result<Route, String> {
    only(properties, &["ApiId", "Method", "Path"])?;
    let route = Route {
        method: text(resolver, properties, "Method")?.to_uppercase(),
        path: text(resolver, properties, "Path")?,
    };
    if !METHODS.contains(&route.method.as_str()) {
        return Err(format!("Method cannot be {}", route.method));
    }
    if !route.path.starts_with('/') || route.path.contains('*') || route.path.contains("+}") {
        return Err(format!("Path cannot be {}", route.path));
    }
    Ok(route)
}

fn subscription(resolver: &Resolver<'_>, properties: &Properties) -> Result<Subscription, String> {
    only(properties, &["BatchSize", "FunctionResponseTypes", "Queue", "ScalingConfig"])?;
    let partial = match properties.get("FunctionResponseTypes") {
        None => false,
        Some(types) if *types == serde_json::json!(["ReportBatchItemFailures"]) => true,
        Some(types) => return Err(format!("FunctionResponseTypes is {types}")),
    };
    let max_concurrency = match properties.get("ScalingConfig") {
        None => POLLERS,
        Some(scaling) => {
            let scaling = scaling.as_object().ok_or("ScalingConfig is no mapping")?;
            only(scaling, &["MaximumConcurrency"])?;
            whole(resolver, scaling, "MaximumConcurrency", POLLERS, 2, 1000)?
        }
    };
    Ok(Subscription {
        queue: queue_by_arn(&text(resolver, properties, "Queue")?)?,
        batch_size: whole(resolver, properties, "BatchSize", 10, 1, 10_000)?,
        max_concurrency,
        partial,
    })
}

/// SAM names the rule after the function and the event.
fn schedule(
    resolver: &Resolver<'_>,
    function: &str,
    event: &str,
    properties: &Properties,
) -> Result<RuleSpec, String> {
    // What comes of an event that fails is AWS's: here the next one comes, and the log tells.
    only(properties, &["DeadLetterConfig", "Schedule", "State"])?;
    let expression = text(resolver, properties, "Schedule")?;
    Schedule::parse(&expression)?;
    let name = format!("{function}{event}");
    let target = Target { id: format!("{name}LambdaTarget"), arn: function_arn(function), input: None };
    let enabled = is_enabled(resolver, properties)?;
    Ok(RuleSpec { name, expression, enabled, targets: vec![target] })
}
