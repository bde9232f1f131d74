//! Tests in the area `platform`: what no area owns.

mod authz;
mod bad_input;
mod edge;
mod idempotency;
mod least_privilege;
mod limits;
mod logs;
mod mails;
mod restart;
mod schedules;
mod throttling;
mod versions;
