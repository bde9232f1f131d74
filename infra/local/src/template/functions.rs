//! `AWS::Serverless::Function` with the globals merged in.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use serde_json::Value;

use super::{
    events::{self, Event, Route, Subscription},
    intrinsics::{Resolver, as_text},
    properties::{Properties, only, text, whole},
    roles,
};
use crate::{aws::Role, world::rules::RuleSpec};

/// One function of the template.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its logical id.
    pub id: String,
    /// Which endpoint or job it is.
    pub handler: String,
    /// Of real time, for one invocation.
    pub timeout: Duration,
    /// What it may do.
    pub role: Arc<Role>,
    pub routes: Vec<Route>,
    pub subscriptions: Vec<Subscription>,
}

const READ: &[&str] = &["Environment", "Events", "Handler", "Role", "Timeout"];
/// What a function may have that means nothing on one machine.
const IGNORED: &[&str] = &[
    "Architectures",
    "AutoPublishAlias",
    "AutoPublishCodeSha256",
    "CodeUri",
    "DeadLetterQueue",
    "DeploymentPreference",
    "LoggingConfig",
    "MemorySize",
    "RecursiveLoop",
    "ReservedConcurrentExecutions",
    "Runtime",
    "Tracing",
];

/// A function, the rules that its schedules make, and its environment.
pub type Read = (Function, Vec<RuleSpec>, BTreeMap<String, String>);

pub fn read(resolver: &Resolver<'_>, globals: &Value, id: &str, own: &Properties) -> Result<Read, String> {
    let mut properties = globals.as_object().cloned().unwrap_or_default();
    properties.extend(own.clone());
    only(&properties, &[IGNORED, READ].concat())?;
    let mut variables = environment(resolver, &globals["Environment"])?;
    if let Some(environment_of_its_own) = own.get("Environment") {
        variables.extend(environment(resolver, environment_of_its_own)?);
    }
    let mut function = Function {
        id: id.to_owned(),
        handler: text(resolver, &properties, "Handler")?,
        // Lambda's own default is 3 s.
        timeout: Duration::from_secs(whole(resolver, &properties, "Timeout", 3, 1, 900)?.into()),
        role: Arc::new(roles::read(resolver, id, own)?),
        routes: Vec::new(),
        subscriptions: Vec::new(),
    };
    let mut rules = Vec::new();
    if let Some(declared) = properties.get("Events") {
        for (name, event) in declared.as_object().ok_or("its Events are no mapping")? {
            let event = events::read(resolver, id, name, event);
            match event.map_err(|what| format!("Events.{name}: {what}"))? {
                Event::Route(route) => function.routes.push(route),
                Event::Subscription(subscription) => function.subscriptions.push(subscription),
                Event::Schedule(rule) => rules.push(rule),
            }
        }
    }
    Ok((function, rules, variables))
}

fn environment(resolver: &Resolver<'_>, environment: &Value) -> Result<BTreeMap<String, String>, String> {
    let Some(declared) = environment.get("Variables") else { return Ok(BTreeMap::new()) };
    let resolved = resolver.resolve(declared).map_err(|what| format!("Environment.Variables.{what}"))?;
    let resolved = resolved.as_object().ok_or("Environment.Variables is no mapping")?;
    let variable = |(name, value): (&String, &Value)| match as_text(value) {
        Ok(value) => Ok((name.clone(), value)),
        Err(what) => Err(format!("Environment.Variables.{name}: {what}")),
    };
    resolved.iter().map(variable).collect()
}
