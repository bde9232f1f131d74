//! Who is logged in.

use app::{App, payments::paybill_accounts, teams::link};
use axum::{Json, extract::State};
use domain::{Email, UserId, Username};
use serde::Serialize;
use utoipa::ToSchema;

use super::{stopping::StoppedPlaying, terms::Terms, wire::RoleWord};
use crate::{
    payments::wire::OwnPaybill,
    platform::http::{ApiError, Caller, OneOf},
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct User {
    #[serde(rename = "_id")]
    #[schema(value_type = String, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: UserId,
    #[schema(value_type = String, example = "Wanjiku")]
    username: Username,
    #[schema(value_type = String, example = "wanjiku@example.co.ke")]
    email: Email,
    /// The linked team's number; empty where none is linked (an admin, or a player who has yet to link or prove a team).
    #[schema(example = "118670")]
    fpl_id: String,
    /// Whether the page asks for a team: a player has linked none, or the linked one is of a season that is over.
    #[schema(example = false)]
    needs_team: bool,
    /// As the official game has it; null until it was asked.
    #[schema(example = "Nairobi Rangers")]
    team_name: Option<String>,
    /// Balance, in KES.
    #[schema(example = 450)]
    wallet: i64,
    /// What was taken back and was not in the wallet any more, in KES: whatever comes in pays it first.
    #[schema(example = 0)]
    owed: i64,
    /// `player` or `admin`.
    #[schema(inline)]
    role: RoleWord,
    /// Whether an admin has suspended the account: it enters nothing, and is no admin's while it lasts.
    #[schema(example = false)]
    suspended: bool,
    /// Whether the caller has set limits of their own (`GET /api/me/limits`).
    #[schema(example = false)]
    has_limits: bool,
    /// While the caller has stopped playing: they enter nothing and are asked for no payment. Null otherwise.
    stopped: Option<StoppedPlaying>,
    /// Whether we have asked for a proof of age: until it is given, the caller enters nothing and is asked for no payment.
    #[schema(example = false)]
    age_proof_wanted: bool,
    terms: Terms,
    paybill: OwnPaybill,
}

/// Who is logged in, with the wallet's balance.
#[utoipa::path(get, path = "/api/user", tag = "account", security(("bearer" = [])), responses(
    (status = 200, description = "The caller", body = User),
))]
pub async fn get_user(State(app): State<App>, Caller(player): Caller) -> Result<Json<User>, ApiError> {
    let wallet = app.store().wallet(&player.id).await?;
    let paybill = paybill_accounts::OwnPaybill::of(&app, &player).await?.into();
    Ok(Json(User {
        terms: Terms::of(&app, &player.terms),
        needs_team: link::is_needed(&player, app.season().await?),
        id: player.id,
        username: player.username,
        email: player.email,
        fpl_id: player.fpl_id.map(|id| id.to_string()).unwrap_or_default(),
        team_name: player.team_name,
        wallet: wallet.balance.get(),
        owed: wallet.debt.get(),
        role: OneOf(player.role),
        suspended: player.suspended,
        has_limits: player.restraints.has_limits,
        stopped: player.restraints.stopped(app.clock().now()).map(StoppedPlaying::from),
        age_proof_wanted: player.restraints.age_proof_wanted,
        paybill,
    }))
}
