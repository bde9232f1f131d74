//! Flows in the area `admin`: what an admin does.

pub mod acts;
pub mod approvals;
pub mod changes;
pub mod commands;
pub mod exports;
pub(crate) mod outsiders;
pub mod own_account;
pub mod players;
pub mod prizes;
mod stakes;
pub mod switches;
