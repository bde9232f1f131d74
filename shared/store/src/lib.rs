//! DynamoDB, one table: each entity's file owns its keys, its item form and its operations.
//!
//! Invariants: keys exist only in the entity's file; a money step is one transaction whose items
//! belong to one player or one payment; a refused condition comes back as a typed outcome; reads
//! page; nothing scans but the nightly reading of the books. The tables of entities and access patterns
//! are in this crate's README.

mod error;
mod ids;
mod lists;
mod table;
mod transaction;
mod word;

pub mod admins;
pub mod approvals;
pub mod audit;
pub mod books;
pub mod collecting;
pub mod corrections;
pub mod days;
pub mod draw_rounds;
pub mod draws;
pub mod entries;
mod entry_order;
pub mod float;
pub mod gameweeks;
pub mod idempotency;
pub mod influencers;
pub mod leagues;
pub mod limits;
pub mod mailed;
pub mod manual_payments;
pub mod marks;
pub mod numbers;
pub mod paybill;
pub mod payments;
pub mod permits;
pub mod players;
pub mod questions;
pub mod receipt_questions;
pub mod receipts;
pub mod resets;
pub mod scores;
pub mod sessions;
pub mod settings;
pub mod settlements;
pub mod story;
pub mod together;
pub mod tokens;
pub mod totp;
pub mod wallets;
pub mod withdrawals;

pub use error::StoreError;
pub use ids::{random_id, time_ordered_id};
pub use lists::Page;
pub use table::Store;
pub use word::Word;
