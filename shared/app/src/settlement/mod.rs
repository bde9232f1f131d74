//! Flows in the area `settlement`: winners and what a league pays.

pub mod corrections;
pub mod preview;
pub mod settling;
pub mod waiting;
pub mod winners;
