//! What `template.yaml` declares, read for one machine: functions with their routes, queues and
//! schedules, the queues, the rules, the tables, and the functions' environment.
//!
//! Invariant: what is not understood is refused with its place; nothing is skipped in silence but
//! the types that `SKIPPED` names.

mod conditions;
mod events;
mod functions;
mod headers;
mod intrinsics;
mod properties;
mod resources;
mod roles;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, path::Path};

use axum::http::HeaderMap;
pub use events::{Route, Subscription};
pub use functions::Function;
use intrinsics::Resolver;
use properties::{Properties, only};
pub use resources::Table;
use serde_json::Value;

use crate::{
    settings::Refusal,
    world::{queue::QueueSpec, rules::RuleSpec},
};

/// A template, resolved.
#[derive(Debug, Clone, Default)]
pub struct Template {
    pub functions: Vec<Function>,
    pub queues: Vec<QueueSpec>,
    pub rules: Vec<RuleSpec>,
    pub tables: Vec<Table>,
    /// What the distribution says with every answer.
    pub headers: HeaderMap,
    /// The environment of the functions: one for all, as one process runs them.
    pub variables: BTreeMap<String, String>,
    /// What the API's document calls, until the functions have it.
    routes: Vec<(String, Route)>,
}

/// Resource types that stand for nothing on one machine.
const SKIPPED: &[&str] = &[
    "AWS::Budgets::Budget",
    "AWS::CloudFront::CachePolicy",
    "AWS::CloudFront::Distribution",
    "AWS::CloudFront::Function",
    "AWS::CloudFront::OriginAccessControl",
    "AWS::CloudWatch::Alarm",
    "AWS::CloudWatch::Dashboard",
    "AWS::IAM::Role",
    "AWS::Lambda::Permission",
    "AWS::Logs::LogGroup",
    "AWS::Logs::MetricFilter",
    "AWS::S3::Bucket",
    "AWS::S3::BucketPolicy",
    "AWS::SNS::Subscription",
    "AWS::SNS::Topic",
    "AWS::SQS::QueuePolicy",
    "AWS::SSM::Parameter",
];

impl Template {
    /// Reads the file with `parameters` instead of the defaults of those that it declares.
    ///
    /// # Errors
    /// The file cannot be read, or something in it is not understood.
    pub fn read(path: &Path, parameters: &BTreeMap<&str, String>) -> Result<Self, Refusal> {
        let name =
            path.file_name().map_or_else(|| path.display().to_string(), |n| n.to_string_lossy().into_owned());
        let text = std::fs::read_to_string(path)
            .map_err(|e| Refusal::new(&name, format!("{}: {e}", path.display())))?;
        Self::parse(&text, parameters).map_err(|what| Refusal::new(&name, what))
    }

    /// The same from the file's text; an error says the place in it.
    ///
    /// # Errors
    /// Something in it is not understood.
    pub fn parse(text: &str, parameters: &BTreeMap<&str, String>) -> Result<Self, String> {
        let document: yaml_serde::Value = yaml_serde::from_str(text).map_err(|e| e.to_string())?;
        let document = intrinsics::plain(document)?;
        let resolver = Resolver::new(&document, parameters)?;
        let mut template = Self::default();
        for (id, resource) in resolver.resources {
            template.add(&resolver, &document, id, resource).map_err(|what| format!("{id}: {what}"))?;
        }
        template.route()?;
        template.check()?;
        Ok(template)
    }

    fn add(
        &mut self,
        resolver: &Resolver<'_>,
        document: &Value,
        id: &str,
        resource: &Value,
    ) -> Result<(), String> {
        let parts = resource.as_object().ok_or("it is no mapping")?;
        only(
            parts,
            &["Condition", "DeletionPolicy", "Metadata", "Properties", "Type", "UpdateReplacePolicy"],
        )?;
        if let Some(condition) = parts.get("Condition") {
            let name = condition.as_str().ok_or("its Condition is no name")?;
            if !resolver.holds(name).map_err(|what| format!("Condition: {what}"))? {
                return Ok(());
            }
        }
        let kind = resource["Type"].as_str().ok_or("it has no Type")?;
        let empty = Properties::new();
        let properties = match resource.get("Properties") {
            None => &empty,
            Some(properties) => properties.as_object().ok_or("its Properties are no mapping")?,
        };
        match kind {
            "AWS::Serverless::Function" => {
                let globals = &document["Globals"]["Function"];
                let (function, rules, variables) = functions::read(resolver, globals, id, properties)?;
                self.add_variables(variables)?;
                self.functions.push(function);
                self.rules.extend(rules);
            }
            "AWS::Serverless::HttpApi" => self.routes.extend(events::routes(resolver, properties)?),
            "AWS::SQS::Queue" => self.queues.push(resources::queue(resolver, id, properties)?),
            "AWS::Events::Rule" => self.rules.push(resources::rule(resolver, id, properties)?),
            "AWS::DynamoDB::Table" => self.tables.push(resources::table(resolver, id, properties)?),
            "AWS::CloudFront::ResponseHeadersPolicy" => {
                self.headers.extend(headers::read(resolver, properties)?)
            }
            skipped if SKIPPED.contains(&skipped) => {}
            unknown => return Err(format!("the local run does not know the type {unknown}")),
        }
        Ok(())
    }

    /// Gives each function the routes that the API's document has for it.
    fn route(&mut self) -> Result<(), String> {
        for (id, route) in std::mem::take(&mut self.routes) {
            let Some(function) = self.functions.iter_mut().find(|function| function.id == id) else {
                return Err(format!("{} {} calls {id}, which is no function", route.method, route.path));
            };
            function.routes.push(route);
        }
        Ok(())
    }

    /// One process has one environment: two functions that want different values are refused.
    fn add_variables(&mut self, variables: BTreeMap<String, String>) -> Result<(), String> {
        for (name, value) in variables {
            if let Some(other) = self.variables.get(&name)
                && *other != value
            {
                return Err(format!(
                    "Environment.Variables.{name} is \"{value}\" here and \"{other}\" elsewhere"
                ));
            }
            self.variables.insert(name, value);
        }
        Ok(())
    }

    /// What needs the whole template: every queue that is named exists, no two routes are one.
    fn check(&self) -> Result<(), String> {
        let known = |name: &str| self.queues.iter().any(|queue| queue.name == name);
        for queue in &self.queues {
            if let Some(redrive) = &queue.redrive
                && !known(&redrive.to)
            {
                return Err(format!(
                    "{}: RedrivePolicy: {} is no queue of the template",
                    queue.name, redrive.to
                ));
            }
        }
        let mut routes = BTreeMap::new();
        for function in &self.functions {
            for subscription in &function.subscriptions {
                if !known(&subscription.queue) {
                    return Err(format!(
                        "{}: {} is no queue of the template",
                        function.id, subscription.queue
                    ));
                }
                roles::check_queue(&function.role, subscription)
                    .map_err(|what| format!("{}: {what}", function.id))?;
            }
            for route in &function.routes {
                if let Some(other) = routes.insert((&route.method, &route.path), &function.id) {
                    return Err(format!(
                        "{}: {} {} is {other}'s route too",
                        function.id, route.method, route.path
                    ));
                }
            }
        }
        let mut names = BTreeMap::new();
        for rule in &self.rules {
            if names.insert(&rule.name, ()).is_some() {
                return Err(format!("two rules are named {}", rule.name));
            }
        }
        Ok(())
    }
}
