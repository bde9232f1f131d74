//! A withdrawal that M-Pesa pays: `payout` on the withdrawal, `sent` from before M-Pesa is called. It is
//! written on condition that the withdrawal is pending and has none, and from then on nothing but
//! M-Pesa's word, or an admin's on what M-Pesa never answered, ends it.

use aws_sdk_dynamodb::{
    operation::update_item::builders::UpdateItemFluentBuilder,
    types::{AttributeValue, Update, builders::UpdateBuilder},
};
use domain::{
    UserId,
    withdrawals::requests::{PayoutState, Status},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::requests::{End, MAY_BE_PAID, Withdrawal, key};
use crate::{
    AdminDecision, Page, Store, StoreError,
    admin::audit::AuditRecord,
    platform::{
        table::{Item, conditional, n, s},
        transaction::{Outcome, Transaction},
        worklists::{OFF_WORKLIST, put_on_worklist},
    },
};

pub(super) const CONTESTED: &str = "WITHDRAWALS#contested";

/// A payout by M-Pesa. Its OriginatorConversationID is the withdrawal's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payout {
    pub state: PayoutState,
    /// Names the press of the button that sent it.
    pub attempt: String,
    pub sent_at: Timestamp,
    /// The admin who sent it.
    pub sent_by: UserId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// M-Pesa's, of a payout that is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// Whom M-Pesa has registered under the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// The admin's word on one that M-Pesa did not answer for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<AdminDecision>,
}

/// What M-Pesa tells of a payout that it made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PaidOut {
    pub receipt: Option<String>,
    pub recipient: Option<String>,
}

/// What became of the intent to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sending {
    Noted,
    /// The withdrawal is not pending any more, or a payout is sent.
    NotPending,
    /// Payouts are paused.
    Paused,
    /// The account is frozen.
    Frozen,
    /// The player owes something.
    Owes,
}

/// A payout as an attribute.
pub(super) fn attribute(payout: &Payout) -> AttributeValue {
    serde_dynamo::to_attribute_value(payout).expect("a payout is a map of plain values")
}

