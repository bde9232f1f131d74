//! The rules: what is allowed, how much, who wins.
//!
//! No I/O, no async, no clock, no randomness of its own, nothing of AWS: `now` and secrets are
//! arguments, so a rule reads the same in a test, in a Lambda and in the local run.

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

pub use accounts::account::{Email, FplId, Password, Role, UserId, Username};
pub use gameweeks::calendar::GameweekId;
pub use ledger::money::{EntryAmount, Kes};
pub use payments::paybill_account::PaybillAccount;
pub use payments::phone::MpesaPhone;
pub use platform::kenya::KENYA;
