//! Calls in the area `admin`: what an admin does.

pub mod acts;
pub mod approvals;
pub mod audit;
pub mod changes;
pub mod exports;
pub mod players;
mod refusals;
pub mod settings;
pub mod switches;
mod wire;
