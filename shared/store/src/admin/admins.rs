//! Who is an admin, and since when: `USER#id/ADMIN`, listed while it holds. The role on the profile decides what
//! is allowed; this is written with it, and tells whom to mail and who may approve.

use domain::{Role, UserId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::{
    Store, StoreError,
    accounts::keys::{partition, profile_key},
    admin::audit::AuditRecord,
    platform::{
        conditions::{exists, is_not},
        table::{Item, Key},
        transaction::Transaction,
        worklists::put_on_worklist,
        writes::{Put, Update},
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

fn listed(id: &UserId, since: Timestamp) -> Item {
    let mut item = key(id).item(&Adminship { user_id: id.clone(), since, ended_at: None });
    put_on_worklist(&mut item, LIST, id.as_str());
    item
}

impl Store {
    /// Since when an account is an admin's; `None` where it is not, or nobody noted it.
    pub async fn admin_since(&self, id: &UserId) -> Result<Option<Timestamp>, StoreError> {
        let adminship: Option<Adminship> = self.get("adminship", key(id)).await?;
        Ok(adminship.filter(|adminship| adminship.ended_at.is_none()).map(|adminship| adminship.since))
    }

    /// Every admin.
    pub async fn admins(&self) -> Result<Vec<UserId>, StoreError> {
        let page = self.worklist_page::<Adminship>("adminship", LIST, None, MOST).await?;
        Ok(page.items.into_iter().map(|adminship| adminship.user_id).collect())
    }

    /// For the transaction that gives the role.
    pub(crate) fn adminship(&self, id: &UserId, since: Timestamp) -> Put {
        Put::over(listed(id, since))
    }

    /// Notes of one who was an admin before this was kept that they are one, from `since` on. One who is noted
    /// stays as noted.
    pub async fn note_admin(&self, id: &UserId, since: Timestamp) -> Result<(), StoreError> {
        self.put_once(listed(id, since)).await.map(drop)
    }

    /// Gives `id` a role: the operator's command, never a request's. `false`: it had it.
    pub async fn set_role(&self, id: &UserId, role: Role, act: &AuditRecord) -> Result<bool, StoreError> {
        let profile =
            Update::of(profile_key(id)).set("role", role).only_if(exists("pk")).only_if(is_not("role", role));
        let mut transaction = Transaction::new();
        transaction.update(profile, ()).put(self.recorded(act), ());
        match role {
            Role::Admin => transaction.put(self.adminship(id, act.at), ()),
            Role::Player => transaction.update(ended(id, act.at), ()),
        };
        self.commit_all(transaction).await
    }
}

fn ended(id: &UserId, at: Timestamp) -> Update {
    Update::of(key(id)).set("endedAt", at).set("userId", id).set_if_absent("since", at).off_worklist()
}
