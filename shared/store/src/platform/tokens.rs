//! M-Pesa's access token, `TOKEN#daraja`: one for all functions, since each sign-in ends the token
//! before it (docs/daraja.md).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, is, less},
        table::Key,
        writes::Update,
    },
};

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SharedToken {
    pub token: String,
    /// From here on it is renewed, well before it ends.
    pub renew_at: Timestamp,
    /// The beginning of time for one that an older version kept.
    pub signed_in_at: Timestamp,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Stored {
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    renew_at: Option<Timestamp>,
    #[serde(default)]
    signed_in_at: Option<Timestamp>,
    /// Who is renewing it.
    #[serde(default)]
    renewal: Option<String>,
}

fn key() -> Key {
    Key::new("TOKEN#daraja", "TOKEN")
}

impl Store {
    pub async fn daraja_token(&self) -> Result<Option<SharedToken>, StoreError> {
        let stored: Option<Stored> = self.get("token", key()).await?;
        Ok(stored.and_then(|stored| {
            let (token, renew_at) = stored.token.zip(stored.renew_at)?;
            let signed_in_at = stored.signed_in_at.unwrap_or(Timestamp::UNIX_EPOCH);
            Some(SharedToken { token, renew_at, signed_in_at })
        }))
    }

    /// Takes on the renewal of the token that was seen, until `until`, under an id of the caller's: one
    /// function signs in, the others wait for what it writes. `false`: another one has taken it on, or has done it.
    pub async fn claim_daraja_renewal(
        &self,
        renewal: &str,
        seen: Option<&SharedToken>,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key())
            .set("renewingUntil", until.as_millisecond())
            .set("renewal", renewal)
            .only_if(match seen {
                None => absent("token"),
                Some(seen) => is("token", &seen.token),
            })
            .only_if(absent("renewingUntil").or(less("renewingUntil", now.as_millisecond())));
        if self.update(update).await? {
            return Ok(true);
        }
        // A reply that was lost looks like a refusal: whose renewal is there decides.
        let there: Option<Stored> = self.get("token", key()).await?;
        Ok(there.and_then(|stored| stored.renewal).as_deref() == Some(renewal))
    }

    /// Keeps the token of a sign-in and ends its renewal; without one it only ends the renewal.
    pub async fn end_daraja_renewal(
        &self,
        renewal: &str,
        next: Option<&SharedToken>,
    ) -> Result<(), StoreError> {
        let mut update =
            Update::of(key()).remove("renewingUntil").remove("renewal").only_if(is("renewal", renewal));
        if let Some(next) = next {
            update = update
                .set("token", &next.token)
                .set("renewAt", next.renew_at)
                .set("signedInAt", next.signed_in_at);
        }
        self.update(update).await.map(drop)
    }
}
