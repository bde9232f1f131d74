//! How a withdrawal ends: done, or rejected and the money back, each on condition of pending.

use domain::{ledger::postings::Posting, withdrawals::requests::WithdrawalStatus};
use jiff::Timestamp;

use super::{Payout, Withdrawal, key};
use crate::{
    Store, StoreError,
    accounts::keys::partition,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, WALLET_TRIES, withdrawal_posting},
    platform::{
        conditions::{Condition, absent, due, exists, is, more},
        transaction::{Outcome, Transaction, Unmet},
        writes::{Put, Update},
    },
};

/// How a withdrawal ends.
pub(super) struct End<'a> {
    pub(super) status: WithdrawalStatus,
    pub(super) reason: Option<&'a str>,
    /// Its payout as it is then; without one it has to have none.
    pub(super) payout: Option<Payout>,
    pub(super) at: Timestamp,
    /// The act of the admin who ended it by hand; `None` if M-Pesa or the player ended it.
    pub(super) act: Option<&'a AuditRecord>,
    /// It has to be one that may be paid at this time.
    pub(super) payable_at: Option<Timestamp>,
    /// Whether a second admin has approved that it was sent by hand.
    pub(super) is_approved: bool,
    /// The hash of the link that has to be its own.
    pub(super) link: Option<&'a str>,
}

impl<'a> End<'a> {
    pub(super) fn new(status: WithdrawalStatus, at: Timestamp, act: Option<&'a AuditRecord>) -> Self {
        Self { status, reason: None, payout: None, at, act, payable_at: None, is_approved: false, link: None }
    }
}

impl Store {
    /// Pending → done, by hand. `false` where it was not pending any more, a payout is sent, it still waits,
    /// or, unless a second admin has approved it, the account is frozen or its player owes something.
    pub async fn complete_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let end = End {
            payable_at: Some(act.at),
            is_approved: act.approved_by.is_some(),
            ..End::new(WithdrawalStatus::Done, act.at, Some(act))
        };
        self.end_as_done(withdrawal, &end).await
    }

    pub(super) async fn end_as_done(
        &self,
        withdrawal: &Withdrawal,
        end: &End<'_>,
    ) -> Result<bool, StoreError> {
        let posting =
            Posting::withdrawal_done(&withdrawal.id, withdrawal.amount).withheld(withdrawal.withheld());
        let item = withdrawal_posting(partition(&withdrawal.user_id), &posting, withdrawal.tax, end.at);
        let mut transaction = Transaction::new();
        transaction.update(ended(withdrawal, end), Unmet::Decided).put(Put::new(item), Unmet::Booked);
        // What a second admin has approved has left already: it is booked, and what is owed stays owed.
        if end.payable_at.is_some() && !end.is_approved {
            transaction
                .check(self.not_frozen(&withdrawal.user_id), Unmet::Account)
                .check(self.owes_nothing(&withdrawal.user_id), Unmet::Owes);
        }
        self.record_end(&mut transaction, end);
        self.commit_all(transaction).await
    }

    /// Pending → rejected, and the money back into the wallet. `false` where it was not pending, or a
    /// payout is sent.
    pub async fn reject_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        reason: &str,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let end = End { reason: Some(reason), ..End::new(WithdrawalStatus::Rejected, act.at, Some(act)) };
        self.end_with_the_money_back(withdrawal, &end).await
    }

    /// Keeps the hash of the secret in the link that cancels a withdrawal, in the place of the one before.
    /// `false`: it cannot be cancelled any more.
    pub async fn keep_cancel_hash(&self, id: &str, hash: &str) -> Result<bool, StoreError> {
        let update = Update::of(key(id))
            .set("cancelHash", hash)
            .only_if(is("status", WithdrawalStatus::Pending))
            .only_if(absent("payout"));
        self.update(update).await
    }

    /// Pending → rejected, and the money back, because somebody has used the link with the secret of `hash`. `false`:
    /// it was not pending, a payout is sent, its day of waiting is over, or a newer link has replaced this one.
    pub async fn cancel_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        hash: &str,
        reason: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let end =
            End { reason: Some(reason), link: Some(hash), ..End::new(WithdrawalStatus::Rejected, at, None) };
        self.end_with_the_money_back(withdrawal, &end).await
    }

    pub(super) async fn end_with_the_money_back(
        &self,
        withdrawal: &Withdrawal,
        end: &End<'_>,
    ) -> Result<bool, StoreError> {
        let posting = Posting::withdrawal_rejected(&withdrawal.user_id, &withdrawal.id, withdrawal.amount);
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(&withdrawal.user_id).await?;
            let mut transaction = Transaction::new();
            transaction.update(ended(withdrawal, end), Unmet::Decided);
            self.record_end(&mut transaction, end);
            // M-Pesa's word that it did not leave; an admin's is not certain.
            if let Some(sent) = withdrawal.payout.as_ref().filter(|_| end.act.is_none()) {
                let back = self.not_paid_out(withdrawal.amount, sent.sent_at);
                transaction.update(back, Unmet::Booked);
            }
            let bookings = [Booking::of(&posting)];
            self.book(&mut transaction, &withdrawal.user_id, &wallet, &bookings, end.at);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(true),
                Outcome::Refused(why) if why == [Unmet::Wallet] => {}
                Outcome::Refused(_) => return Ok(false),
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    fn record_end(&self, transaction: &mut Transaction<Unmet>, end: &End<'_>) {
        if let Some(act) = end.act {
            transaction.put(self.recorded(act), Unmet::Booked);
        }
    }
}

/// That it has waited long enough.
pub(super) fn may_be_paid(now: Timestamp) -> Condition {
    due("waitsUntil", now)
}

/// That no admin says to have sent it by hand, and waits for a second one's approval.
pub(super) fn is_nobodys_word(now: Timestamp) -> Condition {
    due("saidSentUntil", now)
}

/// Notes that an admin says to have sent it by hand, for as long as that may be approved. Not while it still waits: its
/// player may cancel it.
pub(crate) fn said_sent(id: &str, now: Timestamp, until: i64) -> Update {
    Update::of(key(id))
        .set("saidSentUntil", until)
        .only_if(is("status", WithdrawalStatus::Pending))
        .only_if(absent("payout"))
        .only_if(may_be_paid(now))
}

/// Takes that back: it was refused.
pub(crate) fn not_sent(id: &str) -> Update {
    Update::of(key(id)).remove("saidSentUntil").only_if(exists("pk"))
}

fn ended(withdrawal: &Withdrawal, end: &End<'_>) -> Update {
    let mut update = Update::of(key(&withdrawal.id))
        .set("status", end.status)
        .set("endedAt", end.at)
        .set_some("endedBy", end.act.and_then(AuditRecord::admin))
        .set_some("reason", end.reason)
        .set_some("payout", end.payout.as_ref())
        .off_worklist()
        .remove("nextQuestion")
        .remove("trouble")
        .remove("saidSentUntil")
        .only_if(is("status", WithdrawalStatus::Pending));
    if end.payout.is_none() {
        update = update.only_if(absent("payout"));
        if !end.is_approved {
            update = update.only_if(is_nobodys_word(end.at));
        }
    }
    if let Some(hash) = end.link {
        // Once it may be paid, an admin may be sending it by hand.
        let still_waits = absent("waitsUntil").or(more("waitsUntil", end.at.as_millisecond()));
        update = update.only_if(is("cancelHash", hash)).only_if(still_waits);
    }
    if let Some(now) = end.payable_at {
        update = update.only_if(may_be_paid(now));
    }
    update
}
