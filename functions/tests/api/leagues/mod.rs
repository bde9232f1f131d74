//! Tests in the area `leagues`: the draw, leagues and points.

mod crowd;
mod draw;
mod draw_races;
mod list;
mod live;
mod points;
