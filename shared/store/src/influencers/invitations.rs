//! A player's own link: `USER#id/INVITATION` has its code, `INFLUENCER#code/INVITATION` whose it is. What came of it is
//! counted as an influencer's is.

use domain::{UserId, influencers::ReferralCode};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{TRIES, partition, random_code};
use crate::{
    Store, StoreError,
    platform::{table::Key, transaction::Transaction, writes::Put},
};

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct OwnLink {
    code: ReferralCode,
    created_at: Timestamp,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Inviter {
    user_id: UserId,
}

fn own_key(player: &UserId) -> Key {
    Key::new(format!("USER#{player}"), "INVITATION")
}

fn inviter_key(code: &ReferralCode) -> Key {
    Key::new(partition(code), "INVITATION")
}

impl Store {
    /// The code of a player's own link, which is made when it is first asked for.
    pub async fn invitation(&self, player: &UserId, at: Timestamp) -> Result<ReferralCode, StoreError> {
        for _ in 0..TRIES {
            if let Some(own) = self.get::<OwnLink>("invitation", own_key(player)).await? {
                return Ok(own.code);
            }
            let own = OwnLink { code: random_code(), created_at: at };
            let inviter = Inviter { user_id: player.clone() };
            let mut transaction = Transaction::new();
            transaction
                .put(Put::new(own_key(player).item(&own)), ())
                .put(Put::new(inviter_key(&own.code).item(&inviter)), ());
            if self.commit_all(transaction).await? {
                return Ok(own.code);
            }
        }
        Err(StoreError::Contended("an invitation"))
    }

    /// The player whose link this is.
    pub async fn inviter(&self, code: &ReferralCode) -> Result<Option<UserId>, StoreError> {
        let inviter: Option<Inviter> = self.get("inviter", inviter_key(code)).await?;
        Ok(inviter.map(|inviter| inviter.user_id))
    }
}
