//! Withdrawals: `WITHDRAWAL#id/WITHDRAWAL`. The money leaves the wallet in the transaction that makes
//! the request; done and rejected are conditional on pending, so each ends once. How one is paid by
//! M-Pesa stands in `payouts`.

use aws_sdk_dynamodb::types::Update;

use super::payouts::Payout;
use domain::{
    Kes, MpesaPhone, UserId, Username,
    ledger::postings::Posting,
    withdrawals::requests::{Correction, Flag, Status},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    accounts::players::partition,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, StoredPosting, WALLET_TRIES, Wallet, operator_posting},
    platform::{
        idempotency::Binding,
        journals::{Journal, with_journal_position},
        table::{Key, conditional, n, s},
        transaction::{Outcome, Transaction},
        worklists::{OFF_WORKLIST, put_on_worklist},
    },
};

const PENDING: &str = "WITHDRAWALS#pending";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Withdrawal {
    pub id: String,
    pub user_id: UserId,
    pub username: Username,
    pub phone: MpesaPhone,
    pub amount: Kes,
    pub status: Status,
    pub created_at: Timestamp,
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// Why it was rejected.
    #[serde(default)]
    pub reason: Option<String>,
    /// What an admin is to look at, as it was when it was asked for.
    #[serde(default)]
    pub flags: Vec<Flag>,
    /// Of one from before there were `flags`: to a new number, within a day of a password reset.
    #[serde(default)]
    pub flagged: bool,
    /// Not to be paid, nor marked as done, before then: in milliseconds since 1970.
    #[serde(default)]
    pub waits_until: Option<i64>,
    /// SHA-256 (hex) of the secret in the link that cancels it.
    #[serde(default)]
    pub cancel_hash: Option<String>,
    /// By M-Pesa, from before it is called.
    #[serde(default)]
    pub payout: Option<Payout>,
    /// What an admin has to look into.
    #[serde(default)]
    pub trouble: Option<String>,
    /// What M-Pesa's word has made of it after it had ended.
    #[serde(default)]
    pub corrected: Option<Correction>,
    /// When the next question about its payout is due, in milliseconds since 1970.
    #[serde(default)]
    pub next_question: Option<i64>,
}

/// What takes money from a player, or what has to go back into the wallet before.
#[derive(Debug, Clone)]
pub enum Taking<T> {
    /// What the player has asked for and nobody has paid covers it: it is rejected first, and then this is tried
    /// again. Nothing was written.
    First(Vec<Withdrawal>),
    Is(T),
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requested {
    /// The wallet's balance after it.
    Done(Kes),
    /// Another request has bound the key meanwhile.
    KeyTaken,
    /// The wallet is not as it was read.
    WalletMoved,
    /// The account is frozen.
    Frozen,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Refusal {
    KeyTaken,
    WalletMoved,
    Booked,
    NotPending,
    Frozen,
    Owes,
}

impl Withdrawal {
    /// What an admin is to look at, as far as the withdrawal itself says it.
    #[must_use]
    pub fn flags(&self) -> Vec<Flag> {
        let before: &[Flag] = if self.flagged { &[Flag::NewNumber, Flag::AfterReset] } else { &[] };
        before.iter().chain(&self.flags).copied().collect()
    }

    /// Whether it is asked for and nothing more: no payout is sent, and there is no word of M-Pesa's on it.
    fn is_nobodys_yet(&self) -> bool {
        self.status == Status::Pending && self.payout.is_none() && self.trouble.is_none()
    }

    /// Until when it cannot be paid yet.
    #[must_use]
    pub fn waits_until(&self) -> Option<Timestamp> {
        self.waits_until.and_then(|millis| Timestamp::from_millisecond(millis).ok())
    }

    /// Whether it is to be paid at `now` at the earliest, or was before.
    #[must_use]
    pub fn waits(&self, now: Timestamp) -> bool {
        self.waits_until.is_some_and(|until| now.as_millisecond() < until)
    }
}

pub(crate) fn key(id: &str) -> Key {
    Key::new(format!("WITHDRAWAL#{id}"), "WITHDRAWAL")
}

/// The withdrawals that these postings took out of a wallet.
fn asked_for(postings: &[StoredPosting]) -> Vec<Key> {
    let ids = postings.iter().filter_map(|posting| posting.cause.split_once('#'));
    ids.map(|(_, id)| key(id)).collect()
}

impl Store {
    /// Takes the money out of `wallet`, as it was read and covers it, notes the request and binds its key, in
    /// one step.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn request_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        wallet: Wallet,
        binding: Option<&Binding>,
    ) -> Result<Requested, StoreError> {
        let posting = Posting::withdrawal_requested(&withdrawal.user_id, &withdrawal.id, withdrawal.amount);
        let item = key(&withdrawal.id).item(withdrawal);
        let mut item = with_journal_position(item, Journal::Withdrawals, withdrawal.created_at);
        put_on_worklist(&mut item, PENDING, &format!("{}#{}", withdrawal.created_at, withdrawal.id));
        let mut transaction = Transaction::new();
        transaction
            .put(self.new_put(item), Refusal::Booked)
            .put(self.phone_of(&withdrawal.user_id, &withdrawal.phone), Refusal::Booked)
            .check(self.not_frozen(&withdrawal.user_id), Refusal::Frozen);
        let at = withdrawal.created_at;
        if let Some(binding) = binding {
            transaction.put(self.bind(binding, &withdrawal.id, at), Refusal::KeyTaken);
        }
        let refusals = (Refusal::WalletMoved, Refusal::Booked);
        self.book(&mut transaction, &withdrawal.user_id, wallet, &[Booking::of(&posting)], at, refusals);
        Ok(match self.commit(transaction).await? {
            Outcome::Written => Requested::Done(wallet.balance - withdrawal.amount),
            Outcome::Refused(why) if why.contains(&Refusal::KeyTaken) => Requested::KeyTaken,
            Outcome::Refused(why) if why.contains(&Refusal::Frozen) => Requested::Frozen,
            Outcome::Refused(why) if why.contains(&Refusal::Booked) => {
                return Err(StoreError::Refused("a new withdrawal's id was taken".into()));
            }
            Outcome::Refused(_) => Requested::WalletMoved,
        })
    }

    /// # Errors
    /// The table is not answering.
    pub async fn withdrawal(&self, id: &str) -> Result<Option<Withdrawal>, StoreError> {
        self.get("withdrawal", key(id)).await
    }

    /// The withdrawals that wait for an admin, oldest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn pending_withdrawals(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Withdrawal>, StoreError> {
        self.worklist_page("withdrawal", PENDING, after, limit).await
    }

