//! What each function may do, read from the roles of `template.yaml` and held to lists that are written by hand: a
//! check that were made from the table would find nothing wrong with it.

use std::collections::{BTreeMap, BTreeSet};

use yaml_serde::Value;

use crate::template::{parsed, pascal};

/// Every action that any function may have, and on what. The list may only shrink without a reason.
const GRANTS: &[(&str, &str)] = &[
    ("logs:CreateLogStream", "own log"),
    ("logs:PutLogEvents", "own log"),
    ("sqs:DeleteMessage", "own queue"),
    ("sqs:GetQueueAttributes", "own queue"),
    ("sqs:ReceiveMessage", "own queue"),
    ("sqs:SendMessage", "own queue"),
    ("sqs:SendMessage", "queue"),
    // Lambda's own, with the function's role: an event that failed three times.
    ("sqs:SendMessage", "failed events"),
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
    ("ssm:GetParameters", "parameter"),
    // Whether the fence's rule has to be put.
    ("events:DescribeRule", "rule"),
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
    // What signs pushes: who hands them over. Its public half is for browsers.
    ("push-key", &["send-push"]),
    ("push-public-key", &["get-notifications", "set-notifications"]),
    ("unsubscribe-key", &["send-mail", "stop-mails"]),
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

/// What no function may that somebody can call without a token.
const NEVER_PUBLIC: &[(&str, &str)] = &[
    ("dynamodb:Scan", ""),
    ("dynamodb:Query", "/index/"),
    ("events:", ""),
    ("ses:", ""),
    ("sqs:SendMessage", "SweepsQueue"),
    ("sqs:SendMessage", "WinnersQueue"),
    ("sqs:SendMessage", "LeaguesQueue"),
    ("sqs:SendMessage", "TeamsQueue"),
    ("sqs:SendMessage", "BooksQueue"),
    ("sqs:SendMessage", "PushesQueue"),
    ("ssm:GetParameters", "/push-key"),
    ("ssm:GetParameters", "/daraja-"),
    ("ssm:GetParameters", "-initiator-password"),
    ("ssm:GetParameters", "/draw-key"),
];

pub struct Function {
    pub name: String,
    properties: Value,
    role: Value,
}

pub fn functions_of_the_template() -> Vec<Function> {
    let template = parsed();
    let resources = &template["Resources"];
    let functions = resources.as_mapping().unwrap().iter();
    let functions: Vec<Function> = functions
        .filter(|(_, resource)| resource["Type"] == "AWS::Serverless::Function")
        .map(|(_, function)| {
            let properties = function["Properties"].clone();
            let name = properties["Handler"].as_str().unwrap().to_owned();
            let role = resources[format!("{}Role", pascal(&name)).as_str()]["Properties"].clone();
            Function { name, properties, role }
        })
        .collect();
    assert!(functions.len() > 80, "{}", functions.len());
    functions
}

/// The text inside a value, whatever intrinsic is around it.
pub fn text(value: &Value) -> &str {
    match value {
        Value::Tagged(tagged) => text(&tagged.value),
        other => other.as_str().unwrap_or_default(),
    }
}

impl Function {
    pub fn statements(&self) -> Vec<&Value> {
        let policies = self.role["Policies"].as_sequence().unwrap().iter();
        policies.flat_map(|policy| policy["PolicyDocument"]["Statement"].as_sequence().unwrap()).collect()
    }

    /// Each action that is allowed, and on what.
    pub fn grants(&self) -> Vec<(&str, &str)> {
        let mut grants = Vec::new();
        for statement in self.statements() {
            if statement["Effect"] == "Deny" {
                continue;
            }
            assert_eq!(statement["Effect"], Value::from("Allow"));
            let resources = match &statement["Resource"] {
                Value::Sequence(several) => several.iter().collect(),
                one => vec![one],
            };
            for action in statement["Action"].as_sequence().unwrap() {
                grants.extend(resources.iter().map(|resource| (text(action), text(resource))));
            }
        }
        grants
    }

    fn kind_of(&self, resource: &str) -> &'static str {
        match resource {
            table if table.ends_with(":table/${TableInUse.Value}") => "Table",
            index if index.ends_with(":table/${TableInUse.Value}/index/lists") => "Table/lists",
            index if index.ends_with(":table/${TableInUse.Value}/index/days") => "Table/days",
            "JobDeadLetters.Arn" => "failed events",
            log if log == format!("{}Logs.Arn", pascal(&self.name)) => "own log",
            queue if queue == text(&self.properties["Events"]["Queue"]["Properties"]["Queue"]) => "own queue",
            queue if queue.ends_with("Queue.Arn") => "queue",
            parameter if parameter.contains(":parameter${SecretsPrefix}/") => "parameter",
            identity if identity.ends_with(":identity/*") => "identity",
            rule if rule.ends_with(":rule/${AWS::StackName}-deadline-fence") => "rule",
            other => panic!("{}: a grant on {other}", self.name),
        }
    }
}

