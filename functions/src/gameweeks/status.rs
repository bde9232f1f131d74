//! The gameweek: which one, whether it is open, and the admin's two controls over it.

use app::{
    App,
    gameweeks::seasons::Named,
    settlement::winners::{self, ProcessError, Progress},
};
use axum::{Json, extract::State};
use domain::{
    EntryAmount, entries::join::JoinError, gameweeks::calendar::State as GameweekState, settlement::prize,
};
use serde::{Deserialize, Serialize};
use store::admin::audit::{AuditAction, AuditRecord, Who};
use utoipa::ToSchema;

use crate::platform::http::{Actor, Admin, ApiError, Body, Lenient, OptionalCaller, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentGameweek {
    /// Its number; null where there is nothing to play.
    current_gameweek: Option<u8>,
}

/// The gameweek that players act on.
#[utoipa::path(get, path = "/current-gameweek", tag = "gameweek", security((), ("bearer" = [])), responses(
    (status = 200, description = "The current gameweek", body = CurrentGameweek),
))]
pub async fn get_current_gameweek(
    State(app): State<App>,
    _: OptionalCaller,
) -> Result<Json<CurrentGameweek>, ApiError> {
    let current = app.current_gameweek().await?;
    Ok(Json(CurrentGameweek { current_gameweek: current.map(|(_, gameweek)| gameweek.number) }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameweekStatus {
    /// Whether entries are taken: the clock against the official deadline, now.
    is_open: bool,
    gameweek: Option<u8>,
    /// RFC 3339, UTC.
    deadline: Option<String>,
    /// The product's time, RFC 3339, UTC: count down by this, never by the device's clock.
    now: String,
    /// `open`, `closed`, `final`, `settling` or `settled`; null where there is nothing to play.
    state: Option<&'static str>,
    /// The operator's share of what a league collects.
    fee_percent: u8,
    /// Whether extra transfers are deducted, as it stands now.
    deduct_transfer_points: bool,
    /// Why nobody can enter just now though the gameweek is open, for the player to read; null while
    /// entries are taken.
    notice: Option<String>,
    amounts: Vec<AmountStatus>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmountStatus {
    /// In KES.
    entry_amount: i64,
    /// How many have joined at it.
    entries: usize,
    /// What a full league pays a single winner, in KES.
    full_league_prize: i64,
}

/// Whether the gameweek is open, until when, and what there is to win.
#[utoipa::path(get, path = "/api/gameweek/status", tag = "gameweek", security((), ("bearer" = [])), responses(
    (status = 200, description = "The current gameweek's status", body = GameweekStatus),
))]
pub async fn get_gameweek_status(
    State(app): State<App>,
    _: OptionalCaller,
) -> Result<Json<GameweekStatus>, ApiError> {
    let now = app.clock().now();
    let current = app.current_gameweek().await?;
    let switches = app.store().switches().await?;
    let deduct_transfer_points = switches.deducts_transfers_at(now);
    let fee_percent = match &current {
        Some((_, gameweek)) => winners::fee_percent(&app, gameweek),
        None => app.config().fee_percent,
    };
    let mut amounts = Vec::new();
    for amount in EntryAmount::ALL {
        let entries = match &current {
            Some((calendar, gameweek)) => {
                app.store().count_entries(calendar.id(gameweek.number), amount).await?
            }
            None => 0,
        };
        let full_league_prize = prize::full_league_prize(amount, fee_percent).get();
        amounts.push(AmountStatus { entry_amount: amount.into(), entries, full_league_prize });
    }
    let gameweek = current.map(|(_, gameweek)| gameweek);
    Ok(Json(GameweekStatus {
        is_open: gameweek.as_ref().is_some_and(|gameweek| gameweek.is_open(now)),
        gameweek: gameweek.as_ref().map(|gameweek| gameweek.number),
        deadline: gameweek.as_ref().map(|gameweek| gameweek.deadline.to_string()),
        now: now.to_string(),
        state: gameweek.as_ref().map(|gameweek| gameweek.state(now).word()),
        fee_percent,
        deduct_transfer_points,
        notice: switches.entries_paused.map(|_| JoinError::Paused.to_string()),
        amounts,
    }))
}

#[derive(Default, Deserialize, ToSchema)]
pub struct ProcessWinners {
    /// Its number in this season, or season and number: `2026-38`. By default the oldest closed one of this
    /// season that is not settled.
    #[serde(default)]
    #[schema(value_type = Option<GameweekName>)]
    gameweek: Lenient,
}

/// A gameweek: its number in this season, or season and number.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum GameweekName {
    #[schema(example = 38)]
    Number(u8),
    #[schema(example = "2026-38")]
    Of(String),
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WinnersProgress {
    message: String,
    gameweek: u8,
    /// The year in which its season began.
    season: u16,
    /// `settling` or `settled`.
    state: &'static str,
    leagues: usize,
    settled: usize,
    /// Leagues that cannot be settled yet.
    waiting: usize,
    /// What all leagues pay together, in KES.
    to_pay: i64,
}

impl From<Progress> for WinnersProgress {
    fn from(progress: Progress) -> Self {
        let Progress { gameweek, state, called_off, leagues, settled, waiting, to_pay } = progress;
        let domain::GameweekId { season, number } = gameweek;
        let message = match (state, called_off) {
            (GameweekState::Settled, false) => {
                format!("Gameweek {number} is settled: {leagues} leagues paid.")
            }
            (_, false) => {
                format!("Paying the winners of gameweek {number}: {settled} of {leagues} leagues done.")
            }
            (_, true) => format!(
                "Gameweek {number} is called off, its stakes go back: {settled} of {leagues} leagues done."
            ),
        };
        let state = state.word();
        Self { message, gameweek: number, season, state, leagues, settled, waiting, to_pay: to_pay.get() }
    }
}

/// Ends a gameweek: has its winners paid. Called again, it answers how far that is.
#[utoipa::path(post, path = "/api/gameweek/process-winners", tag = "gameweek", security(("bearer" = [])),
    request_body(content = Option<ProcessWinners>), responses(
        (status = 200, description = "Asked for; how far it is", body = WinnersProgress),
        (status = 400, description = "Not a gameweek", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 409, description = "Still open, or its official points are not final", body = Refusal),
    ))]
