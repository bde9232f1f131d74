//! What is learned of a prompt: M-Pesa's ids, what callbacks claim, that it failed, that it does not add
//! up. Each is one conditional write; a success is never overwritten.

use domain::{
    MpesaPhone,
    payments::prompt::{CallbackClaim, PaymentState},
};
use jiff::{SignedDuration, Timestamp};

use super::{OPEN, Payment, SET_ASIDE, key, position};
use crate::{
    Store, StoreError,
    ledger::wallets::{WALLET_TRIES, limits_update},
    platform::{
        conditions::{Condition, absent, due, exists, is, is_not, one_of},
        transaction::{Outcome, Transaction, Unmet},
        writes::Update,
    },
};

impl Store {
    /// Notes the ids that M-Pesa gave it, from whichever comes first, reply or callback. Not of an account that is erased:
    /// M-Pesa's id of a prompt ends with its number.
    pub async fn attach_daraja_ids(
        &self,
        id: &str,
        merchant_request_id: &str,
        checkout_request_id: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let update = Update::of(key(id))
            .set("merchantRequestId", merchant_request_id)
            .set("checkoutRequestId", checkout_request_id)
            .set("acceptedAt", at)
            .only_if(exists("pk"))
            .only_if(is_not("phone", MpesaPhone::gone()))
            .only_if(absent("checkoutRequestId"));
        self.update(update).await.map(drop)
    }

    /// Notes when M-Pesa's success first reached us, if the prompt is undecided and the news names it (`checkout`, as
    /// far as the prompt's ids are known). The caller compares the amount, if the news tells one. A failed prompt is
    /// put back among the open ones, so that the draw and the questions to M-Pesa find it there.
    pub async fn note_success_heard(
        &self,
        payment: &Payment,
        checkout: Option<&str>,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let mut update = Update::of(key(&payment.id))
            .set("successHeardAt", at)
            .on_worklist(OPEN, &position(payment))
            .only_if(undecided())
            .only_if(absent("successHeardAt"));
        if let Some(checkout) = checkout {
            update = update.only_if(absent("checkoutRequestId").or(is("checkoutRequestId", checkout)));
        }
        self.update(update).await
    }

    /// Notes the receipt that fits a prompt which is undecided. `false`: it is decided meanwhile, or one fitted before.
    pub async fn note_told_receipt(&self, id: &str, receipt: &str) -> Result<bool, StoreError> {
        let update = Update::of(key(id))
            .set("toldReceipt", receipt)
            .only_if(undecided())
            .only_if(absent("toldReceipt"));
        self.update(update).await
    }

    /// Notes what a callback claimed. The first claim stays, but that a claim of success takes the
    /// place of one of failure, puts a failed payment back among the open ones, and a dismissed one
    /// before the admins: `true`.
    pub async fn note_claim(&self, payment: &Payment, claim: &CallbackClaim) -> Result<bool, StoreError> {
        let update = || Update::of(key(&payment.id)).set("claim", claim).only_if(exists("pk"));
        if !claim.paid {
            self.update(update().only_if(absent("claim"))).await?;
            return Ok(false);
        }
        let better = || update().only_if(no_success_claimed());
        let opened = better().on_worklist(OPEN, &position(payment)).only_if(undecided());
        if self.update(opened).await? {
            return Ok(false);
        }
        if self.show_again(payment, claim).await? {
            return Ok(true);
        }
        let decided = one_of("state", [PaymentState::SetAside, PaymentState::Success]);
        if self.update(better().only_if(decided)).await? {
            return Ok(false);
        }
        // It may have been dismissed in between.
        self.show_again(payment, claim).await
    }

    /// Claims the next question about a payment, due after `pause`. `false`: a later one is claimed
    /// already, so that a payment has one line of questions however often its messages are delivered.
    pub async fn claim_question(
        &self,
        id: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(id))
            .set("nextQuestion", (now + pause).as_millisecond())
            .only_if(exists("pk"))
            .only_if(due("nextQuestion", now));
        self.update(update).await
    }

    /// Marks it failed: provisional, a success may still come. `false` where it was decided before, or
    /// where a success was heard of or claimed since `payment` was read.
    pub async fn fail_payment(
        &self,
        payment: &Payment,
        reason: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(&payment.id))
            .set("state", PaymentState::Failed)
            .set("reason", reason)
            .set("decidedAt", at)
            .off_worklist()
            .only_if(undecided())
            .only_if(no_success_claimed());
        let update = match payment.success_heard_at {
            None => update.only_if(absent("successHeardAt")),
            Some(_) => update,
        };
        if payment.holds_room {
            self.fail_and_release(payment, update, at).await
        } else {
            self.update(update).await
        }
    }

    /// Does `update`, and gives the room back that was held for the payment within its player's limits.
    async fn fail_and_release(
        &self,
        payment: &Payment,
        update: Update,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        for _ in 0..WALLET_TRIES {
            let read = self.wallet(&payment.user_id).await?.limits;
            let Some(released) = read.clone().and_then(|limits| limits.released(&payment.id, at)) else {
                return self.update(update).await;
            };
            let mut transaction = Transaction::new();
            transaction
                .update(update.clone(), Unmet::Decided)
                .update(limits_update(&payment.user_id, read.as_ref(), &released), Unmet::Wallet);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(true),
                Outcome::Refused(why) if why.contains(&Unmet::Decided) => return Ok(false),
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Sets it aside for an admin: credits nothing until one acts. `false` where it was decided before.
    pub async fn set_payment_aside(
        &self,
        payment: &Payment,
        reason: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(&payment.id))
            .set("state", PaymentState::SetAside)
            .set("reason", reason)
            .set("decidedAt", at)
            .on_worklist(SET_ASIDE, &position(payment))
            .only_if(undecided());
        self.update(update).await
    }
}

/// Pending, or failed: a success may still come.
pub(super) fn undecided() -> Condition {
    one_of("state", [PaymentState::Pending, PaymentState::Failed])
}

/// That no callback has claimed a success.
pub(super) fn no_success_claimed() -> Condition {
    absent("claim").or(is("claim.paid", false))
}
