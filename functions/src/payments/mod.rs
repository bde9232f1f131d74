//! Calls in the area `payments`: money in.

pub mod callbacks;
pub mod deposits;
pub mod numbers;
mod refusals;
pub mod set_asides;
pub mod typed_codes;
pub(crate) mod wire;
