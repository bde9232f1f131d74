//! A team's points in a gameweek (spec §3).

use app::{
    App,
    leagues::points::{self, AskedPoints, CountedPoints},
};
use axum::extract::{Path, State};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{StageWord, pitch::TeamView};
use crate::platform::http::{ApiError, Keep, OneOf, Public, Query, Refusal};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PointsQuery {
    /// The number in the current season; the current one where it is left out.
    #[param(value_type = Option<u8>, minimum = 1, maximum = 38, example = 3)]
    gameweek: Option<String>,
    /// The league that the team was drawn into; the gameweek is that league's then, and the team is found whoever has it
    /// by now.
    #[param(pattern = "^[0-9]{4}-[0-9]{2}-(50|100|250)-[0-9]{5,}$", example = "2026-01-50-00001")]
    league: Option<String>,
    /// `true`: with the team on the pitch.
    #[serde(default)]
    team: bool,
}

#[derive(Default, Serialize, ToSchema)]
pub struct Points {
    /// After the deduction setting; null until known.
    #[schema(example = 61)]
    points: Option<i32>,
    /// Null until known.
    #[schema(example = 7)]
    points_on_bench: Option<i32>,
    #[schema(example = 3)]
    gameweek: Option<u8>,
    /// Before extra transfers are paid for.
    #[schema(example = 65)]
    gross: Option<i32>,
    #[serde(rename = "transfersCost")]
    #[schema(example = 4)]
    transfers_cost: Option<i32>,
    #[schema(example = "bboost")]
    chip: Option<String>,
    /// Null until known.
    #[schema(inline)]
    status: Option<StageWord>,
    #[serde(rename = "asOf")]
    as_of: Option<Timestamp>,
    /// The team on the pitch, where it is asked for and known: from the draw on, which is after the deadline.
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<TeamView>,
}

/// A registered team's points in a gameweek.
#[utoipa::path(get, path = "/api/points/{fplId}", tag = "leagues",
    params(("fplId" = String, Path, description = "Digits", pattern = "^[0-9]+$", example = "118670"), PointsQuery),
    responses(
        (status = 200, description = "The points, as far as they are known", body = Points),
        (status = 400, description = "Not a gameweek of this season", body = Refusal),
        (status = 404, description = "Nobody here has that team, or it is not in that league", body = Refusal),
    ))]
pub async fn get_points(
    State(app): State<App>,
    Path(fpl_id): Path<String>,
    Query(query): Query<PointsQuery>,
) -> Result<Public<Points>, ApiError> {
    let asked = AskedPoints {
        team: &fpl_id,
        gameweek: query.gameweek.as_deref(),
        league: query.league.as_deref(),
        on_the_pitch: query.team,
    };
    let CountedPoints { gameweek, points, team } = points::counted(&app, asked).await?;
    let unknown = Points { gameweek, team: team.map(TeamView::from), ..Points::default() };
    let Some((points, score)) = points else { return Ok(Public(Keep::HALF_A_MINUTE, unknown)) };
    let known = Points {
        points: Some(score.points),
        points_on_bench: Some(score.points_on_bench),
        gross: Some(points.figures.gross),
        transfers_cost: Some(points.figures.transfers_cost),
        chip: points.chip,
        status: Some(OneOf(points.stage)),
        as_of: Some(points.as_of),
        ..unknown
    };
    Ok(Public(Keep::HALF_A_MINUTE, known))
}
