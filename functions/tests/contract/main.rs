//! What is made from the table is what is committed, what is written by hand holds what it says of other files, and no
//! function may do more than it needs.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod areas;
mod circles;
mod citations;
mod deployment;
mod document;
mod edge;
mod faults;
mod grants;
mod kept;
mod partitions;
mod privacy;
mod sentences;
mod support;
mod template;
mod uploaded;
mod watched;
