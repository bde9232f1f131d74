//! Rules in the area `platform`: what no area owns.

pub mod idempotency;
pub mod kenya;
pub mod limits;
