//! Flows in the area `accounts`: who somebody is.

pub mod access;
pub mod cases;
pub mod closing;
pub mod credentials;
pub mod erasure;
pub mod log_in;
pub mod notifications;
pub mod own_data;
pub mod own_limits;
pub mod own_sessions;
pub mod passwords;
mod recovery_codes;
pub mod second_factor;
pub mod sessions;
pub mod sign_up;
pub mod step_up;
pub mod stopping;
pub mod subscriptions;
pub mod terms;
