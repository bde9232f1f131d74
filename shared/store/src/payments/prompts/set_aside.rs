//! Prompts that do not add up: set aside, or credited and not as it should be. An admin closes them: the
//! credit is made under the payment's own cause and claims the receipt, so it is made once, by whomever.

use domain::{
    Kes,
    payments::prompt::{CallbackClaim, PaymentState},
};

use super::{
    Payment, SET_ASIDE, WITHOUT_RECEIPT, credit::deposit, key, position, updates::no_success_claimed,
};
use crate::{
    AdminDecision, Page, Store, StoreError,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, WALLET_TRIES},
    payments::receipts::Receipt,
    platform::{
        conditions::{absent, begins_with, is, is_as_read, is_not},
        transaction::{Outcome, Transaction, Unmet},
        writes::Update,
    },
};

/// A credit by an admin.
#[derive(Debug, Clone, Copy)]
pub struct AdminCredit<'a> {
    /// What M-Pesa received.
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
    /// M-Pesa has called the receipt reversed.
    Reversed,
}

impl Store {
    /// The prompts that wait for an admin, oldest first.
    pub async fn set_asides(&self, after: Option<&str>, limit: usize) -> Result<Page<Payment>, StoreError> {
        self.worklist_page("payment", SET_ASIDE, after, limit).await
    }

    /// Credits a prompt that is set aside: payment, receipt, wallet, posting and the act's record in one
    /// transaction.
    pub async fn credit_set_aside(
        &self,
        payment: &Payment,
        by: AdminCredit<'_>,
    ) -> Result<AdminCredited, StoreError> {
        let (deposit, tax) = deposit(payment, by.amount);
        let at = by.decided.at;
        let claim = Receipt::of(&payment.user_id, &deposit, at);
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(&payment.user_id).await?;
            let mut transaction = Transaction::new();
            transaction
                .update(credited_by_admin(payment, by), Unmet::Decided)
                .put(self.claim_receipt(by.receipt, &claim), Unmet::Receipt)
                .put(self.recorded(by.act), Unmet::Decided)
                .check(self.not_called_reversed(by.receipt), Unmet::Reversed);
            let bookings = [Booking { receipt: Some(by.receipt), tax, ..Booking::of(&deposit) }];
            self.book(&mut transaction, &payment.user_id, &wallet, &bookings, at);
            let Outcome::Refused(why) = self.commit(transaction).await? else {
                return Ok(AdminCredited::Done);
            };
            if why.contains(&Unmet::Decided) || why.contains(&Unmet::Booked) {
                return Ok(AdminCredited::Closed);
            } else if why.contains(&Unmet::Receipt) {
                return Ok(AdminCredited::ReceiptTaken);
            } else if why.contains(&Unmet::Reversed) {
                return Ok(AdminCredited::Reversed);
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Dismisses a prompt that is set aside: nothing is credited, for good. `reason` is for the player.
    /// `false`: it is not set aside any more, or M-Pesa has reported a success since it was read.
    pub async fn dismiss_payment(
        &self,
        payment: &Payment,
        decided: &AdminDecision,
        reason: &str,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = closed(payment, decided)
            .set("state", PaymentState::Dismissed)
            .set("decidedAt", decided.at)
            .set("reason", reason)
            .off_worklist()
            .only_if(is("state", PaymentState::SetAside));
        self.act(act, not_reported_since(payment, update)).await
    }

    /// Takes a prompt that is credited off the list: an admin has looked into it. `false`: it was not
    /// on it, or something new is known of it.
    pub async fn close_credited(
        &self,
        payment: &Payment,
        decided: &AdminDecision,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = closed(payment, decided)
            .only_if(is("state", PaymentState::Success))
            .only_if(is("flagged", true))
            .only_if(begins_with("listPk", SET_ASIDE))
            .only_if(is_as_read("receipt", payment.receipt.as_deref()))
            .only_if(is_as_read("contestedReceipt", payment.contested_receipt.as_deref()));
        // Without a receipt it still says something to typed codes.
        let update = if payment.receipt.is_none() && payment.contested_receipt.is_none() {
            update.on_worklist(WITHOUT_RECEIPT, &position(payment))
        } else {
            update.off_worklist()
        };
        self.act(act, not_reported_since(payment, update)).await
    }

    /// Puts a prompt that is credited before an admin: once, and once where one has credited it by hand.
    /// `false`: one has closed it since.
    pub async fn flag_credited(&self, payment: &Payment) -> Result<bool, StoreError> {
        let update = Update::of(key(&payment.id))
            .set("flagged", true)
            .on_worklist(SET_ASIDE, &position(payment))
            .remove("closed")
            .only_if(is("state", PaymentState::Success))
            .only_if(absent("closed").or(is("flagged", false)));
        self.update(update).await
    }

    /// Shows a dismissed prompt to the admins again, with the success that M-Pesa claims now. `false`: it
    /// is not dismissed.
    pub(super) async fn show_again(
        &self,
        payment: &Payment,
        claim: &CallbackClaim,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(&payment.id))
            .set("claim", claim)
            .set("state", PaymentState::SetAside)
            .set("reason", "M-Pesa reports a success after this was dismissed.")
            .set("decidedAt", claim.at)
            .on_worklist(SET_ASIDE, &position(payment))
            .only_if(is("state", PaymentState::Dismissed))
            .only_if(
                no_success_claimed()
                    .or(is_not("claim.amount", claim.amount))
                    .or(is_not("claim.receipt", claim.receipt.as_deref())),
            );
        self.update(update).await
    }
}

fn closed(payment: &Payment, decided: &AdminDecision) -> Update {
    Update::of(key(&payment.id)).set("closed", decided)
}

fn credited_by_admin(payment: &Payment, by: AdminCredit<'_>) -> Update {
    let update = closed(payment, by.decided)
        .set("state", PaymentState::Success)
        .set("decidedAt", by.decided.at)
        .set("receipt", by.receipt)
        .set("credited", by.amount)
        .set("reason", by.reason)
        .off_worklist()
        .only_if(is("state", PaymentState::SetAside));
    not_reported_since(payment, update)
}

/// A success that was reported since a case was read is to be seen before it is decided.
fn not_reported_since(payment: &Payment, update: Update) -> Update {
    let is_known = payment.claim.as_ref().is_some_and(|claim| claim.paid);
    if is_known { update } else { update.only_if(no_success_claimed()) }
}
