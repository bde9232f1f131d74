//! Where a player's items lie: `USER#id`, a partition in which many entities have an item, each under a key of its own
//! file's; here those that several files write.

use domain::{UserId, Username};

use crate::platform::table::Key;

/// Until when a claim (email, team, number) of who has stopped is nobody else's, in milliseconds since 1970.
pub(crate) const BARRED_UNTIL: &str = "barredUntil";

pub(crate) fn partition(id: &UserId) -> String {
    format!("USER#{id}")
}

pub(crate) fn profile_key(id: &UserId) -> Key {
    Key::new(partition(id), "PROFILE")
}

/// Of the claim on a username.
pub(crate) fn name_key(username: &Username) -> Key {
    Key::new(format!("NAME#{}", username.key()), "CLAIM")
}

pub(crate) fn secret_key(id: &UserId) -> Key {
    Key::new(partition(id), "SECRET")
}
