//! A gameweek's draw, for anybody to check (docs/draw.md): the secret's hash, the times and the
//! beacon's round from the opening on, everything else once every league is written.

use app::{App, AppError};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{EntryAmount, GameweekId, gameweek::Gameweek, league};
use serde::Serialize;
use store::draws::{DrawSeed, EntryList};
use utoipa::ToSchema;

use crate::http::{ApiError, OptionalCaller, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Draw {
    gameweek: u8,
    /// SHA-256 of the operator's secret (hex): public since the gameweek opened; null before that.
    secret_hash: Option<String>,
    /// The official deadline, RFC 3339, UTC. Once it has passed it does not move.
    deadline: String,
    /// From here on nothing enters the draw. RFC 3339, UTC.
    fence: String,
    /// Where the beacon is asked: drand's HTTP API.
    beacon_address: String,
    /// The hash (hex) of the beacon's chain, which names it.
    beacon_chain: String,
    /// The chain's first round at or after the fence.
    beacon_round: u64,
    /// RFC 3339, UTC; null before the draw.
    drawn_at: Option<String>,
    /// Of each entry amount, once all of them are drawn.
    draws: Vec<AmountDraw>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmountDraw {
    /// In KES.
    entry_amount: i64,
    /// The operator's secret (hex).
    secret: String,
    /// The hash (hex) of the chain that was asked; null in a draw from before it was noted.
    beacon_chain: Option<String>,
    /// The round that was asked for.
    beacon_round: u64,
    /// The round's value (hex): SHA-256 of its signature; null where the draw went on without it.
    beacon: Option<String>,
    /// The round's signature (hex).
    beacon_signature: Option<String>,
    /// Says so where the draw went on without the beacon; null where it did not.
    without_beacon: Option<String>,
    /// SHA-256 over the entry ids in order, a line each (hex).
    entries_hash: String,
    entries: usize,
    /// SHA-256(secret ‖ beacon ‖ entries' hash) (hex).
    seed: String,
    /// When the seed was fixed. RFC 3339, UTC.
    at: String,
    /// How many players each league has, in order of the leagues' numbers.
    sizes: Vec<usize>,
    /// The id of the one entry that nobody else joined, which was refunded; null otherwise.
    alone: Option<String>,
}

impl AmountDraw {
    fn new(amount: EntryAmount, list: EntryList, seed: DrawSeed, alone: Option<String>) -> Self {
        let minutes = league::BEACON_AWAITED_FOR.as_mins();
        let without_beacon = seed.beacon.is_none().then(|| {
            format!("The beacon had not answered {minutes} minutes after the fence: drawn without it.")
        });
        Self {
            entry_amount: amount.into(),
            secret: seed.secret,
            beacon_chain: seed.beacon_chain,
            beacon_round: seed.beacon_round,
            beacon: seed.beacon,
            beacon_signature: seed.beacon_signature,
            without_beacon,
            entries_hash: list.hash,
            entries: list.count,
            seed: seed.seed,
            at: seed.at.to_string(),
            sizes: league::sizes(list.count),
            alone,
        }
    }
}

/// A gameweek's draw: its secret's hash from the opening, everything else after the draw.
#[utoipa::path(get, path = "/api/gameweeks/{n}/draw", tag = "gameweek", security((), ("bearer" = [])),
    params(("n" = u8, Path, description = "The gameweek's number in the current season")),
    responses(
        (status = 200, description = "The draw", body = Draw),
        (status = 404, description = "No such gameweek", body = Refusal),
    ))]
pub async fn get_draw(
    State(app): State<App>,
    _: OptionalCaller,
    Path(n): Path<String>,
) -> Result<Json<Draw>, ApiError> {
    let no_such = || ApiError::not_found("There is no such gameweek.");
    let number: u8 = n.parse().map_err(|_| no_such())?;
    let calendar = app.calendar().await?.ok_or_else(no_such)?;
    let gameweek = calendar.gameweek(number).ok_or_else(no_such)?;
    let mut draws = Vec::new();
    if gameweek.drawn_at.is_some() {
        for amount in EntryAmount::ALL {
            draws.extend(amount_draw(&app, calendar.id(number), amount).await?);
        }
    }
    Ok(Json(draw(&app, gameweek, draws)))
}

fn draw(app: &App, gameweek: &Gameweek, draws: Vec<AmountDraw>) -> Draw {
    Draw {
        gameweek: gameweek.number,
        secret_hash: gameweek.opening.as_ref().map(|opening| opening.secret_hash.clone()),
        deadline: gameweek.deadline.to_string(),
        fence: gameweek.fence().to_string(),
        beacon_address: app.config().beacon.base_url.clone(),
        beacon_chain: app.config().beacon.chain_hash.clone(),
        beacon_round: app.beacon().round_at(gameweek.fence()),
        drawn_at: gameweek.drawn_at.map(|at| at.to_string()),
        draws,
    }
}

/// `None`: a gameweek that was over before this installation first saw it was never drawn.
async fn amount_draw(
    app: &App,
    gameweek: GameweekId,
    amount: EntryAmount,
) -> Result<Option<AmountDraw>, AppError> {
    let list = app.store().entry_list(gameweek, amount).await?;
    let seed = app.store().draw_seed(gameweek, amount).await?;
    let Some((list, seed)) = list.zip(seed) else { return Ok(None) };
    let mut alone = None;
    if list.count == 1 {
        alone = app.store().listed_entries(gameweek, amount, &list).await?.pop().map(|entry| entry.id);
    }
    Ok(Some(AmountDraw::new(amount, list, seed, alone)))
}
