//! The rules: what is allowed, how much, who wins.
//!
//! No I/O, no async, no clock, no randomness of its own, nothing of AWS: `now` and secrets are
//! arguments, so a rule reads the same in a test, in a Lambda and in the local run.

pub mod account;
pub mod approval;
pub mod beacon;
pub mod books;
pub mod calling_off;
pub mod code_check;
mod common_passwords;
pub mod entry_line;
pub mod funds;
pub mod gameweek;
pub mod idempotency;
pub mod influencer;
pub mod join;
pub mod league;
pub mod ledger;
pub mod limits;
pub mod manual_payment;
pub mod money;
pub mod own_number;
pub mod paybill_account;
pub mod payment;
pub mod phone;
pub mod points;
pub mod prize;
pub mod ranking;
pub mod receipt;
mod reserved_names;
pub mod set_aside;
pub mod taking_back;
pub mod team_proof;
pub mod withdrawal;

pub use account::{Email, FplId, Password, Role, UserId, Username};
pub use gameweek::GameweekId;
pub use money::{EntryAmount, Kes};
pub use paybill_account::PaybillAccount;
pub use phone::MpesaPhone;
