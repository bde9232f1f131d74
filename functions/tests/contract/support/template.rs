//! What `template.yaml` is to be, made of the table and `functions/template-base.yaml`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use functions::{
    Endpoint,
    platform::deployment::{AtOnce, Batches, Deployment, Grant, Queue, Trigger},
};

use super::{policies::statements, watching};

const MADE: &str = "\
# Made from functions/src/lib.rs, functions/src/platform/jobs.rs and functions/template-base.yaml by
# functions/tests/contract/template.rs: change these, then run `UPDATE=1 cargo test --locked --workspace --test contract`.
";

/// Jobs that money or the draw waits for. A share of the account's executions can be kept for each, and for M-Pesa's
/// callbacks.
pub const URGENT: [&str; 7] = [
    "close-gameweek",
    "settle-gameweek",
    "settle-league",
    "settle-payment",
    "sweep-entries",
    "sync-gameweek",
    "take-result",
];
/// Whose new version takes over step by step, and is taken back when one of these alarms rings.
pub const SHIFTED: [&str; 5] =
    ["join-league", "receive-stk-callback", "settle-league", "settle-payment", "start-entry-payment"];
const TAKEN_BACK_BY: &str = "[!Ref ApiErrorsAlarm, !Ref FunctionErrorsAlarm, !Ref PaymentsInDoubtAlarm]";

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_owned()
}

/// A name of the table as CloudFormation's ids have it.
pub fn pascal(name: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    name.split('-').map(capital).collect()
}

/// Where a function writes its log. What only shows something writes nothing into the security log, and a stack holds
/// so many resources: calls by GET share one.
pub fn log_group(name: &str) -> String {
    let shows =
        functions::endpoints().iter().any(|endpoint| endpoint.name == name && endpoint.method == "GET");
    if shows { "ReadLogs".to_owned() } else { format!("{}Logs", pascal(name)) }
}

pub fn template() -> String {
    let base = fs::read_to_string(root().join("functions/template-base.yaml")).unwrap();
    let (_, base) = base.split_once("AWSTemplateFormatVersion").expect("a template's first line");
    let places = [
        ("queue addresses", queues().map(|(queue, _)| queue_address(queue)).collect()),
        ("queues", queues().map(|(queue, timeout)| queue_resources(queue, timeout)).collect::<String>()),
        ("alarms", watching::alarms()),
        ("functions", functions()),
        // Each place is filled once: the two policies have one each.
        ("roles", roles()),
        ("roles", roles()),
        ("routes", routes()),
        ("paths of the API", behaviors()),
    ];
    let mut template = format!("{MADE}AWSTemplateFormatVersion{base}");
    for (place, text) in places {
        let line = template.lines().find(|line| line.trim() == format!("# <{place}>"));
        let line = line.unwrap_or_else(|| panic!("the base has no place for the {place}")).to_owned() + "\n";
        template = template.replacen(&line, text.trim_start_matches('\n'), 1);
    }
    let alarms = template.lines().zip(template.lines().skip(1));
    let alarms = alarms.filter(|(_, kind)| kind.trim() == "Type: AWS::CloudWatch::Alarm");
    let alarms: Vec<String> = alarms.map(|(id, _)| id.trim().trim_end_matches(':').to_owned()).collect();
    let place = "        # <dashboard>\n";
    assert!(template.contains(place), "the base has no place for the dashboard");
    template.replacen(place, &watching::dashboard(&alarms), 1)
}

fn roles() -> String {
    let endpoints = functions::endpoints().into_iter().map(|endpoint| endpoint.name);
    let names = endpoints.chain(functions::jobs().into_iter().map(|job| job.name.to_owned()));
    names.map(|name| format!("        - !Ref {}Role\n", pascal(&name))).collect()
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
    let visibility = 6 * timeout;
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
"
    )
}

fn functions() -> String {
    let endpoints = functions::endpoints().into_iter().map(|endpoint| {
        let extra = Extra { urgent: endpoint.path.starts_with("/hooks/"), event: false };
        function(&endpoint.name, &endpoint.deployment, "", None, &extra)
    });
    let jobs = functions::jobs().into_iter().map(|job| {
        let (events, queue) = match job.trigger {
            Trigger::Queue(queue, batches) => (source(queue, batches), Some(queue)),
            Trigger::Schedule(expression) => (schedule(expression), None),
            Trigger::Rule => (String::new(), None),
        };
        let extra = Extra { urgent: URGENT.contains(&job.name), event: queue.is_none() };
        function(job.name, &job.deployment, &events, queue, &extra)
    });
    endpoints.chain(jobs).collect()
}

