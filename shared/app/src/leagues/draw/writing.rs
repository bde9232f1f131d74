//! Writes the leagues of a draw. Many leagues are written in steps by one process at a time. The process notes after
//! each step how many leagues are there, and stops before its function's time ends; the next process goes on from that
//! number.

use domain::{EntryAmount, GameweekId};
use jiff::SignedDuration;
use store::{
    entries::Entry,
    leagues::{BLOCK, League, Member},
    platform::concurrency,
    random_id,
};

use crate::{App, AppError};

/// Who has not been heard of for this long is dead. Many times what a step takes.
const TURN: SignedDuration = SignedDuration::from_mins(2);
/// Less than the functions have that draw.
const WRITES_FOR: SignedDuration = SignedDuration::from_secs(200);

/// Which draw.
type Draw = (GameweekId, EntryAmount);

/// Writes the leagues that are not there yet. `false`: not all are there; another run goes on.
///
/// # Errors
/// The table does not answer: asked again, it goes on.
pub(super) async fn write(app: &App, draw: Draw, leagues: Vec<Vec<Entry>>) -> Result<bool, AppError> {
    if leagues.len() <= app.config().leagues_per_step {
        let in_blocks = lie_in_blocks(app, draw, leagues.len()).await?;
        write_step(app, draw, in_blocks, (1..).zip(leagues)).await?;
        return Ok(true);
    }
    let (me, now) = (random_id(), app.clock().now());
    if !app.store().take_turn_to_draw(draw, &me, now, now + TURN).await? {
        return Ok(false);
    }
    let written = write_in_steps(app, draw, &me, leagues).await;
    app.store().end_turn_to_draw(draw, &me).await?;
    written
}

async fn write_in_steps(
    app: &App,
    draw @ (gameweek, amount): Draw,
    me: &str,
    leagues: Vec<Vec<Entry>>,
) -> Result<bool, AppError> {
    let began = app.clock().now();
    let in_blocks = lie_in_blocks(app, draw, leagues.len()).await?;
    let mut written = app.store().leagues_written(gameweek, amount).await?;
    let mut left = (1..).zip(leagues).skip(written).peekable();
    while left.peek().is_some() {
        let now = app.clock().now();
        if now >= began + WRITES_FOR {
            tracing::info!(%gameweek, written, "the draw is handed over");
            return Ok(false);
        }
        if !app.store().take_turn_to_draw(draw, me, now, now + TURN).await? {
            return Ok(false);
        }
        let step: Vec<_> = left.by_ref().take(app.config().leagues_per_step).collect();
        written += step.len();
        write_step(app, draw, in_blocks, step.into_iter()).await?;
        app.store().note_leagues_written(gameweek, amount, written).await?;
    }
    Ok(true)
}

/// A draw that began before leagues lay in blocks is written as it began.
async fn lie_in_blocks(app: &App, (gameweek, amount): Draw, leagues: usize) -> Result<bool, AppError> {
    let is_one_block = u32::try_from(leagues).is_ok_and(|leagues| leagues <= BLOCK);
    Ok(is_one_block || app.store().lie_in_blocks(gameweek, amount).await?)
}

async fn write_step(
    app: &App,
    (gameweek, amount): Draw,
    in_blocks: bool,
    leagues: impl Iterator<Item = (u32, Vec<Entry>)>,
) -> Result<(), AppError> {
    concurrency::try_map(leagues, |(number, members)| {
        let members = members.into_iter().map(Member::from).collect();
        let league = League { gameweek, amount, number, members, settled_at: None, readings: Vec::new() };
        let store = app.store().clone();
        async move { store.create_league(&league, in_blocks).await }
    })
    .await?;
    Ok(())
}
