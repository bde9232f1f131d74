//! What a press of the button would pay, shown before it is pressed.

use app::{
    App,
    settlement::preview::{self, AmountPreview, Preview},
};
use axum::{
    Json,
    extract::{Query, State},
};
use domain::{EntryAmount, Kes};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::platform::http::{Admin, ApiError, Refusal};

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PreviewQuery {
    /// Its number in this season, or season and number: `2026-38`. By default the oldest closed one of this
    /// season that is not settled.
    #[param(pattern = "^([1-9][0-9]?|[0-9]{4}-[0-9]{2})$", example = "2026-38")]
    gameweek: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WinnersPreview {
    gameweek: u8,
    /// The year in which its season began.
    season: u16,
    /// `open`, `closed`, `final`, `settling` or `settled`.
    state: &'static str,
    /// Why the press would be refused now; null where it would not.
    refused: Option<String>,
    fee_percent: u8,
    /// Leagues that are not settled, with the money in them.
    leagues: usize,
    settled: usize,
    /// Leagues that would wait for an admin: their readings do not agree, or lack one that will not come.
    waiting: usize,
    /// Leagues whose teams are still being read; they are paid as soon as that is done.
    unread: usize,
    /// What those that are not settled have collected, in KES.
    collected: i64,
    /// The operator's of it, in KES.
    fee: i64,
    /// The players' of it, in KES; what does not divide among winners stays here.
    to_pay: i64,
    amounts: Vec<AmountToPay>,
    /// Which would wait and why, at most a hundred.
    waiting_leagues: Vec<LeagueToWait>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmountToPay {
    /// In KES.
    entry_amount: i64,
    /// Those that are not settled.
    leagues: usize,
    settled: usize,
    waiting: usize,
    unread: usize,
    /// In leagues that are not settled.
    players: usize,
    /// In KES.
    collected: i64,
    /// In KES.
    fee: i64,
    /// In KES.
    to_pay: i64,
}

#[derive(Serialize, ToSchema)]
pub struct LeagueToWait {
    #[serde(rename = "_id")]
    id: String,
    why: String,
}

impl From<Preview> for WinnersPreview {
    fn from(preview: Preview) -> Self {
        let count = |of: fn(&AmountPreview) -> usize| preview.amounts.iter().map(of).sum::<usize>();
        let sum = |of: fn(&AmountPreview) -> Kes| preview.amounts.iter().map(|a| of(a).get()).sum::<i64>();
        let amounts = EntryAmount::ALL.into_iter().zip(&preview.amounts);
        Self {
            gameweek: preview.gameweek.number,
            season: preview.gameweek.season,
            state: preview.state.word(),
            refused: preview.refused.as_ref().map(ToString::to_string),
            fee_percent: preview.fee_percent,
            leagues: count(|amount| amount.leagues - amount.settled),
            settled: count(|amount| amount.settled),
            waiting: count(|amount| amount.waiting),
            unread: count(|amount| amount.unread),
            collected: sum(|amount| amount.collected),
            fee: sum(|amount| amount.fee),
            to_pay: sum(|amount| amount.to_pay),
            amounts: amounts.map(|(amount, left)| to_pay(amount, left)).collect(),
            waiting_leagues: preview.waiting.into_iter().map(to_wait).collect(),
        }
    }
}

fn to_pay(amount: EntryAmount, left: &AmountPreview) -> AmountToPay {
    AmountToPay {
        entry_amount: amount.into(),
        leagues: left.leagues - left.settled,
        settled: left.settled,
        waiting: left.waiting,
        unread: left.unread,
        players: left.players,
        collected: left.collected.get(),
        fee: left.fee.get(),
        to_pay: left.to_pay.get(),
    }
}

fn to_wait((id, why): (store::leagues::LeagueId, String)) -> LeagueToWait {
    LeagueToWait { id: id.to_string(), why }
}

/// What ending a gameweek would pay now, by amount, and which leagues would wait.
#[utoipa::path(get, path = "/api/admin/winners", tag = "admin", security(("bearer" = [])),
    params(PreviewQuery), responses(
        (status = 200, description = "What a press would pay", body = WinnersPreview),
        (status = 400, description = "There is no such gameweek", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn preview_winners(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<PreviewQuery>,
) -> Result<Json<WinnersPreview>, ApiError> {
    let asked = query.gameweek.map(|named| named.parse()).transpose();
    let asked = asked.map_err(|_| ApiError::bad_request("That is not a gameweek."))?;
    let preview = preview::preview(&app, asked).await?.map_err(ApiError::bad_request)?;
    Ok(Json(preview.into()))
}
