//! Tests in the area `gameweeks`: the calendar and what is open.

mod calling_off;
mod current;
mod month;
mod results;
mod seasons;
mod week;
