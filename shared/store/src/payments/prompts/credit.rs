//! How a prompt is credited: payment, receipt, wallet and postings in one transaction, so credited and
//! PENDING is impossible.
//!
//! A prompt that is credited on M-Pesa's answer alone has no receipt to be held to, and a code that its
//! player typed may be that receipt. Each of the two credits reads the other's trace (postings of typed
//! codes here, the player's prompts in `typed_codes`) after the wallet, and is refused where the
//! wallet has moved since: whichever is second sees the first.

use domain::{
    Kes,
    accounts::own_limits::LimitReached,
    ledger::{
        postings::Posting,
        taking_back::{IN_THE_WALLET, Owes, TowardsDebt, check_debt},
        taxes::{Withheld, amount_of},
    },
    payments::{
        prompt::PaymentState,
        receipt_match::{MACHINES_DIFFER, may_be_credited_before},
    },
};
use jiff::Timestamp;

use super::{Payment, SET_ASIDE, WITHOUT_RECEIPT, key, position, updates::undecided};
use crate::{
    Store, StoreError,
    accounts::keys::partition,
    entries::{self, Entry},
    ledger::wallets::{Booking, WALLET_TRIES, may_enter, posting_key},
    payments::receipts::Receipt,
    platform::{
        conditions::{absent, exists, is, is_not, is_not_so},
        transaction::{Outcome, Transaction, Unmet},
        writes::{Put, Update},
    },
};

/// What became of an attempt to credit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Credited {
    Done,
    /// The payment is not undecided any more, or a success was heard of since it was read: read it again.
    AlreadyDecided,
    /// The player has joined that gameweek meanwhile: credit without an entry.
    AlreadyJoined,
    /// The account is frozen or suspended, its player has stopped, or a proof of age is wanted: read it again.
    AccountChanged,
    /// The team is another account's by now, or is in this gameweek already.
    TeamElsewhere,
    /// An admin who has decided something about this gameweek: credit without an entry.
    KeptOut,
    /// The player owes something, which this payment pays first: credit without an entry.
    Owes(Owes),
    /// The player's own limit stands in the way of the entry: no room was held for it any more, or never.
    OwnLimit(LimitReached),
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

