//! Tests in the area `admin`: what an admin does.

mod approval_list;
mod approvals;
mod approved_corrections;
mod audit;
mod commands;
mod exports;
mod frozen;
mod mails;
mod players;
mod switches;
