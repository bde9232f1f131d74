//! Flows in the area `withdrawals`: money out.

pub mod cancellation;
pub mod payouts;
pub mod requests;
