//! Tests in the area `withdrawals`: money out.

mod payout_faults;
mod payouts;
mod requests;
