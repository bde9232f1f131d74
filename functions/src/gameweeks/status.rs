//! The gameweek: which one, whether it is open, and the admin's switch for the deduction.

use app::{App, settlement::winners};
use axum::{Json, extract::State};
use domain::{EntryAmount, entries::join::JoinError, settlement::prize};
use serde::Serialize;
use store::admin::audit::{AuditAction, AuditRecord, Who};
use utoipa::ToSchema;

use crate::platform::http::{Actor, ApiError, OptionalCaller, Refusal};

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
    // A gameweek uses what was in force at its deadline.
    let from = if closed { " It counts from the next gameweek." } else { "" };
    let message = format!("Transfer point deduction is now {word}.{from}");
    Ok(Json(Deduction { deduct_transfer_points: on, message }))
}
