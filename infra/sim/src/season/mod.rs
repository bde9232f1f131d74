//! The season as the official game would publish it: its calendar, clubs, players, fixtures and what
//! each player does on the pitch. Everything follows from ids, the calendar and the instant asked
//! about; the one thing that is remembered is what was set for a gameweek.

mod calendar;
mod fixtures;
mod form;
mod kept;
mod players;
mod years;

pub(crate) use calendar::{COUNT, Calendar, Gameweek};
pub use calendar::{ChangeError, GameweekChange, GameweekRefused, Kind, Phase};
pub(crate) use fixtures::{Fixture, MatchStage, Round, called_off, fixtures};
pub(crate) use form::{Figure, Figures, Happening, happenings, made_up};
pub(crate) use kept::Kept;
pub(crate) use players::{CLUBS, Player, Position, SQUAD, pool};
pub use years::FIRST_OPEN;
pub(crate) use years::Season;
