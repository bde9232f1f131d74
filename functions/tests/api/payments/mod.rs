//! Tests in the area `payments`: money in.

mod ask_afresh;
pub mod codes;
pub mod deposits;
mod manual_payments;
mod numbers;
mod out_of_order_callbacks;
pub mod paybill;
mod paybill_accounts;
pub mod receipts;
pub mod set_asides;
