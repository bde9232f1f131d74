//! Rules in the area `leagues`: the draw, leagues and points.

pub mod beacon;
pub mod draw;
pub mod entry_line;
pub mod points;
pub mod ranking;
