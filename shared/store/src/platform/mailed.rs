//! Mails that were sent: `USER#id/MAILED#cause`, so that one cause is mailed once however often and
//! by however many the message about it is taken up.
//!
//! A sender holds the mail while it is at it, for a time: two at once do not both send, and one that
//! died is made up for. It may have died between the mail and the note of it; then the mail goes out
//! a second time. The other order would lose it instead.

use domain::UserId;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::{
    Store, StoreError,
    accounts::keys::partition,
    platform::{
        conditions::{absent, due},
        table::Key,
        writes::Update,
    },
};

/// A note is kept this much longer than any message about its cause could be under way.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(60 * 24);

/// Whose mail it is to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// The caller's.
    Ours,
    /// It is sent.
    Sent,
    /// Somebody else is at it.
    Others,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mailed {
    #[serde(default)]
    sent_at: Option<Timestamp>,
}

fn key(player: &UserId, cause: &str) -> Key {
    Key::new(partition(player), format!("MAILED#{cause}"))
}

impl Store {
    /// Takes on the mail about `cause` until `until`.
    pub async fn hold_mail(
        &self,
        player: &UserId,
        cause: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Hold, StoreError> {
        let update = Update::of(key(player, cause))
            .set("heldUntil", until.as_millisecond())
            .set("ttl", (now + KEPT_FOR).as_second())
            .only_if(absent("sentAt"))
            .only_if(due("heldUntil", now));
        if self.update(update).await? {
            return Ok(Hold::Ours);
        }
        let mailed: Option<Mailed> = self.get("mailed", key(player, cause)).await?;
        Ok(if mailed.is_some_and(|mailed| mailed.sent_at.is_some()) { Hold::Sent } else { Hold::Others })
    }

    /// Notes that the mail about `cause` is out.
    pub async fn note_mailed(&self, player: &UserId, cause: &str, at: Timestamp) -> Result<(), StoreError> {
        let update = Update::of(key(player, cause)).set("sentAt", at).remove("heldUntil");
        self.update(update).await.map(drop)
    }

    /// Gives a mail that could not be sent back, to be taken on again.
    pub async fn release_mail(&self, player: &UserId, cause: &str) -> Result<(), StoreError> {
        let update = Update::of(key(player, cause)).remove("heldUntil").only_if(absent("sentAt"));
        self.update(update).await.map(drop)
    }
}
