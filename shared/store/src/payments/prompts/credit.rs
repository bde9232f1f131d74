//! How a prompt is credited: payment, receipt, wallet and postings in one transaction, so credited and
//! PENDING is impossible.
//!
//! A prompt that is credited on M-Pesa's answer alone has no receipt to be held to, and a code that its
//! player typed may be that receipt. Each of the two credits reads the other's trace (postings of typed
//! codes here, the player's prompts in `typed_codes`) after the wallet, and is refused where the
//! wallet has moved since: whichever is second sees the first.

use aws_sdk_dynamodb::types::{AttributeValue, Update};
use domain::{
    Kes,
    ledger::{
        postings::Posting,
        taking_back::{Owes, check_debt},
    },
    payments::{prompt::State, receipt::may_be_credited_before},
};
use jiff::Timestamp;

use super::{Payment, SET_ASIDE, WITHOUT_RECEIPT, key, position};
use crate::{
    Store, StoreError,
    accounts::players::partition,
    entries::{self, Entry},
    ledger::wallets::{Booking, WALLET_TRIES, posting_key},
    payments::{receipts::Receipt, typed_codes::as_prompt},
    platform::{
        table::{Item, n, s},
        transaction::{Outcome, Transaction},
        worklists::{OFF_WORKLIST, put_on_worklist},
    },
};

/// What became of an attempt to credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credited {
    Done,
    /// The payment is not undecided any more: read it again.
    AlreadyDecided,
    /// The player has joined that gameweek meanwhile: credit without an entry.
    AlreadyJoined,
    /// The account is frozen or suspended: read it again.
    AccountChanged,
    /// The team is another account's by now, or is in this gameweek already.
    TeamElsewhere,
    /// The player owes something, which this payment pays first: credit without an entry.
    Owes(Owes),
    /// This receipt was credited before.
    ReceiptTaken,
    /// No receipt is known, and a typed code that may be it was credited to this player since the push.
    MayBeTyped,
}

/// How a payment is credited.
#[derive(Debug, Clone, Copy)]
pub struct Credit<'a> {
    pub receipt: Option<&'a str>,
    pub flagged: bool,
    pub reason: Option<&'a str>,
    pub at: Timestamp,
}

/// What became of a receipt that was learned after its payment was credited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LateReceipt {
    Claimed,
    /// The payment has a receipt, or was never credited: nothing to do.
    NotWanted,
    /// Somebody else's credit has it. The payment is flagged.
    Taken(Receipt),
}

/// Whose a receipt turns out to be that was learned late.
enum LearnedReceipt {
    Own,
    /// Somebody else's credit has claimed it.
    Anothers,
}

#[derive(Clone, Copy, PartialEq)]
enum Refusal {
    WalletMoved,
    DepositBooked,
    EntryBooked,
    Account,
    Team,
    Payment,
    Receipt,
    Posting,
    Never,
}