impl Store {
    /// Notes that a payout is about to be sent, and when it is asked about, unless payouts are paused, the
    /// account is frozen, its player owes something, or the withdrawal still waits.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn send_payout(
        &self,
        withdrawal: &Withdrawal,
        payout: &Payout,
        first_question: Timestamp,
        act: &AuditRecord,
    ) -> Result<Sending, StoreError> {
        let update = self
            .payout_update(&withdrawal.id)
            .update_expression("SET payout = :payout, nextQuestion = :next")
            .condition_expression(format!(
                "#status = :pending AND attribute_not_exists(payout) AND {MAY_BE_PAID}"
            ))
            .expression_attribute_values(":now", n(payout.sent_at.as_millisecond()))
            .expression_attribute_values(":payout", attribute(payout))
            .expression_attribute_values(":next", n(first_question.as_millisecond()));
        let mut transaction = Transaction::new();
        transaction
            .check(self.payouts_run(), Sending::Paused)
            .check(self.not_frozen(&withdrawal.user_id), Sending::Frozen)
            .check(self.owes_nothing(&withdrawal.user_id), Sending::Owes)
            .update(update.build().expect("table, key and expression are given"), Sending::NotPending)
            .put(self.recorded(act), Sending::NotPending);
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Sending::Noted,
            Outcome::Refused(why) if why.contains(&Sending::NotPending) => Sending::NotPending,
            Outcome::Refused(why) if why.contains(&Sending::Frozen) => Sending::Frozen,
            Outcome::Refused(why) if why.contains(&Sending::Owes) => Sending::Owes,
            Outcome::Refused(_) => Sending::Paused,
        })
    }

    /// Takes back what [`Store::send_payout`] noted: the payout certainly was not sent. `false`: it has
    /// ended meanwhile, or is another attempt's.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn unsend_payout(
        &self,
        withdrawal: &Withdrawal,
        payout: &Payout,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = self
            .payout_update(&withdrawal.id)
            .update_expression("REMOVE payout, nextQuestion")
            .condition_expression(
                "#status = :pending AND payout.#state = :sent AND payout.attempt = :attempt",
            )
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":sent", s(PayoutState::Sent.into_str()))
            .expression_attribute_values(":attempt", s(&payout.attempt));
        let mut transaction = Transaction::new();
        transaction
            .update(update.build().expect("table, key and expression are given"), ())
            .update(self.not_paid_out(withdrawal.amount, payout.sent_at), ())
            .put(self.recorded(act), ());
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    fn payout_update(&self, id: &str) -> UpdateBuilder {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(id).attributes()))
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":pending", s(Status::Pending.into_str()))
    }

    /// Keeps the id that M-Pesa gave a payout.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn attach_conversation_id(&self, id: &str, conversation_id: &str) -> Result<(), StoreError> {
        let update = self
            .withdrawal_update(id)
            .update_expression("SET payout.conversationId = :id")
            .condition_expression("attribute_exists(payout) AND attribute_not_exists(payout.conversationId)")
            .expression_attribute_values(":id", s(conversation_id));
        conditional(update).await.map(drop)
    }

    /// Pending → done, as M-Pesa says, or an admin's `act`. `false` where it was not pending any more.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn complete_payout(
        &self,
        withdrawal: &Withdrawal,
        payout: &Payout,
        paid: &PaidOut,
        at: Timestamp,
        act: Option<&AuditRecord>,
    ) -> Result<bool, StoreError> {
        let payout = Payout {
            state: PayoutState::Done,
            receipt: paid.receipt.clone(),
            recipient: paid.recipient.clone(),
            ..payout.clone()
        };
        let end = End { payout: Some(payout), ..End::new(Status::Done, at, act) };
        self.end_as_done(withdrawal, &end).await
    }

    /// Pending → rejected and the money back, as M-Pesa says, or an admin's `act`. `false` where it was not
    /// pending any more.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn return_payout(
        &self,
        withdrawal: &Withdrawal,
        payout: &Payout,
        reason: &str,
        at: Timestamp,
        act: Option<&AuditRecord>,
    ) -> Result<bool, StoreError> {
        let payout = Payout { state: PayoutState::Failed, ..payout.clone() };
        let end = End { reason: Some(reason), payout: Some(payout), ..End::new(Status::Rejected, at, act) };
        self.end_with_the_money_back(withdrawal, &end).await
    }

    /// Takes on the next question about a payout, due after `pause`. `false`: a later one is taken on
    /// already, or it has ended.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn take_on_payout_question(
        &self,
        id: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = self
            .pending_withdrawal_update(id)
            .update_expression("SET nextQuestion = :next")
            .condition_expression("#status = :pending AND nextQuestion <= :now")
            .expression_attribute_values(":next", n((now + pause).as_millisecond()))
            .expression_attribute_values(":now", n(now.as_millisecond()));
        conditional(update).await
    }

    /// Notes what an admin has to look into, and lists a withdrawal that has ended. `false`: it is
    /// noted already.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn contest_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        trouble: &str,
    ) -> Result<bool, StoreError> {
        let mut listed = Item::new();
        put_on_worklist(&mut listed, CONTESTED, &format!("{}#{}", withdrawal.created_at, withdrawal.id));
        let mut set = "SET trouble = :trouble".to_owned();
        let mut update = self
            .withdrawal_update(&withdrawal.id)
            .condition_expression("attribute_exists(pk) AND #status = :seen AND (attribute_not_exists(trouble) OR trouble <> :trouble)")
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":seen", s(withdrawal.status.into_str()))
            .expression_attribute_values(":trouble", s(trouble));
        // One that is pending is on the list of those.
        if withdrawal.status != Status::Pending {
            set.push_str(", listPk = :list, listSk = :position");
            update = update
                .expression_attribute_values(":list", listed["listPk"].clone())
                .expression_attribute_values(":position", listed["listSk"].clone());
        }
        conditional(update.update_expression(set)).await
    }

    /// Takes a withdrawal that has ended off the list of those to look into: an admin has. What was
    /// noted stays, so that the same news again lists it no more. `false`: it was not on it.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn dismiss_contested(&self, id: &str, act: &AuditRecord) -> Result<bool, StoreError> {
        let update = self
            .payout_update(id)
            .update_expression(format!("REMOVE {OFF_WORKLIST}"))
            .condition_expression("#status <> :pending AND begins_with(listPk, :list)")
            .expression_attribute_values(":list", s(CONTESTED));
        self.act(act, update.build().expect("table, key and expression are given")).await
    }

    /// The withdrawals that have ended and that an admin has to look into, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn contested_withdrawals(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Withdrawal>, StoreError> {
        self.worklist_page("withdrawal", CONTESTED, after, limit).await
    }

    fn pending_withdrawal_update(&self, id: &str) -> UpdateItemFluentBuilder {
        self.withdrawal_update(id)
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":pending", s(Status::Pending.into_str()))
    }

    fn withdrawal_update(&self, id: &str) -> UpdateItemFluentBuilder {
        self.client.update_item().table_name(&self.name).set_key(Some(key(id).attributes()))
    }
}
