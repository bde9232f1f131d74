//! Flows in the area `accounts`: who somebody is.

pub mod access;
pub mod passwords;
pub(crate) mod resets;
pub mod sessions;
pub mod step_up;
pub mod totp;
