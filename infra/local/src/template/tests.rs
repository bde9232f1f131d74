use std::{collections::BTreeMap, time::Duration};

use rstest::rstest;
use serde_json::json;

use super::*;
use crate::world::queue::Redrive;

const GOOD: &str = include_str!("test.yaml");

fn read(text: &str) -> Result<Template, String> {
    Template::parse(text, &BTreeMap::from([("PublicOrigin", "http://localhost:4000".to_owned())]))
}

fn good() -> Template {
    read(GOOD).expect("the good template is understood")
}

#[test]
fn functions_have_their_routes_queues_and_limits() {
    let template = good();
    let function = |id: &str| template.functions.iter().find(|f| f.id == id).unwrap();
    let http = function("RequestWithdrawalFunction");
    assert_eq!(http.handler, "request-withdrawal");
    assert_eq!(http.routes, [Route { method: "POST".into(), path: "/api/withdraw/{id}".into() }]);
    assert_eq!(http.timeout, Duration::from_secs(10));
    let worker = function("SettlePaymentFunction");
    assert_eq!(worker.timeout, Duration::from_secs(25));
    assert_eq!(
        worker.subscriptions,
        [Subscription { queue: "PaymentsQueue".into(), batch_size: 5, max_concurrency: 4, partial: true }]
    );
}

#[test]
fn queues_have_their_times_and_their_redrive() {
    let template = good();
    let queue = template.queues.iter().find(|q| q.name == "PaymentsQueue").unwrap();
    assert_eq!((queue.visibility_timeout, queue.retention), (150, 1_209_600));
    assert_eq!(queue.redrive, Some(Redrive { to: "PaymentsDeadQueue".into(), max_receives: 5 }));
}

#[test]
fn schedules_and_rules_become_rules() {
    let template = good();
    let rule = |name: &str| template.rules.iter().find(|r| r.name == name).unwrap();
    assert_eq!(rule("SyncGameweekFunctionEveryMinute").expression, "rate(1 minute)");
    let fence = rule("local-close");
    assert!(!fence.enabled);
    assert_eq!(fence.targets[0].arn, "arn:aws:lambda:local:000000000000:function:SettlePaymentFunction");
}

#[test]
fn the_table_is_ready_to_be_created() {
    let template = good();
    assert_eq!(template.tables[0].ttl.as_deref(), Some("ttl"));
    assert_eq!(
        template.tables[0].create,
        json!({
            "TableName": "Table",
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                {"AttributeName": "pk", "AttributeType": "S"},
                {"AttributeName": "sk", "AttributeType": "S"},
            ],
            "KeySchema": [
                {"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"},
            ],
        })
    );
}

#[test]
fn the_environment_is_resolved() {
    let variables = good().variables;
    let expected = BTreeMap::from([
        ("FEE", "10"),
        ("HOME", "local: http://localhost:4000/api"),
        ("PAYMENTS_QUEUE", "http://sqs.local/000000000000/PaymentsQueue"),
        ("STAGE", "local"),
        ("TABLE", "Table"),
    ]);
    let read: BTreeMap<&str, &str> = variables.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(read, expected);
}

#[test]
fn the_edges_headers_are_read() {
    let headers = good().headers;
    let mut read: Vec<_> =
        headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
    read.sort_unstable();
    let expected = [
        ("content-security-policy", "default-src 'none'"),
        ("referrer-policy", "no-referrer"),
        ("strict-transport-security", "max-age=60; includeSubDomains"),
        ("x-content-type-options", "nosniff"),
        ("x-stage", "local"),
    ];
    assert_eq!(read, expected);
}

