//! Tests in the area `gameweeks`: the calendar and what is open.

mod month;
mod results;
pub mod seasons;
mod week;
