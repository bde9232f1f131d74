//! What M-Pesa last said is in our accounts: `FLOAT/FLOAT`. An answer counts only where it is the answer
//! to the question that was asked last.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::table::{Key, conditional, s},
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
    pub fn told(&self) -> Option<(Timestamp, &[FloatAccount])> {
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
    /// # Errors
    /// The table is not answering.
    pub async fn float(&self) -> Result<Option<Float>, StoreError> {
        self.get("float", key()).await
    }

    /// Notes that `question` is asked now; what was answered before stays.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_float_question(&self, question: &str, at: Timestamp) -> Result<(), StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .update_expression("SET question = :question, askedAt = :at")
            .expression_attribute_values(":question", s(question))
            .expression_attribute_values(":at", s(at.to_string()));
        conditional(update).await.map(drop)
    }

    /// Notes that the answer to `question` could not be read; what was known stays, and an answer to it that
    /// could be read.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_unread_float(&self, question: &str) -> Result<(), StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .update_expression("SET unread = :question")
            .condition_expression("question = :question AND (attribute_not_exists(asOf) OR asOf < askedAt)")
            .expression_attribute_values(":question", s(question));
        conditional(update).await.map(drop)
    }

    /// Keeps the answer to `question`. `false`: another one has been asked since.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_float(
        &self,
        question: &str,
        accounts: &[FloatAccount],
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let accounts = serde_dynamo::to_attribute_value(accounts)
            .map_err(|source| StoreError::Corrupt { entity: "float", source })?;
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .update_expression("SET accounts = :accounts, asOf = :at REMOVE unread")
            .condition_expression("question = :question")
            .expression_attribute_values(":accounts", accounts)
            .expression_attribute_values(":question", s(question))
            .expression_attribute_values(":at", s(at.to_string()));
        conditional(update).await
    }
}
