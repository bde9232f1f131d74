//! What each function's role says, written from the table.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use functions::platform::deployment::{DELETES, Deployment, Queue, Resource, WRITES};
use store::ledger::wallets::BALANCE;

use super::template::quoted;

/// What SQS needs to be read by a function.
const RECEIVES: [&str; 3] = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"];
const LOGS: [&str; 2] = ["logs:CreateLogStream", "logs:PutLogEvents"];

/// The partitions of the table that a statement is about; none: any.
type Partitions = &'static [&'static str];

/// The role's statements: one for each kind of resource, and one for what is done alike with several of them.
pub fn statements(logs: &str, deployment: &Deployment, queue: Option<Queue>, event: bool) -> String {
    let any: Partitions = &[];
    let mut allowed =
        BTreeMap::<(Resource, Partitions), BTreeSet<&str>>::from([((Resource::OwnLog, any), LOGS.into())]);
    allowed.extend(queue.map(|queue| ((Resource::Queue(queue), any), RECEIVES.into())));
    allowed.extend(event.then(|| ((Resource::JobDeadLetters, any), ["sqs:SendMessage"].into())));
    for (action, resource) in deployment.grants.iter().flat_map(|grant| grant.actions()) {
        let partitions = match resource {
            Resource::Table if WRITES.contains(&action) => deployment.writes,
            Resource::Table if action == DELETES => deployment.deletes,
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
    let allowed = statements.iter().map(|(actions, of, resources)| statement(logs, actions, of, resources));
    allowed.chain(deployment.leaves_wallets().then(wallets_left)).collect()
}

/// A wallet changes by no write that does not name its balance.
fn wallets_left() -> String {
    format!(
        "
              - Effect: Deny
                Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem']
                Resource: {}
                Condition: {{ 'ForAnyValue:StringEquals': {{ 'dynamodb:Attributes': [{BALANCE}] }} }}",
        arn("", Resource::Table)
    )
}

fn statement(logs: &str, actions: &BTreeSet<&str>, partitions: Partitions, resources: &[Resource]) -> String {
    let actions = listed(actions.iter());
    let on = match resources {
        [one] => format!(" {}", arn(logs, *one)),
        several => several.iter().map(|one| format!("\n                  - {}", arn(logs, *one))).collect(),
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

fn arn(logs: &str, resource: Resource) -> String {
    let ours = |service: &str, rest: &str| {
        format!("!Sub 'arn:${{AWS::Partition}}:{service}:${{AWS::Region}}:${{AWS::AccountId}}:{rest}'")
    };
    match resource {
        Resource::OwnLog => format!("!GetAtt {logs}.Arn"),
        Resource::Queue(queue) => format!("!GetAtt {queue:?}Queue.Arn"),
        Resource::DeadLetters(queue) => format!("!GetAtt {queue:?}DeadLetters.Arn"),
        Resource::JobDeadLetters => "!GetAtt JobDeadLetters.Arn".to_owned(),
        Resource::Table => ours("dynamodb", "table/${TableInUse.Value}"),
        Resource::Index(index) => ours("dynamodb", &format!("table/${{TableInUse.Value}}/index/{index}")),
        Resource::Secret(name) => ours("ssm", &format!("parameter${{SecretsPrefix}}/{name}")),
        Resource::FenceRule => ours("events", "rule/${AWS::StackName}-deadline-fence"),
        Resource::MailFrom => ours("ses", "identity/*"),
    }
}
