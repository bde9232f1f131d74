//! Rules in the area `settlement`: winners and what a league pays.

pub mod prize;
pub mod readings;
pub mod waiting;
