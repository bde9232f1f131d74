//! Sessions as they are kept: `USER#id/SESSION#family`, an item for each log-in. Of its refresh tokens only the SHA-256
//! of the one in force and of the one before it are here; what holds for them is `app::accounts::sessions`'.

use aws_sdk_dynamodb::{operation::update_item::builders::UpdateItemFluentBuilder, types::Update};
use domain::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::players::partition,
    admin::audit::AuditRecord,
    platform::table::{Key, conditional, n, s},
};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    pub family: String,
    pub user_id: UserId,
    /// SHA-256 (hex) of the refresh token in force.
    pub token_hash: String,
    /// Of the one before: good for a few seconds more, for two tabs and lost replies.
    #[serde(default)]
    pub previous_hash: Option<String>,
    pub created_at: Timestamp,
    pub rotated_at: Timestamp,
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
    /// The player's `password_resets` when it began: a reset since then has ended it.
    #[serde(default)]
    pub password_resets: u32,
    /// When a code of the second factor was last given in it.
    #[serde(default)]
    pub stepped_up_at: Option<Timestamp>,
    /// When DynamoDB may delete it (seconds since 1970). Expiry is checked as well: TTL is late.
    pub ttl: i64,
}

/// That a profile, or a session, has the count of resets that was `:seen`.
pub(crate) const BEGAN_WITH: &str = "(attribute_not_exists(passwordResets) OR passwordResets = :seen)";

fn key(user: &UserId, family: &str) -> Key {
    Key::new(partition(user), format!("SESSION#{family}"))
}

impl Store {
    /// # Errors
    /// The table is not answering.
    pub async fn create_session(&self, session: &Session) -> Result<(), StoreError> {
        self.put(key(&session.user_id, &session.family).item(session)).await
    }

    /// # Errors
    /// The table is not answering.
    pub async fn session(&self, user: &UserId, family: &str) -> Result<Option<Session>, StoreError> {
        self.get("session", key(user, family)).await
    }

    /// Puts `next_hash` in the place of `seen_hash`. `false`: another rotation or the end was first.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn rotate_session(
        &self,
        session: &Session,
        next_hash: &str,
        at: Timestamp,
        ttl: i64,
    ) -> Result<bool, StoreError> {
        let update = self
            .session_update(session)
            .update_expression("SET tokenHash = :next, previousHash = :seen, rotatedAt = :at, #ttl = :ttl")
            .condition_expression("tokenHash = :seen AND attribute_not_exists(endedAt)")
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":next", s(next_hash))
            .expression_attribute_values(":seen", s(&session.token_hash))
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":ttl", n(ttl));
        conditional(update).await
    }

    /// Ends a family at once. Ending one that is ended, or gone, changes nothing.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn end_session(&self, session: &Session, at: Timestamp) -> Result<(), StoreError> {
        let update = self
            .session_update(session)
            .update_expression("SET endedAt = :at")
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(endedAt)")
            .expression_attribute_values(":at", s(at.to_string()));
        conditional(update).await.map(drop)
    }

    /// Every session of a player, ended ones too.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn sessions(&self, user: &UserId) -> Result<Vec<Session>, StoreError> {
        self.all("session", &partition(user), "SESSION#").await
    }

    /// Notes that a code of the second factor was given in a session. `false`: it has ended.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn step_session_up(&self, session: &Session, act: &AuditRecord) -> Result<bool, StoreError> {
        let update = Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(&session.user_id, &session.family).attributes()))
            .update_expression("SET steppedUpAt = :at")
            .condition_expression("attribute_exists(pk) AND attribute_not_exists(endedAt)")
            .expression_attribute_values(":at", s(act.at.to_string()));
        self.act(act, update.build().expect("table, key and expression are given")).await
    }

    /// For the transaction that ends the account's other sessions: this one goes on, with the code that was
    /// given in it.
    pub(crate) fn session_goes_on(&self, session: &Session, at: Timestamp) -> Update {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(&session.user_id, &session.family).attributes()))
            .update_expression("SET passwordResets = :next, steppedUpAt = :at")
            .condition_expression(format!("attribute_not_exists(endedAt) AND {BEGAN_WITH}"))
            .expression_attribute_values(":seen", n(session.password_resets))
            .expression_attribute_values(":next", n(session.password_resets + 1))
            .expression_attribute_values(":at", s(at.to_string()))
            .build()
            .expect("table, key and expression are given")
    }

    fn session_update(&self, session: &Session) -> UpdateItemFluentBuilder {
        let key = key(&session.user_id, &session.family);
        self.client.update_item().table_name(&self.name).set_key(Some(key.attributes()))
    }
}
