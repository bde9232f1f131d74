//! Rules in the area `ledger`: postings, wallets and the books.

pub mod funds;
pub mod money;
pub mod postings;
pub mod reconciliation;
pub mod taking_back;
