//! Calls in the area `withdrawals`: money out.

pub mod callbacks;
pub mod cancellation;
mod refusals;
pub mod requests;
pub(crate) mod wire;
