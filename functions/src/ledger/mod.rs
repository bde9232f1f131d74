//! Calls in the area `ledger`: postings, wallets and the books.

pub mod corrections;
pub mod proof;
pub mod reconciliation;
mod refusals;
pub mod statement;
pub mod transactions;
pub mod trust;
pub mod wallets;
pub(crate) mod wire;
