//! Taking money back that turns out not to be the player's: M-Pesa has reversed a payment, or paid what had
//! gone back into the wallet, or an admin corrects an account (docs/decisions.md, "What is taken back").
//!
//! The wallet covers what it can and is never below zero. What is missing is owed by the player only where
//! the money came from the player's own number: nobody is made to owe for what somebody else may have done.
//! A debt is paid first by whatever comes into the wallet, so with one there is nothing in the wallet.

use std::fmt;

use crate::Kes;

/// Where what is taken back comes from; each is at least 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenBack {
    /// Out of the wallet.
    pub wallet: Kes,
    /// Owed by the player from now on.
    pub debt: Kes,
    /// The operator's loss.
    pub loss: Kes,
}

impl TakenBack {
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

/// Where the money of a payment is that made no entry, where nothing was owed.
pub const IN_THE_WALLET: &str = "Your money is in your wallet.";

/// What became of a deposit by a player who owed something; the text is what the player reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TowardsDebt {
    paid: Kes,
    left: Kes,
}

impl TowardsDebt {
    /// How a deposit pays a `debt`; `deposited` is what is left of the deposit after excise. `None`: nothing is owed.
    #[must_use]
    pub fn of(deposited: Kes, debt: Kes) -> Option<Self> {
        let paid = paid_at_once(debt, deposited);
        paid.is_positive().then_some(Self { paid, left: deposited - paid })
    }
}

impl fmt::Display for TowardsDebt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { paid, left } = self;
        if left.is_positive() {
            write!(f, "{paid} of this payment has gone towards what you owed, {left} is in your wallet.")
        } else {
            write!(f, "This payment has gone towards what you owed.")
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(200, 0, None)]
    #[case(200, 250, Some("This payment has gone towards what you owed."))]
    #[case(200, 200, Some("This payment has gone towards what you owed."))]
    #[case(
        200,
        50,
        Some("KSh 50 of this payment has gone towards what you owed, KSh 150 is in your wallet.")
    )]
    fn a_deposit_says_what_it_paid_of_a_debt(
        #[case] deposited: i64,
        #[case] debt: i64,
        #[case] text: Option<&str>,
    ) {
        let told = TowardsDebt::of(kes(deposited), kes(debt)).map(|told| told.to_string());
        assert_eq!(told.as_deref(), text);
    }

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
        let taken = TakenBack::of(kes(amount), kes(balance), owes);
        assert_eq!(taken, TakenBack { wallet: kes(wallet), debt: kes(debt), loss: kes(loss) });
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
                    let taken = TakenBack::of(kes(amount), balance, true);
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

    #[test]
    fn who_owes_reads_how_much_and_how_it_is_paid() {
        assert_eq!(check_debt(Kes::ZERO), Ok(()));
        let text = check_debt(kes(1200)).unwrap_err().to_string();
        assert!(text.contains("You owe KSh 1,200") && text.contains("Deposit it first"), "{text}");
    }
}
