//! What is public of a gameweek's draw (docs/draw.md): the secret's hash from the opening on, each list's hash when it
//! is fixed, and everything else once all leagues are written.

use domain::{
    EntryAmount, GameweekId,
    gameweeks::calendar::{FENCE_BEFORE_LISTS_WERE_PUBLIC, Gameweek},
    leagues::beacon::Silence,
};
use jiff::Timestamp;
use store::{
    entries::Entry,
    leagues::{
        draw_rounds::DrawRound,
        draws::{DrawSeed, EntryList},
    },
};

use crate::{
    App, AppError,
    platform::flow::{Flow, Refusal},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("There is no such gameweek.")]
pub struct NoGameweek;

impl Refusal for NoGameweek {}

#[derive(Debug, Clone)]
pub struct PublishedDraw {
    pub id: GameweekId,
    pub gameweek: Gameweek,
    /// From here on nothing enters the draw.
    pub fence: Timestamp,
    /// Where the beacon is asked, and the hash of its chain.
    pub beacon_addresses: Vec<String>,
    pub beacon_chain: String,
    pub round: Option<DrawRound>,
    /// How the beacon was asked in vain, where the draw went on without it.
    pub silence: Option<Silence>,
    pub amounts: Vec<PublishedAmount>,
}

/// A list that is fixed, and what was drawn from it.
#[derive(Debug, Clone)]
pub struct PublishedAmount {
    pub amount: EntryAmount,
    pub list: EntryList,
    pub seed: Option<DrawSeed>,
    /// The one entry that nobody else joined.
    pub alone: Option<Entry>,
}

/// The draw of a gameweek by its number in the current season, or by season and number.
pub async fn find(app: &App, gameweek: &str) -> Flow<PublishedDraw, NoGameweek> {
    let (id, gameweek) = app.asked_gameweek(Some(gameweek)).await?.ok_or(NoGameweek)?;
    let is_drawn = gameweek.drawn_at.is_some();
    let round = app.store().draw_round(id).await?;
    let beacon = if is_drawn { app.store().draw_beacon(id).await? } else { None };
    let mut amounts = Vec::new();
    for amount in EntryAmount::ALL {
        // `None`: a gameweek that was over before this installation first saw it was never drawn.
        let Some(list) = app.store().entry_list(id, amount).await? else { continue };
        amounts.push(published(app, id, amount, list, is_drawn).await?);
    }
    // Of a draw from before the lists were public it is where it was then.
    let fence = if is_drawn && round.is_none() && !amounts.is_empty() {
        gameweek.deadline + FENCE_BEFORE_LISTS_WERE_PUBLIC
    } else {
        gameweek.fence()
    };
    Ok(PublishedDraw {
        id,
        gameweek,
        fence,
        beacon_addresses: app.beacon().relays().map(str::to_owned).collect(),
        beacon_chain: app.beacon().chain().hash.clone(),
        round,
        silence: beacon.and_then(|beacon| beacon.silence),
        amounts,
    })
}

async fn published(
    app: &App,
    gameweek: GameweekId,
    amount: EntryAmount,
    list: EntryList,
    is_drawn: bool,
) -> Result<PublishedAmount, AppError> {
    let seed = if is_drawn { app.store().draw_seed(gameweek, amount).await? } else { None };
    let mut alone = None;
    if seed.is_some() && list.count == 1 {
        alone = app.store().listed_entries(gameweek, amount, &list).await?.pop();
    }
    Ok(PublishedAmount { amount, list, seed, alone })
}
