//! Rules in the area `payments`: money in.

pub mod code_check;
pub mod manual_payment;
pub mod own_number;
pub mod paybill_account;
pub mod phone;
pub mod prompt;
pub mod receipt;
pub mod set_aside;
