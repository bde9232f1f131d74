//! Calls in the area `accounts`: who somebody is.

pub mod log_in;
pub mod passwords;
pub mod profile;
pub(crate) mod refusals;
pub mod second_factor;
pub mod sessions;
pub mod sign_up;
pub(crate) mod wire;
