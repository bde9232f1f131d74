//! The official Fantasy Premier League API: what it says, and when its points are final.
//!
//! Invariants: a field that money hangs on is never defaulted: without it the body is malformed;
//! an answer that is no JSON object or list is "updating", never zero points.

mod client;
mod decode;
mod error;
mod pacer;
mod timing;
mod wire;

pub use client::Fpl;
pub use decode::{Body, decode};
pub use error::FplError;
pub use timing::{is_confirmed, is_final};
pub use wire::{
    Bootstrap, Chip, Club, CountedOf, Entry, Event, EventStatus, Explain, ExplainedStat, Fixture,
    FixtureStat, Footballer, History, HistoryRow, Live, LiveElement, LiveStats, Pick, Picks, StatusRow,
};
