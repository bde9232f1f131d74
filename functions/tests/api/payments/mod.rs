//! Tests in the area `payments`: money in.

mod ask_afresh;
pub mod deposits;
mod numbers;
mod out_of_order_callbacks;
pub mod paybill;
mod paybill_accounts;
pub mod receipts;
pub mod set_asides;
pub mod typed_code_checks;
mod typed_codes;
