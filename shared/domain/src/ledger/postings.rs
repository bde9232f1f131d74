//! The double-entry ledger: every movement of money is one posting whose legs sum to zero, under a
//! key made from its cause, so that one cause is booked at most once.
//!
//! Signs: a leg is what an account gains. A player's wallet is what the operator owes them; `mpesa`
//! accounts run the other way (money that came in is negative), so the books sum to zero.

use std::fmt;

use serde::{Deserialize, Serialize};

pub use super::causes::Cause;
use super::taking_back::TakenBack;
use crate::{EntryAmount, GameweekId, Kes, UserId, payments::typed_code::ReceiptCode};

/// The account of the tax that is kept back of withdrawals.
pub const WITHHOLDING: &str = "tax:withholding";
/// The account of the tax on deposits.
pub const EXCISE: &str = "tax:excise";

/// Whose money. Only wallets and players' debts are stored as balances; the operator's accounts are sums of postings.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Account {
    Wallet(UserId),
    /// What M-Pesa took in for us.
    MpesaIn,
    /// What M-Pesa paid out for us.
    MpesaOut,
    /// Entries of a gameweek that are not paid out yet.
    Pot(GameweekId),
    /// The operator's share.
    Fees,
    /// What did not divide among winners.
    Rounding,
    /// Withdrawals that were asked for and are not done.
    Withdrawals,
    /// What was kept back of withdrawals for the state: the operator owes it.
    Withholding,
    /// What of deposits is the state's: the operator owes it.
    Excise,
    /// What a player owes us (negative): what was taken back and was not in the wallet any more.
    Debt(UserId),
    /// What was taken back, or paid twice, and nobody has to make good but the operator (negative).
    Losses,
    /// The other side of what admins correct by hand.
    Corrections,
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wallet(player) => write!(f, "wallet:{player}"),
            Self::MpesaIn => f.write_str("mpesa:in"),
            Self::MpesaOut => f.write_str("mpesa:out"),
            Self::Pot(gameweek) => write!(f, "pot:{gameweek}"),
            Self::Fees => f.write_str("fees"),
            Self::Rounding => f.write_str("rounding"),
            Self::Withdrawals => f.write_str("withdrawals"),
            Self::Withholding => f.write_str(WITHHOLDING),
            Self::Excise => f.write_str(EXCISE),
            Self::Debt(player) => write!(f, "debt:{player}"),
            Self::Losses => f.write_str("losses"),
            Self::Corrections => f.write_str("corrections"),
        }
    }
}

/// What one account gains (or, negative, gives) in a posting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leg {
    pub account: String,
    pub amount: Kes,
}

/// One movement of money. Its legs sum to zero: there is no other way to make one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    cause: Cause,
    legs: Vec<Leg>,
    player: Option<UserId>,
}

impl Posting {
    /// M-Pesa took `amount` in for `player`.
    #[must_use]
    pub fn deposit(player: &UserId, payment_id: &str, amount: Kes) -> Self {
        let cause = Cause::Deposit { payment_id: payment_id.to_owned() };
        Self::of_player(player, cause, Account::MpesaIn, amount)
    }

    /// M-Pesa took `amount` in for `player`, who typed its receipt's `code`.
    #[must_use]
    pub fn typed_code(player: &UserId, code: &ReceiptCode, amount: Kes) -> Self {
        let cause = Cause::TypedCode { code: code.to_string() };
        Self::of_player(player, cause, Account::MpesaIn, amount)
    }

    /// M-Pesa took `amount` in for `player`, whose account at the paybill its payer entered.
    #[must_use]
    pub fn paybill_payment(player: &UserId, code: &ReceiptCode, amount: Kes) -> Self {
        let cause = Cause::PaybillPayment { code: code.to_string() };
        Self::of_player(player, cause, Account::MpesaIn, amount)
    }

