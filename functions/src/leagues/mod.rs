//! Leagues: joining, seeing them, points, and the record that was paid from.

pub mod join;
pub mod list;
pub mod points;
pub mod settlement;
mod view;
pub mod waiting;

use app::{App, AppError};
use domain::gameweek::{Calendar, Gameweek};

use store::scores::Stage;

use crate::http::ApiError;

/// The gameweek that a query names by its number in the current season; the current one where it
/// names none. `None`: there is no such gameweek.
async fn asked_gameweek(app: &App, asked: Option<&str>) -> Result<Option<(Calendar, Gameweek)>, AppError> {
    let Some(asked) = asked else { return app.current_gameweek().await };
    let Some(calendar) = app.calendar().await? else { return Ok(None) };
    let gameweek = asked.parse().ok().and_then(|number| calendar.gameweek(number)).cloned();
    Ok(gameweek.map(|gameweek| (calendar, gameweek)))
}

/// How certain points are, in the word that answers use.
fn stage_word(stage: Stage) -> &'static str {
    match stage {
        Stage::Live => "live",
        Stage::Provisional => "provisional",
        Stage::Final => "final",
    }
}

fn not_a_gameweek() -> ApiError {
    ApiError::bad_request("That is not a gameweek of this season.")
}
