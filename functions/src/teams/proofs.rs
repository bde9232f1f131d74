//! A player proves a team: a code is issued, put into the official team's name, and looked for there.

use app::{App, teams::proofs};
use axum::{Json, extract::State};
use domain::FplId;
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::teams::proofs::Challenge;
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Body, Caller, Lenient, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamProof {
    /// The team in question: the one that a code is issued for, or the caller's own. Empty: there is none.
    #[schema(example = "118670")]
    fpl_id: String,
    /// Whether the caller has proved it.
    #[schema(example = false)]
    proved: bool,
    /// To be put into the team's name in the official game; null where none can be met now.
    #[schema(example = "BCDF2345")]
    code: Option<String>,
    /// As the official game had it when the code was issued.
    #[schema(example = "Nairobi Rangers")]
    team_name: Option<String>,
    /// RFC 3339, UTC: until then the code can be met.
    #[schema(example = "2026-08-23T09:00:00Z")]
    expires_at: Option<Timestamp>,
}

impl TeamProof {
    fn new(fpl_id: Option<FplId>, proved: bool, challenge: Option<Challenge>) -> Self {
        let challenge = challenge.as_ref().filter(|_| !proved);
        Self {
            fpl_id: fpl_id.map(|id| id.to_string()).unwrap_or_default(),
            proved,
            code: challenge.map(|challenge| challenge.code.clone()),
            team_name: challenge.map(|challenge| challenge.team_name.clone()),
            expires_at: challenge.map(|challenge| challenge.expires_at),
        }
    }
}

/// How far the caller is with proving a team.
#[utoipa::path(get, path = "/api/user/team/proof", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "How far it is", body = TeamProof),
))]
pub async fn get_team_proof(
    State(app): State<App>,
    Caller(player): Caller,
) -> Result<Json<TeamProof>, ApiError> {
    let progress = proofs::progress(&app, &player).await?;
    Ok(Json(TeamProof::new(progress.team, progress.proved, progress.challenge)))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TeamToProve {
    /// The caller's own; for who has none, the one that is the caller's in the official game.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "118670")]
    fpl_id: Lenient,
}

/// Issues a code for a team, three a day at most: for the caller's own, or for one that another account has
/// without proof.
#[utoipa::path(post, path = "/api/user/team/proof", tag = "account", security(("bearer" = [])),
    request_body = TeamToProve, responses(
        (status = 201, description = "The code", body = TeamProof),
        (status = 400, description = "Not a number, or no team of the official game", body = Refusal),
        (status = 409, description = "Another player has proved it or has stopped playing with it, or the caller has another team", body = Refusal),
        (status = 429, description = "Too many codes today", body = Refusal),
        (status = 503, description = "The official game is not answering, or the season is not known yet", body = Refusal),
    ))]
pub async fn start_team_proof(
    State(app): State<App>,
    Caller(player): Caller,
    Body(form): Body<TeamToProve>,
) -> Result<(StatusCode, Json<TeamProof>), ApiError> {
    let fpl_id = FplId::parse(form.fpl_id.text())?;
    let challenge = proofs::start(&app, &player, fpl_id).await?;
    Ok((StatusCode::CREATED, Json(TeamProof::new(Some(fpl_id), false, Some(challenge)))))
}

/// Looks for the code in the official team's name. Where it is there, the team is the caller's.
#[utoipa::path(post, path = "/api/user/team/proof/check", tag = "account", security(("bearer" = [])),
    responses(
        (status = 200, description = "Proved", body = TeamProof),
        (status = 400, description = "The official game has no such team any more", body = Refusal),
        (status = 409, description = "No code was asked for, it is not there yet or too late, another player has proved the team or \
            has stopped playing with it, a payment may still make an entry, or something has changed meanwhile", body = Refusal),
        (status = 429, description = "Looked too often", body = Refusal),
        (status = 503, description = "The official game is not answering", body = Refusal),
    ))]
pub async fn check_team_proof(
    State(app): State<App>,
    Caller(player): Caller,
) -> Result<Json<TeamProof>, ApiError> {
    let fpl_id = proofs::check(&app, &player).await?;
    Ok(Json(TeamProof::new(Some(fpl_id), true, None)))
}
