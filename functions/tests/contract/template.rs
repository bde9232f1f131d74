//! The table's names = the template's functions = their `Handler` = method and path, both ways; jobs =
//! queues and schedules; each function has its log group, and only the grants that are listed here.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use yaml_serde::Value;

/// Every action that any function may have, and on what. The list may only shrink without a reason.
const GRANTS: &[(&str, &str)] = &[
    ("dynamodb:GetItem", "Table"),
    ("dynamodb:Query", "Table"),
    ("dynamodb:Query", "Table/lists"),
    ("dynamodb:Query", "Table/days"),
    ("dynamodb:BatchGetItem", "Table"),
    ("dynamodb:PutItem", "Table"),
    ("dynamodb:UpdateItem", "Table"),
    // Payouts are not paused; the account is not frozen; what an act carries beside its record.
    ("dynamodb:ConditionCheckItem", "Table"),
    // The nightly reading of the books: `read-books`, and nobody else (below).
    ("dynamodb:Scan", "Table"),
    ("sqs:SendMessage", "Queue"),
    ("ssm:GetParameter", "parameter"),
    ("events:PutRule", "rule"),
    // Under the condition that it comes from our own address.
    ("ses:SendEmail", "identity"),
];

/// Who may read what is worth stealing.
const READERS: &[(&str, &[&str])] = &[
    ("access-token-key", &["log-in", "refresh"]),
    ("refresh-key", &["refresh"]),
    ("totp-key", &["confirm-totp", "log-in", "remove-totp", "start-totp", "step-up"]),
    // Hashes emails: who meets one.
    (
        "security-log-key",
        &[
            "forgot-password",
            "log-in",
            "release-number",
            "settle-payment",
            "sign-up",
            "start-deposit",
            "start-entry-payment",
        ],
    ),
    ("draw-key", &["close-gameweek", "sync-gameweek"]),
    ("daraja-passkey", &["settle-payment", "start-deposit", "start-entry-payment"]),
    // Money out: who pays, and nobody else. Who only asks has another operator's.
    ("b2c-initiator-password", &["decide-approval", "pay-withdrawal"]),
    (
        "query-initiator-password",
        &["ask-for-balance", "confirm-manual-payment", "decide-approval", "decide-set-aside", "take-result"],
    ),
    (
        "hook-keys",
        &[
            "ask-for-balance",
            "confirm-manual-payment",
            "decide-approval",
            "decide-set-aside",
            "pay-withdrawal",
            "receive-paybill-confirmation",
            "receive-payout-result",
            "receive-payout-timeout",
            "receive-status-result",
            "receive-stk-callback",
            "register-paybill",
            "start-deposit",
            "start-entry-payment",
            "take-result",
        ],
    ),
];

fn template() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../template.yaml");
    yaml_serde::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

fn functions_of(template: &Value) -> BTreeMap<String, Value> {
    let resources = template["Resources"].as_mapping().unwrap();
    let functions = resources.iter().filter(|(_, resource)| resource["Type"] == "AWS::Serverless::Function");
    functions
        .map(|(id, resource)| (id.as_str().unwrap().to_owned(), resource["Properties"].clone()))
        .collect()
}

/// The text inside a value, whatever intrinsic is around it.
fn text(value: &Value) -> &str {
    match value {
        Value::Tagged(tagged) => text(&tagged.value),
        other => other.as_str().unwrap_or_default(),
    }
}

fn handler(properties: &Value) -> &str {
    properties["Handler"].as_str().unwrap()
}

fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('-').map(capital).collect()
}

