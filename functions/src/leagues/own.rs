//! A player's own league and place: what is the player's alone of what everybody reads in the list.

use app::{
    App,
    leagues::{list::LeagueNow, own},
};
use axum::{Json, extract::State};
use domain::{FplId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{
    list::{entry_amount, entry_amounts},
    view::LeagueView,
};
use crate::platform::http::{ApiError, Bearer, Query, Refusal};

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct OwnLeagueQuery {
    /// The number in the current season, or season and number; the current one where it is left out.
    #[param(pattern = "^([0-9]{4}-)?[0-9]{1,2}$", example = "3")]
    gameweek: Option<String>,
    /// 50, 100 or 250 KES; 50 where it is left out.
    #[param(schema_with = entry_amounts)]
    entry_amount: Option<String>,
}

#[derive(Serialize, ToSchema)]
pub struct OwnLeague {
    /// As the list has it, with `own`; null where the player is in none.
    league: Option<LeagueView>,
    /// From 1; null until it is known.
    #[schema(example = 2)]
    place: Option<usize>,
    /// The team that plays there for the player, who may have another one by now; null where the player is in none.
    #[serde(rename = "fplId")]
    #[schema(example = "118670")]
    fpl_id: Option<String>,
}

/// The league that the caller is in, and the place there.
#[utoipa::path(get, path = "/api/me/league", tag = "account", security(("bearer" = [])),
    params(OwnLeagueQuery), responses(
        (status = 200, description = "The own league, as it is now", body = OwnLeague),
        (status = 400, description = "Not a gameweek or an amount", body = Refusal),
    ))]
pub async fn get_own_league(
    State(app): State<App>,
    bearer: Bearer,
    Query(query): Query<OwnLeagueQuery>,
) -> Result<Json<OwnLeague>, ApiError> {
    let amount = entry_amount(query.entry_amount.as_deref())?;
    let asked = async { own::asked(&app, query.gameweek.as_deref()).await.map_err(ApiError::from) };
    let (player, asked) = tokio::try_join!(bearer.player(&app), asked)?;
    let league = match asked {
        Some((id, gameweek)) => own::find(&app, &player.id, (id, &gameweek), amount).await?,
        None => None,
    };
    let place = league.as_ref().and_then(|league| place(league, &player.id));
    let team = league.as_ref().and_then(|league| team(league, &player.id));
    let league = league.map(|league| LeagueView { own: true, ..league.into() });
    Ok(Json(OwnLeague { league, place, fpl_id: team.map(|team| team.to_string()) }))
}

fn team(league: &LeagueNow, player: &UserId) -> Option<FplId> {
    match league {
        LeagueNow::Provisional { group, .. } => {
            group.entries.iter().find(|entry| entry.user_id == *player).map(|entry| entry.fpl_id)
        }
        LeagueNow::Drawn { league, .. } | LeagueNow::Settled { league, .. } => {
            league.members.iter().find(|member| member.user_id == *player).map(|member| member.fpl_id)
        }
    }
}

fn place(league: &LeagueNow, player: &UserId) -> Option<usize> {
    match league {
        LeagueNow::Provisional { .. } => None,
        LeagueNow::Drawn { league, members } => {
            members.iter().find(|member| league.members[member.at].user_id == *player)?.rank
        }
        LeagueNow::Settled { record, .. } => {
            record.ranking.iter().find(|ranked| ranked.user_id == *player)?.rank
        }
    }
}
