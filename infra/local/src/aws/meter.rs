//! What the calls of each function to AWS cost, while somebody measures: `DynamoDB`'s units, and how many of the calls
//! wait for one another (their sequential depth: what is asked at once counts once). Secrets are left out: a process
//! reads them once.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_types::body::SdkBody;
use serde::Deserialize;
use serde_json::Value;

use super::Caller;

/// While it is measured a call takes so long, so that those which go out at once are under way at once.
const TAKES: Duration = Duration::from_millis(25);

/// What one function's calls came to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Metered {
    pub calls: usize,
    pub depth: usize,
    pub read_units: f64,
    pub write_units: f64,
}

/// By function. Nothing is measured before the first [`Meter::start`].
#[derive(Clone, Default)]
pub struct Meter(Arc<Mutex<Option<BTreeMap<String, Line>>>>);

#[derive(Default)]
struct Line {
    metered: Metered,
    /// The deepest call that has been answered.
    answered: usize,
}

/// A call that is measured.
pub(super) struct Call {
    function: String,
    operation: String,
    depth: usize,
}

impl Meter {
    /// Measures from here on, from nothing.
    pub fn start(&self) {
        *self.lines() = Some(BTreeMap::new());
    }

    /// What `function` has used since the start.
    #[must_use]
    pub fn of(&self, function: &str) -> Metered {
        let lines = self.lines();
        lines.as_ref().and_then(|lines| lines.get(function)).map(|line| line.metered).unwrap_or_default()
    }

    /// `None`: it is not measured.
    pub(super) async fn begin(&self, caller: &Caller, request: &HttpRequest) -> Option<Call> {
        let Caller::Function(role) = caller else { return None };
        if target(request).is_some_and(|target| target.starts_with("AmazonSSM")) {
            return None;
        }
        let operation = operation(request);
        let depth = {
            let mut lines = self.lines();
            let line = lines.as_mut()?.entry(role.function.clone()).or_default();
            line.metered.calls += 1;
            let depth = line.answered + 1;
            line.metered.depth = line.metered.depth.max(depth);
            depth
        };
        tokio::time::sleep(TAKES).await;
        Some(Call { function: role.function.clone(), operation, depth })
    }

    pub(super) fn end(&self, call: Call, answer: &HttpResponse) {
        let mut lines = self.lines();
        let Some(line) = lines.as_mut().and_then(|lines| lines.get_mut(&call.function)) else { return };
        line.answered = line.answered.max(call.depth);
        let units = answer.body().bytes().map_or(0.0, units);
        if is_read(&call.operation) {
            line.metered.read_units += units;
        } else {
            line.metered.write_units += units;
        }
    }

    fn lines(&self) -> MutexGuard<'_, Option<BTreeMap<String, Line>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The operation's name; of a call without one, what it does by its method.
pub fn operation(request: &HttpRequest) -> String {
    let name = target(request).and_then(|target| target.rsplit('.').next());
    name.map_or_else(|| format!("Call {}", request.method()), str::to_owned)
}

fn target(request: &HttpRequest) -> Option<&str> {
    request.headers().get("x-amz-target")
}

/// Whether an operation changes nothing.
pub fn is_read(operation: &str) -> bool {
    ["Get", "BatchGet", "Query", "Scan", "Describe"].iter().any(|read| operation.starts_with(read))
}

/// Has `DynamoDB` say what a call consumes.
pub fn ask_for_units(request: &mut HttpRequest) {
    let counts = |target: &str| {
        target.starts_with("DynamoDB") && !target.contains("Table") && !target.contains("Describe")
    };
    if !target(request).is_some_and(counts) {
        return;
    }
    let body = request.body().bytes().and_then(|body| std::str::from_utf8(body).ok());
    let Some(fields) = body.and_then(|body| body.strip_prefix('{')) else { return };
    // In a text the quotes would be escaped.
    if !fields.contains(r#""ReturnConsumedCapacity":"#) {
        *request.body_mut() = SdkBody::from(format!(r#"{{"ReturnConsumedCapacity":"TOTAL",{fields}"#));
    }
}

/// The units that an answer says were consumed.
pub fn units(answer: &[u8]) -> f64 {
    #[derive(Deserialize)]
    struct Answer {
        #[serde(rename = "ConsumedCapacity", default)]
        consumed: Value,
    }
    let Ok(Answer { consumed }) = serde_json::from_slice(answer) else { return 0.0 };
    let units = |consumed: &Value| consumed["CapacityUnits"].as_f64().unwrap_or(0.0);
    match &consumed {
        Value::Array(tables) => tables.iter().map(units).sum(),
        table => units(table),
    }
}
