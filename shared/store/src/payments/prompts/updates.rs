//! What is learned of a prompt: M-Pesa's ids, what callbacks claim, that it failed, that it does not add
//! up. Each is one conditional write; a success is never overwritten.

use aws_sdk_dynamodb::types::AttributeValue;
use domain::payments::prompt::{Claim, State};
use jiff::{SignedDuration, Timestamp};

use super::{OPEN, Payment, SET_ASIDE, position};
use crate::{
    Store, StoreError,
    platform::{
        table::{Item, conditional, n, s},
        worklists::{OFF_WORKLIST, put_on_worklist},
    },
};

impl Store {
    /// Notes the ids that M-Pesa gave it, from whichever comes first, reply or callback.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn attach_daraja_ids(
        &self,
        id: &str,
        merchant_request_id: &str,
        checkout_request_id: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let update = self
            .payment_update(id)
            .update_expression(
                "SET merchantRequestId = :merchant, checkoutRequestId = :checkout, acceptedAt = :at",
            )
            .expression_attribute_values(":at", s(at.to_string()))
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(checkoutRequestId)")
            .expression_attribute_values(":merchant", s(merchant_request_id))
            .expression_attribute_values(":checkout", s(checkout_request_id));
        conditional(update).await.map(drop)
    }

    /// Notes when M-Pesa's success first reached us, on condition that it names this prompt (`checkout`, as far
    /// as its ids are known) and its amount; a failed one is among the open ones again, so that whoever waits
    /// for what is undecided finds it. Of one that is decided nothing is noted.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_success_heard(
        &self,
        payment: &Payment,
        checkout: Option<&str>,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut listed = Item::new();
        put_on_worklist(&mut listed, OPEN, &position(payment));
        let undecided = "#state IN (:pending, :failed) AND attribute_not_exists(successHeardAt)";
        let mut update = self
            .payment_update(&payment.id)
            .update_expression("SET successHeardAt = :at, listPk = :list, listSk = :position")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":pending", s(State::Pending.into_str()))
            .expression_attribute_values(":failed", s(State::Failed.into_str()))
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":list", listed["listPk"].clone())
            .expression_attribute_values(":position", listed["listSk"].clone());
        update = match checkout {
            None => update.condition_expression(undecided),
            Some(checkout) => update
                .condition_expression(format!(
                    "{undecided} AND (attribute_not_exists(checkoutRequestId) OR checkoutRequestId = :checkout)"
                ))
                .expression_attribute_values(":checkout", s(checkout)),
        };
        conditional(update).await
    }

    /// Notes the receipt that fits a prompt which is open. `false`: it is not open any more, or one fitted
    /// before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_told_receipt(&self, id: &str, receipt: &str) -> Result<bool, StoreError> {
        let update = self
            .payment_update(id)
            .update_expression("SET toldReceipt = :receipt")
            .condition_expression("#state = :pending AND attribute_not_exists(toldReceipt)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":pending", s(State::Pending.into_str()))
            .expression_attribute_values(":receipt", s(receipt));
        conditional(update).await
    }

    /// Notes what a callback claimed. The first claim stays, but that a claim of success takes the
    /// place of one of failure, puts a failed payment back among the open ones, and a dismissed one
    /// before the admins.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_claim(&self, payment: &Payment, claim: &Claim) -> Result<(), StoreError> {
        let value = serde_dynamo::to_attribute_value::<_, AttributeValue>(claim)
            .map_err(|source| StoreError::Corrupt { entity: "claim", source })?;
        let update = || self.payment_update(&payment.id).expression_attribute_values(":claim", value.clone());
        if !claim.paid {
            let update = update()
                .update_expression("SET claim = :claim")
                .condition_expression("attribute_exists(pk) AND attribute_not_exists(claim)");
            return conditional(update).await.map(drop);
        }
        let better = "attribute_exists(pk) AND (attribute_not_exists(claim) OR claim.paid = :no)";
        let paid = || {
            update()
                .expression_attribute_names("#state", "state")
                .expression_attribute_values(":no", AttributeValue::Bool(false))
                .expression_attribute_values(":pending", s(State::Pending.into_str()))
                .expression_attribute_values(":failed", s(State::Failed.into_str()))
        };
        let mut listed = Item::new();
        put_on_worklist(&mut listed, OPEN, &position(payment));
        let opened = paid()
            .update_expression("SET claim = :claim, listPk = :list, listSk = :position")
            .condition_expression(format!("{better} AND #state IN (:pending, :failed)"))
            .expression_attribute_values(":list", listed["listPk"].clone())
            .expression_attribute_values(":position", listed["listSk"].clone());
        if conditional(opened).await? {
            return Ok(());
        }
        if self.show_again(payment, &value, claim.amount, claim.receipt.as_deref(), claim.at).await? {
            return Ok(());
        }
        let decided = paid()
            .update_expression("SET claim = :claim")
            .condition_expression(format!("{better} AND NOT #state IN (:pending, :failed)"));
        conditional(decided).await.map(drop)
    }

    /// Takes on the next question about a payment, due after `pause`. `false`: a later one is taken on
    /// already, so that a payment has one line of questions however often its messages are delivered.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn take_on_question(
        &self,
        id: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = self
            .payment_update(id)
            .update_expression("SET nextQuestion = :next")
            .condition_expression(
                "attribute_exists(pk) AND (attribute_not_exists(nextQuestion) OR nextQuestion <= :now)",
            )
            .expression_attribute_values(":next", n((now + pause).as_millisecond()))
            .expression_attribute_values(":now", n(now.as_millisecond()));
        conditional(update).await
    }

    /// Marks it failed: provisional, a success may still come. `false` where it was decided before, or
    /// where a callback has claimed a success meanwhile.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn fail_payment(&self, id: &str, reason: &str, at: Timestamp) -> Result<bool, StoreError> {
        let update = self
            .payment_update(id)
            .update_expression(format!(
                "SET #state = :failed, reason = :reason, decidedAt = :at REMOVE {OFF_WORKLIST}"
            ))
            .condition_expression("#state = :pending AND (attribute_not_exists(claim) OR claim.paid = :no)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":no", AttributeValue::Bool(false))
            .expression_attribute_values(":failed", s(State::Failed.into_str()))
            .expression_attribute_values(":pending", s(State::Pending.into_str()))
            .expression_attribute_values(":reason", s(reason))
            .expression_attribute_values(":at", s(at.to_string()));
        conditional(update).await
    }

    /// Sets it aside for an admin: credits nothing until one acts. `false` where it was decided before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn set_payment_aside(
        &self,
        payment: &Payment,
        reason: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut listed = Item::new();
        put_on_worklist(&mut listed, SET_ASIDE, &position(payment));
        let update = self
            .payment_update(&payment.id)
            .update_expression(
                "SET #state = :aside, reason = :reason, decidedAt = :at, listPk = :list, listSk = :position",
            )
            .condition_expression("#state IN (:pending, :failed)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":aside", s(State::SetAside.into_str()))
            .expression_attribute_values(":pending", s(State::Pending.into_str()))
            .expression_attribute_values(":failed", s(State::Failed.into_str()))
            .expression_attribute_values(":reason", s(reason))
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":list", listed["listPk"].clone())
            .expression_attribute_values(":position", listed["listSk"].clone());
        conditional(update).await
    }
}
