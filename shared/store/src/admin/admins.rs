//! Who is an admin, and since when: `USER#id/ADMIN`, listed while it holds. The role on the profile decides what
//! is allowed; this is written with it, and tells whom to mail and who may approve.

use aws_sdk_dynamodb::types::{Put, Update};
use domain::{Role, UserId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::{
        players::{partition, profile_key},
        totp::removed_by_operator,
    },
    admin::audit::AuditRecord,
    platform::{
        table::{Key, s},
        transaction::{Outcome, Transaction},
        worklists::{OFF_WORKLIST, put_on_worklist},
    },
};

const LIST: &str = "ADMINS";
/// Nobody has so many admins.
const MOST: usize = 500;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Adminship {
    pub user_id: UserId,
    pub since: Timestamp,
    #[serde(default)]
    pub ended_at: Option<Timestamp>,
}

fn key(id: &UserId) -> Key {
    Key::new(partition(id), "ADMIN")
}

impl Store {
    /// Since when an account is an admin's; `None` where it is not, or nobody noted it.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn admin_since(&self, id: &UserId) -> Result<Option<Timestamp>, StoreError> {
        let adminship: Option<Adminship> = self.get("adminship", key(id)).await?;
        Ok(adminship.filter(|adminship| adminship.ended_at.is_none()).map(|adminship| adminship.since))
    }

    /// Every admin.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn admins(&self) -> Result<Vec<UserId>, StoreError> {
        let page = self.worklist_page::<Adminship>("adminship", LIST, None, MOST).await?;
        Ok(page.items.into_iter().map(|adminship| adminship.user_id).collect())
    }

    /// For the transaction that gives the role.
    pub(crate) fn adminship(&self, id: &UserId, since: Timestamp) -> Put {
        let mut item = key(id).item(&Adminship { user_id: id.clone(), since, ended_at: None });
        put_on_worklist(&mut item, LIST, id.as_str());
        Put::builder().table_name(&self.name).set_item(Some(item)).build().expect("table and item are given")
    }

    /// Notes of one who was an admin before this was kept that they are one, from `since` on. One who is noted
    /// stays as noted.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_admin(&self, id: &UserId, since: Timestamp) -> Result<(), StoreError> {
        let mut item = key(id).item(&Adminship { user_id: id.clone(), since, ended_at: None });
        put_on_worklist(&mut item, LIST, id.as_str());
        self.put_once(item).await.map(drop)
    }

    /// Gives `id` a role: the operator's command, never a request's. `false`: it had it.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn set_role(&self, id: &UserId, role: Role, act: &AuditRecord) -> Result<bool, StoreError> {
        let word = match role {
            Role::Player => "player",
            Role::Admin => "admin",
        };
        let profile = Update::builder()
            .table_name(&self.name)
            .set_key(Some(profile_key(id).attributes()))
            .update_expression("SET #role = :role")
            .condition_expression("attribute_exists(pk) AND #role <> :role")
            .expression_attribute_names("#role", "role")
            .expression_attribute_values(":role", s(word));
        let mut transaction = Transaction::new();
        transaction
            .update(profile.build().expect("table, key and expression are given"), ())
            .put(self.recorded(act), ());
        match role {
            Role::Admin => transaction.put(self.adminship(id, act.at), ()),
            Role::Player => transaction.update(self.adminship_ended(id, act.at), ()),
        };
        Ok(self.commit(transaction).await? == Outcome::Written)
    }

    fn adminship_ended(&self, id: &UserId, at: Timestamp) -> Update {
        Update::builder()
            .table_name(&self.name)
            .set_key(Some(key(id).attributes()))
            .update_expression(format!(
                "SET endedAt = :at, userId = :id, since = if_not_exists(since, :at) REMOVE {OFF_WORKLIST}"
            ))
            .expression_attribute_values(":at", s(at.to_string()))
            .expression_attribute_values(":id", s(id.as_str()))
            .build()
            .expect("table, key and expression are given")
    }

    /// Takes an admin's second factor out of force and ends every session: the operator's command, for one who
    /// has lost phone and recovery codes. `false`: none was in force.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn lose_totp(&self, id: &UserId, act: &AuditRecord) -> Result<bool, StoreError> {
        let mut transaction = Transaction::new();
        let (totp, profile) = removed_by_operator(&self.name, id, act.at);
        transaction.update(totp, ()).update(profile, ()).put(self.recorded(act), ());
        Ok(self.commit(transaction).await? == Outcome::Written)
    }
}
