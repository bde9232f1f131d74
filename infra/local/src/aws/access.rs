//! Who calls AWS, and whether they may: a function what its role in the template grants, nothing else.

use std::{
    collections::HashSet,
    fs::File,
    io::Write,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use serde_json::Value;

use super::{
    needs::{self, Need},
    partition_keys::{IndexWrite, PartitionKeys},
    reply::Reply,
    role::{Effect, Grant, Role, Why},
};
use crate::template::Template;

/// Who makes a call.
#[derive(Debug, Clone)]
pub enum Caller {
    Function(Arc<Role>),
    /// Who is no function and has no role: the operator's commands, the start of a world, and tests that call the
    /// product's flows themselves. It may do everything. (`/sim` and the stand-ins make no call to AWS.)
    Operator,
}

/// Decides about each call.
pub struct Access {
    keys: PartitionKeys,
    used: Option<Used>,
}

/// A file in which it is noted which grants there are and which are used, for finding those that nobody needs.
struct Used {
    file: File,
    noted: Mutex<HashSet<String>>,
}

impl Access {
    /// `notes` is where it is noted which grants are used.
    ///
    /// # Errors
    /// That file cannot be written.
    pub fn new(template: &Template, notes: Option<&Path>) -> std::io::Result<Self> {
        let used = notes.map(Used::open).transpose()?;
        if let Some(used) = &used {
            for role in template.functions.iter().map(|function| &function.role) {
                for Grant { action, resource, .. } in role.grants.iter().filter(|g| g.effect == Effect::Allow)
                {
                    used.note("granted", role, action, resource, "-");
                }
            }
        }
        Ok(Self { keys: PartitionKeys::of(&template.tables), used })
    }

    /// The refusal of a call that the caller may not make, as AWS words it.
    pub(super) fn refusal(&self, caller: &Caller, request: &HttpRequest) -> Option<Reply> {
        let Caller::Function(role) = caller else { return None };
        let needs = match self.needs(request) {
            Ok(needs) => needs,
            Err(what) => {
                tracing::error!(function = role.function, what, "a call that no grant is known for");
                return Some(Reply::refused("AccessDeniedException", &what));
            }
        };
        for need in &needs {
            let grant = match role.allows(need) {
                Ok(grant) => grant,
                Err(why) => {
                    let (action, resource, partitions) =
                        (need.action, &need.resource, need.kinds().join(","));
                    let function = &role.function;
                    tracing::error!(function, action, resource, partitions, "the role does not grant it");
                    return Some(denied(role, need, why));
                }
            };
            if let Some(used) = &self.used {
                for kind in need.kinds() {
                    used.note("used", role, need.action, &grant.resource, kind);
                }
            }
        }
        None
    }

    /// The partitions that a call of `DynamoDB`'s is for, none where that cannot be told; and those of indexes that it
    /// writes to.
    pub(super) fn partitions(&self, operation: &str, body: &[u8]) -> (Vec<Need>, Vec<IndexWrite>) {
        let input: Value = serde_json::from_slice(body).unwrap_or_default();
        (self.keys.needs(operation, &input).unwrap_or_default(), self.keys.index_writes(operation, &input))
    }

    fn needs(&self, request: &HttpRequest) -> Result<Vec<Need>, String> {
        let body = request.body().bytes().ok_or("the body is streamed")?;
        let input: Value = serde_json::from_slice(body).map_err(|error| format!("the body: {error}"))?;
        let Some(target) = request.headers().get("x-amz-target") else {
            return needs::of_mail(&input);
        };
        match target.rsplit_once('.') {
            Some(("DynamoDB_20120810", operation)) => self.keys.needs(operation, &input),
            Some(("AmazonSQS", operation)) => needs::of_sqs(operation, &input),
            Some(("AWSEvents", operation)) => needs::of_events(operation, &input),
            Some(("AmazonSSM", operation)) => needs::of_ssm(operation, &input),
            _ => Err(format!("the local run does not know what {target} needs")),
        }
    }
}

/// Each service has its own way to say it. Who is told has no use for the item's key, which may be somebody's email.
fn denied(role: &Role, Need { action, resource, .. }: &Need, why: Why) -> Reply {
    let user = role.user();
    let text = |action: &str| {
        let why = match why {
            Why::NotAllowed => format!("because no identity-based policy allows the {action} action"),
            Why::Forbidden => "with an explicit deny in an identity-based policy".to_owned(),
        };
        format!("User: {user} is not authorized to perform: {action} on resource: {resource} {why}")
    };
    match action.split_once(':') {
        Some(("dynamodb", _)) => {
            Reply::refused("com.amazon.coral.service#AccessDeniedException", &text(action))
        }
        Some(("sqs", _)) => Reply {
            query_error: Some("AccessDenied"),
            ..Reply::refused(
                "com.amazon.coral.service#AccessDeniedException",
                &text(&action.to_ascii_lowercase()),
            )
        },
        Some(("ses", _)) => {
            let text =
                format!("User `{user}' is not authorized to perform `{action}' on resource `{resource}'");
            Reply::failed(403, "AccessDeniedException", &text)
        }
        _ => Reply::refused("AccessDeniedException", &text(action)),
    }
}

impl Used {
    fn open(path: &Path) -> std::io::Result<Self> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Self { file, noted: Mutex::default() })
    }

    /// A line, the first time. `kind` is what the partitions are named after.
    fn note(&self, what: &str, role: &Role, action: &str, resource: &str, kind: &str) {
        let line = format!("{what} {} {action} {resource} {kind}\n", role.function);
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        // One write for a line, so that those of other worlds do not come between.
        if noted.insert(line.clone())
            && let Err(error) = (&self.file).write_all(line.as_bytes())
        {
            tracing::error!(error = error.to_string(), "what is used could not be noted");
        }
    }
}
