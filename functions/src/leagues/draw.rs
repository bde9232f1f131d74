//! A gameweek's draw, for anybody to check (docs/draw.md): the secret's hash and the times from the opening
//! on, each list's hash from the moment it is fixed, which is before the beacon's round, and everything else
//! once every league is written.

use app::{App, AppError};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{
    EntryAmount, GameweekId,
    gameweeks::calendar::{FENCE_BEFORE_LISTS_WERE_PUBLIC, Gameweek},
    leagues::{
        beacon::{RelaySilence, Silence},
        draw,
    },
};
use serde::Serialize;
use store::{
    entries::Entry,
    leagues::{
        draw_rounds::DrawRound,
        draws::{DrawSeed, EntryList},
    },
};
use utoipa::ToSchema;

use crate::{
    leagues::asked_gameweek,
    platform::http::{ApiError, OptionalCaller, Refusal},
};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Draw {
    gameweek: u8,
    /// The year in which the season began.
    season: u16,
    /// SHA-256 of the operator's secret (hex): public since the gameweek opened; null before that.
    secret_hash: Option<String>,
    /// The official deadline, RFC 3339, UTC. Once it has passed it does not move.
    deadline: String,
    /// From here on nothing enters the draw. RFC 3339, UTC.
    fence: String,
    /// Where the beacon is asked: relays of drand's HTTP API.
    beacon_addresses: Vec<String>,
    /// The hash (hex) of the beacon's chain, which names it.
    beacon_chain: String,
    /// The round that counts: the chain's first one at least a minute after `listsAt`; null until that is known.
    beacon_round: Option<u64>,
    /// When every list was fixed and its hash public, RFC 3339, UTC; null before that, and in draws from before
    /// it was so.
    lists_at: Option<String>,
    /// Each amount's list of entries, as soon as it is fixed.
    lists: Vec<ListView>,
    /// How the beacon was asked in vain, where the draw went on without it; null where it did not.
    beacon_silence: Option<SilenceView>,
    /// RFC 3339, UTC; null before the draw.
    drawn_at: Option<String>,
    /// Of each entry amount, once all of them are drawn.
    draws: Vec<AmountDraw>,
}

/// A list of entries that is fixed: who is in it shows with the leagues, what it is can be noted now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListView {
    /// In KES.
    entry_amount: i64,
    entries: usize,
    /// SHA-256 over what it covers of each entry (hex).
    entries_hash: String,
    /// `lines`: "entryId fplId nameHash" of each entry, sorted, each ended by a line feed. `ids`, in draws from
    /// before there were lines: the entry ids.
    covers: &'static str,
    /// When it was fixed. RFC 3339, UTC.
    at: String,
}

/// When and how often every relay was asked for the round and none gave it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SilenceView {
    /// RFC 3339, UTC.
    since: String,
    /// RFC 3339, UTC.
    until: String,
    tries: usize,
    relays: Vec<RelayView>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelayView {
    address: String,
    /// How often it failed.
    failed: usize,
    /// In which ways, in words.
    reasons: Vec<String>,
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
    /// Says why where the draw went on without the beacon; null where it did not.
    without_beacon: Option<String>,
    /// SHA-256 over what it covers of each entry (hex).
    entries_hash: String,
    /// `lines` or `ids`, as in `lists`.
    covers: &'static str,
    entries: usize,
    /// SHA-256(secret ‖ beacon ‖ entries' hash) (hex).
    seed: String,
    /// When the seed was fixed. RFC 3339, UTC.
    at: String,
    /// How many players each league has, in order of the leagues' numbers.
    sizes: Vec<usize>,
    /// The id of the one entry that nobody else joined, which was refunded; null otherwise.
    alone: Option<String>,
    /// Its line in the list; null where there is none.
    alone_line: Option<String>,
}

impl AmountDraw {
    fn new(list: &ListView, seed: DrawSeed, alone: Option<&Entry>, silence: Option<&Silence>) -> Self {
        let without_beacon = seed.beacon.is_none().then(|| {
            // Draws from before the tries were kept do not say more than they know.
            silence.map_or_else(|| "Drawn without the beacon.".to_owned(), Silence::to_string)
        });
        Self {
            entry_amount: list.entry_amount,
            secret: seed.secret,
            beacon_chain: seed.beacon_chain,
            beacon_round: seed.beacon_round,
            beacon: seed.beacon,
            beacon_signature: seed.beacon_signature,
            without_beacon,
            entries_hash: list.entries_hash.clone(),
            covers: list.covers,
            entries: list.entries,
            seed: seed.seed,
            at: seed.at.to_string(),
            sizes: draw::sizes(list.entries),
            alone: alone.map(|entry| entry.id.clone()),
            alone_line: alone.and_then(|entry| Some(entry.line()?.to_string())),
        }
    }
}

