//! What is kept in the area `accounts`: who somebody is.

pub mod cases;
pub mod closing;
pub mod erasure;
pub(crate) mod keys;
pub mod notifications;
pub mod own_data;
pub mod own_limits;
pub mod passwords;
pub mod players;
pub mod second_factor;
pub mod sessions;
pub mod sign_up;
pub mod stopping;
