//! The link for a new password: `USER#id/RESET`, one a player at most, so that a newer one takes the
//! place of the older. Only the SHA-256 of its secret is kept; it is used once.

use domain::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::{
        keys::{partition, profile_key, secret_key},
        players::Secret,
    },
    platform::{
        conditions::{absent, exists, is},
        table::Key,
        transaction::Transaction,
        writes::{Put, Update},
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
    pub async fn put_reset(&self, player: &UserId, reset: &Reset) -> Result<(), StoreError> {
        self.put(key(player).item(reset)).await
    }

    pub async fn reset(&self, player: &UserId) -> Result<Option<Reset>, StoreError> {
        self.get("reset", key(player)).await
    }

    /// Uses `reset` up, sets the password and counts the reset on the profile, which ends every
    /// session from before: all or nothing. `false`: it was used, or replaced, meanwhile.
    pub async fn use_reset(
        &self,
        player: &UserId,
        reset: &Reset,
        password_hash: &str,
        at: Timestamp,
    ) -> Result<bool, StoreError> {
        let secret = Secret { password_hash: password_hash.to_owned(), reset_at: Some(at) };
        let used = Update::of(key(player))
            .set("usedAt", at)
            .only_if(is("tokenHash", &reset.token_hash))
            .only_if(absent("usedAt"));
        let counted = Update::of(profile_key(player))
            .set("passwordResetAt", at)
            .add("passwordResets", 1)
            .only_if(exists("pk"));
        let mut transaction = Transaction::new();
        transaction.update(used, ()).update(counted, ()).put(Put::over(secret_key(player).item(&secret)), ());
        self.commit_all(transaction).await
    }
}