    /// `player` entered `gameweek`: their money lies in its pot.
    #[must_use]
    pub fn entry(player: &UserId, gameweek: GameweekId, amount: EntryAmount) -> Self {
        Self::of_player(player, Cause::Entry { gameweek }, Account::Pot(gameweek), -amount.kes())
    }

    /// `player` won `amount` in `league`.
    #[must_use]
    pub fn prize(player: &UserId, gameweek: GameweekId, league: &str, amount: Kes) -> Self {
        let cause = Cause::Prize { gameweek, league: league.to_owned() };
        Self::of_player(player, cause, Account::Pot(gameweek), amount)
    }

    /// `player` gets an entry back.
    #[must_use]
    pub fn refund(player: &UserId, gameweek: GameweekId, amount: Kes) -> Self {
        Self::of_player(player, Cause::Refund { gameweek }, Account::Pot(gameweek), amount)
    }

    /// `player` asked for `amount`: it leaves the wallet at once.
    #[must_use]
    pub fn withdrawal_requested(player: &UserId, withdrawal: &str, amount: Kes) -> Self {
        let cause = Cause::WithdrawalRequested { withdrawal: withdrawal.to_owned() };
        Self::of_player(player, cause, Account::Withdrawals, -amount)
    }

    /// The money has reached the player's phone. Moves nothing in the wallet.
    #[must_use]
    pub fn withdrawal_done(withdrawal: &str, amount: Kes) -> Self {
        let cause = Cause::WithdrawalDone { withdrawal: withdrawal.to_owned() };
        Self::new(cause, None, vec![(Account::Withdrawals, -amount), (Account::MpesaOut, amount)])
    }

    /// The withdrawal was refused: the money is back in the wallet.
    #[must_use]
    pub fn withdrawal_rejected(player: &UserId, withdrawal: &str, amount: Kes) -> Self {
        let cause = Cause::WithdrawalRejected { withdrawal: withdrawal.to_owned() };
        Self::of_player(player, cause, Account::Withdrawals, amount)
    }

    /// The operator's fee and the remainder of a league. `None` where both are nothing.
    #[must_use]
    pub fn league_fee(gameweek: GameweekId, league: &str, fee: Kes, rounding: Kes) -> Option<Self> {
        let cause = Cause::LeagueFee { gameweek, league: league.to_owned() };
        let legs = vec![
            (Account::Pot(gameweek), -(fee + rounding)),
            (Account::Fees, fee),
            (Account::Rounding, rounding),
        ];
        (fee + rounding != Kes::ZERO).then(|| Self::new(cause, None, legs))
    }

    /// M-Pesa has taken back what it had received under `receipt`.
    #[must_use]
    pub fn reversal(player: &UserId, receipt: &str, taken: TakenBack) -> Self {
        let cause = Cause::Reversal { receipt: receipt.to_owned() };
        Self::taken_back(player, cause, Account::MpesaIn, taken)
    }

    /// M-Pesa has paid what had gone back into the wallet: it is taken out of it again.
    #[must_use]
    pub fn paid_after_all(player: &UserId, withdrawal: &str, taken: TakenBack) -> Self {
        let cause = Cause::Correction { id: format!("{withdrawal}-paid") };
        Self::taken_back(player, cause, Account::MpesaOut, taken)
    }

    /// M-Pesa has paid what was marked as done by hand: the money is out twice.
    #[must_use]
    pub fn paid_twice(withdrawal: &str, amount: Kes) -> Self {
        let cause = Cause::Correction { id: format!("{withdrawal}-twice") };
        Self::new(cause, None, vec![(Account::Losses, -amount), (Account::MpesaOut, amount)])
    }

    /// M-Pesa has not paid what counted as paid: the money is in the wallet again.
    #[must_use]
    pub fn failed_after_all(player: &UserId, withdrawal: &str, amount: Kes) -> Self {
        let cause = Cause::Correction { id: format!("{withdrawal}-failed") };
        Self::of_player(player, cause, Account::MpesaOut, amount)
    }

