//! Rules in the area `accounts`: who somebody is.

pub mod account;
pub mod cases;
pub(crate) mod common_passwords;
pub mod device;
pub mod notifications;
pub mod own_limits;
pub(crate) mod reserved_names;
pub mod stopping;
pub mod terms;
