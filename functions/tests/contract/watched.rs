//! What rings, and whom: each alarm that the product promises, held to a list that is written by hand.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::resources::Template;

/// Each alarm, with its metric or its expression, and what it compares it with.
const ALARMS: &[(&str, &str, u64)] = &[
    ("ApiErrorsAlarm", "ApiErrors", 5),
    ("AskForBalanceSilentAlarm", "Invocations", 1),
    ("BooksNotReadAlarm", "BooksNotRead", 0),
    ("BooksOffAlarm", "BooksOff", 0),
    ("CalendarInDoubtAlarm", "CalendarInDoubt", 0),
    ("CallbacksSilentAlarm", "IF(FILL(prompts, 0) >= 3 AND FILL(callbacks, 0) == 0, 1, 0)", 0),
    ("CheckReceiptsSilentAlarm", "Invocations", 1),
    ("DeadLettersAlarm", "SUM(METRICS())", 0),
    ("DrawInDoubtAlarm", "DrawInDoubt", 0),
    ("EraseAccountsSilentAlarm", "Invocations", 1),
    ("FloatLowAlarm", "FloatLow", 0),
    (
        "FunctionErrorsAlarm",
        "SELECT SUM(Errors) FROM SCHEMA(\"AWS/Lambda\", FunctionName) GROUP BY FunctionName ORDER BY SUM() DESC",
        3,
    ),
    (
        "FunctionThrottlesAlarm",
        "SELECT SUM(Throttles) FROM SCHEMA(\"AWS/Lambda\", FunctionName) GROUP BY FunctionName ORDER BY SUM() DESC",
        10,
    ),
    ("NotSetUpAlarm", "NotSetUp", 0),
    ("OldMessagesAlarm", "MAX([sweeps, winners, leagues, teams, books, mails, pushes])", 3600),
    ("OldPaymentsAlarm", "MAX([payments, results])", 900),
    ("PaymentsInDoubtAlarm", "PaymentsInDoubt", 0),
    ("ReconcileSilentAlarm", "Invocations", 1),
    ("RegisterPaybillSilentAlarm", "Invocations", 1),
    ("RemindOfPaymentsSilentAlarm", "Invocations", 1),
    ("ResultsInDoubtAlarm", "ResultsInDoubt", 0),
    ("SlowDepositsAlarm", "Latency", 8000),
    ("SlowJoiningAlarm", "Latency", 3000),
    ("SlowPaymentsAlarm", "Latency", 8000),
    ("SyncGameweekSilentAlarm", "Invocations", 1),
    ("TeamTakenAlarm", "TeamTaken", 0),
    ("TrackPointsSilentAlarm", "Invocations", 1),
];

fn measured(alarm: &Value) -> &str {
    let expression = || {
        alarm["Metrics"].as_array()?.iter().find(|metric| metric["ReturnData"] == true)?["Expression"]
            .as_str()
    };
    alarm["MetricName"].as_str().or_else(expression).unwrap()
}

#[test]
fn every_alarm_that_is_promised_rings_for_what_it_is_promised_for() {
    let template = Template::new();
    for (id, alarm) in template.of_type("AWS::CloudWatch::Alarm") {
        let known = ALARMS.iter().find(|(known, ..)| *known == id);
        let (_, metric, threshold) = known.unwrap_or_else(|| panic!("{id} is on no list"));
        assert_eq!(measured(alarm), *metric, "{id}");
        assert_eq!(alarm["Threshold"].as_u64(), Some(*threshold), "{id}");
        assert_eq!(alarm["AlarmActions"], json!([{ "Ref": "Alarms" }]), "{id} rings for nobody");
        // A schedule that is silent has no metric at all.
        let silent = *metric == "Invocations";
        assert_eq!(alarm["TreatMissingData"], if silent { "breaching" } else { "notBreaching" }, "{id}");
        let comparison = if silent { "LessThanThreshold" } else { "GreaterThanThreshold" };
        assert_eq!(alarm["ComparisonOperator"], comparison, "{id}");
    }
    for (id, ..) in ALARMS {
        template.resource(id);
    }
}

#[test]
fn somebody_is_told() {
    let template = Template::new();
    let mails =
        json!({ "TopicArn": { "Ref": "Alarms" }, "Protocol": "email", "Endpoint": { "Ref": "AlarmEmail" } });
    assert_eq!(*template.properties("AlarmMails"), mails);
    let budget = template.properties("DailyBudget");
    assert_eq!(budget["Budget"]["TimeUnit"], "DAILY");
    assert_eq!(
        budget["Budget"]["BudgetLimit"],
        json!({ "Amount": { "Ref": "BudgetPerDay" }, "Unit": "USD" })
    );
    let to = &budget["NotificationsWithSubscribers"][0]["Subscribers"];
    assert_eq!(*to, json!([{ "SubscriptionType": "EMAIL", "Address": { "Ref": "AlarmEmail" } }]));
}

#[test]
fn a_schedule_that_does_not_run_is_noticed_in_time() {
    let template = Template::new();
    // Seconds without an invocation after which it rings.
    let silent = [
        ("SyncGameweek", 300),
        ("TrackPoints", 300),
        ("RemindOfPayments", 1800),
        ("RegisterPaybill", 7200),
        ("EraseAccounts", 7200),
        ("CheckReceipts", 90_000),
        ("AskForBalance", 90_000),
        ("Reconcile", 90_000),
    ];
    for (id, seconds) in silent {
        let alarm = template.properties(&format!("{id}SilentAlarm"));
        let after = alarm["Period"].as_u64().unwrap() * alarm["EvaluationPeriods"].as_u64().unwrap();
        assert_eq!(after, seconds, "{id}");
        let of = json!([{ "Name": "FunctionName", "Value": { "Ref": format!("{id}Function") } }]);
        assert_eq!(alarm["Dimensions"], of, "{id}");
    }
    let scheduled = template.of_type("AWS::Serverless::Function");
    let scheduled = scheduled.filter(|(_, function)| function["Events"]["Schedule"].is_object());
    assert_eq!(scheduled.count(), silent.len());
}

