//! Tests in the area `platform`: what no area owns.

pub mod authz;
mod bad_input;
pub mod crash_recovery;
mod edge;
mod idempotency;
pub mod interleavings;
mod limits;
mod logs;
mod mails;
mod restart;
mod schedules;
mod throttling;
mod versions;
