//! Leagues: the draw, seeing them, and points.

pub mod draw;
pub mod list;
pub mod points;
mod view;

use app::{App, AppError};
use domain::{GameweekId, gameweeks::calendar::Gameweek};

use store::leagues::scores::Stage;

use crate::platform::http::ApiError;

/// The gameweek that a call names: by its number in the current season, or by season and number (`2026-03`),
/// which stay; the current one where it names none. `None`: there is no such gameweek.
pub(crate) async fn asked_gameweek(
    app: &App,
    asked: Option<&str>,
) -> Result<Option<(GameweekId, Gameweek)>, AppError> {
    let Some(asked) = asked else {
        let current = app.current_gameweek().await?;
        return Ok(current.map(|(calendar, gameweek)| (calendar.id(gameweek.number), gameweek)));
    };
    match asked.parse() {
        Ok(named) => app.named_gameweek(named).await,
        Err(_) => Ok(None),
    }
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
    ApiError::bad_request("That is not a gameweek.")
}
