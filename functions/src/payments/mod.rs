//! Calls in the area `payments`: money in.

pub mod callbacks;
pub mod deposits;
pub mod manual_payments;
pub mod numbers;
pub mod set_asides;
