//! Why money moved: a posting's key is made from its cause, so that one cause is booked at most once.

use crate::GameweekId;

/// Why money moved. [`Cause::key`] is the posting's key: booked once, whoever tries how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    Deposit {
        payment_id: String,
    },
    /// A receipt's code that a player typed, credited by a machine or an admin.
    TypedCode {
        code: String,
    },
    /// A payment to the paybill with the player's own account there.
    PaybillPayment {
        code: String,
    },
    Entry {
        gameweek: GameweekId,
    },
    Prize {
        gameweek: GameweekId,
        league: String,
    },
    Refund {
        gameweek: GameweekId,
    },
    WithdrawalRequested {
        withdrawal: String,
    },
    WithdrawalDone {
        withdrawal: String,
    },
    WithdrawalRejected {
        withdrawal: String,
    },
    /// Fee and remainder of a league, when its settlement is recorded.
    LeagueFee {
        gameweek: GameweekId,
        league: String,
    },
    /// M-Pesa has taken a payment back.
    Reversal {
        receipt: String,
    },
    /// By an admin, or by what M-Pesa says of a payout that had ended otherwise.
    Correction {
        id: String,
    },
    /// What a player owed, paid out of what the posting `of` brought.
    DebtPaid {
        of: String,
    },
}

impl Cause {
    #[must_use]
    pub fn key(&self) -> String {
        match self {
            Self::Deposit { payment_id } => format!("deposit#{payment_id}"),
            Self::TypedCode { code } => format!("manual#{code}"),
            Self::PaybillPayment { code } => format!("paybill#{code}"),
            Self::Entry { gameweek } => format!("entry#{gameweek}"),
            Self::Prize { league, .. } => format!("prize#{league}"),
            Self::Refund { gameweek } => format!("refund#{gameweek}"),
            Self::WithdrawalRequested { withdrawal } => format!("withdrawal#{withdrawal}"),
            Self::WithdrawalDone { withdrawal } => format!("withdrawal-done#{withdrawal}"),
            Self::WithdrawalRejected { withdrawal } => format!("withdrawal-rejected#{withdrawal}"),
            Self::LeagueFee { league, .. } => format!("fee#{league}"),
            Self::Reversal { receipt } => format!("reversal#{receipt}"),
            Self::Correction { id } => format!("correction#{id}"),
            Self::DebtPaid { of } => format!("debt-paid#{of}"),
        }
    }

    /// The word a player reads in the list of movements.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Deposit { .. } => "deposit",
            Self::TypedCode { .. } => "manual",
            Self::PaybillPayment { .. } => "paybill",
            Self::Entry { .. } => "entry",
            Self::Prize { .. } => "prize",
            Self::Refund { .. } => "refund",
            Self::WithdrawalRequested { .. } => "withdrawal",
            Self::WithdrawalDone { .. } => "withdrawal-done",
            Self::WithdrawalRejected { .. } => "withdrawal-rejected",
            Self::LeagueFee { .. } => "fee",
            Self::Reversal { .. } => "reversal",
            Self::Correction { .. } => "correction",
            Self::DebtPaid { .. } => "debt-paid",
        }
    }
}
