//! The stand-ins from outside, over HTTP as the product and a person reach them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod agreement;
mod daraja;
mod faults;
mod kinds;
mod moved;
mod payouts;
mod phones;
mod season;
mod seasons;
mod teams;
mod version_1;
mod world;
