//! Acts that wait for a second admin: `APPROVAL#id/APPROVAL` (TTL). The id is made from the act, so the same act
//! waits once, whoever presses twice; an approval is written in the act's own transaction (`permits`).

use domain::{
    GameweekId, Kes, MpesaPhone, UserId, Username,
    admin::approvals::{PROPOSAL_LASTS, SecondAdminReason},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::{
    Page, Store, StoreError,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::Approved,
    },
    platform::{
        conditions::{absent, at_most, exists, is, is_not, more},
        table::Key,
        transaction::Transaction,
        worklists::put_on_worklist,
        writes::{Check, Put, Update},
    },
    withdrawals::endings,
};

const LIST: &str = "APPROVALS";
/// So many are read at a time, to be made nameless.
const AT_ONCE: usize = 100;
/// A proposal is kept for so long after its three days.
const KEPT_AFTER: SignedDuration = SignedDuration::from_hours(90 * 24);

/// What has become of a proposal. One that waits may have expired.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProposalStage {
    Waiting,
    Approved,
    Refused,
}

/// An act that an admin wants done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    pub id: String,
    /// Names this proposal among all of the same act.
    pub version: String,
    pub stage: ProposalStage,
    /// The act as it was asked for, in JSON.
    pub order: String,
    /// The same for the admin who approves it; empty of proposals of before.
    #[serde(default)]
    pub in_words: String,
    /// The number that the money goes to or came from, where it is known.
    #[serde(default)]
    pub number: Option<MpesaPhone>,
    pub what: AuditAction,
    /// Its kind and id: `withdrawal 0198…`.
    pub on: String,
    pub wanted: SecondAdminReason,
    pub proposer: UserId,
    pub proposer_name: Username,
    pub user_id: Option<UserId>,
    pub username: Option<Username>,
    /// The gameweek whose entries it is about.
    #[serde(default)]
    pub gameweek: Option<GameweekId>,
    pub amount: Option<Kes>,
    /// The withdrawal that its proposer says to have sent by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sent_by_hand: Option<String>,
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
        self.stage == ProposalStage::Waiting && now.as_millisecond() < self.expires
    }
}

fn key(id: &str) -> Key {
    Key::new(format!("APPROVAL#{id}"), "APPROVAL")
}

impl Store {
    /// Puts an act before the other admins. `false`: the same act waits already, or what it says to have been sent by
    /// hand is paid, has ended, still waits for its day, or is a player's whose account is frozen or who owes something.
    pub async fn propose(&self, proposal: &Proposal, act: &AuditRecord) -> Result<bool, StoreError> {
        let mut item = key(&proposal.id).item(proposal);
        put_on_worklist(&mut item, LIST, &format!("{}#{}", proposal.proposed_at, proposal.id));
        let put = Put::over(item).only_if(
            absent("pk")
                .or(is_not("stage", ProposalStage::Waiting))
                .or(at_most("expires", proposal.proposed_at.as_millisecond())),
        );
        let mut transaction = Transaction::new();
        transaction.put(put, ()).put(self.recorded(act), ());
        if let Some(withdrawal) = &proposal.sent_by_hand {
            transaction.update(endings::said_sent(withdrawal, proposal.proposed_at, proposal.expires), ());
            if let Some(player) = &proposal.user_id {
                transaction.check(self.not_frozen(player), ()).check(self.owes_nothing(player), ());
            }
        }
        self.commit_all(transaction).await
    }

    pub async fn proposal(&self, id: &str) -> Result<Option<Proposal>, StoreError> {
        self.get("proposal", key(id)).await
    }

