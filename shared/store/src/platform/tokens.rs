//! M-Pesa's access token, `TOKEN#daraja`: one for all functions, since each sign-in ends the token
//! before it (docs/daraja.md).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    platform::table::{Key, conditional, n, s},
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
    /// # Errors
    /// The table is not answering.
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
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn take_on_daraja_renewal(
        &self,
        renewal: &str,
        seen: Option<&SharedToken>,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .update_expression("SET renewingUntil = :until, renewal = :renewal")
            .expression_attribute_values(":renewal", s(renewal))
            .expression_attribute_names("#token", "token")
            .expression_attribute_values(":until", n(until.as_millisecond()))
            .expression_attribute_values(":now", n(now.as_millisecond()));
        let free = "(attribute_not_exists(renewingUntil) OR renewingUntil < :now)";
        let update = match seen {
            None => update.condition_expression(format!("attribute_not_exists(#token) AND {free}")),
            Some(seen) => update
                .condition_expression(format!("#token = :seen AND {free}"))
                .expression_attribute_values(":seen", s(&seen.token)),
        };
        if conditional(update).await? {
            return Ok(true);
        }
        // A reply that was lost looks like a refusal: whose renewal is there decides.
        let there: Option<Stored> = self.get("token", key()).await?;
        Ok(there.and_then(|stored| stored.renewal).as_deref() == Some(renewal))
    }

    /// Keeps the token of a sign-in and ends its renewal; without one it only ends the renewal.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn end_daraja_renewal(
        &self,
        renewal: &str,
        next: Option<&SharedToken>,
    ) -> Result<(), StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .condition_expression("renewal = :renewal")
            .expression_attribute_values(":renewal", s(renewal));
        let update = match next {
            None => update.update_expression("REMOVE renewingUntil, renewal"),
            Some(next) => update
                .update_expression(
                    "SET #token = :token, renewAt = :renew, signedInAt = :since REMOVE renewingUntil, renewal",
                )
                .expression_attribute_names("#token", "token")
                .expression_attribute_values(":since", s(next.signed_in_at.to_string()))
                .expression_attribute_values(":token", s(&next.token))
                .expression_attribute_values(":renew", s(next.renew_at.to_string())),
        };
        conditional(update).await.map(drop)
    }
}
