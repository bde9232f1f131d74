//! A player's team: linked at sign-up, and anew in each season.

use app::{
    App,
    teams::link::{self, LinkError},
};
use axum::{Json, extract::State};
use domain::FplId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    accounts::auth::no_season,
    entries::join::team_refusal,
    platform::http::{ApiError, Body, Caller, Lenient, Refusal},
};

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
    message: String,
    fpl_id: String,
    /// As the official game has it; null where it did not answer.
    team_name: Option<String>,
}

/// Links the caller's team of this season, once. What was entered and paid in seasons before keeps the
/// team that it had.
#[utoipa::path(put, path = "/api/user/team", tag = "account", security(("bearer" = [])),
    request_body = TeamLink, responses(
        (status = 200, description = "Linked", body = TeamLinked),
        (status = 400, description = "Not a number, or no team of the official game", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 409, description = "Another account's this season, or the caller has a team of this season",
            body = Refusal),
        (status = 429, description = "Too many were tried", body = Refusal),
        (status = 503, description = "The season is not known yet", body = Refusal),
    ))]
pub async fn link_team(
    State(app): State<App>,
    Caller(player): Caller,
    Body(form): Body<TeamLink>,
) -> Result<Json<TeamLinked>, ApiError> {
    let fpl_id = FplId::parse(form.fpl_id.text()).map_err(ApiError::bad_request)?;
    let player = link::link(&app, &player, fpl_id).await?.map_err(refusal)?;
    let message = "Your team is linked.".to_owned();
    Ok(Json(TeamLinked { message, fpl_id: fpl_id.to_string(), team_name: player.team_name }))
}

pub(crate) fn refusal(error: LinkError) -> ApiError {
    match error {
        LinkError::NoSeason => no_season(),
        LinkError::Team(error) => team_refusal(error),
        LinkError::Limited(limited) => limited.into(),
        LinkError::Taken => ApiError::conflict(error).with("taken", true),
        LinkError::LostTwice | LinkError::AlreadyLinked => ApiError::conflict(error),
    }
}
