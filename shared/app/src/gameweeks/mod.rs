//! Flows in the area `gameweeks`: the calendar and what is open.

pub mod calling_off;
pub(crate) mod official_calendar;
pub mod seasons;
pub mod status;
pub mod sync;
