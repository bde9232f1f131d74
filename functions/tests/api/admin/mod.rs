//! Tests in the area `admin`: what an admin does.

mod approvals;
mod audit;
mod commands;
mod exports;
mod mails;
mod players;
mod switches;
