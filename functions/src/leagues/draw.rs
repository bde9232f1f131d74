//! A gameweek's draw, for anybody to check (docs/draw.md): the secret's hash and the times from the opening
//! on, each list's hash from the moment it is fixed, which is before the beacon's round, and everything else
//! once every league is written.

use app::{
    App,
    leagues::draw::published::{self, PublishedAmount, PublishedDraw},
};
use axum::extract::{Path, State};
use domain::{
    EntryAmount,
    leagues::{
        beacon::{RelaySilence, Silence},
        draw,
    },
};
use jiff::Timestamp;
use serde::Serialize;
use store::{
    entries::Entry,
    leagues::draws::{Covers, DrawSeed, EntryList},
};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Keep, OneOf, Public, Refusal};

type CoversWord = OneOf<Covers>;

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Draw {
    #[schema(example = 3)]
    gameweek: u8,
    /// The year in which the season began.
    #[schema(example = 2026)]
    season: u16,
    /// SHA-256 of the operator's secret (hex): public since the gameweek opened; null before that.
    #[schema(example = "fcde2b2edba56bf408601fb721fe9b5c338d10ee429ea04fae5511b68fbf8fb9")]
    secret_hash: Option<String>,
    /// The official deadline. Once it has passed it does not move.
    deadline: Timestamp,
    /// From here on nothing enters the draw.
    fence: Timestamp,
    /// Where the beacon is asked: relays of drand's HTTP API.
    #[schema(example = json!(["https://api.drand.sh", "https://drand.cloudflare.com"]))]
    beacon_addresses: Vec<String>,
    /// The hash (hex) of the beacon's chain, which names it.
    #[schema(example = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971")]
    beacon_chain: String,
    /// The round that counts: the chain's first one at least a minute after `listsAt`; null until that is known.
    #[schema(example = 5_234_567)]
    beacon_round: Option<u64>,
    /// When every list was fixed and its hash public; null before that, and in draws from before it was so.
    lists_at: Option<Timestamp>,
    /// Each amount's list of entries, as soon as it is fixed.
    lists: Vec<ListView>,
    /// How the beacon was asked in vain, where the draw went on without it; null where it did not.
    beacon_silence: Option<SilenceView>,
    /// Null before the draw.
    drawn_at: Option<Timestamp>,
    /// Of each entry amount, once all of them are drawn.
    draws: Vec<AmountDraw>,
}

/// A list of entries that is fixed: who is in it shows with the leagues, what it is can be noted now.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListView {
    /// In KES.
    #[schema(example = 50)]
    entry_amount: i64,
    #[schema(example = 27)]
    entries: usize,
    /// SHA-256 over what it covers of each entry (hex).
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    entries_hash: String,
    /// `lines`: "entryId fplId nameHash" of each entry, sorted, each ended by a line feed. `ids`, in draws from
    /// before there were lines: the entry ids.
    #[schema(inline)]
    covers: CoversWord,
    /// When it was fixed.
    at: Timestamp,
}

/// When and how often every relay was asked for the round and none gave it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SilenceView {
    since: Timestamp,
    until: Timestamp,
    #[schema(example = 31)]
    tries: usize,
    relays: Vec<RelayView>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelayView {
    #[schema(example = "https://api.drand.sh")]
    address: String,
    /// How often it failed.
    #[schema(example = 31)]
    failed: usize,
    /// In which ways, in words.
    #[schema(example = json!(["it could not be reached"]))]
    reasons: Vec<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AmountDraw {
    /// In KES.
    #[schema(example = 50)]
    entry_amount: i64,
    /// The operator's secret (hex).
    #[schema(example = "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae")]
    secret: String,
    /// The hash (hex) of the chain that was asked; null in a draw from before it was noted.
    #[schema(example = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971")]
    beacon_chain: Option<String>,
    /// The round that was asked for.
    #[schema(example = 5_234_567)]
    beacon_round: u64,
    /// The round's value (hex): SHA-256 of its signature; null where the draw went on without it.
    #[schema(example = "a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f90")]
    beacon: Option<String>,
    /// The round's signature (hex).
    #[schema(example = "b44679b9a59af2ec876b1a6b1ad52ea9")]
    beacon_signature: Option<String>,
    /// Says why where the draw went on without the beacon; null where it did not.
    #[schema(example = json!(null))]
    without_beacon: Option<String>,
    /// SHA-256 over what it covers of each entry (hex).
    #[schema(example = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")]
    entries_hash: String,
    /// `lines` or `ids`, as in `lists`.
    #[schema(inline)]
    covers: CoversWord,
    #[schema(example = 27)]
    entries: usize,
    /// SHA-256(secret ‖ beacon ‖ entries' hash) (hex).
    #[schema(example = "baa5a0964d3320fbc0c6a922140453c8513ea24ab8fd0577034804a967248096")]
    seed: String,
    /// When the seed was fixed.
    at: Timestamp,
    /// How many players each league has, in order of the leagues' numbers.
    sizes: Vec<usize>,
    /// The id of the one entry that nobody else joined, which was refunded; null otherwise.
    #[schema(example = json!(null))]
    alone: Option<String>,
    /// Its line in the list; null where there is none.
    #[schema(example = json!(null))]
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
            at: seed.at,
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
            since: silence.since,
            until: silence.until,
            tries: silence.tries,
            relays: silence.relays.iter().map(relay).collect(),
        }
    }
}

/// A gameweek's draw: its secret's hash from the opening, the lists' hashes when they are fixed, everything
/// else after the draw.
#[utoipa::path(get, path = "/api/gameweeks/{n}/draw", tag = "gameweek",
    params(("n" = String, Path, description = "The gameweek's number in the current season, or season and number", pattern = "^([0-9]{4}-)?[0-9]{1,2}$", example = "1")),
    responses(
        (status = 200, description = "The draw", body = Draw),
        (status = 404, description = "No such gameweek", body = Refusal),
    ))]
pub async fn get_draw(State(app): State<App>, Path(n): Path<String>) -> Result<Public<Draw>, ApiError> {
    let draw = published::find(&app, &n).await?;
    let keep = if draw.gameweek.drawn_at.is_some() { Keep::MINUTES } else { Keep::MOMENT };
    Ok(Public(keep, draw.into()))
}

impl From<PublishedDraw> for Draw {
    fn from(draw: PublishedDraw) -> Self {
        let PublishedDraw { id, gameweek, fence, beacon_addresses, beacon_chain, round, silence, amounts } =
            draw;
        let (mut lists, mut draws) = (Vec::new(), Vec::new());
        for PublishedAmount { amount, list, seed, alone } in amounts {
            let view = list_view(amount, &list);
            draws.extend(seed.map(|seed| AmountDraw::new(&view, seed, alone.as_ref(), silence.as_ref())));
            lists.push(view);
        }
        Self {
            gameweek: id.number,
            season: id.season,
            secret_hash: gameweek.opening.map(|opening| opening.secret_hash),
            deadline: gameweek.deadline,
            fence,
            beacon_addresses,
            beacon_chain,
            beacon_round: round.as_ref().map(|round| round.round),
            lists_at: round.map(|round| round.at),
            lists,
            beacon_silence: silence.as_ref().map(SilenceView::from),
            drawn_at: gameweek.drawn_at,
            draws,
        }
    }
}

fn list_view(amount: EntryAmount, list: &EntryList) -> ListView {
    ListView {
        entry_amount: amount.into(),
        entries: list.count,
        entries_hash: list.hash.clone(),
        covers: OneOf(list.covers),
        at: list.at,
    }
}
