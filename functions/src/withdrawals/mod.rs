//! Calls in the area `withdrawals`: money out.

pub mod callbacks;
pub mod cancellation;
pub mod requests;
