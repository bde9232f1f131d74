//! The leagues of a gameweek and amount: provisional groups before the draw, what was drawn after it,
//! with points as far as they are known.

use app::{
    App,
    leagues::list::{self, Listed, OneLeague},
};
use axum::{
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{EntryAmount, ledger::money::NotAnEntryAmount};
use serde::Deserialize;
use store::Page;
use utoipa::{
    IntoParams,
    openapi::{Object, ObjectBuilder, schema::Type},
};

use super::view::LeagueView;
use crate::platform::http::{ApiError, Keep, Public, Query, Refusal, RefusalCode, cursor};

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct LeaguesQuery {
    /// The number in the current season, or season and number; the current one where it is left out.
    #[param(pattern = "^([0-9]{4}-)?[0-9]{1,2}$", example = "3")]
    gameweek: Option<String>,
    /// 50, 100 or 250 KES; 50 where it is left out.
    #[param(schema_with = entry_amounts)]
    entry_amount: Option<String>,
    /// Only the league of this number, with each member's captain and how many footballers are still to come: what moves
    /// while matches are played. Nothing before the draw.
    #[param(pattern = "^[0-9]{1,5}$", example = "1")]
    league: Option<String>,
    /// From the header `x-next-cursor` of the page before.
    cursor: Option<String>,
}

pub(super) fn entry_amounts() -> Object {
    let amounts = EntryAmount::ALL.map(|amount| amount.kes().get());
    let mut schema = ObjectBuilder::new().schema_type(Type::Integer).enum_values(Some(amounts)).build();
    schema.example = Some(50.into());
    schema
}

/// What an entry costs, as a call names it.
pub(super) fn entry_amount(text: Option<&str>) -> Result<EntryAmount, ApiError> {
    let amount = text.unwrap_or("50").parse::<i64>().map_err(|_| NotAnEntryAmount);
    amount
        .and_then(EntryAmount::try_from)
        .map_err(|error| ApiError::bad_request(error).code(RefusalCode::InvalidEntryAmount))
}

/// The leagues of a gameweek and amount, the same for everybody.
#[utoipa::path(get, path = "/api/leagues", tag = "leagues", params(LeaguesQuery), responses(
    (status = 200, description = "At most 50 leagues", body = Vec<LeagueView>),
    (status = 400, description = "Not a gameweek, an amount, a league's number or a cursor", body = Refusal),
))]
pub async fn list_leagues(
    State(app): State<App>,
    Query(query): Query<LeaguesQuery>,
) -> Result<Response, ApiError> {
    let amount = entry_amount(query.entry_amount.as_deref())?;
    let after = cursor(query.cursor.as_deref())?;
    if let Some(number) = &query.league {
        let one = list::one(&app, query.gameweek.as_deref(), amount, number).await?;
        let league = one.map(|OneLeague { league, live }| LeagueView::live(league, &live));
        return Ok(Public(Keep::HALF_A_MINUTE, Vec::from_iter(league)).into_response());
    }
    let Listed { page: Page { items, cursor }, settled } =
        list::page(&app, query.gameweek.as_deref(), amount, after).await?;
    let leagues: Vec<LeagueView> = items.into_iter().map(LeagueView::from).collect();
    let keep = if settled { Keep::MINUTES } else { Keep::MOMENT };
    let next = cursor.map(|cursor| [("x-next-cursor", cursor)]);
    Ok((next, Public(keep, leagues)).into_response())
}
