//! Flows in the area `withdrawals`: money out.

pub mod cancellation;
pub mod endings;
pub mod list;
pub mod payouts;
pub mod requests;
