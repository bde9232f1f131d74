//! What was done by hand, and by whom: `AUDIT#2026-11` (the month, UTC) / time-ordered id. A record is
//! written in the transaction of the act that it tells of, so neither is ever without the other, and
//! nothing here changes or deletes one.

use domain::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use crate::{
    Page, Store, StoreError,
    admin::permits::{By, Permit},
    platform::{
        table::{Key, Range, parse, s},
        transaction::{RecordedAct, Transaction},
        writes::{Put, Update},
    },
    time_ordered_id,
};

pub use crate::admin::who::Who;

/// What was done; for a request the name of its operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", const_into_str)]
pub enum AuditAction {
    #[serde(rename = "confirm-manual-payment")]
    #[strum(serialize = "confirm-manual-payment")]
    ConfirmTypedCode,
    DecideApproval,
    ConfirmTotp,
    CorrectPayout,
    CorrectWallet,
    CreateInfluencer,
    DecideLeague,
    DecideSetAside,
    GrantAdmin,
    RevokeAdmin,
    PayWithdrawal,
    ProcessWinners,
    #[serde(rename = "reject-manual-payment")]
    #[strum(serialize = "reject-manual-payment")]
    RejectTypedCode,
    ReleaseNumber,
    /// One of `update-player`'s changes: a second admin reads it in a list.
    ReleasePrizes,
    RemoveTotp,
    RenewRecoveryCodes,
    ReverseReceipt,
    SetSwitches,
    StartTotp,
    StepUp,
    ToggleDeduction,
    UpdatePlayer,
    UpdateWithdrawal,
    VoidGameweek,
    /// An answer to a player, or the end of a case.
    WriteToCase,
}

/// One act, as it is kept. No secrets, and of people nothing but ids and the admin's name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    pub id: String,
    pub at: Timestamp,
    pub who: Who,
    pub what: AuditAction,
    /// Its kind and id: `withdrawal 0198…`.
    pub on: String,
    /// The player whose it is.
    #[serde(default)]
    pub user_id: Option<UserId>,
    #[serde(default)]
    pub before: Option<String>,
    #[serde(default)]
    pub after: Option<String>,
    #[serde(default)]
    pub reason: Option<String>,
    /// The second admin, where one was wanted.
    #[serde(default)]
    pub approved_by: Option<Who>,
    /// What is written with it beside its record; not kept in it.
    #[serde(skip)]
    permit: Option<Box<Permit>>,
}

impl AuditRecord {
    /// The admin whose act it is; nobody where a machine or the operator has done it.
    #[must_use]
    pub fn admin(&self) -> Option<&UserId> {
        self.who.person().map(|(id, _)| id)
    }

    #[must_use]
    pub fn new(who: Who, what: AuditAction, on: impl Into<String>, at: Timestamp) -> Self {
        Self {
            id: time_ordered_id(at),
            at,
            who,
            what,
            on: on.into(),
            user_id: None,
            before: None,
            after: None,
            reason: None,
            approved_by: None,
            permit: None,
        }
    }

    /// An act that an admin has leave for: its transaction writes what the permit says, or nothing.
    #[must_use]
    pub fn permitted(permit: &Permit, what: AuditAction, on: impl Into<String>, at: Timestamp) -> Self {
        let approved_by = match &permit.by {
            By::Approval(approved) => Some(approved.by.clone()),
            // Of an earlier step: the proposal may still be refused.
            By::UnusedApproval(_) | By::One(_) | By::Nobody => None,
        };
        let permit = permit.clone();
        let act = Self::new(permit.who.clone(), what, on, at);
        Self { id: permit.act.clone(), approved_by, permit: Some(Box::new(permit)), ..act }
    }

    /// An act that needs no leave: its transaction asks that the admin is one still.
    #[must_use]
    pub fn by_admin(who: Who, what: AuditAction, on: impl Into<String>, at: Timestamp) -> Self {
        Self::permitted(&Permit::plain(who, at), what, on, at)
    }

    /// Whose it is that was acted on.
    #[must_use]
    pub fn of(self, player: &UserId) -> Self {
        Self { user_id: Some(player.clone()), ..self }
    }

    /// What it was before and is now.
    #[must_use]
    pub fn from_to(self, before: impl Into<String>, after: impl Into<String>) -> Self {
        Self { before: Some(before.into()), after: Some(after.into()), ..self }
    }

    /// What is there now and was not before.
    #[must_use]
    pub fn to(self, after: impl Into<String>) -> Self {
        Self { after: Some(after.into()), ..self }
    }

    /// Why; an empty reason is none.
    #[must_use]
    pub fn because(self, reason: &str) -> Self {
        Self { reason: Some(reason.to_owned()).filter(|reason| !reason.is_empty()), ..self }
    }
}

/// The month of an instant, UTC: `2026-11`.
#[must_use]
pub fn month(at: Timestamp) -> String {
    at.strftime("%Y-%m").to_string()
}

/// The list of what was done to a player and what is theirs.
fn acts_on(player: &UserId) -> String {
    format!("ACTS#{player}")
}

fn partition(month: &str) -> String {
    format!("AUDIT#{month}")
}

/// Where a record is.
pub(crate) fn key(act: &AuditRecord) -> Key {
    Key::new(partition(&month(act.at)), act.id.clone())
}

impl Store {
    /// The record of an act, for the transaction that does it. Every try of one act has the same id.
    /// With it comes what the act's permit says.
    pub(crate) fn recorded(&self, act: &AuditRecord) -> RecordedAct {
        let mut item = key(act).item(act);
        if let Some(player) = &act.user_id {
            item.insert("listPk".to_owned(), s(acts_on(player)));
            item.insert("listSk".to_owned(), s(&act.id));
        }
        let beside = act.permit.as_deref().map(|permit| self.beside(permit));
        RecordedAct { put: Put::new(item), beside: beside.unwrap_or_default() }
    }

    /// The record `id` of a month.
    pub async fn act_recorded(&self, month: &str, id: &str) -> Result<Option<AuditRecord>, StoreError> {
        self.get("act", Key::new(partition(month), id)).await
    }

    /// An act that is one conditional write, with its record. `false`: the condition did not hold, and
    /// neither was written.
    pub(crate) async fn act(&self, act: &AuditRecord, update: Update) -> Result<bool, StoreError> {
        let mut transaction = Transaction::new();
        transaction.update(update, ()).put(self.recorded(act), ());
        self.commit_all(transaction).await
    }

    /// What was done last to a player and to what is theirs, newest first.
    pub async fn acts_on(&self, player: &UserId, limit: i32) -> Result<Vec<AuditRecord>, StoreError> {
        let query = self
            .client
            .query()
            .table_name(&self.name)
            .index_name("lists")
            .key_condition_expression("listPk = :list")
            .expression_attribute_values(":list", s(acts_on(player)))
            .scan_index_forward(false)
            .limit(limit);
        let items = query.send().await?.items.unwrap_or_default().into_iter();
        items.map(|item| parse("act", item)).collect()
    }

    /// A page of a month's acts, newest first, those before the act with the id `after`.
    pub async fn acts(
        &self,
        month: &str,
        after: Option<&str>,
        limit: i32,
    ) -> Result<Page<AuditRecord>, StoreError> {
        let pk = partition(month);
        self.range("act", Range { pk: &pk, prefix: "", after, newest_first: true, limit }).await
    }
}
