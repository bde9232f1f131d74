//! Acts that wait for a second admin: `APPROVAL#id/APPROVAL` (TTL). The id is made from the act, so the same act
//! waits once, whoever presses twice; an approval is written in the act's own transaction (`permits`).

use aws_sdk_dynamodb::types::{Put, Update, builders::UpdateBuilder};
use domain::{
    GameweekId, Kes, UserId, Username,
    admin::approval::{PROPOSAL_LASTS, Wanted},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Page, Store, StoreError,
    admin::{
        audit::{AuditAction, AuditRecord},
        permits::Approved,
    },
    platform::{
        table::{Key, n, s},
        transaction::{Outcome, Transaction},
        worklists::put_on_worklist,
    },
};

const LIST: &str = "APPROVALS";
/// What has ended is shown for so long after its three days.
const SHOWN_AFTER: SignedDuration = SignedDuration::from_hours(7 * 24);
/// And kept for so long.
const KEPT_AFTER: SignedDuration = SignedDuration::from_hours(90 * 24);

/// What has become of a proposal. One that waits may have expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Waiting,
    Approved,
    Refused,
}

impl Stage {
    fn word(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Approved => "approved",
            Self::Refused => "refused",
        }
    }
}

/// An act that an admin wants done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    pub id: String,
    /// Names this proposal among all of the same act.
    pub version: String,
    pub stage: Stage,
    /// The act as it was asked for, in JSON.
    pub order: String,
    pub what: AuditAction,
    /// Its kind and id: `withdrawal 0198…`.
    pub on: String,
    pub wanted: Wanted,
    pub proposer: UserId,
    pub proposer_name: Username,
    pub user_id: Option<UserId>,
    pub username: Option<Username>,
    /// The gameweek whose entries it is about.
    #[serde(default)]
    pub gameweek: Option<GameweekId>,
    pub amount: Option<Kes>,
    #[serde(default)]
    pub reason: Option<String>,
    pub proposed_at: Timestamp,
    /// In milliseconds since 1970.
    pub expires: i64,
    #[serde(default)]
    pub decided_by: Option<UserId>,
    #[serde(default)]
    pub decided_by_name: Option<Username>,
    #[serde(default)]
    pub decided_because: Option<String>,
    #[serde(default)]
    pub decided_at: Option<Timestamp>,
    /// Seconds since 1970.
    pub ttl: i64,
}

impl Proposal {
    /// The id of the proposal of an act.
    #[must_use]
    pub fn id_of(order: &str) -> String {
        hex::encode(&Sha256::digest(order)[..16])
    }

    /// When it can be approved no more, and when it is forgotten, where it is made at `at`.
    #[must_use]
    pub fn ends(at: Timestamp) -> (i64, i64) {
        let expires = at + PROPOSAL_LASTS;
        (expires.as_millisecond(), (expires + KEPT_AFTER).as_second())
    }

    #[must_use]
    pub fn waits(&self, now: Timestamp) -> bool {
        self.stage == Stage::Waiting && now.as_millisecond() < self.expires
    }
}

fn key(id: &str) -> Key {
    Key::new(format!("APPROVAL#{id}"), "APPROVAL")
}

impl Store {
    /// Puts an act before the other admins. `false`: the same act waits already.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn propose(&self, proposal: &Proposal, act: &AuditRecord) -> Result<bool, StoreError> {
        let mut item = key(&proposal.id).item(proposal);
        put_on_worklist(&mut item, LIST, &format!("{}#{}", proposal.proposed_at, proposal.id));
        let put = Put::builder()
            .table_name(&self.name)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk) OR stage <> :waiting OR expires <= :now")
            .expression_attribute_values(":waiting", s(Stage::Waiting.word()))
            .expression_attribute_values(":now", n(proposal.proposed_at.as_millisecond()));
        let mut transaction = Transaction::new();
        transaction.put(put.build().expect("table and item are given"), ()).put(self.recorded(act), ());
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    /// # Errors
    /// The table is not answering.
    pub async fn proposal(&self, id: &str) -> Result<Option<Proposal>, StoreError> {
        self.get("proposal", key(id)).await
    }

    /// The proposals of the last ten days, oldest first: those that wait, and what became of the others.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn proposals(
        &self,
        now: Timestamp,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Proposal>, StoreError> {
        let oldest = (now - PROPOSAL_LASTS - SHOWN_AFTER).to_string();
        self.worklist_page("proposal", LIST, Some(after.unwrap_or(&oldest)), limit).await
    }

    /// Refuses a proposal. `false`: it does not wait any more.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn refuse_proposal(
        &self,
        proposal: &Proposal,
        reason: &str,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let (by, name) =
            act.who.person().map(|(id, name)| (id.to_string(), name.to_string())).unwrap_or_default();
        let update = self
            .decision(&proposal.id, &proposal.version)
            .update_expression(
                "SET stage = :next, decidedBy = :by, decidedByName = :name, decidedAt = :at, decidedBecause = :why",
            )
            // One that has expired can be cleared away as well.
            .condition_expression("stage = :waiting AND version = :version")
            .expression_attribute_values(":next", s(Stage::Refused.word()))
            .expression_attribute_values(":by", s(by))
            .expression_attribute_values(":name", s(name))
            .expression_attribute_values(":at", s(act.at.to_string()))
            .expression_attribute_values(":why", s(reason));
        self.act(act, update.build().expect("table, key and expression are given")).await
    }

    /// For the transaction of the act that is approved.
    pub(crate) fn approved(&self, approved: &Approved) -> Update {
        let person = approved.by.person().map(|(id, name)| (id.to_string(), name.to_string()));
        let (by, name) = person.unwrap_or_default();
        let mut set = "SET stage = :next, decidedBy = :by, decidedByName = :name, decidedAt = :at".to_owned();
        let mut update = self
            .decision(&approved.id, &approved.version)
            .condition_expression("stage = :waiting AND version = :version AND expires > :now")
            .expression_attribute_values(":next", s(Stage::Approved.word()))
            .expression_attribute_values(":now", n(approved.at.as_millisecond()))
            .expression_attribute_values(":by", s(by))
            .expression_attribute_values(":name", s(name))
            .expression_attribute_values(":at", s(approved.at.to_string()));
        if let Some(reason) = &approved.reason {
            set.push_str(", decidedBecause = :why");
            update = update.expression_attribute_values(":why", s(reason));
        }
        update.update_expression(set).build().expect("table, key and expression are given")
    }

    fn decision(&self, id: &str, version: &str) -> UpdateBuilder {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(id).attributes()))
            .expression_attribute_values(":waiting", s(Stage::Waiting.word()))
            .expression_attribute_values(":version", s(version))
    }
}
