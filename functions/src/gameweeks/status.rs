//! The gameweek: which one, whether it is open, and the admin's switch for the deduction.

use app::{
    App,
    gameweeks::status::{self, CurrentStatus, Turned},
};
use axum::{Json, extract::State};
use domain::entries::join::JoinError;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{
    gameweeks::StateWord,
    platform::http::{Actor, ApiError, Keep, OneOf, Public, Query, Refusal},
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CurrentGameweek {
    /// Its number; null where there is nothing to play.
    #[schema(example = 3)]
    current_gameweek: Option<u8>,
}

/// The gameweek that players act on.
#[utoipa::path(get, path = "/current-gameweek", tag = "gameweek", responses(
    (status = 200, description = "The current gameweek", body = CurrentGameweek),
))]
pub async fn get_current_gameweek(State(app): State<App>) -> Result<Public<CurrentGameweek>, ApiError> {
    let current = app.current_gameweek().await?;
    let current_gameweek = current.map(|(_, gameweek)| gameweek.number);
    Ok(Public(Keep::MOMENT, CurrentGameweek { current_gameweek }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameweekStatus {
    /// Whether entries are taken: the clock against the official deadline, now.
    #[schema(example = true)]
    is_open: bool,
    /// The year in which the gameweek's season began; null where there is nothing to play.
    #[schema(example = 2026)]
    season: Option<u16>,
    #[schema(example = 3)]
    gameweek: Option<u8>,
    deadline: Option<Timestamp>,
    /// When the next gameweek can be joined at the latest: as soon as this one is settled, if that is sooner. Null where it is
    /// not known, as after the last one of a season.
    next_opens_by: Option<Timestamp>,
    /// The product's time: count down by this, never by the device's clock.
    now: Timestamp,
    /// Null where there is nothing to play.
    #[schema(inline)]
    state: Option<StateWord>,
    /// The operator's share of what a league collects.
    #[schema(example = 10)]
    fee_percent: u8,
    /// Whether extra transfers are deducted, as it stands now.
    #[schema(example = true)]
    deduct_transfer_points: bool,
    /// Why nobody can enter just now though the gameweek is open, for the player to read; null while
    /// entries are taken.
    #[schema(example = json!(null))]
    notice: Option<String>,
    amounts: Vec<AmountStatus>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmountStatus {
    /// In KES.
    #[schema(example = 50)]
    entry_amount: i64,
    /// How many had joined at it, up to a minute ago.
    #[schema(example = 27)]
    entries: usize,
    /// What a full league pays a single winner, in KES.
    #[schema(example = 450)]
    full_league_prize: i64,
}

/// Whether the gameweek is open, until when, and what there is to win.
#[utoipa::path(get, path = "/api/gameweek/status", tag = "gameweek", responses(
    (status = 200, description = "The current gameweek's status", body = GameweekStatus),
))]
pub async fn get_gameweek_status(State(app): State<App>) -> Result<Public<GameweekStatus>, ApiError> {
    let status = status::current(&app).await?;
    // Nobody reads that it is open once it is not.
    let open = status.gameweek.as_ref().filter(|gameweek| gameweek.is_open(status.now));
    let until_closed = open.map(|gameweek| gameweek.deadline.duration_since(status.now).as_secs());
    let keep = until_closed.map_or(Keep::MOMENT, |seconds| Keep::MOMENT.at_most(seconds));
    Ok(Public(keep, status.into()))
}

impl From<CurrentStatus> for GameweekStatus {
    fn from(status: CurrentStatus) -> Self {
        let CurrentStatus { now, gameweek, .. } = status;
        let amounts = status.amounts.into_iter().map(|so_far| AmountStatus {
            entry_amount: so_far.amount.into(),
            entries: so_far.entries,
            full_league_prize: so_far.full_league_prize.get(),
        });
        Self {
            is_open: gameweek.as_ref().is_some_and(|gameweek| gameweek.is_open(now)),
            season: status.season,
            gameweek: gameweek.as_ref().map(|gameweek| gameweek.number),
            deadline: gameweek.as_ref().map(|gameweek| gameweek.deadline),
            next_opens_by: status.next_opens_by,
            now,
            state: gameweek.as_ref().map(|gameweek| OneOf(gameweek.state(now))),
            fee_percent: status.fee_percent,
            deduct_transfer_points: status.deduct_transfer_points,
            notice: status.entries_paused.then(|| JoinError::Paused.to_string()),
            amounts: amounts.collect(),
        }
    }
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deduction {
    /// What the switch says now.
    #[schema(example = true)]
    deduct_transfer_points: bool,
    #[schema(example = "Transfer point deduction is now ON.")]
    message: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct WantedDeduction {
    /// What the switch is to say. Where it says so already, nothing is switched; left out, it is switched to what it does
    /// not say.
    #[param(example = false)]
    deduct_transfer_points: Option<bool>,
}

/// Turns the deduction for extra transfers on or off. Who plays in the gameweek that is open does not, and who does it does not
/// enter that gameweek any more.
#[utoipa::path(post, path = "/api/points/toggle-deduction", tag = "gameweek", security(("bearer" = [])),
    params(WantedDeduction), responses(
        (status = 200, description = "Switched, or as it is wanted already", body = Deduction),
        (status = 403, description = "Not an admin, an entry of one's own in the open gameweek, or a code is wanted first", body = Refusal),
    ))]
pub async fn toggle_deduction(
    State(app): State<App>,
    actor: Actor,
    Query(WantedDeduction { deduct_transfer_points: wanted }): Query<WantedDeduction>,
) -> Result<Json<Deduction>, ApiError> {
    // It decides who wins.
    actor.step_up(&app)?;
    let Turned { is_on, unchanged, from_next } = status::toggle_deduction(&app, &actor.admin, wanted).await?;
    let word = if is_on { "ON" } else { "OFF" };
    let from = if from_next { " It counts from the next gameweek." } else { "" };
    let message = if unchanged {
        format!("Transfer point deduction is already {word}. Nothing was changed.")
    } else {
        format!("Transfer point deduction is now {word}.{from}")
    };
    Ok(Json(Deduction { deduct_transfer_points: is_on, message }))
}
