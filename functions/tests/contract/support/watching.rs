//! What of the template watches the rest: the alarms that are made from the table, and the dashboard.

use std::{collections::BTreeSet, fmt::Write};

use functions::platform::{
    alarms::{ALARMS, Alarm},
    deployment::{Queue, Trigger},
};
use serde_json::{Value, json};

use super::template::{log_group, pascal, queues, quoted};

/// Where money waits in a queue, a quarter of an hour is long; elsewhere an hour, since pages of the official game are
/// read at a pace.
const MONEY: [Queue; 2] = [Queue::Payments, Queue::Results];

pub fn alarms() -> String {
    let (money, other): (Vec<Queue>, Vec<Queue>) =
        queues().map(|(queue, _)| queue).partition(|queue| MONEY.contains(queue));
    let logged: String = ALARMS.iter().map(alarm).collect();
    logged
        + &dead_letters()
        + &ages("OldPayments", "A payment or M-Pesa's word of one", 900, &money)
        + &ages("OldMessages", "Something other than a payment", 3600, &other)
        + &schedules()
}

/// What every alarm has: it rings for the first that it hears of, and only then.
fn ring(description: &str) -> String {
    format!(
        "
    Type: AWS::CloudWatch::Alarm
    Properties:
      AlarmDescription: {}
      AlarmActions: [!Ref Alarms]
      ComparisonOperator: GreaterThanThreshold
      Threshold: 0
      EvaluationPeriods: 1
      TreatMissingData: notBreaching",
        quoted(description)
    )
}

fn alarm(alarm: &Alarm) -> String {
    let Alarm { name, description, rung_by, period } = alarm;
    let mut text = String::from("\n");
    let said: BTreeSet<_> = rung_by.iter().map(|(function, value)| (log_group(function), value)).collect();
    for (logs, value) in said {
        let id = logs.trim_end_matches("Logs");
        let pattern = quoted(&format!("{{ $.alarm = \"{value}\" }}"));
        write!(
            text,
            "  {name}By{id}:
    Type: AWS::Logs::MetricFilter
    Properties:
      LogGroupName: !Ref {logs}
      FilterPattern: {pattern}
      MetricTransformations:
        - {{ MetricNamespace: !Ref AWS::StackName, MetricName: {name}, MetricValue: '1' }}
"
        )
        .unwrap();
    }
    let ring = ring(description);
    text + &format!(
        "  {name}Alarm:{ring}
      Namespace: !Ref AWS::StackName
      MetricName: {name}
      Statistic: Sum
      Period: {period}
"
    )
}

/// One alarm for all, as a stack holds so many resources; the dashboard shows each.
fn dead_letters() -> String {
    let dead: Vec<String> =
        queues().map(|(queue, _)| format!("{queue:?}")).chain(["Job".to_owned()]).collect();
    let metrics = dead.iter().map(|of| metric(&of.to_lowercase(), &format!("{of}DeadLetters"), VISIBLE, 60));
    let ring = ring(
        "A message failed five times, or the event of a schedule three times (the dashboard says of which queue; \
         docs/runbook.md, \"A dead letter\").",
    );
    format!(
        "
  DeadLettersAlarm:{ring}
      Metrics:
        - {{ Id: dead, Expression: 'SUM(METRICS())', ReturnData: true }}
{}",
        metrics.collect::<String>()
    )
}

const VISIBLE: &str = "ApproximateNumberOfMessagesVisible";
const AGE: &str = "ApproximateAgeOfOldestMessage";

fn metric(id: &str, queue: &str, metric: &str, period: u32) -> String {
    format!(
        "        - Id: {id}
          ReturnData: false
          MetricStat:
            Metric:
              Namespace: AWS/SQS
              MetricName: {metric}
              Dimensions: [{{ Name: QueueName, Value: !GetAtt {queue}.QueueName }}]
            Stat: Maximum
            Period: {period}
"
    )
}

fn ages(name: &str, what: &str, seconds: u32, of: &[Queue]) -> String {
    let name_of = |queue: &Queue| format!("{queue:?}").to_lowercase();
    let ids = of.iter().map(name_of).collect::<Vec<_>>().join(", ");
    let metrics = of.iter().map(|queue| metric(&name_of(queue), &format!("{queue:?}Queue"), AGE, 300));
    let minutes = seconds / 60;
    let ring = ring(&format!(
        "{what} waits in its queue for more than {minutes} minutes (the dashboard says in which; its function's log why)."
    ))
    .replace("Threshold: 0", &format!("Threshold: {seconds}"));
    format!(
        "
  {name}Alarm:{ring}
      Metrics:
        - {{ Id: oldest, Expression: 'MAX([{ids}])', ReturnData: true }}
{}",
        metrics.collect::<String>()
    )
}

