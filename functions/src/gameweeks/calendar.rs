//! The season so far: every gameweek up to the current one, and how far each is.

use app::{App, settlement::winners};
use axum::extract::State;
use domain::{
    EntryAmount, Kes,
    gameweeks::calendar::{Calendar, Gameweek},
    leagues::draw,
};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    gameweeks::StateWord,
    platform::http::{ApiError, Keep, OneOf, Public},
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameweekSoFar {
    /// The year in which the season began.
    #[schema(example = 2026)]
    season: u16,
    /// From 1.
    #[schema(example = 1)]
    number: u8,
    deadline: Timestamp,
    #[schema(inline)]
    state: StateWord,
    /// The operator's share of what a league collects, in percent.
    #[schema(example = 10)]
    fee_percent: u8,
    /// When its leagues were drawn; null before.
    drawn_at: Option<Timestamp>,
    /// When its official points were final; null before.
    final_at: Option<Timestamp>,
    /// When its last league was paid; null before.
    settled_at: Option<Timestamp>,
    /// What its leagues paid in prizes, in KES; null before the last one was paid, and where it was not noted.
    #[schema(example = json!(null))]
    prizes: Option<i64>,
    /// Why it was called off, and its stakes given back; null where it was not.
    #[schema(example = json!(null))]
    called_off: Option<String>,
    /// What was drawn at each amount; empty before the draw.
    amounts: Vec<AmountDrawn>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmountDrawn {
    /// In KES.
    #[schema(example = 50)]
    entry_amount: i64,
    /// How many had joined.
    #[schema(example = 27)]
    entries: usize,
    /// How many leagues they made.
    #[schema(example = 3)]
    leagues: usize,
}

/// The gameweeks of the season up to the current one, newest first.
#[utoipa::path(get, path = "/api/gameweeks", tag = "gameweek", responses(
    (status = 200, description = "All of them once the season is over, none before it is known",
        body = Vec<GameweekSoFar>),
))]
pub async fn list_gameweeks(State(app): State<App>) -> Result<Public<Vec<GameweekSoFar>>, ApiError> {
    let (calendar, now) = (app.calendar().await?, app.clock().now());
    let current = calendar.as_ref().and_then(|calendar| app.current_of(calendar));
    let last = current.map_or(u8::MAX, |current| current.number);
    let shown = calendar.iter().flat_map(|calendar| {
        let so_far = calendar.gameweeks.iter().filter(move |gameweek| gameweek.number <= last);
        so_far.rev().map(|gameweek| view(&app, calendar, gameweek, now))
    });
    Ok(Public(Keep::HALF_A_MINUTE, shown.collect()))
}

fn view(app: &App, calendar: &Calendar, gameweek: &Gameweek, now: Timestamp) -> GameweekSoFar {
    let drawn = gameweek.drawn_entries.filter(|_| gameweek.drawn_at.is_some());
    let amounts = EntryAmount::ALL.into_iter().zip(drawn.into_iter().flatten());
    GameweekSoFar {
        season: calendar.season,
        number: gameweek.number,
        deadline: gameweek.deadline,
        state: OneOf(gameweek.state(now)),
        fee_percent: winners::fee_percent(app, gameweek),
        drawn_at: gameweek.drawn_at,
        final_at: gameweek.final_at,
        settled_at: gameweek.settled_at,
        prizes: gameweek.prizes.map(Kes::get),
        called_off: gameweek.called_off.as_ref().map(|called_off| called_off.reason.clone()),
        amounts: amounts.map(|(amount, entries)| drawn_at_amount(amount, entries)).collect(),
    }
}

fn drawn_at_amount(amount: EntryAmount, entries: usize) -> AmountDrawn {
    AmountDrawn { entry_amount: amount.into(), entries, leagues: draw::sizes(entries).len() }
}
