//! Every answer that any test here gets from a call of the product is held to the OpenAPI document:
//! its status is one that the call declares, its type and its body are what the document says of that
//! status, and what was accepted is what the document says may be sent.

use std::{collections::BTreeMap, sync::LazyLock};

use jsonschema::Validator;
use reqwest::{
    Method, StatusCode,
    header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER},
};
use serde_json::{Value, json};

/// Headers that carry something for the caller: where one is sent, the document names it.
const TELLING: &[&str] = &["etag", "location", "retry-after", "set-cookie", "x-next-cursor"];

struct Operation {
    name: String,
    method: String,
    segments: Vec<String>,
    request: Option<Validator>,
    answers: BTreeMap<u16, Declared>,
}

struct Declared {
    headers: Vec<String>,
    content: BTreeMap<String, Validator>,
}

static OPERATIONS: LazyLock<Vec<Operation>> = LazyLock::new(|| {
    let document = serde_json::to_value(functions::document()).expect("the document is JSON");
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            operations.push(Operation::read(&document, method, path, operation));
        }
    }
    // As a router does: the path with the most literal segments wins.
    operations.sort_by_key(|operation| operation.segments.iter().filter(|s| s.starts_with('{')).count());
    operations
});

impl Operation {
    fn read(document: &Value, method: &str, path: &str, operation: &Value) -> Self {
        let answers = operation["responses"].as_object().expect("responses").iter();
        let request = &operation["requestBody"]["content"]["application/json"]["schema"];
        Self {
            name: operation["operationId"].as_str().expect("an id").to_owned(),
            method: method.to_uppercase(),
            segments: path.split('/').map(str::to_owned).collect(),
            request: (!request.is_null()).then(|| validator(document, request)),
            answers: answers
                .map(|(status, answer)| (status.parse().expect("a status"), Declared::read(document, answer)))
                .collect(),
        }
    }

    fn is(&self, method: &Method, path: &str) -> bool {
        let segments: Vec<&str> = path.split('/').collect();
        let fits = |(own, given): (&String, &&str)| own.starts_with('{') || own == given;
        self.method == method.as_str()
            && self.segments.len() == segments.len()
            && self.segments.iter().zip(&segments).all(fits)
    }
}

impl Declared {
    fn read(document: &Value, answer: &Value) -> Self {
        let answer = match answer["$ref"].as_str() {
            Some(reference) => document.pointer(&reference[1..]).expect("a component"),
            None => answer,
        };
        let named = |part: &str| answer[part].as_object().cloned().unwrap_or_default();
        Self {
            headers: named("headers").keys().map(|name| name.to_lowercase()).collect(),
            content: named("content")
                .into_iter()
                .map(|(kind, content)| (kind, validator(document, &content["schema"])))
                .collect(),
        }
    }
}

/// A schema of the document, with the components that it refers to.
fn validator(document: &Value, schema: &Value) -> Validator {
    let root = json!({"allOf": [schema], "components": document["components"]});
    let options = jsonschema::draft202012::options().should_validate_formats(true);
    options.build(&root).expect("the document's schemas are schemas")
}

/// Holds one answer to the document. Paths and methods that are none of the product's are let pass.
///
/// # Panics
/// What the document does not say.
pub fn check(method: &Method, path: &str, sent: Option<&[u8]>, answer: &super::Answer) {
    let Some(operation) = OPERATIONS.iter().find(|operation| operation.is(method, path)) else { return };
    let (name, status) = (&operation.name, answer.status);
    let declared = operation
        .answers
        .get(&status.as_u16())
        .unwrap_or_else(|| panic!("{name} answered {status}, which it does not declare: {}", answer.body));
    declared.check_headers(name, status, &answer.headers);
    declared.check_body(name, answer);
    let sent = sent.and_then(|sent| serde_json::from_slice::<Value>(sent).ok());
    if let (true, Some(validator), Some(sent)) = (status.is_success(), &operation.request, sent) {
        assert_valid(validator, &sent, &format!("{name} accepted what it does not declare"));
    }
}

impl Declared {
    fn check_headers(&self, name: &str, status: StatusCode, headers: &HeaderMap) {
        for telling in TELLING.iter().filter(|telling| headers.contains_key(**telling)) {
            let declares = self.headers.iter().any(|declared| declared == telling);
            assert!(declares, "{name}: {status} carries {telling}, which it does not declare");
        }
        let tells = status != StatusCode::TOO_MANY_REQUESTS || headers.contains_key(RETRY_AFTER);
        assert!(tells, "{name}: 429 without Retry-After");
    }

    fn check_body(&self, name: &str, answer: &super::Answer) {
        let status = answer.status;
        let kind = answer.headers.get(CONTENT_TYPE).map(|kind| kind.to_str().expect("plain"));
        let kind = kind.map(|kind| kind.split(';').next().unwrap_or_default());
        match kind {
            None => {
                assert_eq!(answer.body, "", "{name}: {status} has a body of no type");
                assert!(self.content.is_empty(), "{name}: {status} declares a body and has none");
            }
            Some(kind) => {
                let declares = || panic!("{name}: {status} is {kind}, which it does not declare");
                let validator = self.content.get(kind).unwrap_or_else(declares);
                assert_valid(validator, &answer.body, &format!("{name}: {status} is not as it declares"));
            }
        }
    }
}

fn assert_valid(validator: &Validator, value: &Value, what: &str) {
    let wrong: Vec<String> =
        validator.iter_errors(value).map(|error| format!("{} at {}", error, error.instance_path())).collect();
    assert!(wrong.is_empty(), "{what}: {}\n{value:#}", wrong.join("; "));
}