impl Store {
    /// Credits the payment and, with `entry`, enters: payment, receipt, wallet, postings and entry in
    /// one transaction. `credit.reason` says why it makes no entry; where its money is comes after it.
    pub async fn credit_payment(
        &self,
        payment: &Payment,
        entry: Option<&Entry>,
        credit: Credit<'_>,
    ) -> Result<Credited, StoreError> {
        let (deposit, tax) = deposit(payment, payment.amount);
        let debit = entry.map(|entry| Posting::entry(&entry.user_id, entry.gameweek, entry.amount));
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(&payment.user_id).await?;
            if entry.is_some_and(|entry| wallet.kept_out_of == Some(entry.gameweek)) {
                return Ok(Credited::KeptOut);
            }
            if entry.is_some()
                && let Err(owes) = check_debt(wallet.debt)
            {
                return Ok(Credited::Owes(owes));
            }
            if let (Some(entry), Some(limits)) = (entry, &wallet.limits)
                && let Err(reached) = limits.check_paid(&payment.id, entry.amount.kes(), credit.at)
            {
                return Ok(Credited::OwnLimit(reached));
            }
            if credit.receipt.is_none() && self.typed_since(payment).await? {
                return Ok(Credited::MayBeTyped);
            }
            let note = note_for_player(credit.reason, deposit.wallet_change(), wallet.debt)
                .filter(|_| entry.is_none());
            let credit = Credit { reason: note.as_deref(), ..credit };
            let mut transaction = Transaction::new();
            let update = credited(payment, entry.is_some(), credit, None);
            let update = match (&payment.entry, entry, payment.success_heard_at) {
                // Had it been heard of in time since it was read, it would make its entry.
                (Some(_), None, None) => update.only_if(absent("successHeardAt")),
                _ => update,
            };
            transaction.update(update, Unmet::Decided);
            if let Some(receipt) = credit.receipt {
                let claim = claim(payment, &deposit, credit.at);
                transaction.put(self.claim_receipt(receipt, &claim), Unmet::Receipt);
            }
            let mut bookings = vec![Booking { receipt: credit.receipt, tax, ..Booking::of(&deposit) }];
            if let (Some(entry), Some(debit)) = (entry, &debit) {
                bookings.push(Booking { entry_id: Some(&entry.id), ..Booking::of(debit) });
                transaction
                    .put(Put::new(entries::item(entry)), Unmet::Never)
                    .update(self.enters_with_team(entry), Unmet::Team);
                if let Some(code) = &entry.referral {
                    transaction.update(self.paid_by(code, &entry.user_id, entry.at), Unmet::Never);
                }
            }
            let (player, at) = (&payment.user_id, credit.at);
            match entry {
                Some(entry) => {
                    let allowed = may_enter(entry.gameweek, at);
                    self.book_if(&mut transaction, player, &wallet, &bookings, at, allowed);
                }
                None => self.book(&mut transaction, player, &wallet, &bookings, at),
            }
            let Outcome::Refused(why) = self.commit(transaction).await? else { return Ok(Credited::Done) };
            if why.contains(&Unmet::Decided) {
                return Ok(Credited::AlreadyDecided);
            } else if why.contains(&Unmet::Receipt) {
                return Ok(Credited::ReceiptTaken);
            } else if why.contains(&Unmet::Booked) {
                // The payment is undecided, so its deposit is not booked: it is the entry that is.
                return Ok(Credited::AlreadyJoined);
            } else if entry.is_some() && why.contains(&Unmet::Wallet) && self.wallet(player).await? == wallet
            {
                return Ok(Credited::AccountChanged);
            } else if why.contains(&Unmet::Team) {
                return Ok(Credited::TeamElsewhere);
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Whether a code that may be this payment's receipt was credited to its player since it was pushed, as far as the machines'
    /// clocks agree.
    async fn typed_since(&self, payment: &Payment) -> Result<bool, StoreError> {
        let prompt = payment.as_sent();
        for posting in self.code_postings(&payment.user_id).await? {
            let paid = posting.before_excise();
            if paid != payment.amount || posting.at < payment.created_at - MACHINES_DIFFER {
                continue;
            }
            let facts = self.facts_of_posting(&payment.user_id, &posting).await?;
            if may_be_credited_before(&facts, paid, posting.at, &prompt) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Ends a payment as paid without crediting it: its receipt was credited to this player by another
    /// way. `false` where it was decided before.
    pub async fn end_payment_uncredited(
        &self,
        payment: &Payment,
        credit: Credit<'_>,
    ) -> Result<bool, StoreError> {
        let mut transaction = Transaction::new();
        transaction.update(credited(payment, false, credit, Some(Kes::ZERO)), Unmet::Decided);
        self.commit_all(transaction).await
    }

    /// Claims the receipt of a payment that was credited without one.
    pub async fn claim_late_receipt(
        &self,
        payment: &Payment,
        receipt: &str,
        at: Timestamp,
    ) -> Result<LateReceipt, StoreError> {
        let (deposit, _) = deposit(payment, payment.amount);
        let posting = posting_key(partition(&payment.user_id), &deposit.cause().key());
        let posting = Update::of(posting).set("receipt", receipt).only_if(exists("pk"));
        let mut transaction = Transaction::new();
        transaction
            .update(with_receipt(payment, LearnedReceipt::Own, receipt), Unmet::Decided)
            .update(posting, Unmet::Never)
            .put(self.claim_receipt(receipt, &claim(payment, &deposit, at)), Unmet::Receipt);
        let Outcome::Refused(why) = self.commit(transaction).await? else { return Ok(LateReceipt::Claimed) };
        if !why.contains(&Unmet::Receipt) || why.contains(&Unmet::Decided) {
            // One that was put before an admin since it was read stays there.
            let now = self.payment(&payment.id).await?.filter(|now| now.flagged && !payment.flagged);
            let learned = |now: &Payment| now.contested_receipt.as_deref() == Some(receipt);
            return match now.filter(|now| now.receipt.is_none() && !learned(now)) {
                Some(now) => Box::pin(self.claim_late_receipt(&now, receipt, at)).await,
                None => Ok(LateReceipt::NotWanted),
            };
        }
        let mut transaction = Transaction::new();
        transaction.update(with_receipt(payment, LearnedReceipt::Anothers, receipt), Unmet::Decided);
        self.commit(transaction).await?;
        let holder = self.receipt(receipt).await?;
        let gone = || StoreError::Refused(format!("receipt {receipt} was claimed and is not"));
        Ok(LateReceipt::Taken(holder.ok_or_else(gone)?))
    }
}

/// What a player reads about a payment that made no entry: why not, if it was for one, and where the money is. A
/// deposit that pays no debt needs no text: its money is where the player expects it.
fn note_for_player(why: Option<&str>, deposited: Kes, debt: Kes) -> Option<String> {
    let towards_debt = TowardsDebt::of(deposited, debt).map(|debt| debt.to_string());
    match why {
        Some(why) => Some(format!("{why} {}", towards_debt.as_deref().unwrap_or(IN_THE_WALLET))),
        None => towards_debt,
    }
}

/// Notes a receipt, on condition that the payment is credited without one. One that is another's
/// puts the payment before an admin.
fn with_receipt(payment: &Payment, learned: LearnedReceipt, receipt: &str) -> Update {
    let update =
        Update::of(key(&payment.id)).only_if(is("state", PaymentState::Success)).only_if(absent("receipt"));
    match learned {
        LearnedReceipt::Own if payment.flagged && payment.closed.is_none() => update.set("receipt", receipt),
        LearnedReceipt::Own if payment.flagged => update.set("receipt", receipt).off_worklist(),
        LearnedReceipt::Own => update.set("receipt", receipt).off_worklist().only_if(is_not_so("flagged")),
        LearnedReceipt::Anothers => update
            .set("contestedReceipt", receipt)
            .set("flagged", true)
            .remove("closed")
            .only_if(absent("contestedReceipt").or(is_not("contestedReceipt", receipt)))
            .on_worklist(SET_ASIDE, &position(payment)),
    }
}

/// `otherwise`: what it is credited with, where that is not its amount.
fn credited(payment: &Payment, entered: bool, credit: Credit<'_>, otherwise: Option<Kes>) -> Update {
    let update = Update::of(key(&payment.id))
        .set("state", PaymentState::Success)
        .set("decidedAt", credit.at)
        .set("entered", entered)
        .set("flagged", credit.flagged)
        .set_some("credited", otherwise)
        .set_or_remove("receipt", credit.receipt)
        .set_or_remove("reason", credit.reason)
        .only_if(undecided());
    // Flagged is for an admin; without a receipt it says something to typed codes.
    match credit.receipt {
        _ if credit.flagged => update.on_worklist(SET_ASIDE, &position(payment)),
        None => update.on_worklist(WITHOUT_RECEIPT, &position(payment)),
        Some(_) => update.off_worklist(),
    }
}

/// The posting of a payment that is credited with `amount`, and the excise in it.
pub(super) fn deposit(payment: &Payment, amount: Kes) -> (Posting, Option<Withheld>) {
    let tax = payment.excise_of(amount);
    (Posting::deposit(&payment.user_id, &payment.id, amount).excised(amount_of(tax)), tax)
}

fn claim(payment: &Payment, deposit: &Posting, at: Timestamp) -> Receipt {
    Receipt::of(&payment.user_id, deposit, at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_told_where_the_money_is() {
        for (why, debt, words) in [
            (None, 0, None),
            (None, 50, Some("This payment has gone towards what you owed.")),
            (Some("Too late."), 0, Some("Too late. Your money is in your wallet.")),
            (
                Some("Too late."),
                20,
                Some(
                    "Too late. KSh 20 of this payment has gone towards what you owed, KSh 30 is in your wallet.",
                ),
            ),
        ] {
            assert_eq!(note_for_player(why, Kes::new(50), Kes::new(debt)).as_deref(), words);
        }
    }
}
