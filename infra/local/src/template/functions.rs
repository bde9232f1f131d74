//! `AWS::Serverless::Function` with the globals merged in.

use std::{collections::BTreeMap, time::Duration};

use serde_json::{Map, Value};

use super::{
    events,
    intrinsics::Resolver,
    resources::{only, whole},
};
use crate::world::rules::RuleSpec;

/// One function of the template.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its logical id.
    pub id: String,
    /// Which endpoint or job it is.
    pub handler: String,
    /// Of real time, for one invocation.
    pub timeout: Duration,
    /// How often an invocation by a rule is tried again.
    pub retries: u32,
    pub routes: Vec<Route>,
    pub subscriptions: Vec<Subscription>,
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

/// What a function may have that means nothing on one machine.
const IGNORED: &[&str] = &[
    "Architectures",
    "AutoPublishAlias",
    "CodeUri",
    "DeadLetterQueue",
    "DeploymentPreference",
    "Description",
    "EphemeralStorage",
    "FunctionName",
    "KmsKeyArn",
    "Layers",
    "LoggingConfig",
    "MemorySize",
    "PackageType",
    "PermissionsBoundary",
    "Policies",
    "PropagateTags",
    "RecursiveLoop",
    "ReservedConcurrentExecutions",
    "Role",
    "Runtime",
    "RuntimeManagementConfig",
    "SnapStart",
    "Tags",
    "Tracing",
];
const READ: &[&str] = &["Environment", "EventInvokeConfig", "Events", "Handler", "Timeout"];

/// A function, the rules that its schedules make, and its environment.
pub type Read = (Function, Vec<RuleSpec>, BTreeMap<String, String>);

pub fn read(
    resolver: &Resolver<'_>,
    globals: &Value,
    id: &str,
    own: &Map<String, Value>,
) -> Result<Read, String> {
    let mut properties = globals.as_object().cloned().unwrap_or_default();
    properties.extend(own.clone());
    only(&properties, &[IGNORED, READ].concat())?;
    let mut variables = environment(resolver, &globals["Environment"])?;
    if let Some(environment_of_its_own) = own.get("Environment") {
        variables.extend(environment(resolver, environment_of_its_own)?);
    }
    let mut function = Function {
        id: id.to_owned(),
        handler: resolver.text(properties.get("Handler").ok_or("it has no Handler")?)?,
        // Lambda's own default is 3 s.
        timeout: Duration::from_secs(whole(resolver, &properties, "Timeout", 3, 1, 900)?.into()),
        retries: retries(resolver, properties.get("EventInvokeConfig"))?,
        routes: Vec::new(),
        subscriptions: Vec::new(),
    };
    let mut rules = Vec::new();
    if let Some(declared) = properties.get("Events") {
        for (name, event) in declared.as_object().ok_or("its Events are no mapping")? {
            events::add(resolver, &mut function, &mut rules, name, event)
                .map_err(|what| format!("Events.{name}: {what}"))?;
        }
    }
    Ok((function, rules, variables))
}

fn environment(resolver: &Resolver<'_>, environment: &Value) -> Result<BTreeMap<String, String>, String> {
    let mut variables = BTreeMap::new();
    let Some(declared) = environment.get("Variables") else { return Ok(variables) };
    for (name, value) in declared.as_object().ok_or("Environment.Variables is no mapping")? {
        let value =
            resolver.optional_text(value).map_err(|what| format!("Environment.Variables.{name}: {what}"))?;
        variables.extend(value.map(|value| (name.clone(), value)));
    }
    Ok(variables)
}

fn retries(resolver: &Resolver<'_>, config: Option<&Value>) -> Result<u32, String> {
    match config.and_then(Value::as_object) {
        None => Ok(2),
        Some(config) => {
            only(config, &["DestinationConfig", "MaximumEventAgeInSeconds", "MaximumRetryAttempts"])?;
            whole(resolver, config, "MaximumRetryAttempts", 2, 0, 2)
        }
    }
}
