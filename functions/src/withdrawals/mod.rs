//! Calls in the area `withdrawals`: money out.

pub mod cancellation;
pub mod requests;
