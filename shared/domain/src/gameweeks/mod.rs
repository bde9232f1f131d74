//! Rules in the area `gameweeks`: the calendar and what is open.

pub mod calendar;
pub mod calling_off;
pub mod excerpt;
