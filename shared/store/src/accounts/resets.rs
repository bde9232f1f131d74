//! The link for a new password: `USER#id/RESET`, one a player at most, so that a newer one takes the
//! place of the older. Only the SHA-256 of its secret is kept; it is used once.

use aws_sdk_dynamodb::types::{Put, Update};
use domain::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::players::{Secret, partition, profile_key, secret_key},
    platform::{
        table::{Key, n, s},
        transaction::{Outcome, Transaction},
    },
};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reset {
    /// SHA-256 (hex) of the secret in the link.
    pub token_hash: String,
    pub expires_at: Timestamp,
    #[serde(default)]
    pub used_at: Option<Timestamp>,
    /// When DynamoDB may delete it (seconds since 1970). Expiry is checked as well: TTL is late.
    pub ttl: i64,
}

fn key(player: &UserId) -> Key {
    Key::new(partition(player), "RESET")
}

impl Store {
    /// Puts `reset` in the place of the one before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn put_reset(&self, player: &UserId, reset: &Reset) -> Result<(), StoreError> {
        self.put(key(player).item(reset)).await
    }

    /// # Errors
    /// The table is not answering.
    pub async fn reset(&self, player: &UserId) -> Result<Option<Reset>, StoreError> {
        self.get("reset", key(player)).await
    }

    /// Uses `reset` up, sets the password and counts the reset on the profile, which ends every
    /// session from before: all or nothing. `false`: it was used, or replaced, meanwhile.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn use_reset(
        &self,
        player: &UserId,
        reset: &Reset,
        password_hash: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let secret = Secret { password_hash: password_hash.to_owned() };
        let secret = Put::builder().table_name(&self.name).set_item(Some(secret_key(player).item(&secret)));
        let used = self
            .update_of(key(player))
            .update_expression("SET usedAt = :at")
            .condition_expression("tokenHash = :seen AND attribute_not_exists(usedAt)")
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":seen", s(&reset.token_hash));
        let counted = self
            .update_of(profile_key(player))
            .update_expression("SET passwordResetAt = :at ADD passwordResets :one")
            .condition_expression("attribute_exists(pk)")
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":one", n(1));
        let complete = "table, key or item, and expression are given";
        let mut transaction = Transaction::new();
        transaction
            .update(used.build().expect(complete), ())
            .update(counted.build().expect(complete), ())
            .put(secret.build().expect(complete), ());
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    fn update_of(&self, key: Key) -> aws_sdk_dynamodb::types::builders::UpdateBuilder {
        Update::builder().table_name(&self.name).set_key(Some(key.attributes()))
    }
}
