//! Rules in the area `ledger`: postings, wallets and the books.

mod causes;
pub mod corrections;
pub mod funds;
pub mod money;
pub mod postings;
pub mod reconciliation;
pub mod reversals;
pub mod statement;
pub mod sum_tree;
pub mod taking_back;
pub mod taxes;
