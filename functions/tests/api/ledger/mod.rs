//! Tests in the area `ledger`: postings, wallets and the books.

mod corrections;
mod float;
mod reconciliation;
mod spending;
mod taking_back;
mod taxes;
mod trust;
