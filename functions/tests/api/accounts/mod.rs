//! Tests in the area `accounts`: who somebody is.

mod frozen;
mod passwords;
mod sessions;
mod totp;
