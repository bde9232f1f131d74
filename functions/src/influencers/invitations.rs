//! A player's own link.

use app::{App, influencers::invitations};
use axum::{Json, extract::State};
use serde::Serialize;
use utoipa::ToSchema;

use super::link;
use crate::platform::http::{ApiError, Caller, Refusal};

/// What came of the link is told by fives, rounded down.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Invitation {
    /// `{public origin}/ref/{code}`.
    #[schema(example = "https://fplleagues.example/ref/7kq2m9x4ab")]
    link: String,
    /// How often the link was followed: an indication.
    #[schema(example = 15)]
    visits: u64,
    /// Accounts that were made by it.
    #[schema(example = 10)]
    sign_ups: u64,
    /// Those among them who have joined a league at least once.
    #[schema(example = 5)]
    paying_players: u64,
}

/// The caller's own link, with what came of it. It pays nobody anything.
#[utoipa::path(get, path = "/api/me/invitation", tag = "influencers", security(("bearer" = [])), responses(
    (status = 200, description = "Made when it is first asked for", body = Invitation),
    (status = 404, description = "The operator lets nobody invite, or the caller may not play now", body = Refusal),
))]
pub async fn get_invitation(
    State(app): State<App>,
    Caller(player): Caller,
) -> Result<Json<Invitation>, ApiError> {
    let own = invitations::own(&app, &player).await?;
    let (code, came) = own.ok_or_else(|| ApiError::not_found("There are no invitations here."))?;
    Ok(Json(Invitation {
        link: link(&app, &code),
        visits: came.visits,
        sign_ups: came.sign_ups,
        paying_players: came.paying_players,
    }))
}
