//! Tests in the area `admin`: what an admin does.

mod approvals;
pub mod audit;
mod commands;
mod exports;
mod players;
mod switches;
