//! What an admin corrects by hand in a player's wallet: one posting under an id of the caller's, with the
//! act's record, in one transaction. The same id again is the same correction.

use domain::{
    Kes, UserId,
    ledger::{
        postings::{Leg, Posting},
        taking_back::TakenBack,
    },
};
use jiff::Timestamp;

use crate::{
    Store, StoreError,
    admin::audit::AuditRecord,
    ledger::wallets::{Booking, StoredPosting, WALLET_TRIES},
    platform::transaction::{Transaction, Unmet},
    withdrawals::Taking,
};

/// What became of a correction.
#[derive(Debug, Clone)]
pub enum CorrectionOutcome {
    Done(StoredPosting),
    /// It was booked before, as it is sent now.
    Before(StoredPosting),
    /// The id is another correction's.
    Another,
}

impl Store {
    /// Gives `amount` to a wallet, or (negative) takes it: what the player has asked for and nobody has paid goes
    /// back into it first, and what is not covered then is the operator's loss.
    ///
    /// # Errors
    /// The table is not answering, or the player has no wallet.
    pub async fn correct_wallet(
        &self,
        player: &UserId,
        (id, amount): (&str, Kes),
        act: &AuditRecord,
        at: Timestamp,
    ) -> Result<Taking<CorrectionOutcome>, StoreError> {
        for _ in 0..WALLET_TRIES {
            let wallet = self.wallet(player).await?;
            let posting = if amount.is_positive() {
                Posting::correction_up(player, id, amount)
            } else {
                Posting::correction_down(player, id, TakenBack::of(-amount, wallet.balance, false))
            };
            let cause = posting.cause().key();
            if let Some(booked) = self.posting(player, &cause).await? {
                let same = |leg: &Leg| leg.account == "corrections" && leg.amount == -amount;
                let same = booked.legs.iter().any(same);
                let before =
                    if same { CorrectionOutcome::Before(booked) } else { CorrectionOutcome::Another };
                return Ok(Taking::Is(before));
            }
            let unpaid = self.unpaid_to_cover(player, -amount, &wallet, at).await?;
            if !unpaid.is_empty() {
                return Ok(Taking::First(unpaid));
            }
            let mut transaction = Transaction::new();
            transaction.put(self.recorded(act), Unmet::Booked);
            let booking = Booking { note: act.reason.as_deref(), ..Booking::of(&posting) };
            self.book(&mut transaction, player, &wallet, &[booking], at);
            if self.commit_all(transaction).await? {
                let booked = self.posting(player, &cause).await?;
                let gone = || StoreError::Refused(format!("{cause} is booked and is not there"));
                return Ok(Taking::Is(CorrectionOutcome::Done(booked.ok_or_else(gone)?)));
            }
        }
        Err(StoreError::Contended("a wallet"))
    }
}
