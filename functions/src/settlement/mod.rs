//! Calls in the area `settlement`: winners and what a league pays.

pub mod preview;
pub mod record;
pub mod waiting;
pub mod winners;
