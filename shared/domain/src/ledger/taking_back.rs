//! Taking money back that turns out not to be the player's: M-Pesa has reversed a payment, or paid what had
//! gone back into the wallet, or an admin corrects an account (docs/decisions.md, "What is taken back").
//!
//! The wallet covers what it can and is never below zero. What is missing is owed by the player only where
//! the money came from the player's own number: nobody is made to owe for what somebody else may have done.
//! A debt is paid first by whatever comes into the wallet, so with one there is nothing in the wallet.

use crate::Kes;

/// Where what is taken back comes from; each is at least 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Taken {
    /// Out of the wallet.
    pub wallet: Kes,
    /// Owed by the player from now on.
    pub debt: Kes,
    /// The operator's loss.
    pub loss: Kes,
}

impl Taken {
    /// `amount` is taken from a wallet with `balance`; `owes`: what is missing is a debt of the player.
    #[must_use]
    pub fn of(amount: Kes, balance: Kes, owes: bool) -> Self {
        let wallet = amount.min(balance).max(Kes::ZERO);
        let missing = amount - wallet;
        let (debt, loss) = if owes { (missing, Kes::ZERO) } else { (Kes::ZERO, missing) };
        Self { wallet, debt, loss }
    }

    /// All of it.
    #[must_use]
    pub fn amount(self) -> Kes {
        self.wallet + self.debt + self.loss
    }
}

/// How much of a debt is paid by what is in the wallet.
#[must_use]
pub fn paid_at_once(debt: Kes, balance: Kes) -> Kes {
    debt.min(balance).max(Kes::ZERO)
}

/// Why a player who owes something may not spend; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "You owe {0}: it was taken back after you had used it. Deposit it first; a deposit pays what you owe."
)]
pub struct Owes(pub Kes);

/// Whether somebody who owes `debt` may enter or withdraw.
///
/// # Errors
/// There is a debt.
pub fn check_debt(debt: Kes) -> Result<(), Owes> {
    if debt.is_positive() { Err(Owes(debt)) } else { Ok(()) }
}

/// Whether M-Pesa is asked about a receipt of `amount` at night: all above `threshold`, and of the rest those
/// whose `lot` (0 to 99, another one each night) is below `percent`. One whose amount was not kept counts as
/// large.
#[must_use]
pub fn is_asked_about(amount: Option<Kes>, threshold: Kes, percent: u8, lot: u8) -> bool {
    amount.is_none_or(|amount| amount > threshold) || lot < percent
}

/// Why an admin's correction is refused; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CorrectionError {
    #[error("The amount has to be whole KSh, more or less than 0, and at most 250,000 either way.")]
    Amount,
    #[error("Give the correction an id of 32 hex digits, the same each time it is sent.")]
    Id,
    #[error("A correction with this id was booked with another amount.")]
    Another,
    #[error("There is no such player.")]
    NoPlayer,
}

/// The most that one correction moves, either way.
pub const MAXIMUM_CORRECTION: Kes = Kes::new(250_000);

/// Checks the amount of a correction: positive gives, negative takes.
///
/// # Errors
/// Nothing, or too much.
pub fn check_correction(amount: Option<i64>) -> Result<Kes, CorrectionError> {
    let most = MAXIMUM_CORRECTION.get();
    let amount = amount.filter(|amount| *amount != 0 && (-most..=most).contains(amount));
    amount.map(Kes::new).ok_or(CorrectionError::Amount)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    fn kes(amount: i64) -> Kes {
        Kes::new(amount)
    }

    #[rstest]
    #[case::covered(100, 250, true, (100, 0, 0))]
    #[case::just_covered(100, 100, false, (100, 0, 0))]
    #[case::owed(100, 30, true, (30, 70, 0))]
    #[case::lost(100, 30, false, (30, 0, 70))]
    #[case::nothing_left(100, 0, true, (0, 100, 0))]
    fn the_wallet_covers_what_it_can(
        #[case] amount: i64,
        #[case] balance: i64,
        #[case] owes: bool,
        #[case] (wallet, debt, loss): (i64, i64, i64),
    ) {
        let taken = Taken::of(kes(amount), kes(balance), owes);
        assert_eq!(taken, Taken { wallet: kes(wallet), debt: kes(debt), loss: kes(loss) });
        assert_eq!(taken.amount(), kes(amount));
    }

    proptest! {
        /// Whatever is taken and comes in, in whatever order: with a debt there is nothing in the wallet, and
        /// neither is below zero.
        #[test]
        fn a_debt_leaves_nothing_in_the_wallet(moves in proptest::collection::vec((any::<bool>(), 1..500_i64), 0..40)) {
            let (mut balance, mut debt) = (Kes::ZERO, Kes::ZERO);
            for (takes, amount) in moves {
                if takes {
                    let taken = Taken::of(kes(amount), balance, true);
                    (balance, debt) = (balance - taken.wallet, debt + taken.debt);
                } else {
                    balance = balance + kes(amount);
                }
                let paid = paid_at_once(debt, balance);
                (balance, debt) = (balance - paid, debt - paid);
                prop_assert!(balance >= Kes::ZERO && debt >= Kes::ZERO);
                prop_assert!(balance == Kes::ZERO || debt == Kes::ZERO);
            }
        }
    }

    #[rstest]
    #[case::large(Some(10_001), 99, true)]
    #[case::at_the_threshold(Some(10_000), 10, false)]
    #[case::drawn(Some(50), 9, true)]
    #[case::from_before(None, 99, true)]
    fn large_ones_are_asked_about_and_a_sample(
        #[case] amount: Option<i64>,
        #[case] lot: u8,
        #[case] asked: bool,
    ) {
        assert_eq!(is_asked_about(amount.map(Kes::new), kes(10_000), 10, lot), asked);
        assert!(is_asked_about(amount.map(Kes::new), kes(10_000), 100, lot), "all of them");
    }

    #[test]
    fn who_owes_reads_how_much_and_how_it_is_paid() {
        assert_eq!(check_debt(Kes::ZERO), Ok(()));
        let text = check_debt(kes(1200)).unwrap_err().to_string();
        assert!(text.contains("You owe KSh 1,200") && text.contains("Deposit it first"), "{text}");
    }

    #[rstest]
    #[case(None, false)]
    #[case(Some(0), false)]
    #[case(Some(1), true)]
    #[case(Some(-250_000), true)]
    #[case(Some(250_001), false)]
    #[case(Some(-250_001), false)]
    #[case(Some(i64::MIN), false)]
    fn a_correction_is_of_something(#[case] amount: Option<i64>, #[case] sound: bool) {
        assert_eq!(check_correction(amount).is_ok(), sound);
    }
}