impl Store {
    /// Credits the payment and, with `entry`, enters: payment, receipt, wallet, postings and entry in
    /// one transaction.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn credit_payment(
        &self,
        payment: &Payment,
        entry: Option<&Entry>,
        credit: Credit<'_>,
    ) -> Result<Credited, StoreError> {
        let deposit = Posting::deposit(&payment.user_id, &payment.id, payment.amount);
        let debit = entry.map(|entry| Posting::entry(&entry.user_id, entry.gameweek, entry.amount));
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(&payment.user_id).await?;
            if entry.is_some()
                && let Err(owes) = check_debt(wallet.debt)
            {
                return Ok(Credited::Owes(owes));
            }
            if credit.receipt.is_none() && self.typed_since(payment).await? {
                return Ok(Credited::MayBeTyped);
            }
            let mut transaction = Transaction::new();
            transaction.update(self.credited(payment, entry.is_some(), credit, None), Refusal::Payment);
            if let Some(receipt) = credit.receipt {
                let claim = claim(payment, &deposit, credit.at);
                transaction.put(self.claim_receipt(receipt, &claim), Refusal::Receipt);
            }
            let mut bookings = vec![Booking { receipt: credit.receipt, ..Booking::of(&deposit) }];
            if let (Some(entry), Some(debit)) = (entry, &debit) {
                bookings.push(Booking { entry_id: Some(&entry.id), ..Booking::of(debit) });
                transaction
                    .put(self.new_put(entries::item(entry)), Refusal::EntryBooked)
                    .check(self.may_enter(entry), Refusal::Account)
                    .update(self.enters_with_team(entry), Refusal::Team);
                if let Some(code) = &entry.referral {
                    transaction.update(self.paid_by(code, &entry.user_id, entry.at), Refusal::Never);
                }
            }
            let refusals = (Refusal::WalletMoved, Refusal::DepositBooked);
            self.book(&mut transaction, &payment.user_id, wallet, &bookings, credit.at, refusals);
            let Outcome::Refused(why) = self.commit(transaction).await? else { return Ok(Credited::Done) };
            if why.contains(&Refusal::Payment) {
                return Ok(Credited::AlreadyDecided);
            } else if why.contains(&Refusal::Receipt) {
                return Ok(Credited::ReceiptTaken);
            } else if why.contains(&Refusal::DepositBooked) {
                // The payment is undecided, so its deposit is not booked: it is the entry that is.
                return Ok(Credited::AlreadyJoined);
            } else if why.contains(&Refusal::Account) {
                return Ok(Credited::AccountChanged);
            } else if why.contains(&Refusal::Team) {
                return Ok(Credited::TeamElsewhere);
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Whether a code that may be this payment's receipt was credited to its player since it was pushed.
    async fn typed_since(&self, payment: &Payment) -> Result<bool, StoreError> {
        let prompt = as_prompt(payment);
        for posting in self.code_postings(&payment.user_id).await? {
            if posting.amount != payment.amount || posting.at < payment.created_at {
                continue;
            }
            let told = self.told_of_posting(&payment.user_id, &posting).await?;
            if may_be_credited_before(&told, posting.amount, posting.at, &prompt) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Ends a payment as paid without crediting it: its receipt was credited to this player by another
    /// way. `false` where it was decided before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn end_payment_uncredited(
        &self,
        payment: &Payment,
        credit: Credit<'_>,
    ) -> Result<bool, StoreError> {
        let mut transaction = Transaction::new();
        transaction.update(self.credited(payment, false, credit, Some(Kes::ZERO)), Refusal::Payment);
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    /// Claims the receipt of a payment that was credited without one.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn claim_late_receipt(
        &self,
        payment: &Payment,
        receipt: &str,
        at: Timestamp,
    ) -> Result<LateReceipt, StoreError> {
        let deposit = Posting::deposit(&payment.user_id, &payment.id, payment.amount);
        let posting = posting_key(partition(&payment.user_id), &deposit.cause().key());
        let posting = Update::builder()
            .table_name(&self.name)
            .set_key(Some(posting.attributes()))
            .update_expression("SET receipt = :receipt")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":receipt", s(receipt))
            .build()
            .expect("table, key and expression are given");
        let mut transaction = Transaction::new();
        transaction
            .update(self.with_receipt(payment, LearnedReceipt::Own, receipt), Refusal::Payment)
            .update(posting, Refusal::Posting)
            .put(self.claim_receipt(receipt, &claim(payment, &deposit, at)), Refusal::Receipt);
        let Outcome::Refused(why) = self.commit(transaction).await? else { return Ok(LateReceipt::Claimed) };
        if !why.contains(&Refusal::Receipt) || why.contains(&Refusal::Payment) {
            return Ok(LateReceipt::NotWanted);
        }
        let mut transaction = Transaction::new();
        transaction.update(self.with_receipt(payment, LearnedReceipt::Anothers, receipt), Refusal::Payment);
        self.commit(transaction).await?;
        let holder = self.receipt(receipt).await?;
        let gone = || StoreError::Refused(format!("receipt {receipt} was claimed and is not"));
        Ok(LateReceipt::Taken(holder.ok_or_else(gone)?))
    }

    /// Notes a receipt, on condition that the payment is credited without one. One that is another's
    /// puts the payment before an admin.
    fn with_receipt(&self, payment: &Payment, learned: LearnedReceipt, receipt: &str) -> Update {
        let update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(&payment.id).attributes()))
            .condition_expression("#state = :success AND attribute_not_exists(receipt)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":success", s(State::Success.into_str()))
            .expression_attribute_values(":receipt", s(receipt));
        let update = match learned {
            LearnedReceipt::Own if payment.flagged && payment.closed.is_none() => {
                update.update_expression("SET receipt = :receipt")
            }
            LearnedReceipt::Own => {
                update.update_expression(format!("SET receipt = :receipt REMOVE {OFF_WORKLIST}"))
            }
            LearnedReceipt::Anothers => {
                let mut listed = Item::new();
                put_on_worklist(&mut listed, SET_ASIDE, &position(payment));
                let set = "contestedReceipt = :receipt, flagged = :yes, listPk = :list, listSk = :position";
                update
                    .update_expression(format!("SET {set}"))
                    .expression_attribute_values(":yes", AttributeValue::Bool(true))
                    .expression_attribute_values(":list", listed["listPk"].clone())
                    .expression_attribute_values(":position", listed["listSk"].clone())
            }
        };
        update.build().expect("table, key and expression are given")
    }

    /// `otherwise`: what it is credited with, where that is not its amount.
    fn credited(
        &self,
        payment: &Payment,
        entered: bool,
        credit: Credit<'_>,
        otherwise: Option<Kes>,
    ) -> Update {
        let flag = AttributeValue::Bool;
        let mut set =
            "SET #state = :success, decidedAt = :at, entered = :entered, flagged = :flagged".to_owned();
        let mut update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(&payment.id).attributes()))
            .condition_expression("#state IN (:pending, :failed)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":success", s(State::Success.into_str()))
            .expression_attribute_values(":pending", s(State::Pending.into_str()))
            .expression_attribute_values(":failed", s(State::Failed.into_str()))
            .expression_attribute_values(":at", s(credit.at.to_string()))
            .expression_attribute_values(":entered", flag(entered))
            .expression_attribute_values(":flagged", flag(credit.flagged));
        // Flagged is for an admin; without a receipt it says something to typed codes.
        let list = match credit.receipt {
            _ if credit.flagged => Some(SET_ASIDE),
            None => Some(WITHOUT_RECEIPT),
            Some(_) => None,
        };
        if let Some(amount) = otherwise {
            set.push_str(", credited = :credited");
            update = update.expression_attribute_values(":credited", n(amount.get()));
        }
        let mut remove = Vec::new();
        match list {
            None => remove.push(OFF_WORKLIST),
            Some(list) => {
                let mut listed = Item::new();
                put_on_worklist(&mut listed, list, &position(payment));
                set.push_str(", listPk = :list, listSk = :position");
                update = update
                    .expression_attribute_values(":list", listed["listPk"].clone())
                    .expression_attribute_values(":position", listed["listSk"].clone());
            }
        }
        for (attribute, value) in [("receipt", credit.receipt), ("reason", credit.reason)] {
            match value {
                Some(value) => {
                    set.push_str(&format!(", {attribute} = :{attribute}"));
                    update = update.expression_attribute_values(format!(":{attribute}"), s(value));
                }
                None => remove.push(attribute),
            }
        }
        if !remove.is_empty() {
            set.push_str(&format!(" REMOVE {}", remove.join(", ")));
        }
        let update = update.update_expression(set);
        update.build().expect("table, key and expression are given")
    }
}

fn claim(payment: &Payment, deposit: &Posting, at: Timestamp) -> Receipt {
    Receipt::of(&payment.user_id, deposit, at)
}
