//! How a player is told of things: `USER#id/NOTIFICATIONS`, on the worklist [`DEADLINES`] while they want to be told of
//! deadlines. And whose a browser's subscription is now: `PUSH#hash/CLAIM`. Who logs in on a phone that somebody else has
//! used before takes its subscription over; a push goes out only to whom the claim names.

use domain::{
    UserId,
    accounts::notifications::{Choices, Kind, Language, MOST_SUBSCRIPTIONS},
};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    Page, Store, StoreError,
    accounts::keys::partition,
    platform::{
        conditions::is,
        table::{Item, Key},
        worklists::put_on_worklist,
        writes::Put,
    },
};

const DEADLINES: &str = "DEADLINES";
const TRIES: u32 = 8;
/// A claim on a browser that is not used any more: longer than any push could be under way.
const CLAIM_KEPT_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);

/// What a player has set, and the browsers that their notifications go to.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Notifications {
    #[serde(default)]
    version: u64,
    #[serde(default)]
    pub language: Language,
    #[serde(default)]
    pub choices: Choices,
    /// Oldest first.
    #[serde(default)]
    pub subscriptions: Vec<Subscription>,
}

impl Notifications {
    /// Of an account that is made in this language.
    #[must_use]
    pub(super) fn first(language: Language) -> Self {
        Self { version: 1, language, ..Self::default() }
    }

    pub(super) fn item(&self, player: &UserId) -> Item {
        key(player).item(&Kept { user_id: player, notifications: self })
    }
}

/// A browser that takes pushes, as it told the page (`PushSubscription`).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Made from the endpoint.
    pub id: String,
    pub endpoint: String,
    /// The browser's public key, an uncompressed point of P-256: 65 bytes in base64url.
    pub p256dh: String,
    /// 16 bytes in base64url.
    pub auth: String,
    pub at: Timestamp,
    /// In which session it was added: it ends with it, where that is ended from elsewhere. Empty where an older version has
    /// added it.
    #[serde(default)]
    pub session: String,
    /// The player's `password_resets` then: where all sessions were ended since, it is told of the account's safety alone.
    /// Nothing where an older version has added it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_resets: Option<u32>,
}

impl Subscription {
    #[must_use]
    pub fn id_of(endpoint: &str) -> String {
        hex::encode(&Sha256::digest(endpoint)[..16])
    }
}

/// Somebody who wants to be told of deadlines.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Listener {
    pub user_id: UserId,
    #[serde(flatten)]
    pub notifications: Notifications,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Claim {
    user_id: UserId,
    /// When DynamoDB may delete it (seconds since 1970): of a browser that its player uses no more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ttl: Option<i64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Kept<'a> {
    user_id: &'a UserId,
    #[serde(flatten)]
    notifications: &'a Notifications,
}

fn key(player: &UserId) -> Key {
    Key::new(partition(player), "NOTIFICATIONS")
}

pub(super) fn claim_key(subscription: &str) -> Key {
    Key::new(format!("PUSH#{subscription}"), "CLAIM")
}

impl Store {
    pub async fn notifications(&self, player: &UserId) -> Result<Notifications, StoreError> {
        Ok(self.get("notifications", key(player)).await?.unwrap_or_default())
    }

    /// Those of several players, of whom some may never have set anything.
    pub async fn notifications_of(&self, players: &[UserId]) -> Result<Vec<Listener>, StoreError> {
        self.get_many("notifications", players.iter().map(key).collect()).await
    }

    /// A page of those who want to be told of deadlines.
    pub async fn deadline_listeners(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Page<Listener>, StoreError> {
        self.worklist_page("notifications", DEADLINES, after, limit).await
    }

    /// Changes what a player has set. Answers what it is then.
    pub async fn change_notifications(
        &self,
        player: &UserId,
        change: impl Fn(&mut Notifications),
    ) -> Result<Notifications, StoreError> {
        for _ in 0..TRIES {
            let seen = self.notifications(player).await?;
            let mut changed = seen.clone();
            change(&mut changed);
            if changed == seen {
                return Ok(seen);
            }
            let before = (seen.version > 0).then_some(seen.version);
            changed.version += 1;
            let mut item = changed.item(player);
            if changed.choices.want(Kind::Deadline) {
                put_on_worklist(&mut item, DEADLINES, player.as_str());
            }
            if self.put_where(Put::over_version(item, before)).await? {
                return Ok(changed);
            }
        }
        Err(StoreError::Contended("a player's notifications"))
    }

    /// Has a browser's pushes go to `player` from now on, and to nobody else.
    pub async fn subscribe(&self, player: &UserId, new: &Subscription) -> Result<Notifications, StoreError> {
        let claim = Claim { user_id: player.clone(), ttl: None };
        self.put(claim_key(&new.id).item(&claim)).await?;
        let with_new = |known: &[Subscription]| {
            let mut known: Vec<_> = known.iter().filter(|other| other.id != new.id).cloned().collect();
            known.push(new.clone());
            let kept = known.split_off(known.len().saturating_sub(MOST_SUBSCRIPTIONS));
            (known, kept)
        };
        for left in with_new(&self.notifications(player).await?.subscriptions).0 {
            self.let_claim_expire(player, &left.id, new.at).await?;
        }
        let change = |notifications: &mut Notifications| {
            notifications.subscriptions = with_new(&notifications.subscriptions).1;
        };
        self.change_notifications(player, change).await
    }

    pub async fn unsubscribe(
        &self,
        player: &UserId,
        id: &str,
        at: Timestamp,
    ) -> Result<Notifications, StoreError> {
        self.let_claim_expire(player, id, at).await?;
        let change = |notifications: &mut Notifications| {
            notifications.subscriptions.retain(|subscription| subscription.id != id);
        };
        self.change_notifications(player, change).await
    }

    /// Before the browser leaves the player's list: nobody would find the claim after that, and it names the player.
    async fn let_claim_expire(&self, player: &UserId, id: &str, at: Timestamp) -> Result<(), StoreError> {
        let ttl = (at + CLAIM_KEPT_FOR).as_second();
        let claim = Claim { user_id: player.clone(), ttl: Some(ttl) };
        let put = Put::over(claim_key(id).item(&claim)).only_if(is("userId", player));
        self.put_where(put).await.map(drop)
    }

    /// Whether a subscription is `player`'s, and not of whoever has used the browser since.
    pub async fn is_subscriber(&self, player: &UserId, id: &str) -> Result<bool, StoreError> {
        let claim: Option<Claim> = self.get("push claim", claim_key(id)).await?;
        Ok(claim.is_some_and(|claim| claim.user_id == *player))
    }
}
