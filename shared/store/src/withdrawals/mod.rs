//! What is kept in the area `withdrawals`: money out.

pub mod correct;
pub mod payouts;
pub mod requests;
