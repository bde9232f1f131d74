//! What is kept in the area `accounts`: who somebody is.

pub mod players;
pub mod resets;
pub mod sessions;
pub mod totp;
