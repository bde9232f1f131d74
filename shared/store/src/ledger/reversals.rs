//! A payment that M-Pesa has taken back: booked with a mark on its receipt in one transaction, so once, and
//! listed for the admins. And whose turn it is to be asked about.

use domain::{
    UserId,
    ledger::{postings::Posting, taking_back::TakenBack},
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Store, StoreError,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, WALLET_TRIES},
    payments::receipts::{DatedReceipt, Reversal, key},
    platform::{
        conditions::{absent, due, exists, is},
        transaction::{Outcome, Transaction, Unmet},
        writes::Update,
    },
    withdrawals::Taking,
};

/// For the admins: what M-Pesa has taken back.
const REVERSED: &str = "RECEIPTS#reversed";

/// What became of booking one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reversed {
    Now(Reversal),
    /// It was booked before.
    Before(Reversal),
    /// Its credit is gone, or was of nothing: there is nothing to take back.
    NothingCredited,
}

impl Store {
    /// Takes what `code` was credited with out of its player's wallet again; what the player has asked for and
    /// nobody has paid goes back into it first. `owes`: what is not covered then is a debt of the player, and
    /// not the operator's loss.
    ///
    /// # Errors
    /// The table is not answering, or there is no such receipt.
    pub async fn reverse_receipt(
        &self,
        code: &str,
        owes: bool,
        act: impl Fn(&Reversal) -> AuditRecord,
        at: Timestamp,
    ) -> Result<Taking<Reversed>, StoreError> {
        for _ in 0..WALLET_TRIES {
            let receipt = self.receipt(code).await?;
            let receipt =
                receipt.ok_or_else(|| StoreError::Refused(format!("receipt {code} is nobody's")))?;
            if let Some(before) = receipt.reversal {
                return Ok(Taking::Is(Reversed::Before(before)));
            }
            let player = &receipt.user_id;
            let wallet = self.wallet(player).await?;
            let credit = self.posting(player, &receipt.cause).await?;
            let Some(credit) = credit.filter(|credit| credit.amount.is_positive()) else {
                return Ok(Taking::Is(Reversed::NothingCredited));
            };
            let (credited, excise) = (credit.amount, credit.excise());
            let unpaid = self.unpaid_to_cover(player, credited, &wallet, at).await?;
            if !unpaid.is_empty() {
                // Where another one has booked it since, it is that one which the wallet lacks.
                return Ok(match self.receipt(code).await?.and_then(|receipt| receipt.reversal) {
                    Some(before) => Taking::Is(Reversed::Before(before)),
                    None => Taking::First(unpaid),
                });
            }
            let taken = TakenBack::of(credited, wallet.balance, owes);
            let TakenBack { wallet: from_wallet, debt, loss } = taken;
            let reversal = Reversal { at, wallet: from_wallet, debt, loss, excise };
            let posting = Posting::reversal(player, code, taken).excise_given_back(excise);
            let mut transaction = Transaction::new();
            transaction
                .update(reversed(code, player, &reversal), Unmet::Receipt)
                .put(self.recorded(&act(&reversal)), Unmet::Booked);
            let booking = Booking { tax: credit.tax, ..Booking::of(&posting) };
            self.book(&mut transaction, player, &wallet, &[booking], at);
            match self.commit(transaction).await? {
                Outcome::Written => return Ok(Taking::Is(Reversed::Now(reversal))),
                Outcome::Refused(why) if why.contains(&Unmet::Booked) && !why.contains(&Unmet::Receipt) => {
                    return Err(StoreError::Refused(format!(
                        "the reversal of {code} is booked without a mark"
                    )));
                }
                // Another was first, or the wallet has moved: it is read again.
                Outcome::Refused(_) => {}
            }
        }
        Err(StoreError::Contended("a wallet"))
    }

    /// What M-Pesa has taken back, newest first.
    pub async fn reversed_receipts(&self, limit: usize) -> Result<Vec<DatedReceipt>, StoreError> {
        Ok(self.worklist_newest("receipt", REVERSED, None, limit).await?.items)
    }

    /// Takes on the question about a receipt. `false`: it was asked about within `pause`, or is taken back.
    pub async fn claim_receipt_question(
        &self,
        code: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(code))
            .set("askedAt", now.as_millisecond())
            .only_if(exists("pk"))
            .only_if(absent("reversal"))
            .only_if(due("askedAt", now - pause));
        self.update(update).await
    }

    /// Notes that M-Pesa says that a receipt stands, in answer to the question of `asked_at`.
    pub async fn note_receipt_stands(&self, code: &str, asked_at: Timestamp) -> Result<(), StoreError> {
        self.update(Update::of(key(code)).set("standsAt", asked_at).only_if(exists("pk"))).await.map(drop)
    }
}

fn reversed(code: &str, player: &UserId, reversal: &Reversal) -> Update {
    Update::of(key(code))
        .set("reversal", reversal)
        .on_worklist(REVERSED, &format!("{}#{code}", reversal.at))
        .only_if(is("userId", player))
        .only_if(absent("reversal"))
}
