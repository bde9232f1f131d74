//! The teams of the official game. Every id has one; what nobody set is made up from the id and the
//! gameweek. Picks, live figures and history always agree, whoever set what.
//!
//! A team whose points can be set plays with fifteen players of its own (its slot): then a figure set
//! after the deadline changes what those players scored, and never the picks that were public since.
//! The first [`known::AUTOMATIC_SLOTS`] teams that anybody asks about get a slot at once, so in an
//! ordinary run this is every team; further ones get it with the first figure set for them.

mod forced;
mod known;
mod lineup;
mod plan;
mod week;

pub(crate) use known::{Entries, EntryChange, Known};
pub(crate) use lineup::Pick;
pub(crate) use plan::Chip;
pub(crate) use week::{Week, reserved_figures, weeks};
