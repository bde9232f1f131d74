//! Tests in the area `accounts`: who somebody is.

pub mod authenticator;
mod frozen;
mod passwords;
mod sessions;
pub mod totp;
