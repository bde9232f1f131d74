//! Calls in the area `payments`: money in.

pub mod callbacks;
pub mod deposits;
pub mod numbers;
pub mod paybill;
pub mod prompts;
mod refusals;
pub mod set_asides;
pub mod typed_codes;
pub(crate) mod wire;
