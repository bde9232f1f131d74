//! Calls in the area `gameweeks`: the calendar and what is open.

pub mod calendar;
pub mod calling_off;
mod refusals;
pub mod status;

use domain::gameweeks::calendar::GameweekState;

use crate::platform::http::{ApiError, OneOf, RefusalCode};

pub type StateWord = OneOf<GameweekState>;

pub(crate) fn not_a_gameweek() -> ApiError {
    ApiError::bad_request("That is not a gameweek.").code(RefusalCode::NotAGameweek)
}
