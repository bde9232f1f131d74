//! Calls in the area `accounts`: who somebody is.

pub mod auth;
pub mod passwords;
pub mod profile;
mod refusals;
pub mod second_factor;
pub(crate) mod wire;
