//! What M-Pesa last said is in our accounts: `FLOAT/FLOAT`. An answer counts only where it is the answer
//! to the question that was asked last.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    sessions::conditional,
    table::{Key, s},
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
            .update_expression("SET accounts = :accounts, asOf = :at")
            .condition_expression("question = :question")
            .expression_attribute_values(":accounts", accounts)
            .expression_attribute_values(":question", s(question))
            .expression_attribute_values(":at", s(at.to_string()));
        conditional(update).await
    }
}