#[test]
fn dead_letters_and_old_messages_of_every_queue_count() {
    let template = Template::new();
    let watched: Vec<&Value> = ["DeadLettersAlarm", "OldPaymentsAlarm", "OldMessagesAlarm"]
        .iter()
        .flat_map(|alarm| template.properties(alarm)["Metrics"].as_array().unwrap())
        .filter_map(|metric| metric["MetricStat"]["Metric"]["Dimensions"][0]["Value"]["Fn::GetAtt"].as_str())
        .map(|name| name.trim_end_matches(".QueueName"))
        .map(|id| &template.part("Resources")[id])
        .collect();
    let queues: Vec<&Value> =
        template.part("Resources").values().filter(|r| r["Type"] == "AWS::SQS::Queue").collect();
    assert_eq!(watched.len(), queues.len());
    let ids: BTreeSet<*const Value> = watched.into_iter().map(std::ptr::from_ref).collect();
    assert_eq!(ids.len(), queues.len(), "a queue is watched twice, and another one not");
}

/// What the filters of the access log look for is what the log and the table say.
#[test]
fn prompts_and_callbacks_are_counted_by_their_routes() {
    let template = Template::new();
    let routes: Vec<String> =
        functions::endpoints().iter().map(|e| format!("{} {}", e.method, e.path)).collect();
    let sent = template.properties("PromptsSent")["FilterPattern"].as_str().unwrap();
    for route in ["POST /api/pay", "POST /api/deposits"] {
        assert!(
            sent.contains(&format!("$.route = \"{route}\"")) && routes.iter().any(|known| known == route)
        );
    }
    let heard = template.properties("CallbacksHeard")["FilterPattern"].as_str().unwrap();
    assert!(heard.contains("$.route = \"POST /hooks/stk/*\""));
    assert!(routes.iter().any(|route| route.starts_with("POST /hooks/stk/")));
    let slow = [
        ("SlowPaymentsAlarm", "/api/pay"),
        ("SlowDepositsAlarm", "/api/deposits"),
        ("SlowJoiningAlarm", "/api/join-league"),
    ];
    for (alarm, resource) in slow {
        let alarm = template.properties(alarm);
        assert_eq!(alarm["ExtendedStatistic"], "p99");
        assert_eq!(alarm["Dimensions"][3], json!({ "Name": "Resource", "Value": resource }));
        // Without it the metric does not exist.
        let settings = &template.properties("Api")["RouteSettings"][format!("POST {resource}")];
        assert_eq!(settings["DetailedMetricsEnabled"], true, "{resource}");
    }
}

#[test]
fn the_dashboard_shows_every_alarm_and_queue() {
    let template = Template::new();
    let body = template.properties("Dashboard")["DashboardBody"]["Fn::Sub"].as_str().unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let shown = body["widgets"].to_string();
    for (id, _) in template.of_type("AWS::CloudWatch::Alarm") {
        assert!(shown.contains(&format!("${{{id}.Arn}}")), "{id} is not shown");
    }
    for (id, _) in template.of_type("AWS::SQS::Queue") {
        assert!(shown.contains(&format!("${{{id}.QueueName}}")), "{id} is not shown");
    }
}

/// X-Ray is sent to by who may, and only where it is wanted.
#[test]
fn traces_are_a_switch() {
    let template = Template::new();
    assert_eq!(template.globals()["Tracing"], json!({ "Ref": "Tracing" }));
    assert_eq!(template.part("Parameters")["Tracing"]["AllowedValues"], json!(["PassThrough", "Active"]));
    assert_eq!(template.resource("SendTraces")["Condition"], "IsTraced");
    let statement = json!([{
        "Effect": "Allow",
        "Action": ["xray:PutTelemetryRecords", "xray:PutTraceSegments"],
        "Resource": "*",
    }]);
    assert_eq!(template.properties("SendTraces")["PolicyDocument"]["Statement"], statement);
}

/// The security log is a part of the logs of what changes something: a year. What only shows, ninety days.
#[test]
fn logs_are_kept_by_kind() {
    let template = Template::new();
    for (id, method) in template.routes() {
        let logs = if method == "GET" { "ReadLogs".to_owned() } else { id.replace("Function", "Logs") };
        assert_eq!(template.properties(&id)["LoggingConfig"]["LogGroup"], json!({ "Ref": logs }), "{id}");
    }
    for (id, group) in template.of_type("AWS::Logs::LogGroup") {
        let days = match id {
            "ApiLogs" => 30,
            "ReadLogs" => 90,
            _ => 365,
        };
        assert_eq!(group["RetentionInDays"].as_u64(), Some(days), "{id}");
    }
    for id in ["LogIn", "ForgotPassword", "PayWithdrawal", "SettlePayment", "TakeResult", "UpdatePlayer"] {
        assert_eq!(template.properties(&format!("{id}Logs"))["RetentionInDays"].as_u64(), Some(365), "{id}");
    }
}
