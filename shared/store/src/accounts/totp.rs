//! An admin's second factor, `USER#id/TOTP`: the sealed secret, the step of the last code that was used, and
//! what is left of the recovery codes, hashed. Whether there is one stands on the profile, written in the
//! same transaction, so a log-in without one reads nothing more.

use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::{Put, Update, builders::UpdateBuilder};
use domain::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::{
        players::{partition, profile_key},
        sessions::{BEGAN_WITH, Session},
    },
    admin::audit::AuditRecord,
    platform::{
        table::{Key, conditional, n, s},
        transaction::{Outcome, Transaction},
    },
};

const PENDING: &str = "pending";
const ACTIVE: &str = "active";
const REMOVED: &str = "removed";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Totp {
    state: String,
    /// Encrypted; gone once it was removed.
    #[serde(default)]
    pub sealed: Option<String>,
    /// When it was begun, confirmed or removed.
    pub since: Timestamp,
    #[serde(default)]
    last_step: u64,
    /// By hash.
    #[serde(default)]
    recovery: BTreeMap<String, bool>,
}

impl Totp {
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.state == ACTIVE
    }

    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.state == PENDING
    }

    #[must_use]
    pub fn recovery_codes_left(&self) -> usize {
        self.recovery.len()
    }
}

fn key(player: &UserId) -> Key {
    Key::new(partition(player), "TOTP")
}

impl Store {
    /// # Errors
    /// The table is not answering.
    pub async fn totp(&self, player: &UserId) -> Result<Option<Totp>, StoreError> {
        self.get("second factor", key(player)).await
    }

    /// Keeps a secret that has yet to be confirmed, in the place of one that was not. `false`: one is in force.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn start_totp(
        &self,
        player: &UserId,
        sealed: &str,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let totp = Totp {
            state: PENDING.to_owned(),
            sealed: Some(sealed.to_owned()),
            since: act.at,
            last_step: 0,
            recovery: BTreeMap::new(),
        };
        let put = Put::builder()
            .table_name(&self.name)
            .set_item(Some(key(player).item(&totp)))
            .condition_expression("attribute_not_exists(pk) OR #state <> :active")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":active", s(ACTIVE));
        let mut transaction = Transaction::new();
        transaction.put(put.build().expect("table and item are given"), ()).put(self.recorded(act), ());
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    /// Puts a secret that was shown to work in force, with the step of the code that showed it. The account's
    /// sessions end but for `kept`. `false`: the secret is not the one that waits any more, or the session has
    /// ended.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn confirm_totp(
        &self,
        player: &UserId,
        sealed: &str,
        step: u64,
        recovery: &BTreeMap<String, bool>,
        kept: &Session,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let recovery = serde_dynamo::to_attribute_value(recovery)
            .map_err(|source| StoreError::Corrupt { entity: "second factor", source })?;
        let confirmed = self
            .totp_update(player)
            .update_expression("SET #state = :next, lastStep = :step, recovery = :recovery, since = :at")
            .condition_expression("#state = :seen AND sealed = :sealed")
            .expression_attribute_values(":seen", s(PENDING))
            .expression_attribute_values(":next", s(ACTIVE))
            .expression_attribute_values(":sealed", s(sealed))
            .expression_attribute_values(":step", n(step))
            .expression_attribute_values(":recovery", recovery)
            .expression_attribute_values(":at", s(act.at.to_string()));
        let on_profile = Update::builder()
            .update_expression("SET totp = :yes ADD passwordResets :one")
            .expression_attribute_values(":yes", aws_sdk_dynamodb::types::AttributeValue::Bool(true));
        self.turn_totp(confirmed, on_profile, kept, act).await
    }

    /// Takes it out of force. The account's sessions end but for `kept`. `false`: none was in force, or the
    /// session has ended.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn remove_totp(&self, kept: &Session, act: &AuditRecord) -> Result<bool, StoreError> {
        let player = &kept.user_id;
        let removed = self
            .totp_update(player)
            .update_expression("SET #state = :next, since = :at REMOVE sealed, recovery")
            .condition_expression("#state = :seen")
            .expression_attribute_values(":seen", s(ACTIVE))
            .expression_attribute_values(":next", s(REMOVED))
            .expression_attribute_values(":at", s(act.at.to_string()));
        let on_profile = Update::builder().update_expression("REMOVE totp ADD passwordResets :one");
        self.turn_totp(removed, on_profile, kept, act).await
    }

    async fn turn_totp(
        &self,
        totp: UpdateBuilder,
        profile: UpdateBuilder,
        kept: &Session,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let profile = profile
            .table_name(&self.name)
            .set_key(Some(profile_key(&kept.user_id).attributes()))
            .condition_expression(format!("attribute_exists(pk) AND {BEGAN_WITH}"))
            .expression_attribute_values(":seen", n(kept.password_resets))
            .expression_attribute_values(":one", n(1));
        let mut transaction = Transaction::new();
        transaction
            .update(totp.build().expect("table, key and expression are given"), ())
            .update(profile.build().expect("table, key and expression are given"), ())
            .update(self.session_goes_on(kept, act.at), ())
            .put(self.recorded(act), ());
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    /// Uses up the code of a step. `false`: that one, or a later one, was used before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn use_totp_step(&self, player: &UserId, step: u64) -> Result<bool, StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(player).attributes()))
            .update_expression("SET lastStep = :step")
            .condition_expression("#state = :active AND lastStep < :step")
            .expression_attribute_names("#state", "state")
            .expression_attribute_values(":active", s(ACTIVE))
            .expression_attribute_values(":step", n(step));
        conditional(update).await
    }

    /// Uses up a recovery code. `false`: it is none, or was used before.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn use_recovery_code(&self, player: &UserId, hash: &str) -> Result<bool, StoreError> {
        let update = self
            .client
            .update_item()
            .table_name(&self.name)
            .set_key(Some(key(player).attributes()))
            .update_expression("REMOVE recovery.#hash")
            .condition_expression("#state = :active AND attribute_exists(recovery.#hash)")
            .expression_attribute_names("#state", "state")
            .expression_attribute_names("#hash", hash)
            .expression_attribute_values(":active", s(ACTIVE));
        conditional(update).await
    }

    fn totp_update(&self, player: &UserId) -> UpdateBuilder {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(player).attributes()))
            .expression_attribute_names("#state", "state")
    }
}

/// What takes a second factor out of force that its admin cannot remove, and ends every session.
pub(crate) fn removed_by_operator(table: &str, player: &UserId, at: Timestamp) -> (Update, Update) {
    let totp = Update::builder()
        .table_name(table)
        .set_key(Some(key(player).attributes()))
        .update_expression("SET #state = :next, since = :at REMOVE sealed, recovery")
        .condition_expression("#state = :seen")
        .expression_attribute_names("#state", "state")
        .expression_attribute_values(":seen", s(ACTIVE))
        .expression_attribute_values(":next", s(REMOVED))
        .expression_attribute_values(":at", s(at.to_string()));
    let profile = Update::builder()
        .table_name(table)
        .set_key(Some(profile_key(player).attributes()))
        .update_expression("REMOVE totp ADD passwordResets :one")
        .condition_expression("attribute_exists(pk)")
        .expression_attribute_values(":one", n(1));
    let built = "table, key and expression are given";
    (totp.build().expect(built), profile.build().expect(built))
}
