//! DynamoDB, one table: each entity's file owns its keys, its item form and its operations.
//!
//! Invariants: keys exist only in the entity's file; a money step is one transaction with the items of one player,
//! payment or league, to which an admin's act adds its record and the sums that admins share; `platform::writes` and
//! `platform::conditions` say what is written and under which condition; a refused condition comes back as a typed
//! outcome; reads page; nothing scans but the nightly reading of the books. The tables of entities and access patterns
//! are in this crate's README.
//!
//! Unless a function says otherwise its only error is [`StoreError`]. After `Withheld` nothing of the transaction was
//! written. After `Unavailable` the last write may have been done all the same: the answer may be lost, not the write.
//! A function that makes several writes may have done the earlier ones, whatever its error. A step that moves money can
//! be called again: the conditions of its writes see what is done already.

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