/// No invocation where one is due. An alarm of a day looks at 25 hours, for an alarm sees whole hours only.
fn schedules() -> String {
    let mut text = String::new();
    for job in functions::jobs() {
        let Trigger::Schedule(expression) = job.trigger else { continue };
        let (period, periods) = match expression {
            "rate(1 minute)" => (300, 1),
            "rate(15 minutes)" => (900, 2),
            "rate(1 hour)" => (3600, 2),
            daily if daily.starts_with("cron(") && daily.ends_with(" * * ? *)") => (3600, 25),
            other => panic!("{}: how long may {other} be silent?", job.name),
        };
        let id = pascal(job.name);
        let first = if periods == 25 { "; on the day of the first deployment it rings too" } else { "" };
        let description = quoted(&format!("{} was not started when it was due{first}.", job.name));
        write!(
            text,
            "
  {id}SilentAlarm:
    Type: AWS::CloudWatch::Alarm
    Properties:
      AlarmDescription: {description}
      AlarmActions: [!Ref Alarms]
      Namespace: AWS/Lambda
      MetricName: Invocations
      Dimensions: [{{ Name: FunctionName, Value: !Ref {id}Function }}]
      Statistic: Sum
      Period: {period}
      EvaluationPeriods: {periods}
      ComparisonOperator: LessThanThreshold
      Threshold: 1
      TreatMissingData: breaching
"
        )
        .unwrap();
    }
    text
}

/// The dashboard's body, for a place eight columns in. `alarms` are the ids of all of them.
pub fn dashboard(alarms: &[String]) -> String {
    let arns: Vec<String> = alarms.iter().map(|id| format!("${{{id}.Arn}}")).collect();
    let each = |suffix: &str, metric: &str| -> Vec<Value> {
        let ids = queues().map(|(queue, _)| format!("{queue:?}{suffix}"));
        let ids = ids.chain((suffix == "DeadLetters").then(|| "JobDeadLetters".to_owned()));
        ids.map(|id| json!(["AWS/SQS", metric, "QueueName", format!("${{{id}.QueueName}}"), { "label": id }]))
            .collect()
    };
    let api = |metric: &str, stat: &str| json!(["AWS/ApiGateway", metric, "ApiId", "${Api}", { "stat": stat, "label": format!("{metric} {stat}") }]);
    let table = |metric: &str| json!(["AWS/DynamoDB", metric, "TableName", "${TableInUse.Value}"]);
    let ours = |metric: &str| json!(["${AWS::StackName}", metric]);
    let by_function = |metric: &str, stat: &str| {
        let search = format!(
            "SEARCH('{{AWS/Lambda,FunctionName}} MetricName=\"{metric}\" \"${{AWS::StackName}}\"', '{stat}', 300)"
        );
        json!([[{ "expression": search, "label": "" }]])
    };
    let widgets = [
        json!({ "type": "alarm", "x": 0, "y": 0, "width": 24, "height": 6,
                "properties": { "title": "Alarms", "alarms": arns } }),
        graph(
            0,
            6,
            "Calls and errors",
            "Sum",
            json!([api("Count", "Sum"), api("4xx", "Sum"), api("5xx", "Sum")]),
        ),
        graph(12, 6, "Milliseconds", "p99", json!([api("Latency", "p50"), api("Latency", "p99")])),
        graph(0, 12, "Errors by function", "Sum", by_function("Errors", "Sum")),
        graph(12, 12, "Refused by function (too many at once)", "Sum", by_function("Throttles", "Sum")),
        graph(0, 18, "Oldest message, in seconds", "Maximum", Value::from(each("Queue", AGE))),
        graph(12, 18, "Dead letters", "Maximum", Value::from(each("DeadLetters", VISIBLE))),
        graph(
            0,
            24,
            "Prompts sent, callbacks heard",
            "Sum",
            json!([ours("PromptsSent"), ours("CallbacksHeard")]),
        ),
        graph(12, 24, "At once", "Maximum", json!([["AWS/Lambda", "ConcurrentExecutions"]])),
        graph(
            0,
            30,
            "Table",
            "Sum",
            json!([table("ConsumedReadCapacityUnits"), table("ConsumedWriteCapacityUnits")]),
        ),
        graph(
            12,
            30,
            "Table: conflicts and throttling",
            "Sum",
            json!([table("TransactionConflict"), table("ReadThrottleEvents"), table("WriteThrottleEvents")]),
        ),
    ];
    let body = serde_json::to_string_pretty(&json!({ "widgets": widgets })).unwrap();
    body.lines().map(|line| format!("        {line}\n")).collect()
}

fn graph(x: u8, y: u8, title: &str, stat: &str, metrics: Value) -> Value {
    json!({ "type": "metric", "x": x, "y": y, "width": 12, "height": 6, "properties": {
        "title": title, "region": "${AWS::Region}", "stat": stat, "period": 300, "metrics": metrics } })
}
