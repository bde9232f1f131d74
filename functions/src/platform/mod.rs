//! Calls in the area `platform`: what no area owns.

pub mod alarms;
pub mod backlog;
pub mod deployment;
pub mod health;
pub mod http;
pub mod jobs;
#[cfg(feature = "document")]
pub(crate) mod openapi;
pub(crate) mod table;
