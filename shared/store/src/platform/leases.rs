//! Whose turn it is to do what one at a time does: held until an instant, and anybody's from then on, so that a
//! holder that has died is followed by another.

use jiff::Timestamp;

use crate::{
    Store, StoreError,
    platform::{
        conditions::{absent, at_most, is},
        table::Key,
        writes::Update,
    },
};

impl Store {
    /// Takes the turn at `key` for `who` until `until`, or keeps it. `false`: it is somebody else's.
    pub(crate) async fn hold(
        &self,
        key: Key,
        who: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError> {
        let update = Update::of(key)
            .set("who", who)
            .set("heldUntil", instant(until))
            .only_if(absent("pk").or(is("who", who)).or(at_most("heldUntil", instant(now))));
        self.update(update).await
    }

    /// Gives the turn back.
    pub(crate) async fn let_go(&self, key: Key, who: &str) -> Result<(), StoreError> {
        let update = Update::of(key).set("heldUntil", instant(Timestamp::UNIX_EPOCH)).only_if(is("who", who));
        self.update(update).await.map(drop)
    }
}

/// Seconds of one length, so that their order is the order of the texts.
fn instant(at: Timestamp) -> String {
    format!("{:012}", at.as_second())
}
