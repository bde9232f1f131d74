//! Tests in the area `leagues`: the draw, leagues and points.

mod draw;
pub mod draw_races;
pub mod list;
mod points;
