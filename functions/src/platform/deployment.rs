//! What a line of the table says about its function's deployment. `template.yaml` is written from it
//! (`functions/tests/contract/template.rs`); of what runs only a Lambda's start reads it, to make ready what it will need.

use std::collections::BTreeSet;

use Grant::*;
use app::platform::secrets::names::*;
use strum::IntoEnumIterator;

/// What a function is given.
#[derive(Clone, Copy)]
pub struct Deployment {
    /// Megabytes; the share of a processor grows with them.
    pub memory: u32,
    /// Seconds, for one invocation.
    pub timeout: u32,
    pub grants: &'static [Grant],
    /// The partitions of the table that it may read (`store::platform::partitions`); none named: any.
    pub reads: &'static [&'static str],
    /// Those that it may write, or have a write stand on.
    pub writes: &'static [&'static str],
    /// Those that it may delete from, where it may delete.
    pub deletes: &'static [&'static str],
}

/// The megabytes that come with a whole processor.
pub const WHOLE_PROCESSOR: u32 = 1769;

impl Default for Deployment {
    fn default() -> Self {
        Self { memory: 512, timeout: 15, grants: &[], reads: &[], writes: &[], deletes: &[] }
    }
}

impl Deployment {
    /// The secrets that it may read.
    #[must_use]
    pub fn secrets(&self) -> Vec<&'static str> {
        let granted = self.grants.iter().flat_map(|grant| grant.actions());
        let names = granted.filter_map(|(_, resource)| match resource {
            Resource::Secret(name) => Some(name),
            _ => None,
        });
        names.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Whether it asks for something in the table, so that a connection is made to it beforehand.
    #[must_use]
    pub fn asks_the_table(&self) -> bool {
        let mut actions = self.grants.iter().flat_map(|grant| grant.actions());
        actions.any(|(_, resource)| resource == Resource::Table)
    }

    /// Whether it writes to the table and must not change what a wallet holds.
    #[must_use]
    pub fn leaves_wallets(&self) -> bool {
        let moves = self.grants.iter().any(|grant| matches!(grant, MovesMoney));
        let mut actions = self.grants.iter().flat_map(|grant| grant.actions());
        !moves && actions.any(|(action, _)| WRITES.contains(&action))
    }
}

/// The actions that write to the table, or have a write stand on what is there.
pub const WRITES: [&str; 3] = ["dynamodb:ConditionCheckItem", "dynamodb:PutItem", "dynamodb:UpdateItem"];

/// The action that deletes from it.
pub const DELETES: &str = "dynamodb:DeleteItem";

