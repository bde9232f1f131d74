//! A player's team: linked at sign-up, and anew in each season.

use app::{App, teams::link};
use axum::{Json, extract::State};
use domain::FplId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Body, Caller, Lenient, Refusal};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamLink {
    /// Digits: the number of the player's team in this season's official game.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "118670")]
    fpl_id: Lenient,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamLinked {
    #[schema(example = "Your team is linked.")]
    message: &'static str,
    #[schema(example = "118670")]
    fpl_id: String,
    /// As the official game has it; null where it did not answer.
    #[schema(example = "Nairobi Rangers")]
    team_name: Option<String>,
}

/// Links the caller's team of this season, once. What was entered and paid in seasons before keeps the
/// team that it had.
#[utoipa::path(put, path = "/api/user/team", tag = "account", security(("bearer" = [])),
    request_body = TeamLink, responses(
        (status = 200, description = "Linked", body = TeamLinked),
        (status = 400, description = "Not a number, or no team of the official game", body = Refusal),
        (status = 409, description = "Another account's this season, the caller has a team of this season or has lost two, or a \
            payment may still make an entry", body = Refusal),
        (status = 429, description = "Too many were tried", body = Refusal),
        (status = 503, description = "The season is not known yet", body = Refusal),
    ))]
pub async fn link_team(
    State(app): State<App>,
    Caller(player): Caller,
    Body(form): Body<TeamLink>,
) -> Result<Json<TeamLinked>, ApiError> {
    let fpl_id = FplId::parse(form.fpl_id.text())?;
    let team_name = link::link(&app, &player, fpl_id).await?.team_name;
    Ok(Json(TeamLinked { message: "Your team is linked.", fpl_id: fpl_id.to_string(), team_name }))
}
