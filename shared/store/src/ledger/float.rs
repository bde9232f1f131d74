//! What M-Pesa last said is in our accounts: `FLOAT/FLOAT`. An answer counts only where it is the answer
//! to the question that was asked last.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, is, less_than_attribute},
        table::Key,
        writes::Update,
    },
};

/// The accounts as of an instant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Float {
    /// The question that was asked last.
    pub question: String,
    pub asked_at: Timestamp,
    /// What was answered last, where anything was.
    #[serde(default)]
    pub accounts: Vec<FloatAccount>,
    #[serde(default)]
    pub as_of: Option<Timestamp>,
    /// The last question whose answer could not be read.
    #[serde(default)]
    pub unread: Option<String>,
}

impl Float {
    /// The accounts, where the last question was answered.
    #[must_use]
    pub fn balances(&self) -> Option<(Timestamp, &[FloatAccount])> {
        let as_of = self.as_of.filter(|as_of| *as_of >= self.asked_at && !self.is_unread())?;
        Some((as_of, &self.accounts))
    }

    /// Whether the answer to the last question could not be read.
    #[must_use]
    pub fn is_unread(&self) -> bool {
        self.unread.as_ref() == Some(&self.question)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloatAccount {
    /// "Utility Account", for one.
    pub account: String,
    /// In KES cents.
    pub cents: i64,
}

fn key() -> Key {
    Key::new("FLOAT", "FLOAT")
}

impl Store {
    pub async fn float(&self) -> Result<Option<Float>, StoreError> {
        self.get("float", key()).await
    }

    /// Notes that `question` is asked now; what was answered before stays.
    pub async fn note_float_question(&self, question: &str, at: Timestamp) -> Result<(), StoreError> {
        let update = Update::of(key()).set("question", question).set("askedAt", at);
        self.update(update).await.map(drop)
    }

    /// Notes that the answer to `question` could not be read; what was known stays, and an answer to it that
    /// could be read.
    pub async fn note_unread_float(&self, question: &str) -> Result<(), StoreError> {
        let update = Update::of(key())
            .set("unread", question)
            .only_if(is("question", question))
            .only_if(absent("asOf").or(less_than_attribute("asOf", "askedAt")));
        self.update(update).await.map(drop)
    }

    /// Keeps the answer to `question`. `false`: another one has been asked since.
    pub async fn note_float(
        &self,
        question: &str,
        accounts: &[FloatAccount],
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key())
            .set("accounts", accounts)
            .set("asOf", at)
            .remove("unread")
            .only_if(is("question", question));
        self.update(update).await
    }
}
