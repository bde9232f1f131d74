//! Calls in the area `teams`: a player's team in the official game.

pub mod link;
pub mod proofs;
mod refusals;
