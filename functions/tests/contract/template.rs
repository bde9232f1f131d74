//! `template.yaml` is what the table and `functions/template-base.yaml` make. `UPDATE=1` rewrites it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

use functions::platform::{
    alarms::{ALARMS, Alarm},
    deployment::{Batches, Deployment, Queue, Resource, Trigger, WRITES},
};
use store::ledger::wallets::BALANCE;

const MADE: &str = "\
# Made from functions/src/lib.rs and functions/template-base.yaml by functions/tests/contract/template.rs: change these,
# then run `UPDATE=1 cargo test --locked --workspace --test contract`.
";

/// What SQS needs to be read by a function.
const RECEIVES: [&str; 3] = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"];
const LOGS: [&str; 2] = ["logs:CreateLogStream", "logs:PutLogEvents"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// A name of the table as CloudFormation's ids have it.
pub fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('-').map(capital).collect()
}

fn template() -> String {
    let base = fs::read_to_string(root().join("functions/template-base.yaml")).unwrap();
    let (_, base) = base.split_once("AWSTemplateFormatVersion").expect("a template's first line");
    let places = [
        ("queue addresses", queues().map(|(queue, _)| queue_address(queue)).collect()),
        ("queues", queues().map(|(queue, timeout)| queue_resources(queue, timeout)).collect::<String>()),
        ("alarms", ALARMS.iter().map(alarm).collect()),
        ("functions", functions()),
        ("paths of the API", paths().iter().map(|path| behavior(path)).collect()),
    ];
    let mut template = format!("{MADE}AWSTemplateFormatVersion{base}");
    for (place, text) in places {
        let line = template.lines().find(|line| line.trim() == format!("# <{place}>"));
        let line = line.unwrap_or_else(|| panic!("the base has no place for the {place}")).to_owned() + "\n";
        template = template.replacen(&line, text.trim_start_matches('\n'), 1);
    }
    template
}

/// The template as a reader of YAML finds it: as it is to be, whether or not that is committed.
pub fn parsed() -> yaml_serde::Value {
    yaml_serde::from_str(&template()).unwrap()
}

/// Every queue, with the time limit of the function that reads it.
pub fn queues() -> impl Iterator<Item = (Queue, u32)> {
    functions::jobs().into_iter().filter_map(|job| match job.trigger {
        Trigger::Queue(queue, _) => Some((queue, job.deployment.timeout)),
        _ => None,
    })
}

fn queue_address(queue: Queue) -> String {
    let name = format!("{queue:?}").to_uppercase();
    format!("        {name}_QUEUE_URL: !Ref {queue:?}Queue\n")
}

