//! Withdrawals: `WITHDRAWAL#id/WITHDRAWAL`. The money leaves the wallet in the transaction that makes
//! the request; done and rejected are conditional on pending, so each ends once. How one is paid by
//! M-Pesa stands in `payout`.

mod payout;

use aws_sdk_dynamodb::types::Update;
use domain::{
    Kes, MpesaPhone, UserId, Username,
    ledger::Posting,
    withdrawal::{self, Status, WithdrawalError},
};
use jiff::Timestamp;
pub use payout::{PaidOut, Payout, Sending};
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    audit::Act,
    days::{Journal, dated},
    idempotency::Binding,
    lists::{DELIST, enlist},
    players::partition,
    table::{Key, s},
    transaction::{Outcome, Transaction},
    wallets::{Booking, WALLET_TRIES, operator_posting},
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
    /// To a number the player was never paid at, within a day of a password reset: for an admin to see.
    #[serde(default)]
    pub flagged: bool,
    /// By M-Pesa, from before it is called.
    #[serde(default)]
    pub payout: Option<Payout>,
    /// What an admin has to look into.
    #[serde(default)]
    pub trouble: Option<String>,
    /// When the next question about its payout is due, in milliseconds since 1970.
    #[serde(default)]
    pub next_question: Option<i64>,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Requested {
    /// The wallet's balance after it.
    Done(Kes),
    /// Another request has bound the key meanwhile.
    KeyTaken,
}

#[derive(Clone, Copy, PartialEq)]
enum Refusal {
    KeyTaken,
    WalletMoved,
    Booked,
    NotPending,
}

pub(crate) fn key(id: &str) -> Key {
    Key::new(format!("WITHDRAWAL#{id}"), "WITHDRAWAL")
}

impl Store {
    /// Takes the money out of the wallet, notes the request and binds its key, in one step.
    ///
    /// # Errors
    /// The table is not answering; the inner error is the player's.
    pub async fn request_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        binding: Option<&Binding>,
    ) -> Result<Result<Requested, WithdrawalError>, StoreError> {
        let posting = Posting::withdrawal_requested(&withdrawal.user_id, &withdrawal.id, withdrawal.amount);
        let item = key(&withdrawal.id).item(withdrawal);
        let mut item = dated(item, Journal::Withdrawals, withdrawal.created_at);
        enlist(&mut item, PENDING, &format!("{}#{}", withdrawal.created_at, withdrawal.id));
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(&withdrawal.user_id).await?;
            if let Err(refused) = withdrawal::check(withdrawal.amount, wallet.balance) {
                return Ok(Err(refused));
            }
            let mut transaction = Transaction::new();
            transaction
                .put(self.new_put(item.clone()), Refusal::Booked)
                .put(self.phone_of(&withdrawal.user_id, &withdrawal.phone), Refusal::Booked);
            let at = withdrawal.created_at;
            if let Some(binding) = binding {
                transaction.put(self.bind(binding, &withdrawal.id, at), Refusal::KeyTaken);
            }
            let refusals = (Refusal::WalletMoved, Refusal::Booked);
            let bookings = [Booking::of(&posting)];
            self.book(&mut transaction, &withdrawal.user_id, wallet, &bookings, at, refusals);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(Ok(Requested::Done(wallet.balance - withdrawal.amount))),
                Outcome::Refused(why) if why.contains(&Refusal::KeyTaken) => {
                    return Ok(Ok(Requested::KeyTaken));
                }
                Outcome::Refused(why) if why.contains(&Refusal::Booked) => {
                    return Err(StoreError::Refused("a new withdrawal's id was taken".into()));
                }
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a wallet"))
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
        self.listed("withdrawal", PENDING, after, limit).await
    }

    /// A player's own withdrawals, newest first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn withdrawals_of(&self, player: &UserId) -> Result<Vec<Withdrawal>, StoreError> {
        let postings = self.postings_of_kind(player, "withdrawal#", 100).await?.items;
        let id = |cause: &str| cause.split_once('#').map(|(_, id)| key(id));
        let keys = postings.iter().filter_map(|posting| id(&posting.cause)).collect();
        let mut found: Vec<Withdrawal> = self.get_many("withdrawal", keys).await?;
        found.sort_by_key(|withdrawal| std::cmp::Reverse(withdrawal.created_at));
        Ok(found)
    }

    /// Pending → done, by hand. `false` where it was not pending any more, or a payout is sent.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn complete_withdrawal(&self, withdrawal: &Withdrawal, act: &Act) -> Result<bool, StoreError> {
        let end = End { status: Status::Done, reason: None, payout: None, at: act.at, act: Some(act) };
        self.end_as_done(withdrawal, &end).await
    }

    async fn end_as_done(&self, withdrawal: &Withdrawal, end: &End<'_>) -> Result<bool, StoreError> {
        let posting = Posting::withdrawal_done(&withdrawal.id, withdrawal.amount);
        let item = operator_posting(partition(&withdrawal.user_id), &posting, end.at);
        let mut transaction = Transaction::new();
        transaction
            .update(self.ended(withdrawal, end), Refusal::NotPending)
            .put(self.new_put(item), Refusal::Booked);
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
        act: &Act,
    ) -> Result<bool, StoreError> {
        let (status, reason) = (Status::Rejected, Some(reason));
        let end = End { status, reason, payout: None, at: act.at, act: Some(act) };
        self.end_with_the_money_back(withdrawal, &end).await
    }

    async fn end_with_the_money_back(
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
            .expression_attribute_values(":status", s(end.status.as_str()))
            .expression_attribute_values(":pending", s(Status::Pending.as_str()))
            .expression_attribute_values(":at", s(end.at.to_string()));
        if let Some(reason) = end.reason {
            set.push_str(", reason = :reason");
            update = update.expression_attribute_values(":reason", s(reason));
        }
        match &end.payout {
            None => condition.push_str(" AND attribute_not_exists(payout)"),
            Some(payout) => {
                set.push_str(", payout = :payout");
                update = update.expression_attribute_values(":payout", payout::attribute(payout));
            }
        }
        let update = update
            .update_expression(format!("{set} REMOVE {DELIST}, nextQuestion, trouble"))
            .condition_expression(condition);
        update.build().expect("table, key and expression are given")
    }
}

/// How a withdrawal ends.
struct End<'a> {
    status: Status,
    reason: Option<&'a str>,
    /// Its payout as it is then; without one it has to have none.
    payout: Option<Payout>,
    at: Timestamp,
    /// By hand; nobody's where M-Pesa has ended it.
    act: Option<&'a Act>,
}
