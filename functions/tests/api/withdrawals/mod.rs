//! Tests in the area `withdrawals`: money out.

mod crash_recovery;
mod interleavings;
mod payout_faults;
mod payouts;
mod requests;
mod sent_by_hand;
