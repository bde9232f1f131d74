//! Mails and pushes that were sent: `USER#id/MAILED#cause`, so that one cause is mailed once, however often the message
//! about it is taken up and by however many at once.
//!
//! A sender holds the mail while it is at it, for a time: two at once do not both send, and one that
//! died is made up for. It may have died between the mail and the note of it; then the mail goes out
//! a second time. The other order would lose it instead.
//!
//! While the mail service is down a mail goes from one turn to the next, each with a message of its own. The
//! note says whose turn it is, so that a message which comes twice makes no second line of them.

use domain::UserId;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

use crate::{
    Store, StoreError,
    accounts::keys::partition,
    platform::{
        conditions::{absent, at_most, due, is},
        table::Key,
        writes::Update,
    },
};

/// How long a note is kept: far longer than any message about its cause is under way.
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
    /// It was put off to a later turn.
    PutOff(NextTurn),
}

/// When a mail that was put off is tried again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextTurn {
    pub turn: u32,
    pub at: Timestamp,
}

/// A holder, or the next turn, that is late by this much is given up: another one may take the mail.
const OVERDUE_AFTER: SignedDuration = SignedDuration::from_mins(5);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Mailed {
    #[serde(default)]
    sent_at: Option<Timestamp>,
    #[serde(default)]
    turn: u32,
    /// In milliseconds since 1970.
    #[serde(default)]
    held_until: Option<i64>,
}

fn key(player: &UserId, cause: &str) -> Key {
    Key::new(partition(player), format!("MAILED#{cause}"))
}

impl Store {
    /// Takes on the mail about `cause` until `until`, in its `turn`.
    pub async fn claim_mail(
        &self,
        player: &UserId,
        (cause, turn): (&str, u32),
        now: Timestamp,
        until: Timestamp,
    ) -> Result<Hold, StoreError> {
        let its_turn = absent("turn").or(is("turn", turn)).or(at_most("heldUntil", overdue(now)));
        let update = Update::of(key(player, cause))
            .set("heldUntil", until.as_millisecond())
            .set("turn", turn)
            .set("ttl", (now + KEPT_FOR).as_second())
            .only_if(absent("sentAt"))
            .only_if(due("heldUntil", now))
            .only_if(its_turn);
        if self.update(update).await? {
            return Ok(Hold::Ours);
        }
        let mailed: Option<Mailed> = self.get("mailed", key(player, cause)).await?;
        let Some(mailed) = mailed else { return Ok(Hold::Others) };
        let at = mailed.held_until.and_then(|millis| Timestamp::from_millisecond(millis).ok());
        Ok(match at.filter(|_| mailed.turn != turn) {
            _ if mailed.sent_at.is_some() => Hold::Sent,
            Some(at) => Hold::PutOff(NextTurn { turn: mailed.turn, at }),
            None => Hold::Others,
        })
    }

    /// Notes that the mail about `cause` is out.
    pub async fn note_mailed(&self, player: &UserId, cause: &str, at: Timestamp) -> Result<(), StoreError> {
        let update = Update::of(key(player, cause)).set("sentAt", at).remove("heldUntil");
        self.update(update).await.map(drop)
    }

    /// Puts a mail that could not be sent in its `turn` off to the next one. `false`: somebody else has taken it on.
    pub async fn put_mail_off(
        &self,
        player: &UserId,
        (cause, turn): (&str, u32),
        next: NextTurn,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key(player, cause))
            .set("heldUntil", next.at.as_millisecond())
            .set("turn", next.turn)
            .only_if(absent("sentAt"))
            .only_if(is("turn", turn));
        if self.update(update).await? {
            return Ok(true);
        }
        // The answer to the same write may have been lost.
        let mailed: Option<Mailed> = self.get("mailed", key(player, cause)).await?;
        let as_written = (next.turn, Some(next.at.as_millisecond()));
        Ok(mailed.is_some_and(|mailed| (mailed.turn, mailed.held_until) == as_written))
    }

    /// Gives a mail that cannot be sent back: another message may try it.
    pub async fn release_mail(&self, player: &UserId, cause: &str) -> Result<(), StoreError> {
        let update =
            Update::of(key(player, cause)).remove("heldUntil").remove("turn").only_if(absent("sentAt"));
        self.update(update).await.map(drop)
    }
}

fn overdue(now: Timestamp) -> i64 {
    (now - OVERDUE_AFTER).as_millisecond()
}