/// Each kind of thing that is not understood, as a change of the good template, and what the one
/// line must name.
#[rstest]
#[case::yaml("Resources:", "Resources: [", "")]
#[case::duplicate(
    "  PaymentsDeadQueue:",
    "  PaymentsQueue:\n    Type: AWS::SQS::Queue\n  PaymentsDeadQueue:",
    "PaymentsQueue"
)]
#[case::resource_type(
    "AWS::DynamoDB::Table",
    "AWS::DynamoDB::GlobalTable",
    "Table: the local run does not know the type"
)]
#[case::event_type("Type: Schedule", "Type: ScheduleV2", "SettlePaymentFunction: Events.Nightly")]
#[case::event_property("BatchSize: 5", "BatchSizes: 5", "BatchSizes")]
#[case::batch_size("BatchSize: 5", "BatchSize: many", "BatchSize is many")]
#[case::function_property("MemorySize: 512", "Memory: 512", "Memory")]
#[case::queue_property("VisibilityTimeout: 150", "Visibility: 150", "PaymentsQueue")]
#[case::queue_range("VisibilityTimeout: 150", "VisibilityTimeout: 43201", "VisibilityTimeout is 43201")]
#[case::fifo("VisibilityTimeout: 150", "FifoQueue: true", "FifoQueue")]
#[case::condition(
    "    Type: AWS::S3::Bucket",
    "    Condition: IsLocal\n    Type: AWS::S3::Bucket",
    "Condition"
)]
#[case::rate("rate(1 minute)", "rate(1 minutes)", "rate(1 minutes)")]
#[case::cron("cron(0 3 * * ? *)", "cron(0 3 * * * *)", "cron(0 3 * * * *)")]
#[case::unknown_queue("!GetAtt PaymentsDeadQueue.Arn", "!GetAtt Nobody.Arn", "nothing is named Nobody")]
#[case::unknown_name(
    "!Ref PaymentsQueue",
    "!Ref Nobody",
    "Environment.Variables.PAYMENTS_QUEUE: nothing is named Nobody"
)]
#[case::unknown_function("!Sub \"${Stage}: ${PublicOrigin}/api\"", "!Base64 x", "Fn::Base64")]
#[case::no_default("    Default: local\n", "", "the parameter Stage has no default")]
#[case::method("Method: POST", "Method: ANY", "Method cannot be ANY")]
#[case::handler("Handler: settle-payment", "MemorySize: 256", "it has no Handler")]
#[case::state("State: DISABLED", "State: ASLEEP", "State is ASLEEP")]
#[case::no_attribute("!GetAtt PaymentsDeadQueue.Arn", "!GetAtt Bucket.Arn", "Bucket has no attribute Arn")]
#[case::header("ContentTypeOptions:", "XSSProtection:", "does not know the header of XSSProtection")]
#[case::header_setting("AccessControlMaxAgeSec", "MaxAge", "MaxAge")]
#[case::header_over("no-referrer, Override: true", "no-referrer, Override: false", "Override is not true")]
#[case::header_name("Header: X-Stage", "Header: X Stage", "is no header")]
#[case::header_value("Value: !Ref Stage", "Comment: x", "Comment")]
#[case::header_empty("{ ReferrerPolicy: no-referrer, Override", "{ Override", "is no header")]
#[case::unknown_condition("FEE: 10", "FEE: !If [Nobody, 1, 2]", "no condition is named Nobody")]
#[case::clash("FEE: 10", "FEE: 11", "FEE")]
fn what_is_not_understood_is_named(#[case] from: &str, #[case] to: &str, #[case] named: &str) {
    assert!(GOOD.contains(from), "the good template has no {from}");
    let error = read(&GOOD.replacen(from, to, 1)).expect_err("it is refused");
    let line = Refusal::new("template.yaml", error).to_string();
    assert!(line.contains(named) && !line.contains('\n'), "{line}");
}

#[test]
fn a_condition_chooses_a_value_and_leaves_out_a_resource() {
    let text = GOOD
        .replacen(
            "Resources:\n",
            "Conditions:\n  IsLocal: !Equals [!Ref Stage, local]\n  IsCloud: !Not [!Equals [!Ref Stage, local]]\nResources:\n",
            1,
        )
        .replacen("FEE: 10", "FEE: 10\n        HERE: !If [IsLocal, here, there]\n        THERE: !If [IsCloud, x, !Ref AWS::NoValue]", 1)
        .replacen("    Type: AWS::S3::Bucket", "    Condition: IsCloud\n    Type: AWS::Unknown::Type", 1);
    let variables = read(&text).expect("conditions are understood").variables;
    assert_eq!(variables["HERE"], "here");
    assert!(!variables.contains_key("THERE"));
}

#[test]
fn a_schedule_is_off_where_a_condition_says_so() {
    let conditions = "Conditions:\n  IsLocal: !Equals [!Ref Stage, local]\n  IsCloud: !Not [!Condition IsLocal]\n  \
                      IsEither: !Or [!Condition IsCloud, !Condition IsLocal]\nResources:\n";
    let enabled = |condition: &str| {
        let state = format!("rate(1 minute), State: !If [{condition}, ENABLED, DISABLED]");
        let text = GOOD.replacen("Resources:\n", conditions, 1).replacen("rate(1 minute)", &state, 1);
        let rules = read(&text).expect("it is understood").rules;
        rules.iter().find(|rule| rule.name == "SyncGameweekFunctionEveryMinute").unwrap().enabled
    };
    assert_eq!(["IsLocal", "IsCloud", "IsEither"].map(enabled), [true, false, true]);
}

#[test]
fn one_route_for_two_functions_is_refused() {
    let twice = GOOD.replacen("/api/login", "\"/api/withdraw/{id}\"", 1);
    assert!(read(&twice).unwrap_err().contains("route too"));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let refusal = Template::read(Path::new("/nowhere/template.yaml"), &BTreeMap::new()).unwrap_err();
    assert_eq!(refusal.name, "template.yaml");
}