/// The calls' names, by whether their document asks for a token (`Some(true)`), takes one, or knows none.
pub fn tokens() -> BTreeMap<String, Option<bool>> {
    let document = serde_json::to_value(functions::document()).unwrap();
    let endpoints = functions::endpoints().into_iter();
    let token = |path: &str, method: &str| {
        let security = document["paths"][path][method.to_lowercase()]["security"]
            .as_array()
            .filter(|ways| !ways.is_empty())?;
        Some(security.iter().all(|way| way.as_object().is_some_and(|way| !way.is_empty())))
    };
    endpoints.map(|e| (e.name.clone(), token(&e.path, e.method.as_str()))).collect()
}

#[test]
fn no_function_may_do_more_than_the_list_says() {
    for function in functions_of_the_template() {
        for (action, resource) in function.grants() {
            let grant = (action, function.kind_of(resource));
            assert!(GRANTS.contains(&grant), "{}: {grant:?} is not on the list", function.name);
        }
    }
}

/// With a role that is written out SAM adds nothing to what it may.
#[test]
fn each_function_has_a_role_of_its_own_and_nothing_beside_it() {
    for Function { name, properties, role } in functions_of_the_template() {
        assert_eq!(text(&properties["Role"]), format!("{}Role.Arn", pascal(&name)));
        assert!(properties["Policies"].is_null() && role["ManagedPolicyArns"].is_null(), "{name}");
        let trust = &role["AssumeRolePolicyDocument"]["Statement"];
        assert_eq!(trust.as_sequence().unwrap().len(), 1, "{name}");
        assert_eq!(trust[0]["Principal"]["Service"], Value::from("lambda.amazonaws.com"), "{name}");
        assert!(properties["Environment"].is_null(), "{name}: settings are the same for all");
    }
}

#[test]
fn mails_are_sent_from_our_own_address_alone() {
    for function in functions_of_the_template() {
        for statement in function.statements() {
            let mails =
                statement["Action"].as_sequence().unwrap().iter().any(|a| text(a).starts_with("ses:"));
            let from = text(&statement["Condition"]["StringEquals"]["ses:FromAddress"]);
            assert_eq!(mails, from == "MailFrom", "{}", function.name);
        }
    }
}

/// Whoever sends a token is asked whether the session stands: by everything that reads one.
#[test]
fn what_reads_a_token_reads_the_session() {
    let tokens = tokens();
    for function in functions_of_the_template() {
        let reads =
            |(action, on): &(&str, &str)| *action == "dynamodb:GetItem" && function.kind_of(on) == "Table";
        let reads = function.grants().iter().any(reads);
        let takes_one = tokens.get(&function.name).is_some_and(Option::is_some);
        assert!(reads || !takes_one, "{} cannot read the session", function.name);
    }
}

#[test]
fn what_anybody_may_call_holds_nothing_of_the_operators() {
    let tokens = tokens();
    let public = |name: &String| tokens.get(name).is_some_and(|token| *token != Some(true));
    let functions: Vec<Function> =
        functions_of_the_template().into_iter().filter(|function| public(&function.name)).collect();
    assert!(functions.len() > 20, "{}", functions.len());
    for function in functions {
        for (action, resource) in function.grants() {
            let never = |(a, r): &(&str, &str)| action.starts_with(a) && resource.contains(r);
            assert!(!NEVER_PUBLIC.iter().any(never), "{}: {action} on {resource}", function.name);
        }
    }
}

#[test]
fn only_the_reading_of_the_books_scans() {
    let functions = functions_of_the_template();
    let scans = |function: &&Function| function.grants().iter().any(|(action, _)| *action == "dynamodb:Scan");
    let scanning: Vec<&str> = functions.iter().filter(scans).map(|function| function.name.as_str()).collect();
    assert_eq!(scanning, ["read-books"]);
}

#[test]
fn only_these_functions_read_these_secrets() {
    let functions = functions_of_the_template();
    for (secret, readers) in READERS {
        let suffix = format!("/{secret}");
        let reads = |function: &&Function| function.grants().iter().any(|(_, on)| on.ends_with(&suffix));
        let reading: BTreeSet<&str> = functions.iter().filter(reads).map(|f| f.name.as_str()).collect();
        assert_eq!(reading, readers.iter().copied().collect(), "{secret}");
    }
}
