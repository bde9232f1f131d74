//! What a press of the button would pay, shown before it is pressed.

use app::{
    App,
    settlement::preview::{self, AmountPreview, SettlementPreview},
};
use axum::{Json, extract::State};
use domain::{EntryAmount, Kes};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    gameweeks::{StateWord, not_a_gameweek},
    platform::http::{Admin, ApiError, OneOf, Query, Refusal},
};

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
    #[schema(example = 3)]
    gameweek: u8,
    /// The year in which its season began.
    #[schema(example = 2026)]
    season: u16,
    #[schema(inline)]
    state: StateWord,
    /// Why the press would be refused now; null where it would not.
    #[schema(example = json!(null))]
    refused: Option<String>,
    #[schema(example = 10)]
    fee_percent: u8,
    /// Leagues that are not settled, with the money in them.
    #[schema(example = 12)]
    leagues: usize,
    #[schema(example = 4)]
    settled: usize,
    /// Leagues that would wait for an admin: their readings do not agree, or lack one that will not come.
    #[schema(example = 0)]
    waiting: usize,
    /// Leagues whose teams are still being read; they are paid as soon as that is done.
    #[schema(example = 0)]
    unread: usize,
    /// What those that are not settled have collected, in KES.
    #[schema(example = 6000)]
    collected: i64,
    /// The operator's of it, in KES.
    #[schema(example = 600)]
    fee: i64,
    /// The players' of it, in KES; what does not divide among winners stays here.
    #[schema(example = 5400)]
    to_pay: i64,
    amounts: Vec<AmountToPay>,
    /// Which would wait and why, at most a hundred.
    waiting_leagues: Vec<LeagueToWait>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmountToPay {
    /// In KES.
    #[schema(example = 50)]
    entry_amount: i64,
    /// Those that are not settled.
    #[schema(example = 12)]
    leagues: usize,
    #[schema(example = 4)]
    settled: usize,
    #[schema(example = 0)]
    waiting: usize,
    #[schema(example = 0)]
    unread: usize,
    /// In leagues that are not settled.
    #[schema(example = 120)]
    players: usize,
    /// In KES.
    #[schema(example = 6000)]
    collected: i64,
    /// In KES.
    #[schema(example = 600)]
    fee: i64,
    /// In KES.
    #[schema(example = 5400)]
    to_pay: i64,
}

#[derive(Serialize, ToSchema)]
pub struct LeagueToWait {
    #[serde(rename = "_id")]
    #[schema(example = "2026-03-50-00001")]
    id: String,
    #[schema(example = "Team 118670: it has no official score for this gameweek.")]
    why: String,
}

impl From<SettlementPreview> for WinnersPreview {
    fn from(preview: SettlementPreview) -> Self {
        let count = |of: fn(&AmountPreview) -> usize| preview.amounts.iter().map(of).sum::<usize>();
        let sum = |of: fn(&AmountPreview) -> Kes| preview.amounts.iter().map(|a| of(a).get()).sum::<i64>();
        let amounts = EntryAmount::ALL.into_iter().zip(&preview.amounts);
        Self {
            gameweek: preview.gameweek.number,
            season: preview.gameweek.season,
            state: OneOf(preview.state),
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
            waiting_leagues: preview
                .waiting
                .into_iter()
                .map(|(id, why)| LeagueToWait { id: id.to_string(), why })
                .collect(),
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

/// What ending a gameweek would pay now, by amount, and which leagues would wait.
#[utoipa::path(get, path = "/api/admin/winners", tag = "admin", security(("bearer" = [])),
    params(PreviewQuery), responses(
        (status = 200, description = "What a press would pay", body = WinnersPreview),
        (status = 400, description = "There is no such gameweek", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
    ))]
pub async fn preview_winners(
    State(app): State<App>,
    _: Admin,
    Query(query): Query<PreviewQuery>,
) -> Result<Json<WinnersPreview>, ApiError> {
    let asked = query.gameweek.map(|named| named.parse()).transpose().map_err(|_| not_a_gameweek())?;
    Ok(Json(preview::preview(&app, asked).await?.into()))
}
