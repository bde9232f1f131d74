//! Prompts that do not add up: set aside, or credited and not as it should be. An admin closes them: the
//! credit is made under the payment's own cause and claims the receipt, so it is made once, by whomever.

use aws_sdk_dynamodb::types::{AttributeValue, Update, builders::UpdateBuilder};
use domain::{Kes, ledger::postings::Posting, payments::prompt::State};
use jiff::Timestamp;

use super::{Payment, SET_ASIDE, WITHOUT_RECEIPT, key, position};
use crate::{
    AdminDecision, Page, Store, StoreError,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, WALLET_TRIES},
    payments::receipts::Receipt,
    platform::{
        table::{Item, conditional, n, s},
        transaction::{Outcome, Transaction},
        worklists::{OFF_WORKLIST, put_on_worklist},
    },
};

/// A credit by an admin.
#[derive(Debug, Clone, Copy)]
pub struct AdminCredit<'a> {
    pub amount: Kes,
    pub receipt: &'a str,
    pub decided: &'a AdminDecision,
    /// For the player.
    pub reason: &'a str,
    pub act: &'a AuditRecord,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdminCredited {
    Done,
    /// It is not set aside any more: read it again.
    Closed,
    /// The receipt was credited before, to whomever.
    ReceiptTaken,
}

#[derive(Clone, Copy, PartialEq)]
enum Refusal {
    WalletMoved,
    Booked,
    Payment,
    Receipt,
}

