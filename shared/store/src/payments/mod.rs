//! What is kept in the area `payments`: money in.

pub mod events;
pub mod numbers;
pub mod paybill;
pub(crate) mod paybill_accounts;
pub mod prompts;
pub mod receipt_questions;
pub mod receipts;
pub mod typed_codes;
