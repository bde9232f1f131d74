//! What M-Pesa says of typed codes.

use aws_sdk_dynamodb::{operation::update_item::builders::UpdateItemFluentBuilder, types::AttributeValue};
use domain::payments::{typed_code::Status, typed_code_check::Answered};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::key;
use crate::{
    Store, StoreError,
    platform::table::{conditional, n, s},
};

/// M-Pesa's answer about a code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KnownCode {
    pub answered: Answered,
    /// Whom M-Pesa names as the payer.
    #[serde(default)]
    pub payer_name: Option<String>,
    /// When it was answered.
    pub at: Timestamp,
}

impl Store {
    /// Notes what M-Pesa answered about a code that waits.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_known_code(&self, id: &str, known: &KnownCode) -> Result<(), StoreError> {
        let known = serde_dynamo::to_attribute_value(known)
            .map_err(|source| StoreError::Corrupt { entity: "known code", source })?;
        let update = self
            .update_waiting_code(id)
            .update_expression("SET known = :known")
            .condition_expression("#status = :pending")
            .expression_attribute_values(":known", known);
        conditional(update).await.map(drop)
    }

    /// Takes on a question to M-Pesa about a code that waits. `false`: it was asked about after `since`.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn take_on_code_question(
        &self,
        id: &str,
        now: Timestamp,
        since: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = self
            .update_waiting_code(id)
            .update_expression("SET askedAt = :now")
            .condition_expression(
                "#status = :pending AND (attribute_not_exists(askedAt) OR askedAt <= :since)",
            )
            .expression_attribute_values(":now", n(now.as_millisecond()))
            .expression_attribute_values(":since", n(since.as_millisecond()));
        conditional(update).await
    }

    /// Notes that no further look at a code is wanted, unless a later one is taken on.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn end_typed_code_checks(&self, id: &str, now: Timestamp) -> Result<(), StoreError> {
        let update = self
            .update_waiting_code(id)
            .update_expression("SET looksOver = :yes")
            .condition_expression(
                "#status = :pending AND (attribute_not_exists(nextLook) OR nextLook <= :now)",
            )
            .expression_attribute_values(":yes", AttributeValue::Bool(true))
            .expression_attribute_values(":now", n(now.as_millisecond()));
        conditional(update).await.map(drop)
    }

    /// Takes on the next check of a code, due after `pause`. `false`: a later one is taken on already, or
    /// it does not wait any more.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn take_on_typed_code_check(
        &self,
        id: &str,
        now: Timestamp,
        pause: SignedDuration,
    ) -> Result<bool, StoreError> {
        let update = self
            .update_waiting_code(id)
            .update_expression("SET nextLook = :next REMOVE looksOver")
            .condition_expression(
                "#status = :pending AND (attribute_not_exists(nextLook) OR nextLook <= :now)",
            )
            .expression_attribute_values(":next", n((now + pause).as_millisecond()))
            .expression_attribute_values(":now", n(now.as_millisecond()));
        conditional(update).await
    }

    /// An update of a code, for a condition that begins with its waiting: `#status = :pending`.
    fn update_waiting_code(&self, id: &str) -> UpdateItemFluentBuilder {
        self.client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(id).attributes()))
            .expression_attribute_names("#status", "status")
            .expression_attribute_values(":pending", s(Status::Pending.into_str()))
    }
}
