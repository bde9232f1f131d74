//! Calls in the area `entries`: joining a gameweek.

pub mod join;
pub mod list;
pub mod payments;
mod refusals;