/// AWS asks for a time of six times the function's limit before a message is given to another.
fn queue_resources(queue: Queue, timeout: u32) -> String {
    let (visibility, name) = (6 * timeout, format!("{queue:?}").to_lowercase());
    let ring = ring(&format!("A message of the {name} queue failed five times."));
    format!(
        "
  {queue:?}Queue:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: {visibility}
      MessageRetentionPeriod: 1209600
      SqsManagedSseEnabled: true
      RedrivePolicy: {{ deadLetterTargetArn: !GetAtt {queue:?}DeadLetters.Arn, maxReceiveCount: 5 }}
  {queue:?}DeadLetters:
    Type: AWS::SQS::Queue
    Properties: {{ MessageRetentionPeriod: 1209600, SqsManagedSseEnabled: true }}
  {queue:?}DeadLettersAlarm:{ring}
      Namespace: AWS/SQS
      MetricName: ApproximateNumberOfMessagesVisible
      Dimensions: [{{ Name: QueueName, Value: !GetAtt {queue:?}DeadLetters.QueueName }}]
      Statistic: Maximum
      Period: 60
"
    )
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
    for (function, value) in *rung_by {
        let id = pascal(function);
        let pattern = quoted(&format!("{{ $.alarm = \"{value}\" }}"));
        write!(
            text,
            "  {name}By{id}:
    Type: AWS::Logs::MetricFilter
    Properties:
      LogGroupName: !Ref {id}Logs
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

fn functions() -> String {
    let endpoints = functions::endpoints().into_iter().map(|endpoint| {
        let (method, path) = (&endpoint.method, quoted(&endpoint.path));
        let events = format!(
            "
      Events:
        Http:
          Type: HttpApi
          Properties: {{ ApiId: !Ref Api, Method: {method}, Path: {path} }}"
        );
        function(&endpoint.name, &endpoint.deployment, &events, None)
    });
    let jobs = functions::jobs().into_iter().map(|job| {
        let (events, queue) = match job.trigger {
            Trigger::Queue(queue, batches) => (source(queue, batches), Some(queue)),
            Trigger::Schedule(expression) => (schedule(expression), None),
            Trigger::Rule => (String::new(), None),
        };
        function(job.name, &job.deployment, &events, queue)
    });
    endpoints.chain(jobs).collect()
}

fn source(queue: Queue, Batches { of, at_once }: Batches) -> String {
    format!(
        "
      Events:
        Queue:
          Type: SQS
          Properties:
            Queue: !GetAtt {queue:?}Queue.Arn
            BatchSize: {of}
            FunctionResponseTypes: [ReportBatchItemFailures]
            ScalingConfig: {{ MaximumConcurrency: {at_once} }}"
    )
}

fn schedule(expression: &str) -> String {
    let expression = quoted(expression);
    format!(
        "
      Events:
        Schedule:
          Type: Schedule
          Properties: {{ Schedule: {expression} }}"
    )
}

fn function(name: &str, deployment: &Deployment, events: &str, queue: Option<Queue>) -> String {
    let Deployment { memory, timeout, .. } = deployment;
    let id = pascal(name);
    let statements = statements(&id, deployment, queue);
    format!(
        "
  {id}Function:
    Type: AWS::Serverless::Function
    Metadata: {{ SkipBuild: true }}
    Properties:
      Handler: {name}
      Role: !GetAtt {id}Role.Arn
      MemorySize: {memory}
      Timeout: {timeout}
      LoggingConfig: {{ LogGroup: !Ref {id}Logs }}{events}
  {id}Role:
    Type: AWS::IAM::Role
    Properties:
      AssumeRolePolicyDocument:
        Version: '2012-10-17'
        Statement: [{{ Effect: Allow, Principal: {{ Service: lambda.amazonaws.com }}, Action: 'sts:AssumeRole' }}]
      Policies:
        - PolicyName: own
          PolicyDocument:
            Version: '2012-10-17'
            Statement:{statements}
  {id}Logs:
    Type: AWS::Logs::LogGroup
    Properties: {{ LogGroupName: !Sub '/${{AWS::StackName}}/{name}', RetentionInDays: 30 }}
"
    )
}

/// The partitions of the table that a statement is about; none: any.
type Partitions = &'static [&'static str];

/// The role's statements: one for each kind of resource, and one for what is done alike with several of them.
fn statements(id: &str, deployment: &Deployment, queue: Option<Queue>) -> String {
    let any: Partitions = &[];
    let mut allowed =
        BTreeMap::<(Resource, Partitions), BTreeSet<&str>>::from([((Resource::OwnLog, any), LOGS.into())]);
    allowed.extend(queue.map(|queue| ((Resource::Queue(queue), any), RECEIVES.into())));
    for (action, resource) in deployment.grants.iter().flat_map(|grant| grant.actions()) {
        let partitions = match resource {
            Resource::Table if WRITES.contains(&action) => deployment.writes,
            Resource::Table => deployment.reads,
            _ => any,
        };
        allowed.entry((resource, partitions)).or_default().insert(action);
    }
    let mut statements = Vec::<(BTreeSet<&str>, Partitions, Vec<Resource>)>::new();
    for ((resource, partitions), actions) in allowed {
        match statements.last_mut().filter(|(same, of, _)| *same == actions && *of == partitions) {
            Some((.., resources)) => resources.push(resource),
            None => statements.push((actions, partitions, vec![resource])),
        }
    }
    let allowed = statements.iter().map(|(actions, of, resources)| statement(id, actions, *of, resources));
    allowed.chain(deployment.leaves_wallets().then(wallets_left)).collect()
}

/// A wallet changes by no write that does not name its balance.
fn wallets_left() -> String {
    format!(
        "
              - Effect: Deny
                Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem']
                Resource: !GetAtt Table.Arn
                Condition: {{ 'ForAnyValue:StringEquals': {{ 'dynamodb:Attributes': [{BALANCE}] }} }}"
    )
}

fn statement(id: &str, actions: &BTreeSet<&str>, partitions: Partitions, resources: &[Resource]) -> String {
    let actions = listed(actions.iter());
    let on = match resources {
        [one] => format!(" {}", arn(id, *one)),
        several => several.iter().map(|one| format!("\n                  - {}", arn(id, *one))).collect(),
    };
    let mut statement = format!(
        "
              - Effect: Allow
                Action: [{actions}]
                Resource:{on}"
    );
    if resources.contains(&Resource::MailFrom) {
        statement += "\n                Condition: { StringEquals: { 'ses:FromAddress': !Ref MailFrom } }";
    }
    if !partitions.is_empty() {
        let partitions = listed(partitions.iter());
        write!(
            statement,
            "\n                Condition: {{ 'ForAllValues:StringLike': {{ 'dynamodb:LeadingKeys': [{partitions}] }} }}"
        )
        .unwrap();
    }
    statement
}

fn listed(texts: impl Iterator<Item = impl AsRef<str>>) -> String {
    texts.map(|text| quoted(text.as_ref())).collect::<Vec<_>>().join(", ")
}

fn arn(id: &str, resource: Resource) -> String {
    let ours = |service: &str, rest: &str| {
        format!("!Sub 'arn:${{AWS::Partition}}:{service}:${{AWS::Region}}:${{AWS::AccountId}}:{rest}'")
    };
    match resource {
        Resource::OwnLog => format!("!GetAtt {id}Logs.Arn"),
        Resource::Queue(queue) => format!("!GetAtt {queue:?}Queue.Arn"),
        Resource::Table => "!GetAtt Table.Arn".to_owned(),
        Resource::Index(index) => format!("!Sub '${{Table.Arn}}/index/{index}'"),
        Resource::Secret(name) => ours("ssm", &format!("parameter${{SecretsPrefix}}/{name}")),
        Resource::FenceRule => ours("events", "rule/${AWS::StackName}-deadline-fence"),
        Resource::MailFrom => ours("ses", "identity/*"),
    }
}

/// What of the site's paths is the API's.
fn paths() -> BTreeSet<String> {
    let path = |path: &str| match path[1..].split_once('/') {
        Some((folder, _)) => format!("/{folder}/*"),
        None => path.to_owned(),
    };
    functions::endpoints().iter().map(|endpoint| path(&endpoint.path)).collect()
}

fn behavior(path: &str) -> String {
    let path = quoted(path);
    format!(
        "          - PathPattern: {path}
            TargetOriginId: api
            ViewerProtocolPolicy: https-only
            AllowedMethods: [GET, HEAD, OPTIONS, PUT, PATCH, POST, DELETE]
            CachePolicyId: 4135ea2d-6df8-44a3-9df3-4b5a84be39ad # Managed-CachingDisabled
            OriginRequestPolicyId: b689b0a8-53d0-40ab-baf2-68738e2966ac # Managed-AllViewerExceptHostHeader
            FunctionAssociations:
              - {{ EventType: viewer-request, FunctionARN: !GetAtt ViewerAddress.FunctionARN }}
            ResponseHeadersPolicyId: !Ref SecurityHeaders
"
    )
}

/// A text that any reader of YAML takes as it is.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[test]
fn the_committed_template_is_the_generated_one() {
    let (path, generated) = (root().join("template.yaml"), template());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    assert!(
        fs::read_to_string(path).unwrap_or_default() == generated,
        "template.yaml is out of date: run `UPDATE=1 cargo test --locked --workspace --test contract`"
    );
}
