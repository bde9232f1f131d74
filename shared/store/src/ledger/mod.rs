//! What is kept in the area `ledger`: postings, wallets and the books.

pub mod corrections;
pub mod float;
mod postings;
pub mod receipt_runs;
pub mod reconciliation;
pub mod reversals;
pub mod sum_trees;
pub mod trust;
pub mod wallets;
