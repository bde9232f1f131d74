//! Mails that were sent: `USER#id/MAILED#cause`, so that one cause is mailed once however often and
//! by however many the message about it is taken up.
//!
//! A sender holds the mail while it is at it, for a time: two at once do not both send, and one that
//! died is made up for. It may have died between the mail and the note of it; then the mail goes out
//! a second time. The other order would lose it instead.

use aws_sdk_dynamodb::operation::update_item::builders::UpdateItemFluentBuilder;
use domain::UserId;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::{
    Store, StoreError,
    accounts::players::partition,
    platform::table::{Key, conditional, n, s},
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
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn hold_mail(
        &self,
        player: &UserId,
        cause: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Hold, StoreError> {
        let update = self
            .mail_update(player, cause)
            .update_expression("SET heldUntil = :until, #ttl = :ttl")
            .condition_expression(
                "attribute_not_exists(sentAt) AND (attribute_not_exists(heldUntil) OR heldUntil <= :now)",
            )
            .expression_attribute_names("#ttl", "ttl")
            .expression_attribute_values(":until", n(until.as_millisecond()))
            .expression_attribute_values(":now", n(now.as_millisecond()))
            .expression_attribute_values(":ttl", n((now + KEPT_FOR).as_second()));
        if conditional(update).await? {
            return Ok(Hold::Ours);
        }
        let mailed: Option<Mailed> = self.get("mailed", key(player, cause)).await?;
        Ok(if mailed.is_some_and(|mailed| mailed.sent_at.is_some()) { Hold::Sent } else { Hold::Others })
    }

    /// Notes that the mail about `cause` is out.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn note_mailed(&self, player: &UserId, cause: &str, at: Timestamp) -> Result<(), StoreError> {
        let update = self
            .mail_update(player, cause)
            .update_expression("SET sentAt = :at REMOVE heldUntil")
            .expression_attribute_values(":at", s(at.to_string()));
        update.send().await?;
        Ok(())
    }

    /// Gives a mail that could not be sent back, to be taken on again.
    ///
    /// # Errors
    /// The table is not answering.
    pub async fn release_mail(&self, player: &UserId, cause: &str) -> Result<(), StoreError> {
        let update = self
            .mail_update(player, cause)
            .update_expression("REMOVE heldUntil")
            .condition_expression("attribute_not_exists(sentAt)");
        conditional(update).await.map(drop)
    }

    fn mail_update(&self, player: &UserId, cause: &str) -> UpdateItemFluentBuilder {
        let key = key(player, cause);
        self.client.update_item().table_name(&self.name).set_key(Some(key.attributes()))
    }
}
