//! Flows in the area `platform`: what no area owns.

pub mod aws;
pub mod backlog;
pub(crate) mod backstop;
pub mod config;
pub mod daraja;
pub(crate) mod error;
pub mod flow;
pub mod health;
pub mod idempotency;
pub mod limits;
pub mod mail;
pub mod push;
pub mod queues;
pub mod reasons;
pub mod secrets;
pub mod security_log;
mod test_settings;
