//! Withdrawals: `WITHDRAWAL#id/WITHDRAWAL`. The money leaves the wallet in the transaction that makes the request
//! (`requests`); done and rejected are conditional on pending, so each ends once (`endings`). How one is paid by M-Pesa
//! stands in `payouts`, and what M-Pesa says of one that has ended in `corrections`.

pub mod corrections;
pub(crate) mod endings;
pub mod payouts;
pub mod requests;

use domain::{
    Kes, MpesaPhone, UserId, Username,
    ledger::taxes::{Withheld, amount_of},
    withdrawals::requests::{Flag, PayoutCorrection, PayoutState, WithdrawalStatus},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{AdminDecision, platform::table::Key};

/// They have ended, and an admin has to look into them.
const CONTESTED: &str = "WITHDRAWALS#contested";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Withdrawal {
    pub id: String,
    pub user_id: UserId,
    pub username: Username,
    pub phone: MpesaPhone,
    /// What leaves the wallet.
    pub amount: Kes,
    /// What is kept back of it for the state, as it was when it was asked for; M-Pesa pays the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tax: Option<Withheld>,
    pub status: WithdrawalStatus,
    pub created_at: Timestamp,
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// The admin who ended it by hand.
    #[serde(default)]
    pub ended_by: Option<UserId>,
    /// Why it was rejected.
    #[serde(default)]
    pub reason: Option<String>,
    /// What an admin is to look at, as it was when it was asked for.
    #[serde(default)]
    pub flags: Vec<Flag>,
    /// Of one from before there were `flags`: to a new number, within a day of a password reset.
    #[serde(default)]
    pub flagged: bool,
    /// Not to be paid, nor marked as done, before then: in milliseconds since 1970.
    #[serde(default)]
    pub waits_until: Option<i64>,
    /// Until then, in milliseconds since 1970, a proposal waits by which it was sent by hand: nobody else pays or ends it.
    #[serde(default)]
    pub said_sent_until: Option<i64>,
    /// SHA-256 (hex) of the secret in the link that cancels it.
    #[serde(default)]
    pub cancel_hash: Option<String>,
    /// By M-Pesa, from before it is called.
    #[serde(default)]
    pub payout: Option<Payout>,
    /// What an admin has to look into, or has looked into.
    #[serde(default)]
    pub trouble: Option<String>,
    /// The worklist that it is on.
    #[serde(default, skip_serializing, rename = "listPk")]
    pub worklist: Option<String>,
    /// What M-Pesa's word has made of it after it had ended.
    #[serde(default)]
    pub corrected: Option<PayoutCorrection>,
    /// When the next question about its payout is due, in milliseconds since 1970.
    #[serde(default)]
    pub next_question: Option<i64>,
    /// How far the questions are that are asked of it after it has ended.
    #[serde(default)]
    pub recheck: Option<Recheck>,
}

impl Withdrawal {
    /// Whether it has ended and an admin has to look into it still.
    #[must_use]
    pub fn is_contested(&self) -> bool {
        self.worklist.as_deref().is_some_and(|list| list.starts_with(CONTESTED))
    }
}

/// How often M-Pesa was asked about a withdrawal that had ended, and when that was last claimed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recheck {
    pub asked: u32,
    pub at: Timestamp,
    /// The run that claimed it.
    #[serde(default)]
    pub(super) run: String,
}

/// What takes money from a player, or what has to go back into the wallet before.
#[derive(Debug, Clone)]
pub enum Taking<T> {
    /// What the player has asked for and nobody has paid covers it: it is rejected first, and then this is tried
    /// again. Nothing was written.
    First(Vec<Withdrawal>),
    Is(T),
}

/// A payout by M-Pesa. Its OriginatorConversationID is the withdrawal's id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Payout {
    pub state: PayoutState,
    /// Names the press of the button that sent it.
    pub attempt: String,
    pub sent_at: Timestamp,
    /// The admin who sent it.
    pub sent_by: UserId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation_id: Option<String>,
    /// M-Pesa's, of a payout that is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub receipt: Option<String>,
    /// Whom M-Pesa has registered under the number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipient: Option<String>,
    /// The admin's word on one that M-Pesa did not answer for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resolved: Option<AdminDecision>,
}

impl Withdrawal {
    /// What M-Pesa pays, or an admin sends by hand.
    #[must_use]
    pub fn paid_amount(&self) -> Kes {
        self.amount - self.withheld()
    }

    /// Whether its money is in the wallet again: then nothing was paid, and nothing kept back.
    #[must_use]
    pub fn has_come_back(&self) -> bool {
        match self.corrected {
            Some(correction) => correction == PayoutCorrection::Failed,
            None => self.status == WithdrawalStatus::Rejected,
        }
    }

    /// What is kept back of it.
    #[must_use]
    pub fn withheld(&self) -> Kes {
        amount_of(self.tax)
    }

    /// What an admin is to look at, as far as the withdrawal itself says it.
    #[must_use]
    pub fn flags(&self) -> Vec<Flag> {
        let before: &[Flag] = if self.flagged { &[Flag::NewNumber, Flag::AfterReset] } else { &[] };
        before.iter().chain(&self.flags).copied().collect()
    }

    /// Whether it is asked for and nothing more: no payout is sent, no admin says to have sent it, and there is no word of
    /// M-Pesa's on it.
    fn is_nobodys_yet(&self, now: Timestamp) -> bool {
        self.status == WithdrawalStatus::Pending
            && self.payout.is_none()
            && !self.is_said_sent(now)
            && self.trouble.is_none()
    }

    /// Whether an admin says that it was sent by hand, and a second one has to approve that first.
    #[must_use]
    pub fn is_said_sent(&self, now: Timestamp) -> bool {
        self.said_sent_until.is_some_and(|until| until > now.as_millisecond())
    }

    /// Until when it cannot be paid yet.
    #[must_use]
    pub fn waits_until(&self) -> Option<Timestamp> {
        self.waits_until.and_then(|millis| Timestamp::from_millisecond(millis).ok())
    }

    /// Whether it is to be paid at `now` at the earliest, or was before.
    #[must_use]
    pub fn waits(&self, now: Timestamp) -> bool {
        self.waits_until.is_some_and(|until| now.as_millisecond() < until)
    }
}

/// Its place on a list: by time.
fn position(withdrawal: &Withdrawal) -> String {
    format!("{}#{}", withdrawal.created_at, withdrawal.id)
}

pub(crate) fn key(id: &str) -> Key {
    Key::new(format!("WITHDRAWAL#{id}"), "WITHDRAWAL")
}
