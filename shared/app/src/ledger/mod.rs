//! Flows in the area `ledger`: postings, wallets and the books.

pub mod corrections;
pub mod float;
pub mod overview;
pub mod reconciliation;
pub mod reversals;
pub mod statement;
pub mod taking_back;
pub mod transactions;