    /// A page of the proposals. The first one begins with all that wait, the one that expires next first; what became of the
    /// others follows, newest first. A place on the list is a time, so a cursor stays good whatever is decided meanwhile.
    pub async fn proposals(
        &self,
        now: Timestamp,
        before: Option<&str>,
        limit: usize,
    ) -> Result<Page<Proposal>, StoreError> {
        let newest: Page<Proposal> = self.worklist_newest("proposal", LIST, before, limit).await?;
        let (mut waiting, others): (Vec<_>, Vec<_>) =
            newest.items.into_iter().partition(|proposal| proposal.waits(now));
        if before.is_some() {
            return Ok(Page { items: others, cursor: newest.cursor });
        }
        // What is older has expired.
        let oldest = (now - PROPOSAL_LASTS).to_string();
        let mut next = newest.cursor.clone();
        while let Some(position) = next.filter(|position| *position > oldest) {
            let page: Page<Proposal> = self.worklist_newest("proposal", LIST, Some(&position), limit).await?;
            waiting.extend(page.items.into_iter().filter(|proposal| proposal.waits(now)));
            next = page.cursor;
        }
        waiting.reverse();
        waiting.extend(others);
        Ok(Page { items: waiting, cursor: newest.cursor })
    }

    /// Refuses a proposal. `false`: it does not wait any more.
    pub async fn refuse_proposal(
        &self,
        proposal: &Proposal,
        reason: &str,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        // One that has expired can be cleared away as well.
        let update = decided(&proposal.id, &proposal.version, ProposalStage::Refused, &act.who, act.at)
            .set("decidedBecause", reason);
        let mut transaction = Transaction::new();
        transaction.update(update, ()).put(self.recorded(act), ());
        // One that has expired says nothing any more, and a newer one may wait.
        if let Some(withdrawal) = proposal.sent_by_hand.as_ref().filter(|_| proposal.waits(act.at)) {
            transaction.update(endings::not_sent(withdrawal), ());
        }
        self.commit_all(transaction).await
    }

    /// Takes from every act that was proposed about a player the name, the number and the reasons: what it was to do, and
    /// what became of it, stays for its time.
    pub async fn forget_proposals(&self, player: &UserId) -> Result<(), StoreError> {
        let mut after: Option<String> = None;
        loop {
            let page: Page<Proposal> =
                self.worklist_page("proposal", LIST, after.as_deref(), AT_ONCE).await?;
            for proposal in page.items.iter().filter(|one| one.user_id.as_ref() == Some(player)) {
                let update = Update::of(key(&proposal.id))
                    .set("username", Username::gone())
                    .set("order", without_reason(&proposal.order)?)
                    .remove("number")
                    .remove("reason")
                    .remove("decidedBecause")
                    .only_if(exists("pk"));
                self.update(update).await?;
            }
            match page.cursor {
                Some(cursor) => after = Some(cursor),
                None => return Ok(()),
            }
        }
    }

    /// For the transaction of a step that comes before the act that is approved: what [`Store::approved`] asks, and nothing
    /// is written.
    pub(crate) fn still_waits(&self, approved: &Approved) -> Check {
        let waits = is("stage", ProposalStage::Waiting)
            .and(is("version", approved.version.as_str()))
            .and(more("expires", approved.at.as_millisecond()));
        Check::that(key(&approved.id), waits)
    }

    /// For the transaction of the act that is approved.
    pub(crate) fn approved(&self, approved: &Approved) -> Update {
        decided(&approved.id, &approved.version, ProposalStage::Approved, &approved.by, approved.at)
            .set_some("decidedBecause", approved.reason.as_deref())
            .only_if(more("expires", approved.at.as_millisecond()))
    }
}

/// The order of an act without its reason, which may name somebody.
fn without_reason(order: &str) -> Result<String, StoreError> {
    let unread = |error: serde_json::Error| StoreError::Refused(format!("a proposal's order: {error}"));
    let mut order: Value = serde_json::from_str(order).map_err(unread)?;
    if let Some(reason) = order.get_mut("reason") {
        *reason = Value::from("");
    }
    Ok(order.to_string())
}

fn decided(id: &str, version: &str, stage: ProposalStage, by: &Who, at: Timestamp) -> Update {
    let (by, name) = by.person().map(|(id, name)| (id.to_string(), name.to_string())).unwrap_or_default();
    Update::of(key(id))
        .set("stage", stage)
        .set("decidedBy", by)
        .set("decidedByName", name)
        .set("decidedAt", at)
        .only_if(is("stage", ProposalStage::Waiting))
        .only_if(is("version", version))
}
