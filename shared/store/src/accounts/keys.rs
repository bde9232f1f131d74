//! Where a player's items lie: `USER#id`, a partition in which many entities have an item, each under a key of its own
//! file's; here those that several files write.

use domain::UserId;

use crate::platform::table::Key;

pub(crate) fn partition(id: &UserId) -> String {
    format!("USER#{id}")
}

pub(crate) fn profile_key(id: &UserId) -> Key {
    Key::new(partition(id), "PROFILE")
}

pub(crate) fn secret_key(id: &UserId) -> Key {
    Key::new(partition(id), "SECRET")
}