#[test]
fn every_http_function_has_its_route_and_every_route_its_function() {
    let template = template();
    let routes: BTreeSet<(String, String, String)> = functions_of(&template)
        .values()
        .filter(|properties| properties["Events"]["Http"].is_mapping())
        .map(|properties| {
            let event = &properties["Events"]["Http"]["Properties"];
            let part = |name: &str| text(&event[name]).to_owned();
            (handler(properties).to_owned(), part("Method"), part("Path"))
        })
        .collect();
    let table: BTreeSet<(String, String, String)> = functions::endpoints()
        .into_iter()
        .map(|endpoint| (endpoint.name, endpoint.method.to_string(), endpoint.path))
        .collect();
    if let Some((name, method, path)) = table.difference(&routes).next() {
        panic!(
            "template.yaml lacks {name}. Paste:\n\n  {id}Function:\n    Type: AWS::Serverless::Function\n    \
             Metadata: {{ SkipBuild: true }}\n    Properties:\n      Handler: {name}\n      LoggingConfig: {{ \
             LogGroup: !Ref {id}Logs }}\n      Events:\n        Http:\n          Type: HttpApi\n          \
             Properties: {{ ApiId: !Ref Api, Method: {method}, Path: '{path}' }}\n",
            id = pascal(name)
        );
    }
    assert_eq!(routes.difference(&table).next(), None, "the template routes what the table does not have");
}

#[test]
fn every_job_has_something_that_starts_it_and_everything_that_starts_has_a_job() {
    let template = template();
    let functions = functions_of(&template);
    let rules = template["Resources"].as_mapping().unwrap().iter();
    let by_rule: BTreeSet<String> = rules
        .filter(|(_, resource)| resource["Type"] == "AWS::Events::Rule")
        .flat_map(|(_, rule)| rule["Properties"]["Targets"].as_sequence().unwrap().clone())
        .map(|target| text(&target["Arn"]).trim_end_matches(".Arn").to_owned())
        .collect();
    let started: BTreeSet<String> = functions
        .iter()
        .filter(|(id, properties)| {
            by_rule.contains(*id)
                || properties["Events"]["Queue"].is_mapping()
                || properties["Events"]["Schedule"].is_mapping()
        })
        .map(|(_, properties)| handler(properties).to_owned())
        .collect();
    let jobs: BTreeSet<String> = functions::jobs().into_iter().map(|job| job.name.to_owned()).collect();
    assert_eq!(started, jobs);
}

#[test]
fn each_function_is_named_logged_and_timed() {
    let template = template();
    let globals = &template["Globals"]["Function"];
    assert_eq!(text(&globals["CodeUri"]), "target/lambda/bootstrap/");
    assert_eq!(globals["Architectures"].as_sequence().unwrap(), &[Value::from("arm64")]);
    let mut handlers = BTreeSet::new();
    for (id, properties) in functions_of(&template) {
        let name = handler(&properties);
        assert_eq!(id, pascal(name) + "Function");
        assert!(handlers.insert(name.to_owned()), "{name} twice");
        let log_group = format!("{}Logs", pascal(name));
        assert_eq!(text(&properties["LoggingConfig"]["LogGroup"]), log_group);
        assert!(template["Resources"][log_group.as_str()].is_mapping(), "{log_group} is missing");
        assert_eq!(template["Resources"][id.as_str()]["Metadata"]["SkipBuild"], Value::Bool(true));
        assert!(properties["Environment"].is_null(), "{name}: settings are the same for all");
        let timeout = properties["Timeout"].as_u64().or_else(|| globals["Timeout"].as_u64());
        assert!(timeout.is_some_and(|seconds| seconds <= 300), "{name} has no sensible time limit");
        if properties["Events"]["Http"].is_mapping() {
            assert!(timeout.unwrap() <= 30, "{name}: an API answers within 30 s");
        }
    }
}

