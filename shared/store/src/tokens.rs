//! M-Pesa's access token, `TOKEN#daraja`: one for all functions, since each sign-in ends the token
//! before it (facts/daraja.md).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    sessions::conditional,
    table::{Key, s},
};

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SharedToken {
    pub token: String,
    /// From here on it is renewed, well before it ends.
    pub renew_at: Timestamp,
}

fn key() -> Key {
    Key::new("TOKEN#daraja", "TOKEN")
}

impl Store {
    /// # Errors
    /// The table is not answering.
    pub async fn daraja_token(&self) -> Result<Option<SharedToken>, StoreError> {
        self.get("token", key()).await
    }

    /// Puts `next` in the place of the token that was seen. `false`: another function was first, and
    /// its token counts.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn replace_daraja_token(
        &self,
        seen: Option<&SharedToken>,
        next: &SharedToken,
    ) -> Result<bool, StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key().attributes()))
            .update_expression("SET #token = :token, renewAt = :renew")
            .expression_attribute_names("#token", "token")
            .expression_attribute_values(":token", s(&next.token))
            .expression_attribute_values(":renew", s(next.renew_at.to_string()));
        let update = match seen {
            None => update.condition_expression("attribute_not_exists(pk)"),
            Some(seen) => update
                .condition_expression("#token = :seen")
                .expression_attribute_values(":seen", s(&seen.token)),
        };
        conditional(update).await
    }
}
