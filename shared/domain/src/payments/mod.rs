//! Rules in the area `payments`: money in.

pub mod entry_prompt;
pub mod own_number;
pub mod paybill_account;
pub mod phone;
pub mod prompt;
pub mod receipt_match;
pub mod set_aside;
pub mod typed_code;
pub mod typed_code_check;
