//! Idempotency keys: `USER#id` / `KEY#<call>#<hash>` (TTL), written in the transaction of what they
//! stand for, so that a request that acted is found by its key, and one that did not is not.

use domain::{
    UserId,
    platform::idempotency::{self, KeyedCall},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::keys::partition,
    platform::{
        conditions::{absent, is},
        table::Key,
        writes::{Put, Update},
    },
};

/// What a key is bound to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Bound {
    /// What the request made: a payment's or a withdrawal's id.
    pub id: String,
    /// SHA-256 (hex) of the request's body in canonical form.
    pub body_hash: String,
    pub at: Timestamp,
    /// The request was refused in the end: the next one with this key acts.
    #[serde(default)]
    pub released: bool,
    /// When DynamoDB may delete it (seconds since 1970). Checked by the clock as well.
    pub ttl: i64,
}

/// A key that is to be bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    pub player: UserId,
    pub call: KeyedCall,
    /// SHA-256 (hex) of the key.
    pub key_hash: String,
    pub body_hash: String,
    /// What the key was bound to before and is not any more.
    pub instead_of: Option<String>,
}

impl Binding {
    fn key(&self) -> Key {
        key(&self.player, self.call, &self.key_hash)
    }
}

fn key(player: &UserId, call: KeyedCall, key_hash: &str) -> Key {
    Key::new(partition(player), format!("KEY#{}#{key_hash}", call.into_str()))
}

impl Store {
    /// What a player's key was last bound to, whether it still is or not.
    pub async fn bound(
        &self,
        player: &UserId,
        call: KeyedCall,
        key_hash: &str,
    ) -> Result<Option<Bound>, StoreError> {
        self.get("idempotency key", key(player, call, key_hash)).await
    }

    /// Binds the key to `id`, for the transaction that makes `id`. Refused where another request has
    /// bound it meanwhile.
    pub(crate) fn bind(&self, binding: &Binding, id: &str, at: Timestamp) -> Put {
        let bound = Bound {
            id: id.to_owned(),
            body_hash: binding.body_hash.clone(),
            at,
            released: false,
            ttl: (at + idempotency::LIFETIME).as_second(),
        };
        let put = Put::over(binding.key().item(&bound));
        match &binding.instead_of {
            None => put.only_if(absent("pk")),
            Some(seen) => put.only_if(absent("pk").or(is("id", seen))),
        }
    }

    /// Lets the key go again: what it was bound to was refused in the end.
    pub async fn release(&self, binding: &Binding, id: &str) -> Result<(), StoreError> {
        let update = Update::of(binding.key()).set("released", true).only_if(is("id", id));
        self.update(update).await.map(drop)
    }
}