impl Store {
    /// The prompts that wait for an admin, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn set_asides(&self, after: Option<&str>, limit: usize) -> Result<Page<Payment>, StoreError> {
        self.worklist_page("payment", SET_ASIDE, after, limit).await
    }

    /// Credits a prompt that is set aside: payment, receipt, wallet, posting and the act's record in one
    /// transaction.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn credit_set_aside(
        &self,
        payment: &Payment,
        by: AdminCredit<'_>,
    ) -> Result<AdminCredited, StoreError> {
        let deposit = Posting::deposit(&payment.user_id, &payment.id, by.amount);
        let at = by.decided.at;
        let claim = Receipt::of(&payment.user_id, &deposit, at);
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(&payment.user_id).await?;
            let mut transaction = Transaction::new();
            transaction
                .update(self.credited_by_admin(payment, by), Refusal::Payment)
                .put(self.claim_receipt(by.receipt, &claim), Refusal::Receipt)
                .put(self.recorded(by.act), Refusal::Payment);
            let bookings = [Booking { receipt: Some(by.receipt), ..Booking::of(&deposit) }];
            let refusals = (Refusal::WalletMoved, Refusal::Booked);
            self.book(&mut transaction, &payment.user_id, wallet, &bookings, at, refusals);
            let Outcome::Refused(why) = self.commit(transaction).await? else {
                return Ok(AdminCredited::Done);
            };
            if why.contains(&Refusal::Payment) || why.contains(&Refusal::Booked) {
                return Ok(AdminCredited::Closed);
            } else if why.contains(&Refusal::Receipt) {
                return Ok(AdminCredited::ReceiptTaken);
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    fn credited_by_admin(&self, payment: &Payment, by: AdminCredit<'_>) -> Update {
        let set = "SET #state = :success, decidedAt = :at, receipt = :receipt, credited = :amount, \
                   closed = :word, reason = :reason";
        self.case_update(&payment.id)
            .update_expression(format!("{set} REMOVE {OFF_WORKLIST}"))
            .condition_expression("#state = :aside")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":aside", s(State::SetAside.into_str()))
            .expression_attribute_values(":success", s(State::Success.into_str()))
            .expression_attribute_values(":at", s(by.decided.at.to_string()))
            .expression_attribute_values(":receipt", s(by.receipt))
            .expression_attribute_values(":amount", n(by.amount.get()))
            .expression_attribute_values(":word", attribute(by.decided))
            .expression_attribute_values(":reason", s(by.reason))
            .build()
            .expect("table, key and expression are given")
    }

    /// Dismisses a prompt that is set aside: nothing is credited, for good. `reason` is for the player.
    /// `false`: it is not set aside any more, or M-Pesa has reported a success since it was read.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn dismiss_payment(
        &self,
        payment: &Payment,
        decided: &AdminDecision,
        reason: &str,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let set = "SET #state = :dismissed, decidedAt = :at, closed = :word, reason = :reason";
        // A success that was reported since it was read is not dismissed with it.
        let reported = payment.claim.as_ref().is_some_and(|claim| claim.paid);
        let known = if reported { "" } else { " AND (attribute_not_exists(claim) OR claim.paid = :no)" };
        let mut update = self
            .case_update(&payment.id)
            .update_expression(format!("{set} REMOVE {OFF_WORKLIST}"))
            .condition_expression(format!("#state = :aside{known}"))
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":aside", s(State::SetAside.into_str()))
            .expression_attribute_values(":dismissed", s(State::Dismissed.into_str()))
            .expression_attribute_values(":at", s(decided.at.to_string()))
            .expression_attribute_values(":word", attribute(decided))
            .expression_attribute_values(":reason", s(reason));
        if !reported {
            update = update.expression_attribute_values(":no", AttributeValue::Bool(false));
        }
        self.act(act, update.build().expect("table, key and expression are given")).await
    }

    fn case_update(&self, id: &str) -> UpdateBuilder {
        Update::builder().table_name(&self.name).set_key(Some(key(id).attributes()))
    }

    /// Takes a prompt that is credited off the list: an admin has looked into it. `false`: it was not
    /// on it, or something new is known of it.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn close_credited(
        &self,
        payment: &Payment,
        decided: &AdminDecision,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let mut set = "SET closed = :word".to_owned();
        let mut update = self
            .case_update(&payment.id)
            .condition_expression("#state = :success AND flagged = :yes AND begins_with(listPk, :list)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":success", s(State::Success.into_str()))
            .expression_attribute_values(":yes", AttributeValue::Bool(true))
            .expression_attribute_values(":list", s(SET_ASIDE))
            .expression_attribute_values(":word", attribute(decided));
        // Without a receipt it still says something to typed codes.
        if payment.receipt.is_none() && payment.contested_receipt.is_none() {
            let mut listed = Item::new();
            put_on_worklist(&mut listed, WITHOUT_RECEIPT, &position(payment));
            set.push_str(", listPk = :next, listSk = :position");
            update = update
                .expression_attribute_values(":next", listed["listPk"].clone())
                .expression_attribute_values(":position", listed["listSk"].clone());
        } else {
            set.push_str(&format!(" REMOVE {OFF_WORKLIST}"));
        }
        let update = update.update_expression(set);
        self.act(act, update.build().expect("table, key and expression are given")).await
    }

    /// Puts a prompt that is credited before an admin: once, and once where one has credited it by hand.
    /// `false`: one has closed it since.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn flag_credited(&self, payment: &Payment) -> Result<bool, StoreError> {
        let mut listed = Item::new();
        put_on_worklist(&mut listed, SET_ASIDE, &position(payment));
        let update = self
            .payment_update(&payment.id)
            .update_expression("SET flagged = :yes, listPk = :list, listSk = :position REMOVE closed")
            .condition_expression("#state = :success AND (attribute_not_exists(closed) OR flagged = :no)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":no", AttributeValue::Bool(false))
            .expression_attribute_values(":success", s(State::Success.into_str()))
            .expression_attribute_values(":yes", AttributeValue::Bool(true))
            .expression_attribute_values(":list", listed["listPk"].clone())
            .expression_attribute_values(":position", listed["listSk"].clone());
        conditional(update).await
    }

    /// Shows a dismissed prompt to the admins again, with the success that M-Pesa claims now. `false`: it
    /// is not dismissed.
    pub(super) async fn show_again(
        &self,
        payment: &Payment,
        claim: &AttributeValue,
        amount: Option<Kes>,
        receipt: Option<&str>,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut listed = Item::new();
        put_on_worklist(&mut listed, SET_ASIDE, &position(payment));
        let or_null = |value: Option<AttributeValue>| value.unwrap_or(AttributeValue::Null(true));
        let update = self
            .payment_update(&payment.id)
            .update_expression(
                "SET claim = :claim, #state = :aside, reason = :reason, decidedAt = :at, listPk = :list, \
                 listSk = :position",
            )
            .condition_expression(
                "#state = :dismissed AND (attribute_not_exists(claim) OR claim.paid = :no \
                 OR claim.amount <> :amount OR claim.receipt <> :receipt)",
            )
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":claim", claim.clone())
            .expression_attribute_values(":aside", s(State::SetAside.into_str()))
            .expression_attribute_values(":dismissed", s(State::Dismissed.into_str()))
            .expression_attribute_values(":reason", s("M-Pesa reports a success after this was dismissed."))
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":no", AttributeValue::Bool(false))
            .expression_attribute_values(":amount", or_null(amount.map(|amount| n(amount.get()))))
            .expression_attribute_values(":receipt", or_null(receipt.map(s)))
            .expression_attribute_values(":list", listed["listPk"].clone())
            .expression_attribute_values(":position", listed["listSk"].clone());
        conditional(update).await
    }
}

fn attribute(decided: &AdminDecision) -> AttributeValue {
    serde_dynamo::to_attribute_value(decided).expect("a word is a map of plain values")
}
