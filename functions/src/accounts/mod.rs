//! Calls in the area `accounts`: who somebody is.

pub mod cases;
pub mod closing;
pub mod log_in;
pub mod notifications;
pub mod own_data;
pub mod own_limits;
pub mod passwords;
pub mod profile;
pub(crate) mod refusals;
pub mod second_factor;
pub mod sessions;
pub mod sign_up;
pub mod stopping;
pub mod subscriptions;
pub mod terms;
pub(crate) mod wire;