/// What starts a job.
#[derive(Clone, Copy)]
pub enum Trigger {
    Queue(Queue, Batches),
    /// A schedule as EventBridge writes it.
    Schedule(&'static str),
    /// A rule of `functions/template-base.yaml`, whose time the product sets.
    Rule,
}

/// How a queue's messages come: so many in one invocation at the most, and so many invocations at once.
#[derive(Clone, Copy)]
pub struct Batches {
    pub of: u32,
    pub at_once: AtOnce,
}

impl Batches {
    #[must_use]
    pub const fn tens(at_once: AtOnce) -> Self {
        Self { of: 10, at_once }
    }
}

/// How many invocations of a function one queue may have running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtOnce {
    Always(u32),
    /// As this parameter of the template says: the more players, the more.
    By(&'static str),
}

/// A queue. It comes with its dead letters and their alarm, and its job's function is its only reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::EnumIter)]
pub enum Queue {
    Payments,
    Results,
    Sweeps,
    Winners,
    Leagues,
    Teams,
    Mails,
    Pushes,
    Books,
}

/// Something that a function may do. Its own log, and its own queue where one starts it, need no mention.
#[derive(Clone, Copy)]
pub enum Grant {
    /// One record of the table by its key.
    Reads,
    /// Many records of the table by their keys.
    ReadsMany,
    /// The records under one key of the table.
    Queries,
    QueriesLists,
    QueriesDays,
    /// The whole table.
    Scans,
    Puts,
    Updates,
    /// Puts and updates.
    Writes,
    /// Deletes records: one function.
    Deletes,
    /// Writes, on condition of records that it does not write.
    Transacts,
    /// Changes what a wallet holds, by its writes: without it the role forbids that.
    MovesMoney,
    Sends(Queue),
    /// Asks how many messages wait in each queue and among its dead letters.
    CountsMessages,
    Secret(&'static str),
    /// Who calls: the token's public key, and the session in the table.
    Session,
    CallsMpesa,
    /// Has M-Pesa ask a player for money.
    PromptsByMpesa,
    /// Asks M-Pesa for a transaction's status or the accounts' balance.
    AsksMpesa,
    PaysByMpesa,
    /// Sets the time of the rule that starts the draw.
    SetsFence,
    /// Sends mails, from the operator's address alone.
    SendsMail,
}

/// What an action is allowed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Resource {
    OwnLog,
    Queue(Queue),
    /// What a queue's job failed at.
    DeadLetters(Queue),
    /// Where the events go that a job failed at.
    JobDeadLetters,
    Table,
    Index(&'static str),
    Secret(&'static str),
    FenceRule,
    MailFrom,
}

impl Grant {
    /// The grant in AWS's words.
    #[must_use]
    pub fn actions(self) -> Vec<(&'static str, Resource)> {
        let all = |grants: &[Self]| grants.iter().flat_map(|grant| grant.actions()).collect();
        let one = |action, resource| vec![(action, resource)];
        match self {
            Reads => one("dynamodb:GetItem", Resource::Table),
            ReadsMany => one("dynamodb:BatchGetItem", Resource::Table),
            Queries => one("dynamodb:Query", Resource::Table),
            QueriesLists => one("dynamodb:Query", Resource::Index("lists")),
            QueriesDays => one("dynamodb:Query", Resource::Index("days")),
            Scans => one("dynamodb:Scan", Resource::Table),
            Puts => one("dynamodb:PutItem", Resource::Table),
            Updates => one("dynamodb:UpdateItem", Resource::Table),
            Writes => all(&[Puts, Updates]),
            Transacts => [one("dynamodb:ConditionCheckItem", Resource::Table), Writes.actions()].concat(),
            Deletes => one(DELETES, Resource::Table),
            MovesMoney => Vec::new(),
            Sends(queue) => one("sqs:SendMessage", Resource::Queue(queue)),
            CountsMessages => {
                let each =
                    Queue::iter().flat_map(|queue| [Resource::Queue(queue), Resource::DeadLetters(queue)]);
                each.chain([Resource::JobDeadLetters]).map(|on| ("sqs:GetQueueAttributes", on)).collect()
            }
            Secret(name) => one("ssm:GetParameters", Resource::Secret(name)),
            Session => all(&[Reads, Secret(ACCESS_TOKEN_PUBLIC_KEY)]),
            CallsMpesa => all(&[Secret(DARAJA_CONSUMER_KEY), Secret(DARAJA_CONSUMER_SECRET)]),
            PromptsByMpesa => all(&[CallsMpesa, Secret(DARAJA_PASSKEY), Secret(HOOK_KEYS)]),
            AsksMpesa => all(&[
                CallsMpesa,
                Secret(DARAJA_CERTIFICATE),
                Secret(QUERY_INITIATOR_PASSWORD),
                Secret(HOOK_KEYS),
            ]),
            PaysByMpesa => all(&[
                CallsMpesa,
                Secret(DARAJA_CERTIFICATE),
                Secret(B2C_INITIATOR_PASSWORD),
                Secret(HOOK_KEYS),
            ]),
            SetsFence => {
                vec![("events:DescribeRule", Resource::FenceRule), ("events:PutRule", Resource::FenceRule)]
            }
            SendsMail => one("ses:SendEmail", Resource::MailFrom),
        }
    }
}