pub async fn process_winners(
    State(app): State<App>,
    Admin(admin): Admin,
    body: OptionalBody,
) -> Result<Json<WinnersProgress>, ApiError> {
    let asked = body.0.map(|Body(form)| form.gameweek).filter(|field| !field.is_absent());
    let asked = asked.map(|field| named(&field)).transpose()?;
    match winners::process(&app, asked, Who::admin(&admin)).await? {
        Ok(progress) => {
            tracing::info!(admin = %admin.id, gameweek = %progress.gameweek, "winners asked for");
            Ok(Json(progress.into()))
        }
        Err(error @ (ProcessError::StillOpen(_) | ProcessError::NotFinal(_))) => {
            Err(ApiError::conflict(error))
        }
        Err(error @ ProcessError::NoGameweek) => Err(ApiError::bad_request(error)),
    }
}

/// The gameweek that a field names: a number of this season, or a text with the season.
fn named(field: &Lenient) -> Result<Named, ApiError> {
    let number = field.integer().and_then(|number| u8::try_from(number).ok()).map(Named::Number);
    let named = number.or_else(|| field.text().parse().ok());
    named.ok_or_else(|| ApiError::bad_request("That is not a gameweek."))
}

/// A body, or none at all.
pub struct OptionalBody(Option<Body<ProcessWinners>>);

impl<S: Send + Sync> axum::extract::FromRequest<S> for OptionalBody {
    type Rejection = ApiError;
    async fn from_request(request: axum::extract::Request, state: &S) -> Result<Self, ApiError> {
        let (parts, body) = request.into_parts();
        let bytes =
            crate::platform::http::read_body(axum::extract::Request::from_parts(parts.clone(), body)).await?;
        if bytes.is_empty() {
            return Ok(Self(None));
        }
        let request = axum::extract::Request::from_parts(parts, bytes.into());
        Body::from_request(request, state).await.map(|body| Self(Some(body)))
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deduction {
    /// What the switch says now.
    deduct_transfer_points: bool,
    message: String,
}

/// Turns the deduction for extra transfers on or off.
#[utoipa::path(post, path = "/api/points/toggle-deduction", tag = "gameweek", security(("bearer" = [])),
    responses(
        (status = 200, description = "Switched", body = Deduction),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin, or a code is wanted first", body = Refusal),
    ))]
pub async fn toggle_deduction(State(app): State<App>, actor: Actor) -> Result<Json<Deduction>, ApiError> {
    // It decides who wins.
    actor.step_up(&app)?;
    let (admin, now) = (&actor.admin, app.clock().now());
    let act =
        AuditRecord::new(Who::admin(admin), AuditAction::ToggleDeduction, "the deduction for transfers", now);
    let on = app.store().toggle_deduction(&act).await?;
    tracing::info!(admin = %admin.id, on, "deduction switched");
    let word = if on { "ON" } else { "OFF" };
    let closed = app.current_gameweek().await?.is_some_and(|(_, gameweek)| !gameweek.is_open(now));
    // A gameweek uses what was in force at its deadline (decisions, "The gameweek").
    let from = if closed { " It counts from the next gameweek." } else { "" };
    let message = format!("Transfer point deduction is now {word}.{from}");
    Ok(Json(Deduction { deduct_transfer_points: on, message }))
}
