//! The end of a gameweek: its winners are paid, and how far that is.

use app::{
    App,
    gameweeks::seasons::Named,
    settlement::winners::{self, Progress},
};
use axum::{Json, extract::State};
use domain::gameweeks::calendar::GameweekState;
use serde::{Deserialize, Serialize};
use store::admin::audit::Who;
use utoipa::ToSchema;

use crate::{
    gameweeks::{StateWord, not_a_gameweek},
    platform::http::{Admin, ApiError, Body, Lenient, OneOf, Refusal},
};

#[derive(Default, Deserialize, ToSchema)]
pub struct ProcessWinners {
    /// Its number in this season, or season and number: `2026-38`. By default the oldest closed one of this
    /// season that is not settled.
    #[serde(default)]
    #[schema(value_type = Option<GameweekName>, example = 3)]
    gameweek: Lenient,
}

/// A gameweek: its number in this season, or season and number.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum GameweekName {
    #[schema(example = 38)]
    Number(u8),
    #[schema(example = "2026-38")]
    Of(String),
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WinnersProgress {
    #[schema(example = "Paying the winners of gameweek 3: 4 of 12 leagues done.")]
    message: String,
    #[schema(example = 3)]
    gameweek: u8,
    /// The year in which its season began.
    #[schema(example = 2026)]
    season: u16,
    #[schema(inline)]
    state: StateWord,
    #[schema(example = 12)]
    leagues: usize,
    #[schema(example = 4)]
    settled: usize,
    /// Leagues that cannot be settled yet.
    #[schema(example = 0)]
    waiting: usize,
    /// What all leagues pay together, in KES.
    #[schema(example = 5400)]
    to_pay: i64,
}

impl From<Progress> for WinnersProgress {
    fn from(progress: Progress) -> Self {
        let Progress { gameweek, state, called_off, leagues, settled, waiting, to_pay } = progress;
        let domain::GameweekId { season, number } = gameweek;
        let message = match (state, called_off) {
            (GameweekState::Settled, false) => {
                format!("Gameweek {number} is settled. Leagues paid: {leagues}.")
            }
            (_, false) => {
                format!("Paying the winners of gameweek {number}: {settled} of {leagues} leagues done.")
            }
            (_, true) => format!(
                "Gameweek {number} is called off, its stakes go back: {settled} of {leagues} leagues done."
            ),
        };
        let (state, to_pay) = (OneOf(state), to_pay.get());
        Self { message, gameweek: number, season, state, leagues, settled, waiting, to_pay }
    }
}

/// Ends a gameweek: has its winners paid. Called again, it answers how far that is.
#[utoipa::path(post, path = "/api/gameweek/process-winners", tag = "gameweek", security(("bearer" = [])),
    request_body(content = Option<ProcessWinners>), responses(
        (status = 200, description = "Asked for; how far it is", body = WinnersProgress),
        (status = 400, description = "Not a gameweek", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 409, description = "Still open, or its official points are not final", body = Refusal),
    ))]
pub async fn process_winners(
    State(app): State<App>,
    Admin(admin): Admin,
    body: Option<Body<ProcessWinners>>,
) -> Result<Json<WinnersProgress>, ApiError> {
    let asked = body.map(|Body(form)| form.gameweek).filter(|field| !field.is_absent());
    let asked = asked.map(|field| named(&field)).transpose()?;
    let progress = winners::start(&app, asked, Who::admin(&admin)).await?;
    tracing::info!(admin = %admin.id, gameweek = %progress.gameweek, "winners asked for");
    Ok(Json(progress.into()))
}

/// The gameweek that a field names: a number of this season, or a text with the season.
fn named(field: &Lenient) -> Result<Named, ApiError> {
    let number = field.integer().and_then(|number| u8::try_from(number).ok()).map(Named::Number);
    let named = number.or_else(|| field.text().parse().ok());
    named.ok_or_else(not_a_gameweek)
}
