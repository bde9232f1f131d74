//! A player's own league of a gameweek and amount, as it is now.

use domain::{EntryAmount, GameweekId, UserId, gameweeks::calendar::Gameweek, ledger::postings::Cause};
use store::StoreError;

use super::list::{LeagueNow, ListError, as_it_is};
use crate::{App, AppError, platform::flow::Flow};

/// The gameweek that is asked for, by default the current one; `None`: there is nothing to play.
pub async fn asked(app: &App, gameweek: Option<&str>) -> Flow<Option<(GameweekId, Gameweek)>, ListError> {
    match app.asked_gameweek(gameweek).await? {
        None if gameweek.is_some() => Err(ListError::NoGameweek.into()),
        found => Ok(found),
    }
}

/// The league or the provisional group that `player` is in; `None`: in none.
pub async fn find(
    app: &App,
    player: &UserId,
    (id, gameweek): (GameweekId, &Gameweek),
    amount: EntryAmount,
) -> Result<Option<LeagueNow>, AppError> {
    Ok(match gameweek.drawn_at {
        Some(_) => drawn(app, player, (id, gameweek), amount).await?,
        None => provisional(app, player, id, amount).await?,
    })
}

async fn provisional(
    app: &App,
    player: &UserId,
    gameweek: GameweekId,
    amount: EntryAmount,
) -> Result<Option<LeagueNow>, StoreError> {
    let cause = Cause::Entry { gameweek }.key();
    let posting = app.store().posting(player, &cause).await?;
    let joined = posting.filter(|posting| posting.entry_amount == Some(amount.kes()));
    let Some(entry) = joined.and_then(|posting| posting.entry_id) else { return Ok(None) };
    let group = app.store().provisional_group(gameweek, amount, player, &entry).await?;
    Ok(Some(LeagueNow::Provisional { gameweek, amount, group }))
}

async fn drawn(
    app: &App,
    player: &UserId,
    (gameweek, found): (GameweekId, &Gameweek),
    amount: EntryAmount,
) -> Result<Option<LeagueNow>, StoreError> {
    let store = app.store();
    let own = store.league_of(player, gameweek).await?;
    let Some(own) = own.filter(|own| own.amount == amount) else { return Ok(None) };
    let (league, record, scores, switches) =
        tokio::try_join!(store.league(own), store.settlement(own), store.scores(gameweek), store.switches())?;
    let deduct = switches.deducts_transfers_at(found.deadline);
    // A record that is not paid in full yet is not shown: the league says when it is.
    Ok(league.map(|league| {
        let record = record.filter(|_| league.settled_at.is_some());
        as_it_is(league, record, scores.as_ref(), found, deduct)
    }))
}
