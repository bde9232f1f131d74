//! Flows in the area `payments`: money in.

pub mod ask_afresh;
pub mod deposits;
pub mod mpesa_word;
pub mod numbers;
pub mod paybill;
pub mod paybill_accounts;
pub mod prompts;
pub mod receipts;
pub mod results;
pub mod set_asides;
pub mod typed_codes;
