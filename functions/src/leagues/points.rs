//! A team's points in a gameweek (spec §3).

use app::{App, leagues::points};
use axum::{
    Json,
    extract::{Path, Query, State},
};
use domain::{FplId, leagues::ranking::Score};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::StageWord;
use crate::{
    gameweeks::not_a_gameweek,
    platform::http::{ApiError, OneOf, OptionalCaller, Refusal},
};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PointsQuery {
    /// The number in the current season; the current one where it is left out.
    #[param(value_type = Option<u8>, minimum = 1, maximum = 38, example = 3)]
    gameweek: Option<String>,
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
}

/// A registered team's points in a gameweek.
#[utoipa::path(get, path = "/api/points/{fplId}", tag = "leagues", security((), ("bearer" = [])),
    params(("fplId" = String, Path, description = "Digits", pattern = "^[0-9]+$", example = "118670"), PointsQuery),
    responses(
        (status = 200, description = "The points, as far as they are known", body = Points),
        (status = 400, description = "Not a gameweek of this season", body = Refusal),
        (status = 404, description = "Nobody here has that team", body = Refusal),
    ))]
pub async fn get_points(
    State(app): State<App>,
    _: OptionalCaller,
    Path(fpl_id): Path<String>,
    Query(query): Query<PointsQuery>,
) -> Result<Json<Points>, ApiError> {
    let nobodys = || ApiError::not_found("Nobody here has that team.");
    let fpl_id = FplId::parse(&fpl_id).map_err(|_| nobodys())?;
    let found = app.asked_gameweek(query.gameweek.as_deref()).await?;
    let season = match &found {
        Some((id, _)) => id.season,
        None => app.calendar().await?.map_or(0, |calendar| calendar.season),
    };
    let player = app.store().player_by_team(season, fpl_id).await?.ok_or_else(nobodys)?;
    let Some((id, gameweek)) = found else {
        return if query.gameweek.is_none() { Ok(Json(Points::default())) } else { Err(not_a_gameweek()) };
    };
    let unknown = Points { gameweek: Some(gameweek.number), ..Points::default() };
    let Some(points) = points::of_player(&app, &player.id, id).await? else { return Ok(Json(unknown)) };
    let deduct = app.store().switches().await?.deducts_transfers_at(gameweek.deadline);
    let Score { points: counted, points_on_bench } = points.figures.score(deduct);
    Ok(Json(Points {
        points: Some(counted),
        points_on_bench: Some(points_on_bench),
        gross: Some(points.figures.gross),
        transfers_cost: Some(points.figures.transfers_cost),
        chip: points.chip,
        status: Some(OneOf(points.stage)),
        as_of: Some(points.as_of),
        ..unknown
    }))
}
