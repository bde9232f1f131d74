//! Rules in the area `admin`: what an admin does.

pub mod approvals;
