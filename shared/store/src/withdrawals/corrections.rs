//! A withdrawal that had ended, and of which M-Pesa says something else: the books follow M-Pesa, once, in the
//! transaction that notes it on the withdrawal (docs/decisions.md, "M-Pesa's word after the end").

use domain::{
    ledger::{postings::Posting, taking_back::TakenBack},
    withdrawals::requests::{PayoutCorrection, PayoutState},
};
use jiff::Timestamp;

use super::{CONTESTED, Payout, Recheck, Taking, Withdrawal, key, payouts::PaidOut, position};
use crate::{
    Store, StoreError,
    accounts::keys::partition,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, WALLET_TRIES, operator_posting},
    platform::{
        conditions::{absent, at_most, exists, is},
        ids::random_id,
        transaction::{Outcome, Transaction, Unmet},
        writes::{Put, Update},
    },
};

/// How a withdrawal is corrected.
#[derive(Debug, Clone, Copy)]
pub struct Correcting<'a> {
    pub correction: PayoutCorrection,
    /// The payout as it was.
    pub payout: &'a Payout,
    /// What M-Pesa tells of it.
    pub paid: &'a PaidOut,
    /// What the wallet does not cover is owed by the player, and not the operator's loss.
    pub owes: bool,
    /// For the admins.
    pub trouble: &'a str,
    pub act: &'a AuditRecord,
    pub at: Timestamp,
}

impl Store {
    /// Takes on the question after the `asked` ones that there were: of messages that come twice, one does. The
    /// first one always does, for the next reason to ask begins to count anew.
    pub async fn claim_recheck(&self, id: &str, asked: u32, now: Timestamp) -> Result<bool, StoreError> {
        let claim = Recheck { asked: asked + 1, at: now, run: random_id() };
        let mut update =
            Update::of(key(id)).set("recheck", &claim).only_if(exists("pk")).only_if(absent("corrected"));
        if asked > 0 {
            update = update.only_if(absent("recheck").or(at_most("recheck.asked", asked)));
        }
        // Refused, where the answer was lost and the client has written it a second time.
        Ok(self.update(update).await?
            || self.withdrawal(id).await?.is_some_and(|kept| kept.recheck == Some(claim)))
    }

    /// Books what M-Pesa says and notes it; what is taken out of the wallet by it is covered first by what the
    /// player has asked for and nobody has paid. `false`: it is not as it was read any more, or was corrected
    /// before.
    pub async fn correct_withdrawal(
        &self,
        withdrawal: &Withdrawal,
        by: Correcting<'_>,
    ) -> Result<Taking<bool>, StoreError> {
        let (player, id, amount) = (&withdrawal.user_id, &withdrawal.id, withdrawal.amount);
        let tax = withdrawal.withheld();
        for _ in 0..WALLET_TRIES {
            let mut transaction = Transaction::new();
            transaction
                .update(ended_otherwise(withdrawal, by), Unmet::Decided)
                .put(self.recorded(by.act), Unmet::Booked);
            let posting = match by.correction {
                PayoutCorrection::PaidTwice => {
                    let posting = Posting::paid_twice(id, withdrawal.paid_amount());
                    let item = operator_posting(partition(player), &posting, by.at);
                    transaction.put(Put::new(item), Unmet::Booked);
                    None
                }
                PayoutCorrection::Failed => {
                    let posting = Posting::failed_after_all(player, id, amount).withheld(-tax);
                    Some((self.wallet(player).await?, posting))
                }
                PayoutCorrection::Paid => {
                    let wallet = self.wallet(player).await?;
                    let unpaid = self.unpaid_to_cover(player, amount, &wallet, by.at).await?;
                    if !unpaid.is_empty() && !self.is_corrected(id).await? {
                        return Ok(Taking::First(unpaid));
                    }
                    let taken = TakenBack::of(amount, wallet.balance, by.owes);
                    Some((wallet, Posting::paid_after_all(player, id, taken).withheld(tax)))
                }
            };
            if let Some((wallet, posting)) = &posting {
                let bookings = [Booking {
                    note: Some(by.correction.note()),
                    tax: withdrawal.tax,
                    ..Booking::of(posting)
                }];
                self.book(&mut transaction, player, wallet, &bookings, by.at);
            }
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(Taking::Is(true)),
                Outcome::Refused(why) if why == [Unmet::Wallet] => {}
                Outcome::Refused(_) => return Ok(Taking::Is(false)),
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// Whether M-Pesa's word has corrected it before: then nothing is taken once more.
    async fn is_corrected(&self, id: &str) -> Result<bool, StoreError> {
        Ok(self.withdrawal(id).await?.is_some_and(|withdrawal| withdrawal.corrected.is_some()))
    }
}

fn ended_otherwise(withdrawal: &Withdrawal, by: Correcting<'_>) -> Update {
    let state =
        if by.correction == PayoutCorrection::Failed { PayoutState::Failed } else { PayoutState::Done };
    let recipient = by.paid.recipient.clone().or_else(|| by.payout.recipient.clone());
    let payout = Payout {
        state,
        receipt: by.paid.receipt.clone().or_else(|| by.payout.receipt.clone()),
        // Of an account that is erased nobody is named.
        recipient: recipient.filter(|_| !withdrawal.phone.is_gone()),
        ..by.payout.clone()
    };
    Update::of(key(&withdrawal.id))
        .set("corrected", by.correction)
        .set("payout", payout)
        .set("trouble", by.trouble)
        .on_worklist(CONTESTED, &position(withdrawal))
        .only_if(is("status", withdrawal.status))
        .only_if(is("phone", &withdrawal.phone))
        .only_if(absent("corrected"))
}