/// The paths of the API's document, each method with what it calls: of what is shifted the alias, by the
/// name that SAM gives it.
fn routes() -> String {
    let mut paths: BTreeMap<String, String> = BTreeMap::new();
    for endpoint in functions::endpoints() {
        let (name, id) = (endpoint.name.as_str(), pascal(&endpoint.name));
        let version = if SHIFTED.contains(&name) { "Aliaslive" } else { ".Arn" };
        let uri = format!(
            "arn:${{AWS::Partition}}:apigateway:${{AWS::Region}}:lambda:path/2015-03-31/functions/${{{id}Function{version}}}/invocations"
        );
        let parameters: Vec<String> = endpoint
            .path
            .split('/')
            .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'))
            .map(|name| format!("{{ name: {name}, in: path, required: true, schema: {{ type: string }} }}"))
            .collect();
        let method = endpoint.method.as_str().to_lowercase();
        let operation = format!(
            "            {method}:
              parameters: [{}]
              responses: {{ default: {{ description: The function's }} }}
              x-amazon-apigateway-integration:
                type: aws_proxy
                httpMethod: POST
                payloadFormatVersion: '2.0'
                credentials: !GetAtt ApiRole.Arn
                uri: !Sub '{uri}'
",
            parameters.join(", ")
        );
        paths.entry(endpoint.path.clone()).or_default().push_str(&operation);
    }
    let path = |(path, operations): (&String, &String)| format!("          '{path}':\n{operations}");
    paths.iter().map(path).collect()
}

fn source(queue: Queue, Batches { of, at_once }: Batches) -> String {
    let at_once = match at_once {
        AtOnce::Always(number) => number.to_string(),
        AtOnce::By(parameter) => format!("!Ref {parameter}"),
    };
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

/// Off until the functions have been told their address: before that every run fails.
fn schedule(expression: &str) -> String {
    let expression = quoted(expression);
    format!(
        "
      Events:
        Schedule:
          Type: Schedule
          Properties:
            Schedule: {expression}
            State: !If [KnowsOrigin, ENABLED, DISABLED]
            DeadLetterConfig: {{ Arn: !GetAtt JobDeadLetters.Arn }}"
    )
}

/// What of a function does not stand in the table.
struct Extra {
    /// Whether executions can be kept for it.
    urgent: bool,
    /// Whether events start it: one that it fails at is kept.
    event: bool,
}

fn function(
    name: &str,
    deployment: &Deployment,
    events: &str,
    queue: Option<Queue>,
    Extra { urgent, event }: &Extra,
) -> String {
    let Deployment { memory, timeout, .. } = deployment;
    let id = pascal(name);
    let logs = log_group(name);
    let statements = statements(&logs, deployment, queue, *event);
    let mut more = String::new();
    if *urgent {
        more += "
      ReservedConcurrentExecutions: !If [ReservesConcurrency, !Ref ReservedConcurrency, !Ref AWS::NoValue]";
    }
    if deployment.grants.iter().any(|grant| matches!(grant, Grant::PromptsByMpesa)) {
        more += "
      ReservedConcurrentExecutions: !If [BoundsPrompts, !Ref PromptsAtOnce, !Ref AWS::NoValue]";
    }
    if queue.is_some() && deployment.grants.iter().any(|grant| matches!(grant, Grant::Sends(_))) {
        more += "
      RecursiveLoop: Allow";
    }
    if *event {
        more += "
      DeadLetterQueue: { Type: SQS, TargetArn: !GetAtt JobDeadLetters.Arn }";
    }
    if SHIFTED.contains(&name) {
        more += "
      AutoPublishAlias: live
      AutoPublishCodeSha256: !Ref Release";
        // CodeDeploy stops a deployment while one of these rings. All at once has none, so that what rings can be mended.
        more += &format!(
            "
      DeploymentPreference:
        Type: !Ref ReleaseShift
        Alarms: !If [ShiftsReleases, {TAKEN_BACK_BY}, []]"
        );
    }
    let own_logs = if logs == "ReadLogs" {
        String::new()
    } else {
        format!(
            "
  {logs}:
    Type: AWS::Logs::LogGroup
    Properties: {{ LogGroupName: !Sub '/${{AWS::StackName}}/{name}', RetentionInDays: 365 }}"
        )
    };
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
      LoggingConfig: {{ LogGroup: !Ref {logs} }}{more}{events}
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
            Statement:{statements}{own_logs}
"
    )
}

/// What of the site's paths is the API's.
fn paths() -> BTreeSet<String> {
    let path = |path: &str| match path[1..].split_once('/') {
        Some((folder, _)) => format!("/{folder}/*"),
        None => path.to_owned(),
    };
    functions::endpoints().iter().map(|endpoint| path(&endpoint.path)).collect()
}

/// Where it stands decides: the distribution takes the first pattern that fits. So what no pattern of the public calls
/// may catch comes before them, and the folders come last.
fn behaviors() -> String {
    let endpoints = functions::endpoints();
    let pattern = |endpoint: &Endpoint| {
        let segment =
            |segment: &str| if segment.starts_with('{') { "*".to_owned() } else { segment.to_owned() };
        endpoint.path.split('/').map(segment).collect::<Vec<_>>().join("/")
    };
    let (public, others): (Vec<_>, Vec<_>) = endpoints.iter().partition(|endpoint| endpoint.is_public);
    let public: BTreeSet<String> = public.into_iter().map(pattern).collect();
    let caught = |path: &String| public.iter().any(|pattern| fits(pattern, path));
    let caught: BTreeSet<String> = others.into_iter().map(pattern).filter(caught).collect();
    let paths = paths();
    // A pattern comes once: CloudFront refuses a second one.
    let left = paths.iter().filter(|path| !public.contains(*path) && !caught.contains(*path));
    caught
        .iter()
        .map(|path| behavior(path))
        .chain(public.iter().map(|path| public_behavior(path)))
        .chain(left.map(|path| behavior(path)))
        .collect()
}

/// As the distribution compares: a star stands for anything, slashes too.
pub fn fits(pattern: &str, path: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == path,
        Some((start, rest)) => path.strip_prefix(start).is_some_and(|path| {
            let ends = path.char_indices().map(|(at, _)| at).chain([path.len()]);
            ends.into_iter().any(|at| fits(rest, &path[at..]))
        }),
    }
}

fn public_behavior(path: &str) -> String {
    let path = quoted(path);
    format!(
        "          - PathPattern: {path}
            TargetOriginId: api
            ViewerProtocolPolicy: https-only
            Compress: true
            CachePolicyId: !Ref PublicAnswers
            ResponseHeadersPolicyId: !Ref SecurityHeaders
"
    )
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
pub fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
