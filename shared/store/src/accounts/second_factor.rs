//! An admin's second factor, `USER#id/TOTP`: the sealed secret, the step of the last code that was used, and
//! what is left of the recovery codes, hashed. Whether there is one stands on the profile, written in the
//! same transaction, so a log-in without one reads nothing more.

use std::collections::BTreeMap;

use domain::UserId;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::{
        keys::{partition, profile_key},
        sessions::{Session, began_with, goes_on},
    },
    admin::audit::AuditRecord,
    platform::{
        conditions::{absent, exists, is, is_not, less},
        table::Key,
        transaction::Transaction,
        writes::{Put, Update},
    },
};

const PENDING: &str = "pending";
const ACTIVE: &str = "active";
const REMOVED: &str = "removed";

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
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

impl SecondFactor {
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
    pub async fn second_factor(&self, player: &UserId) -> Result<Option<SecondFactor>, StoreError> {
        self.get("second factor", key(player)).await
    }

    /// Keeps a secret that has yet to be confirmed, in the place of one that was not. `false`: one is in force.
    pub async fn start_second_factor(
        &self,
        player: &UserId,
        sealed: &str,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let second_factor = SecondFactor {
            state: PENDING.to_owned(),
            sealed: Some(sealed.to_owned()),
            since: act.at,
            last_step: 0,
            recovery: BTreeMap::new(),
        };
        let put =
            Put::over(key(player).item(&second_factor)).only_if(absent("pk").or(is_not("state", ACTIVE)));
        let mut transaction = Transaction::new();
        transaction.put(put, ()).put(self.recorded(act), ());
        self.commit_all(transaction).await
    }

    /// Puts a secret that was shown to work in force, with the step of the code that showed it. The account's
    /// sessions end but for `kept`. `false`: the secret is not the one that waits any more, or the session has
    /// ended.
    pub async fn confirm_second_factor(
        &self,
        player: &UserId,
        sealed: &str,
        step: u64,
        recovery: &BTreeMap<String, bool>,
        kept: &Session,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let confirmed = Update::of(key(player))
            .set("state", ACTIVE)
            .set("lastStep", step)
            .set("recovery", recovery)
            .set("since", act.at)
            .only_if(is("state", PENDING))
            .only_if(is("sealed", sealed));
        let on_profile = Update::of(profile_key(player)).set("totp", true);
        self.turn_second_factor(confirmed, on_profile, kept, act).await
    }

    /// Takes it out of force. The account's sessions end but for `kept`. `false`: none was in force, or the
    /// session has ended.
    pub async fn remove_second_factor(&self, kept: &Session, act: &AuditRecord) -> Result<bool, StoreError> {
        let on_profile = Update::of(profile_key(&kept.user_id)).remove("totp");
        self.turn_second_factor(removed(&kept.user_id, act.at), on_profile, kept, act).await
    }

    /// Puts other recovery codes in the place of those that are left. `false`: none is in force.
    pub async fn renew_recovery_codes(
        &self,
        player: &UserId,
        recovery: &BTreeMap<String, bool>,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        self.act(act, Update::of(key(player)).set("recovery", recovery).only_if(is("state", ACTIVE))).await
    }

    async fn turn_second_factor(
        &self,
        second_factor: Update,
        profile: Update,
        kept: &Session,
        act: &AuditRecord,
    ) -> Result<bool, StoreError> {
        let profile =
            profile.add("passwordResets", 1).only_if(exists("pk")).only_if(began_with(kept.password_resets));
        let mut transaction = Transaction::new();
        transaction
            .update(second_factor, ())
            .update(profile, ())
            .update(goes_on(kept, act.at), ())
            .put(self.recorded(act), ());
        self.commit_all(transaction).await
    }

    /// Uses up the code of a step. `false`: that one, or a later one, was used before.
    pub async fn use_second_factor_step(&self, player: &UserId, step: u64) -> Result<bool, StoreError> {
        let update = Update::of(key(player))
            .set("lastStep", step)
            .only_if(is("state", ACTIVE))
            .only_if(less("lastStep", step));
        self.update(update).await
    }

    /// Uses up a recovery code. `false`: it is none, or was used before.
    pub async fn use_recovery_code(&self, player: &UserId, hash: &str) -> Result<bool, StoreError> {
        let code = format!("recovery.{hash}");
        let update =
            Update::of(key(player)).remove(&code).only_if(is("state", ACTIVE)).only_if(exists(&code));
        self.update(update).await
    }

    /// Takes an admin's second factor out of force and ends every session: the operator's command, for one who
    /// has lost phone and recovery codes. `false`: none was in force.
    pub async fn lose_second_factor(&self, player: &UserId, act: &AuditRecord) -> Result<bool, StoreError> {
        let profile = Update::of(profile_key(player)).remove("totp").add("passwordResets", 1);
        let mut transaction = Transaction::new();
        transaction
            .update(removed(player, act.at), ())
            .update(profile.only_if(exists("pk")), ())
            .put(self.recorded(act), ());
        self.commit_all(transaction).await
    }
}

fn removed(player: &UserId, at: Timestamp) -> Update {
    Update::of(key(player))
        .set("state", REMOVED)
        .set("since", at)
        .remove("sealed")
        .remove("recovery")
        .only_if(is("state", ACTIVE))
}