    /// An admin gives `amount` to `player`.
    #[must_use]
    pub fn correction_up(player: &UserId, id: &str, amount: Kes) -> Self {
        let cause = Cause::Correction { id: id.to_owned() };
        Self::of_player(player, cause, Account::Corrections, amount)
    }

    /// An admin takes from `player` what should not be theirs.
    #[must_use]
    pub fn correction_down(player: &UserId, id: &str, taken: TakenBack) -> Self {
        let cause = Cause::Correction { id: id.to_owned() };
        Self::taken_back(player, cause, Account::Corrections, taken)
    }

    /// `player` pays `amount` of what they owe, out of what the posting `of` has brought.
    #[must_use]
    pub fn debt_paid(player: &UserId, of: &Cause, amount: Kes) -> Self {
        let cause = Cause::DebtPaid { of: of.key() };
        Self::of_player(player, cause, Account::Debt(player.clone()), -amount)
    }

    #[must_use]
    pub fn cause(&self) -> &Cause {
        &self.cause
    }

    #[must_use]
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// What the player's wallet gains (negative: gives).
    #[must_use]
    pub fn wallet_change(&self) -> Kes {
        self.change_of(Account::Wallet)
    }

    /// The same before excise: of a deposit what was paid.
    #[must_use]
    pub fn before_excise(&self) -> Kes {
        self.wallet_change() + self.on(EXCISE)
    }

    /// By how much the player owes more (negative: less).
    #[must_use]
    pub fn debt_change(&self) -> Kes {
        -self.change_of(Account::Debt)
    }

    fn change_of(&self, account: fn(UserId) -> Account) -> Kes {
        let Some(player) = &self.player else { return Kes::ZERO };
        self.on(&account(player.clone()).to_string())
    }

    fn on(&self, account: &str) -> Kes {
        self.legs.iter().filter(|leg| leg.account == account).map(|leg| leg.amount).sum()
    }

    pub(super) fn player(&self) -> Option<&UserId> {
        self.player.as_ref()
    }

    /// The same, where `amount` of what `from` would gain is another account's.
    pub(super) fn moved(self, from: &Account, to: &Account, amount: Kes) -> Self {
        let mut legs = self.legs;
        for (account, more) in [(from, -amount), (to, amount)] {
            let account = account.to_string();
            match legs.iter().position(|leg| leg.account == account) {
                Some(at) => legs[at].amount = legs[at].amount + more,
                None => legs.push(Leg { account, amount: more }),
            }
        }
        legs.retain(|leg| leg.amount != Kes::ZERO);
        Self { legs, ..self }
    }

    /// `to` gets back what `taken` says, from where it says.
    fn taken_back(player: &UserId, cause: Cause, to: Account, taken: TakenBack) -> Self {
        let legs = vec![
            (Account::Wallet(player.clone()), -taken.wallet),
            (Account::Debt(player.clone()), -taken.debt),
            (Account::Losses, -taken.loss),
            (to, taken.amount()),
        ];
        Self::new(cause, Some(player.clone()), legs)
    }

    fn of_player(player: &UserId, cause: Cause, other: Account, gains: Kes) -> Self {
        let legs = vec![(Account::Wallet(player.clone()), gains), (other, -gains)];
        Self::new(cause, Some(player.clone()), legs)
    }

    fn new(cause: Cause, player: Option<UserId>, legs: Vec<(Account, Kes)>) -> Self {
        let legs: Vec<Leg> = legs
            .into_iter()
            .filter(|(_, amount)| *amount != Kes::ZERO)
            .map(|(account, amount)| Leg { account: account.to_string(), amount })
            .collect();
        let sum: Kes = legs.iter().map(|leg| leg.amount).sum();
        assert_eq!(sum, Kes::ZERO, "the legs of a posting sum to zero");
        Self { cause, legs, player }
    }
}

#[cfg(test)]
#[path = "postings_tests.rs"]
mod tests;
