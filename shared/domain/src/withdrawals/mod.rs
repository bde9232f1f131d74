//! Rules in the area `withdrawals`: money out.

pub mod requests;
