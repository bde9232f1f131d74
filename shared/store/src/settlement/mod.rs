//! What is kept in the area `settlement`: winners and what a league pays.

pub mod record;
