//! DynamoDB, one table: each entity's file owns its keys, its item form and its operations.
//!
//! Invariants: keys exist only in the entity's file; a money step is one transaction whose items
//! belong to one player or one payment; what is written and under which condition is
//! said by `platform::writes` and `platform::conditions`; a refused condition comes back as a typed outcome; reads
//! page; nothing scans but the nightly reading of the books. The tables of entities and access patterns
//! are in this crate's README.

pub mod accounts;
pub mod admin;
pub mod entries;
pub mod gameweeks;
pub mod influencers;
pub mod leagues;
pub mod ledger;
pub mod payments;
pub mod platform;
pub mod settlement;
pub mod teams;
pub mod withdrawals;

pub use admin::decision::AdminDecision;
pub use platform::error::{StoreError, is_not_set_up};
pub use platform::ids::{random_id, time_ordered_id};
pub use platform::table::{Page, Store};