impl From<&Silence> for SilenceView {
    fn from(silence: &Silence) -> Self {
        let relay = |RelaySilence { relay, failed, why }: &RelaySilence| RelayView {
            address: relay.clone(),
            failed: *failed,
            reasons: why.keys().cloned().collect(),
        };
        Self {
            since: silence.since.to_string(),
            until: silence.until.to_string(),
            tries: silence.tries,
            relays: silence.relays.iter().map(relay).collect(),
        }
    }
}

/// A gameweek's draw: its secret's hash from the opening, the lists' hashes when they are fixed, everything
/// else after the draw.
#[utoipa::path(get, path = "/api/gameweeks/{n}/draw", tag = "gameweek", security((), ("bearer" = [])),
    params(("n" = String, Path, description = "The gameweek's number in the current season, or season and number", pattern = "^([0-9]{4}-)?[0-9]{1,2}$", example = "1")),
    responses(
        (status = 200, description = "The draw", body = Draw),
        (status = 404, description = "No such gameweek", body = Refusal),
    ))]
pub async fn get_draw(
    State(app): State<App>,
    _: OptionalCaller,
    Path(n): Path<String>,
) -> Result<Json<Draw>, ApiError> {
    let (id, gameweek) = asked_gameweek(&app, Some(&n))
        .await?
        .ok_or_else(|| ApiError::not_found("There is no such gameweek."))?;
    Ok(Json(draw(&app, id, &gameweek).await?))
}

async fn draw(app: &App, id: GameweekId, gameweek: &Gameweek) -> Result<Draw, AppError> {
    let is_drawn = gameweek.drawn_at.is_some();
    let round = app.store().draw_round(id).await?;
    let beacon = if is_drawn { app.store().draw_beacon(id).await? } else { None };
    let silence = beacon.and_then(|beacon| beacon.silence);
    let (mut lists, mut draws) = (Vec::new(), Vec::new());
    for amount in EntryAmount::ALL {
        // `None`: a gameweek that was over before this installation first saw it was never drawn.
        let Some(list) = app.store().entry_list(id, amount).await? else { continue };
        let view = list_view(amount, &list);
        if is_drawn {
            draws.extend(amount_draw(app, id, amount, &list, &view, silence.as_ref()).await?);
        }
        lists.push(view);
    }
    Ok(Draw {
        gameweek: id.number,
        season: id.season,
        secret_hash: gameweek.opening.as_ref().map(|opening| opening.secret_hash.clone()),
        deadline: gameweek.deadline.to_string(),
        fence: fence(gameweek, round.as_ref(), &lists).to_string(),
        beacon_addresses: app.beacon().relays().map(str::to_owned).collect(),
        beacon_chain: app.beacon().chain().hash.clone(),
        beacon_round: round.as_ref().map(|round| round.round),
        lists_at: round.map(|round| round.at.to_string()),
        lists,
        beacon_silence: silence.as_ref().map(SilenceView::from),
        drawn_at: gameweek.drawn_at.map(|at| at.to_string()),
        draws,
    })
}

/// Of a draw from before the lists were public it is where it was then.
fn fence(gameweek: &Gameweek, round: Option<&DrawRound>, lists: &[ListView]) -> jiff::Timestamp {
    if gameweek.drawn_at.is_some() && round.is_none() && !lists.is_empty() {
        gameweek.deadline + FENCE_BEFORE_LISTS_WERE_PUBLIC
    } else {
        gameweek.fence()
    }
}

fn list_view(amount: EntryAmount, list: &EntryList) -> ListView {
    ListView {
        entry_amount: amount.into(),
        entries: list.count,
        entries_hash: list.hash.clone(),
        covers: list.covers.into_str(),
        at: list.at.to_string(),
    }
}

async fn amount_draw(
    app: &App,
    gameweek: GameweekId,
    amount: EntryAmount,
    list: &EntryList,
    view: &ListView,
    silence: Option<&Silence>,
) -> Result<Option<AmountDraw>, AppError> {
    let Some(seed) = app.store().draw_seed(gameweek, amount).await? else { return Ok(None) };
    let mut alone = None;
    if list.count == 1 {
        alone = app.store().listed_entries(gameweek, amount, list).await?.pop();
    }
    Ok(Some(AmountDraw::new(view, seed, alone.as_ref(), silence)))
}
