//! Rules in the area `entries`: joining a gameweek.

pub mod join;
