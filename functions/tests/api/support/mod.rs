//! What the tests share: a world with people in it, and what they do.

pub mod admin;
pub mod answer;
pub mod authenticator;
pub mod authz;
pub mod calls;
pub mod document;
pub mod engine;
pub mod folder;
pub mod gameweek;
pub mod invariants;
pub mod ledger;
pub mod log_capture;
pub mod mails;
pub mod money;
pub mod mpesa;
pub mod njeri;
pub mod person;
pub mod phones;
pub mod processes;
pub mod set_asides;
pub mod team_proofs;
pub mod world;

pub use self::{
    answer::{Answer, assert_has, at_once, read, statuses, text},
    folder::Folder,
    ledger::Ledger,
    person::{PASSWORD, Person, TERMS},
    world::World,
};
