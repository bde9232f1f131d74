//! Sessions as they are kept: `USER#id/SESSION#family`, an item for each log-in. Of its refresh tokens only the SHA-256
//! of the one in force and of the one before it are here; what holds for them is `app::accounts::sessions`'.

use domain::{UserId, accounts::device::Device};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::keys::partition,
    admin::audit::AuditRecord,
    platform::{
        conditions::{Condition, absent, exists, is},
        table::Key,
        writes::Update,
    },
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
    /// What the log-in came from; absent in sessions from before that was noted.
    #[serde(default)]
    pub device: Option<Device>,
    /// When DynamoDB may delete it (seconds since 1970). Expiry is checked as well: TTL is late.
    pub ttl: i64,
}

/// That a profile, or a session, has this count of resets.
pub(super) fn began_with(password_resets: u32) -> Condition {
    absent("passwordResets").or(is("passwordResets", password_resets))
}

fn key(user: &UserId, family: &str) -> Key {
    Key::new(partition(user), format!("SESSION#{family}"))
}

impl Store {
    pub async fn create_session(&self, session: &Session) -> Result<(), StoreError> {
        self.put(key(&session.user_id, &session.family).item(session)).await
    }

    pub async fn session(&self, user: &UserId, family: &str) -> Result<Option<Session>, StoreError> {
        self.get("session", key(user, family)).await
    }

    /// Puts `next_hash` in the place of `seen_hash`. `false`: another rotation or the end was first.
    pub async fn rotate_session(
        &self,
        session: &Session,
        next_hash: &str,
        at: Timestamp,
        ttl: i64,
    ) -> Result<bool, StoreError> {
        let update = session_update(session)
            .set("tokenHash", next_hash)
            .set("previousHash", &session.token_hash)
            .set("rotatedAt", at)
            .set("ttl", ttl)
            .only_if(is("tokenHash", &session.token_hash))
            .only_if(absent("endedAt"));
        self.update(update).await
    }

    /// Ends a family at once. Ending one that is ended, or gone, changes nothing.
    pub async fn end_session(&self, session: &Session, at: Timestamp) -> Result<(), StoreError> {
        let update =
            session_update(session).set("endedAt", at).only_if(exists("pk")).only_if(absent("endedAt"));
        self.update(update).await.map(drop)
    }

    /// Every session of a player, ended ones too.
    pub async fn sessions(&self, user: &UserId) -> Result<Vec<Session>, StoreError> {
        self.all("session", &partition(user), "SESSION#").await
    }

    /// Notes that a code of the second factor was given in a session. `false`: it has ended.
    pub async fn step_session_up(&self, session: &Session, act: &AuditRecord) -> Result<bool, StoreError> {
        let update = session_update(session)
            .set("steppedUpAt", act.at)
            .only_if(exists("pk"))
            .only_if(absent("endedAt"));
        self.act(act, update).await
    }
}

fn session_update(session: &Session) -> Update {
    Update::of(key(&session.user_id, &session.family))
}

/// For the transaction that ends the account's other sessions: this one goes on, with the code that was
/// given in it.
pub(super) fn goes_on(session: &Session, at: Timestamp) -> Update {
    session_update(session)
        .set("passwordResets", session.password_resets + 1)
        .set("steppedUpAt", at)
        .only_if(absent("endedAt"))
        .only_if(began_with(session.password_resets))
}
