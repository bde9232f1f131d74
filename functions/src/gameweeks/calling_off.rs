//! Calling a gameweek off: what that would give back, the act, and which gameweeks still owe somebody something.

use app::{
    App,
    admin::acts::MoneyAct,
    gameweeks::calling_off::{self, CallOffPreview},
};
use axum::{
    Json,
    extract::{Path, State},
    response::{IntoResponse, Response},
};
use domain::{GameweekId, gameweeks::calling_off::CallOffError};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    admin::approvals::ProposalItem,
    gameweeks::StateWord,
    platform::http::{Actor, Admin, ApiError, Body, Lenient, OneOf, Refusal},
    settlement::winners::WinnersProgress,
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwedGameweek {
    /// Season and number: `2026-03`.
    #[schema(example = "2026-03")]
    gameweek: String,
    /// The year in which the season began.
    #[schema(example = 2026)]
    season: u16,
    #[schema(example = 1)]
    number: u8,
    deadline: Timestamp,
    #[schema(inline)]
    state: StateWord,
    /// Since when its points are final; null while they are not.
    final_at: Option<Timestamp>,
    /// Why it was called off; null where it was not.
    #[schema(example = json!(null))]
    called_off: Option<String>,
    /// Its season has given way to another.
    #[schema(example = false)]
    former: bool,
}

/// The gameweeks that are closed and not paid in full, former seasons' included, oldest first.
#[utoipa::path(get, path = "/api/admin/gameweeks", tag = "admin", security(("bearer" = [])), responses(
    (status = 200, description = "Oldest first", body = Vec<OwedGameweek>),
    (status = 403, description = "Not an admin", body = Refusal),
))]
pub async fn list_owed_gameweeks(
    State(app): State<App>,
    _: Admin,
) -> Result<Json<Vec<OwedGameweek>>, ApiError> {
    Ok(Json(calling_off::owed(&app).await?.into_iter().map(OwedGameweek::from).collect()))
}

impl From<calling_off::OwedGameweek> for OwedGameweek {
    fn from(owed: calling_off::OwedGameweek) -> Self {
        Self {
            gameweek: owed.id.to_string(),
            season: owed.id.season,
            number: owed.id.number,
            deadline: owed.gameweek.deadline,
            state: OneOf(owed.state),
            final_at: owed.gameweek.final_at,
            called_off: owed.gameweek.called_off.map(|called_off| called_off.reason),
            former: owed.former,
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VoidPreview {
    /// Season and number: `2026-03`.
    #[schema(example = "2026-03")]
    gameweek: String,
    /// The year in which the season began.
    #[schema(example = 2026)]
    season: u16,
    #[schema(example = 1)]
    number: u8,
    deadline: Timestamp,
    #[schema(inline)]
    state: StateWord,
    /// From when it can be called off.
    possible_from: Timestamp,
    /// Why it would be refused now; null where it would not.
    #[schema(example = json!(null))]
    refused: Option<String>,
    /// Why it was called off; null where it was not.
    #[schema(example = json!(null))]
    called_off: Option<String>,
    /// Leagues without a record: their stakes would be given back.
    #[schema(example = 12)]
    leagues: usize,
    /// Entries in them, and those in no league that were not given back.
    #[schema(example = 120)]
    entries: usize,
    /// What these cost, in KES: it goes back whole, without a fee.
    #[schema(example = 6_000)]
    to_refund: i64,
    /// Leagues that have their record: they keep it.
    #[schema(example = 4)]
    settled: usize,
    /// What goes to players by these records, and went back to entries in no league, in KES.
    #[schema(example = 1_800)]
    paid: i64,
}

impl From<CallOffPreview> for VoidPreview {
    fn from(CallOffPreview { id, gameweek, state, from, refused, left }: CallOffPreview) -> Self {
        Self {
            gameweek: id.to_string(),
            season: id.season,
            number: id.number,
            deadline: gameweek.deadline,
            state: OneOf(state),
            possible_from: from,
            refused: refused.as_ref().map(ToString::to_string),
            called_off: gameweek.called_off.map(|called_off| called_off.reason),
            leagues: left.leagues,
            entries: left.entries,
            to_refund: left.to_refund.get(),
            settled: left.settled,
            paid: left.paid.get(),
        }
    }
}

/// What calling a gameweek off would give back, and what is paid already.
#[utoipa::path(get, path = "/api/admin/gameweeks/{id}/void", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "Season and number: `2026-03`")), responses(
        (status = 200, description = "What the act would do now", body = VoidPreview),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such gameweek", body = Refusal),
    ))]
pub async fn preview_void(
    State(app): State<App>,
    _: Admin,
    Path(id): Path<String>,
) -> Result<Json<VoidPreview>, ApiError> {
    Ok(Json(calling_off::preview(&app, gameweek_id(&id)?).await?.into()))
}

#[derive(Deserialize, ToSchema)]
pub struct VoidGameweek {
    /// Shown to everybody who had entered; at most 200 characters.
    #[serde(default)]
    #[schema(value_type = String, example = "The season was left.")]
    reason: Lenient,
}

/// Calls a gameweek off whose points do not become final: every stake that is not paid out is given back.
#[utoipa::path(post, path = "/api/admin/gameweeks/{id}/void", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "Season and number: `2026-03`")),
    request_body = VoidGameweek, responses(
        (status = 200, description = "Called off; how far giving back is", body = WinnersProgress),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 400, description = "No reason", body = Refusal),
        (status = 403, description = "Not an admin, an entry of one's own, or a code is wanted first", body = Refusal),
        (status = 404, description = "No such gameweek", body = Refusal),
        (status = 409, description = "Too early, its points are final, or it is settled", body = Refusal),
    ))]
pub async fn void_gameweek(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<VoidGameweek>,
) -> Result<Response, ApiError> {
    let (id, reason) = (gameweek_id(&id)?, form.reason.reason()?);
    if let Some(progress) = calling_off::resume(&app, id).await? {
        return Ok(Json(WinnersProgress::from(progress)).into_response());
    }
    actor.does(&app, MoneyAct::VoidGameweek { gameweek: id.to_string(), reason }).await
}

fn gameweek_id(text: &str) -> Result<GameweekId, CallOffError> {
    text.parse().map_err(|_| CallOffError::NoGameweek)
}
