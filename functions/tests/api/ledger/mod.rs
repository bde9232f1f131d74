//! Tests in the area `ledger`: postings, wallets and the books.

mod reconciliation;
mod spending;
mod taking_back;
