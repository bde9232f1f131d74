//! The table, the template, the OpenAPI document and its types are one thing: what is in one and not
//! in the other fails here, with the text to paste.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod areas;
mod citations;
mod document;
mod faults;
mod template;
