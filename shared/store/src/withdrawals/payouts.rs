//! A withdrawal that M-Pesa pays: `payout` on the withdrawal, `sent` from before M-Pesa is called. It is
//! written on condition that the withdrawal is pending and has none, and from then on nothing but
//! M-Pesa's word, or an admin's on what M-Pesa never answered, ends it.

use domain::withdrawals::requests::{PayoutState, WithdrawalStatus};
use jiff::{SignedDuration, Timestamp};

use super::{
    CONTESTED, Payout, Withdrawal,
    endings::{End, is_nobodys_word, may_be_paid},
    key, position,
};
use crate::{
    Page, Store, StoreError,
    admin::audit::AuditRecord,
    platform::{
        conditions::{absent, at_most, begins_with, exists, is, is_as_read, is_not},
        transaction::{Outcome, Transaction},
        writes::Update,
    },
};

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

impl Store {
    /// Notes that a payout is about to be sent, and when it is asked about, unless payouts are paused, the
    /// account is frozen, its player owes something, or the withdrawal still waits.
    pub async fn send_payout(
        &self,
        withdrawal: &Withdrawal,
        payout: &Payout,
        first_question: Timestamp,
        act: &AuditRecord,
    ) -> Result<Sending, StoreError> {
        let update = Update::of(key(&withdrawal.id))
            .set("payout", payout)
            .set("nextQuestion", first_question.as_millisecond())
            .only_if(is("status", WithdrawalStatus::Pending))
            .only_if(absent("payout"))
            .only_if(is_nobodys_word(payout.sent_at))
            .only_if(may_be_paid(payout.sent_at));
        let mut transaction = Transaction::new();
        transaction
            .check(self.payouts_run(), Sending::Paused)
            .check(self.not_frozen(&withdrawal.user_id), Sending::Frozen)
            .check(self.owes_nothing(&withdrawal.user_id), Sending::Owes)
            .update(update, Sending::NotPending)
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
    pub async fn mark_payout_unsent(
        &self,
        withdrawal: &Withdrawal,
        payout: &Payout,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(&withdrawal.id))
            .remove("payout")
            .remove("nextQuestion")
            .only_if(is("status", WithdrawalStatus::Pending))
            .only_if(is("payout.state", PayoutState::Sent))
            .only_if(is("payout.attempt", &payout.attempt));
        let mut transaction = Transaction::new();
        transaction
            .update(update, ())
            .update(self.not_paid_out(withdrawal.amount, payout.sent_at), ())
            .put(self.recorded(act), ());
        self.commit_all(transaction).await
    }

    /// Keeps the id that M-Pesa gave a payout.
    pub async fn attach_conversation_id(&self, id: &str, conversation_id: &str) -> Result<(), StoreError> {
        let update = Update::of(key(id))
            .set("payout.conversationId", conversation_id)
            .only_if(exists("payout"))
            .only_if(absent("payout.conversationId"));
        self.update(update).await.map(drop)
    }

    /// Pending → done, as M-Pesa says, or an admin's `act`. `false` where it was not pending any more.
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
        let end = End { payout: Some(payout), ..End::new(WithdrawalStatus::Done, at, act) };
        self.end_as_done(withdrawal, &end).await
    }

    /// Pending → rejected and the money back, as M-Pesa says, or an admin's `act`. `false` where it was not
    /// pending any more.
    pub async fn return_payout(
        &self,
        withdrawal: &Withdrawal,
        payout: &Payout,
        reason: &str,
        at: Timestamp,
        act: Option<&AuditRecord>,
    ) -> Result<bool, StoreError> {
        let payout = Payout { state: PayoutState::Failed, ..payout.clone() };
        let end = End {
            reason: Some(reason),
            payout: Some(payout),
            ..End::new(WithdrawalStatus::Rejected, at, act)
        };
        self.end_with_the_money_back(withdrawal, &end).await
    }

    /// Claims the next question about a payout, due after `pause`. `false`: a later one is claimed
    /// already, or it has ended.
    pub async fn claim_payout_question(
        &self,
        id: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(id))
            .set("nextQuestion", (now + pause).as_millisecond())
            .only_if(is("status", WithdrawalStatus::Pending))
            .only_if(at_most("nextQuestion", now.as_millisecond()));
        self.update(update).await
    }

    /// Notes what an admin has to look into, and lists a withdrawal that has ended. `false`: it is noted already, or the
    /// withdrawal has ended or was corrected since it was read.
    pub async fn contest_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        trouble: &str,
    ) -> Result<bool, StoreError> {
        let mut update = Update::of(key(&withdrawal.id))
            .set("trouble", trouble)
            .only_if(exists("pk"))
            .only_if(is("status", withdrawal.status))
            .only_if(withdrawal.corrected.map_or_else(|| absent("corrected"), |by| is("corrected", by)))
            .only_if(absent("trouble").or(is_not("trouble", trouble)));
        // One that is pending is on the list of those.
        if withdrawal.status != WithdrawalStatus::Pending {
            update = update.on_worklist(CONTESTED, &position(withdrawal));
        }
        self.update(update).await
    }

    /// Notes that M-Pesa has said nothing of a payout. `false`: something is noted already, or it has ended.
    pub async fn contest_silent_payout(&self, id: &str, trouble: &str) -> Result<bool, StoreError> {
        let update = Update::of(key(id))
            .set("trouble", trouble)
            .only_if(is("status", WithdrawalStatus::Pending))
            .only_if(absent("trouble"));
        self.update(update).await
    }

    /// Takes a withdrawal that has ended off the list of those to look into: an admin has. What was
    /// noted stays, so that the same news again lists it no more. `false`: it was not on it, or something else is noted
    /// since it was read.
    pub async fn dismiss_contested(
        &self,
        withdrawal: &Withdrawal,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(&withdrawal.id))
            .off_worklist()
            .only_if(is_as_read("trouble", withdrawal.trouble.as_deref()))
            .only_if(is_not("status", WithdrawalStatus::Pending))
            .only_if(begins_with("listPk", CONTESTED));
        self.act(act, update).await
    }

    /// The withdrawals that have ended and that an admin has to look into, oldest first.
    pub async fn contested_withdrawals(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Withdrawal>, StoreError> {
        self.worklist_page("withdrawal", CONTESTED, after, limit).await
    }
}