    /// A player's own withdrawals, newest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn withdrawals_of(&self, player: &UserId) -> Result<Vec<Withdrawal>, StoreError> {
        let postings = self.postings_of_kind(player, "withdrawal#", 100).await?.items;
        let mut found: Vec<Withdrawal> = self.get_many("withdrawal", asked_for(&postings)).await?;
        found.sort_by_key(|withdrawal| std::cmp::Reverse(withdrawal.created_at));
        Ok(found)
    }

    /// What `player` has asked for and nobody pays yet, newest first: as many as it takes for `wallet`, as it was
    /// read, to cover `amount`. A debt is paid first by what comes back. What M-Pesa has said something of is
    /// left to the admins: it may have been paid.
    pub(crate) async fn unpaid_to_cover(
        &self,
        player: &UserId,
        amount: Kes,
        wallet: Wallet,
    ) -> Result<Vec<Withdrawal>, StoreError> {
        if wallet.balance >= amount {
            return Ok(Vec::new());
        }
        let postings: Vec<StoredPosting> =
            self.all("posting", &partition(player), "POST#withdrawal#").await?;
        let mut unpaid: Vec<Withdrawal> = self.get_many("withdrawal", asked_for(&postings)).await?;
        unpaid.retain(Withdrawal::is_nobodys_yet);
        unpaid.sort_by(|one, other| (other.created_at, &other.id).cmp(&(one.created_at, &one.id)));
        let (mut lacking, mut covering) = (amount - wallet.balance + wallet.debt, Vec::new());
        for withdrawal in unpaid {
            if lacking.is_positive() {
                lacking = lacking - withdrawal.amount;
                covering.push(withdrawal);
            }
        }
        Ok(covering)
    }

    /// Pending → done, by hand. `false` where it was not pending any more, a payout is sent, it still waits,
    /// the account is frozen, or its player owes something.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn complete_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let end = End { payable_at: Some(act.at), ..End::new(Status::Done, act.at, Some(act)) };
        self.end_as_done(withdrawal, &end).await
    }

    pub(super) async fn end_as_done(
        &self,
        withdrawal: &Withdrawal,
        end: &End<'_>,
    ) -> Result<bool, StoreError> {
        let posting = Posting::withdrawal_done(&withdrawal.id, withdrawal.amount);
        let item = operator_posting(partition(&withdrawal.user_id), &posting, end.at);
        let mut transaction = Transaction::new();
        transaction
            .update(self.ended(withdrawal, end), Refusal::NotPending)
            .put(self.new_put(item), Refusal::Booked);
        if end.payable_at.is_some() {
            transaction
                .check(self.not_frozen(&withdrawal.user_id), Refusal::Frozen)
                .check(self.owes_nothing(&withdrawal.user_id), Refusal::Owes);
        }
        self.record_end(&mut transaction, end);
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    /// Pending → rejected, and the money back into the wallet. `false` where it was not pending, or a
    /// payout is sent.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn reject_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        reason: &str,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let end = End { reason: Some(reason), ..End::new(Status::Rejected, act.at, Some(act)) };
        self.end_with_the_money_back(withdrawal, &end).await
    }

    /// Keeps the hash of the secret in the link that cancels a withdrawal, in the place of the one before.
    /// `false`: it cannot be cancelled any more.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn keep_cancel_hash(&self, id: &str, hash: &str) -> Result<bool, StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(id).attributes()))
            .update_expression("SET cancelHash = :hash")
            .condition_expression("#status = :pending AND attribute_not_exists(payout)")
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":pending", s(Status::Pending.into_str()))
            .expression_attribute_values(":hash", s(hash));
        conditional(update).await
    }

    /// Pending → rejected, and the money back, by whoever has the link with the secret of `hash`. `false`
    /// where it was not pending, a payout is sent, or a newer link has taken the place of this one.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn cancel_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        hash: &str,
        reason: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let end = End { reason: Some(reason), link: Some(hash), ..End::new(Status::Rejected, at, None) };
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
            transaction.update(self.ended(withdrawal, end), Refusal::NotPending);
            self.record_end(&mut transaction, end);
            // M-Pesa's word that it did not leave; an admin's is not certain.
            if let Some(sent) = withdrawal.payout.as_ref().filter(|_| end.act.is_none()) {
                let back = self.not_paid_out(withdrawal.amount, sent.sent_at);
                transaction.update(back, Refusal::Booked);
            }
            let refusals = (Refusal::WalletMoved, Refusal::Booked);
            let bookings = [Booking::of(&posting)];
            self.book(&mut transaction, &withdrawal.user_id, wallet, &bookings, end.at, refusals);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(true),
                Outcome::Refused(why) if why == [Refusal::WalletMoved] => {}
                Outcome::Refused(_) => return Ok(false),
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    fn record_end(&self, transaction: &mut Transaction<Refusal>, end: &End<'_>) {
        if let Some(act) = end.act {
            transaction.put(self.recorded(act), Refusal::Booked);
        }
    }

    fn ended(&self, withdrawal: &Withdrawal, end: &End<'_>) -> Update {
        let mut set = "SET #status = :status, endedAt = :at".to_owned();
        let mut condition = "#status = :pending".to_owned();
        let mut update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(&withdrawal.id).attributes()))
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":status", s(end.status.into_str()))
            .expression_attribute_values(":pending", s(Status::Pending.into_str()))
            .expression_attribute_values(":at", s(end.at.to_string()));
        if let Some(reason) = end.reason {
            set.push_str(", reason = :reason");
            update = update.expression_attribute_values(":reason", s(reason));
        }
        match &end.payout {
            None => condition.push_str(" AND attribute_not_exists(payout)"),
            Some(payout) => {
                set.push_str(", payout = :payout");
                update = update.expression_attribute_values(":payout", super::payouts::attribute(payout));
            }
        }
        if let Some(hash) = end.link {
            condition.push_str(" AND cancelHash = :link");
            update = update.expression_attribute_values(":link", s(hash));
        }
        if let Some(now) = end.payable_at {
            condition.push_str(" AND ");
            condition.push_str(MAY_BE_PAID);
            update = update.expression_attribute_values(":now", n(now.as_millisecond()));
        }
        let update = update
            .update_expression(format!("{set} REMOVE {OFF_WORKLIST}, nextQuestion, trouble"))
            .condition_expression(condition);
        update.build().expect("table, key and expression are given")
    }
}

/// Of a withdrawal that has waited long enough at `:now`.
pub(super) const MAY_BE_PAID: &str = "(attribute_not_exists(waitsUntil) OR waitsUntil <= :now)";

/// How a withdrawal ends.
pub(super) struct End<'a> {
    pub(super) status: Status,
    pub(super) reason: Option<&'a str>,
    /// Its payout as it is then; without one it has to have none.
    pub(super) payout: Option<Payout>,
    pub(super) at: Timestamp,
    /// By hand; nobody's where M-Pesa or the player has ended it.
    pub(super) act: Option<&'a AuditRecord>,
    /// It has to be one that may be paid at this time.
    pub(super) payable_at: Option<Timestamp>,
    /// The hash of the link that has to be its own.
    pub(super) link: Option<&'a str>,
}

impl<'a> End<'a> {
    pub(super) fn new(status: Status, at: Timestamp, act: Option<&'a AuditRecord>) -> Self {
        Self { status, reason: None, payout: None, at, act, payable_at: None, link: None }
    }
}
