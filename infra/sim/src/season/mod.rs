//! The season as the official game would publish it: its calendar, clubs, players, fixtures and what
//! each player does on the pitch. Pure: everything follows from ids and the instant asked about.

mod calendar;
mod fixtures;
mod form;
mod players;

pub use calendar::{FIRST_OPEN, Phase};
pub(crate) use calendar::{Gameweek, boundaries, current};
pub(crate) use fixtures::{Fixture, Round, Stage, fixtures};
pub(crate) use form::{Figure, Happening, happenings, made_up};
pub(crate) use players::{CLUBS, Player, Position, SQUAD, pool};
