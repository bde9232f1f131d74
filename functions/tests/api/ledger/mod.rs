//! Tests in the area `ledger`: postings, wallets and the books.

mod reconciliation;
mod taking_back;
