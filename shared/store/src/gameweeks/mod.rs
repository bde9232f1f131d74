//! What is kept in the area `gameweeks`: the calendar and what is open.

pub mod calendar;
pub mod current;
