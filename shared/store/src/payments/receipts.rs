//! `RECEIPT#code`: whom an M-Pesa receipt was credited to. Claimed in the transaction that credits, by
//! whatever way it comes, so that one receipt is credited once. What M-Pesa says of it at night, and that it
//! has taken the payment back, stands in the same item (`ledger::reversals`). That M-Pesa has called a receipt
//! reversed, whether or not it was credited, stands beside it: `RECEIPT#code/REVERSED`.

use domain::{Kes, UserId, ledger::postings::Posting};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

use crate::{
    Page, Store, StoreError,
    platform::{
        conditions::{absent, at_most, is_not_so, less},
        journals::{Journal, with_journal_position},
        table::Key,
        writes::{Check, Put, Update},
    },
};

/// Who holds a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Receipt {
    pub user_id: UserId,
    /// The cause of the posting that it was credited by.
    pub cause: String,
    pub at: Timestamp,
    /// What was paid, with the excise in it; not kept of those from before.
    #[serde(default)]
    pub amount: Option<Kes>,
    /// When M-Pesa was last asked about it at night, in milliseconds since 1970.
    #[serde(default)]
    pub asked_at: Option<i64>,
    /// When the last question was asked to which M-Pesa said that it stands.
    #[serde(default)]
    pub stands_at: Option<Timestamp>,
    /// M-Pesa has taken it back.
    #[serde(default)]
    pub reversal: Option<Reversal>,
}

impl Receipt {
    /// The claim of what `posting` credits to `player`.
    #[must_use]
    pub fn of(player: &UserId, posting: &Posting, at: Timestamp) -> Self {
        Self {
            user_id: player.clone(),
            cause: posting.cause().key(),
            at,
            amount: Some(posting.before_excise()),
            asked_at: None,
            stands_at: None,
            reversal: None,
        }
    }
}

/// A payment that M-Pesa has taken back: when, and what has become of its money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reversal {
    pub at: Timestamp,
    /// What came out of the player's wallet.
    pub wallet: Kes,
    /// What the player owed for it.
    pub debt: Kes,
    /// What the operator has lost.
    pub loss: Kes,
    /// What of it was excise, and is not owed to the state any more.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub excise: Kes,
}

impl Reversal {
    #[must_use]
    pub fn amount(&self) -> Kes {
        self.wallet + self.debt + self.loss + self.excise
    }
}

fn is_nothing(amount: &Kes) -> bool {
    *amount == Kes::ZERO
}

/// A receipt with its code.
#[derive(Debug, Clone, Deserialize)]
pub struct DatedReceipt {
    pk: String,
    /// Its place among the receipts of its day: what comes after it is read from here.
    #[serde(rename = "daySk")]
    pub position: String,
    #[serde(flatten)]
    pub receipt: Receipt,
}

impl DatedReceipt {
    /// M-Pesa's code.
    #[must_use]
    pub fn code(&self) -> &str {
        self.pk.strip_prefix("RECEIPT#").unwrap_or_default()
    }
}

/// What M-Pesa has said last of a receipt that it has called reversed.
#[derive(Deserialize)]
struct LastWord {
    /// `false`: it has said since that the payment is completed.
    reversed: bool,
}

pub(crate) fn key(code: &str) -> Key {
    Key::new(format!("RECEIPT#{code}"), "RECEIPT")
}

fn last_word_key(code: &str) -> Key {
    Key::new(format!("RECEIPT#{code}"), "REVERSED")
}

impl Store {
    /// The claim on a receipt, where it was credited.
    pub async fn receipt(&self, code: &str) -> Result<Option<Receipt>, StoreError> {
        self.get("receipt", key(code)).await
    }

    /// Whether M-Pesa has called a receipt reversed, and not completed since.
    pub async fn is_called_reversed(&self, code: &str) -> Result<bool, StoreError> {
        let word: Option<LastWord> = self.get("receipt's last word", last_word_key(code)).await?;
        Ok(word.is_some_and(|word| word.reversed))
    }

    /// Notes that M-Pesa calls a receipt reversed, in an answer that was heard `at`. `false`: it has called it completed since.
    pub async fn note_called_reversed(&self, code: &str, at: Timestamp) -> Result<bool, StoreError> {
        let at = at.as_millisecond();
        let update = Update::of(last_word_key(code))
            .set("reversed", true)
            .set("at", at)
            .only_if(absent("at").or(less("at", at)));
        Ok(self.update(update).await? || self.is_called_reversed(code).await?)
    }

    /// Notes that M-Pesa calls a receipt completed that it had called reversed, in the answer to a question of `asked_at`.
    /// `false`: it has called it reversed since.
    pub async fn note_called_completed(&self, code: &str, asked_at: Timestamp) -> Result<bool, StoreError> {
        let asked_at = asked_at.as_millisecond();
        let update = Update::of(last_word_key(code))
            .set("reversed", false)
            .set("at", asked_at)
            .only_if(at_most("at", asked_at));
        self.update(update).await
    }

    /// A page of the receipts that were credited on a day, oldest first.
    pub async fn receipts_of_day(
        &self,
        day: Date,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<DatedReceipt>, StoreError> {
        self.of_day("receipt", Journal::Receipts, day, after, limit).await
    }

    /// For a transaction: refused where the receipt is claimed.
    pub(crate) fn claim_receipt(&self, code: &str, receipt: &Receipt) -> Put {
        Put::new(with_journal_position(key(code).item(receipt), Journal::Receipts, receipt.at))
    }

    /// For a transaction: refused where M-Pesa has called the receipt reversed, and not completed since. That is noted before
    /// it is looked who has the receipt: so what is credited before the note is found then, and what comes after it is refused.
    pub(crate) fn not_called_reversed(&self, code: &str) -> Check {
        Check::that(last_word_key(code), is_not_so("reversed"))
    }
}