#[test]
fn a_queue_waits_longer_than_its_function_runs_and_buries_what_fails() {
    let template = template();
    for (_, properties) in functions_of(&template) {
        let queue = &properties["Events"]["Queue"]["Properties"];
        if queue.is_null() {
            continue;
        }
        let name = handler(&properties);
        let responses = queue["FunctionResponseTypes"].as_sequence().unwrap();
        assert_eq!(responses, &[Value::from("ReportBatchItemFailures")], "{name}");
        let id = text(&queue["Queue"]).trim_end_matches(".Arn");
        let queue = &template["Resources"][id]["Properties"];
        let limit = properties["Timeout"].as_u64().unwrap();
        assert!(queue["VisibilityTimeout"].as_u64().unwrap() >= 6 * limit, "{id}: AWS asks for six times");
        assert_eq!(queue["RedrivePolicy"]["maxReceiveCount"], Value::from(5), "{id}");
    }
}

fn grants(properties: &Value) -> Vec<(String, String)> {
    let mut grants = Vec::new();
    for policy in properties["Policies"].as_sequence().into_iter().flatten() {
        for statement in policy["Statement"].as_sequence().unwrap() {
            assert_eq!(statement["Effect"], Value::from("Allow"));
            let resources = match &statement["Resource"] {
                Value::Sequence(many) => many.clone(),
                one => vec![one.clone()],
            };
            for action in statement["Action"].as_sequence().unwrap() {
                let action = action.as_str().unwrap();
                grants.extend(resources.iter().map(|r| (action.to_owned(), text(r).to_owned())));
            }
        }
    }
    grants
}

fn kind_of(resource: &str) -> &'static str {
    match resource {
        "Table.Arn" => "Table",
        "${Table.Arn}/index/lists" => "Table/lists",
        "${Table.Arn}/index/days" => "Table/days",
        queue if queue.ends_with("Queue.Arn") => "Queue",
        parameter if parameter.contains(":parameter${SecretsPrefix}/") => "parameter",
        identity if identity.ends_with(":identity/*") => "identity",
        rule if rule.ends_with(":rule/${AWS::StackName}-deadline-fence") => "rule",
        other => panic!("a grant on {other}"),
    }
}

#[test]
fn no_function_may_do_more_than_the_list_says() {
    for (id, properties) in functions_of(&template()) {
        assert!(properties["Role"].is_null(), "{id}: a role of its own, made from its policies");
        for (action, resource) in grants(&properties) {
            let grant = (action.as_str(), kind_of(&resource));
            assert!(GRANTS.contains(&grant), "{id}: {grant:?} is not on the list");
        }
    }
}

/// Whoever sends a token is asked whether the session stands: by everything that reads one.
#[test]
fn what_reads_a_token_reads_the_session() {
    let document = serde_json::to_value(functions::document()).unwrap();
    let bearer: BTreeSet<String> = functions::endpoints()
        .into_iter()
        .filter(|endpoint| {
            let method = endpoint.method.as_str().to_lowercase();
            !document["paths"][&endpoint.path][&method]["security"].is_null()
        })
        .map(|endpoint| endpoint.name)
        .collect();
    for (id, properties) in functions_of(&template()) {
        let reads = grants(&properties).contains(&("dynamodb:GetItem".to_owned(), "Table.Arn".to_owned()));
        assert!(reads || !bearer.contains(handler(&properties)), "{id} cannot read the session");
    }
}

#[test]
fn only_the_reading_of_the_books_scans() {
    let scanning: Vec<String> = functions_of(&template())
        .values()
        .filter(|properties| grants(properties).iter().any(|(action, _)| action == "dynamodb:Scan"))
        .map(|properties| handler(properties).to_owned())
        .collect();
    assert_eq!(scanning, ["read-books"]);
}

#[test]
fn only_these_functions_read_these_secrets() {
    let functions = functions_of(&template());
    for (secret, readers) in READERS {
        let reading: Vec<&str> = functions
            .values()
            .filter(|properties| grants(properties).iter().any(|(_, r)| r.ends_with(&format!("/{secret}"))))
            .map(handler)
            .collect();
        let mut expected = readers.to_vec();
        expected.sort_unstable();
        let mut reading = reading;
        reading.sort_unstable();
        assert_eq!(reading, expected, "{secret}");
    }
}
