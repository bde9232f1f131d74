//! What is kept in the area `admin`: what an admin does.

pub mod admins;
pub mod approvals;
pub mod audit;
pub(crate) mod decision;
pub mod directory;
pub mod outsiders;
pub mod permits;
pub mod players;
pub mod settings;
mod who;
