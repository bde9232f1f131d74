//! Flows in the area `leagues`: the draw, leagues and points.

pub(crate) mod blocks;
pub mod draw;
pub mod list;
pub mod live;
pub mod own;
pub mod picks_import;
pub mod points;
