//! Calls in the area `payments`: money in.

pub mod callbacks;
pub mod deposits;
pub mod numbers;
pub mod set_asides;
pub mod typed_codes;
