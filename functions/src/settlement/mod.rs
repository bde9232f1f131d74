//! Calls in the area `settlement`: winners and what a league pays.

pub mod preview;
pub mod record;
mod refusals;
pub mod waiting;
pub mod winners;
