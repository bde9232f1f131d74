//! A team's points in a gameweek (spec §3 "Points result per fplId").

use app::App;
use axum::{
    Json,
    extract::{Path, Query, State},
};
use domain::{
    FplId,
    ranking::{Figures, Score},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{asked_gameweek, not_a_gameweek};
use crate::http::{ApiError, OptionalCaller, Refusal};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PointsQuery {
    /// The number in the current season; the current one where it is left out.
    #[param(value_type = Option<u8>)]
    gameweek: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct Points {
    /// After the deduction setting; null until known.
    points: Option<i32>,
    /// Null until known.
    points_on_bench: Option<i32>,
    gameweek: Option<u8>,
    /// Before extra transfers are paid for.
    gross: Option<i32>,
    #[serde(rename = "transfersCost")]
    transfers_cost: Option<i32>,
    chip: Option<String>,
    /// `live`, `provisional` or `final`; null until known.
    status: Option<&'static str>,
    /// RFC 3339, UTC.
    #[serde(rename = "asOf")]
    as_of: Option<String>,
}

/// A registered team's points in a gameweek.
#[utoipa::path(get, path = "/api/points/{fplId}", tag = "leagues", security((), ("bearer" = [])),
    params(("fplId" = String, Path, description = "Digits"), PointsQuery),
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
    let season = app.calendar().await?.map_or(0, |calendar| calendar.season);
    app.store().player_by_team(season, fpl_id).await?.ok_or_else(nobodys)?;
    let unknown = Points {
        points: None,
        points_on_bench: None,
        gameweek: None,
        gross: None,
        transfers_cost: None,
        chip: None,
        status: None,
        as_of: None,
    };
    let found = asked_gameweek(&app, query.gameweek.as_deref()).await?;
    let Some((calendar, gameweek)) = found else {
        return if query.gameweek.is_none() { Ok(Json(unknown)) } else { Err(not_a_gameweek()) };
    };
    let unknown = Points { gameweek: Some(gameweek.number), ..unknown };
    let kept = app.store().official_result(fpl_id, calendar.id(gameweek.number)).await?;
    let Some(result) = kept else { return Ok(Json(unknown)) };
    let deduct = app.store().switches().await?.deducts_transfers_at(gameweek.deadline);
    let Score { points, points_on_bench } = result.figures.score(deduct);
    let Figures { gross, transfers_cost, .. } = result.figures;
    Ok(Json(Points {
        points: Some(points),
        points_on_bench: Some(points_on_bench),
        gross: Some(gross),
        transfers_cost: Some(transfers_cost),
        chip: result.chip,
        status: Some("final"),
        as_of: Some(result.as_of.to_string()),
        ..unknown
    }))
}
