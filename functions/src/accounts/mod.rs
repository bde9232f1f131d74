//! Calls in the area `accounts`: who somebody is.

pub mod auth;
pub mod passwords;
pub mod profile;
pub mod totp;
