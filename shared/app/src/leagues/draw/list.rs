//! The list of entries: kept once, its hash public from then on, and only believed as far as that hash goes.

use domain::{
    EntryAmount, GameweekId,
    gameweeks::calendar::Gameweek,
    leagues::{
        draw,
        entry_line::{self, EntryLine, NameHash},
    },
};
use jiff::Timestamp;
use store::{
    entries::Entry,
    leagues::draws::{Covers, EntryList},
    random_id,
};

use crate::{App, AppError};

/// Whether the list waits for prompts whose success was heard of before the fence and that are not decided yet:
/// evidence decides what is in, not how long the queue is. What is kept already waits for nothing.
pub(super) async fn waits(
    app: &App,
    id: GameweekId,
    gameweek: &Gameweek,
    now: Timestamp,
) -> Result<bool, AppError> {
    if now >= gameweek.list_waits_until() {
        return Ok(false);
    }
    for amount in EntryAmount::ALL {
        if app.store().entry_list(id, amount).await?.is_some() {
            return Ok(false);
        }
    }
    let undecided = app.store().undecided_entry_prompts(id, gameweek.fence()).await?;
    if !undecided.is_empty() {
        tracing::info!(gameweek = %id, prompts = undecided.len(), "the list waits for prompts that were heard of");
    }
    Ok(!undecided.is_empty())
}

/// Fixes which entries are in the draw.
pub(super) async fn fix(app: &App, gameweek: GameweekId, amount: EntryAmount) -> Result<EntryList, AppError> {
    if let Some(list) = app.store().entry_list(gameweek, amount).await? {
        return Ok(list);
    }
    app.store().close_entry_list(gameweek, amount, app.clock().now()).await?;
    let mut entries = app.store().all_entries(gameweek, amount).await?;
    for entry in &mut entries {
        // An entry from before the list had names has its salt from here: only the list that counts is read.
        entry.name.get_or_insert_with(|| NameHash::new(&random_id(), &entry.username));
    }
    let list = EntryList {
        attempt: random_id(),
        parts: 0,
        count: entries.len(),
        hash: hex::encode(hash(&entries, Covers::Lines)?),
        covers: Covers::Lines,
        at: app.clock().now(),
    };
    let kept = app.store().fix_entry_list(gameweek, amount, &list, &entries).await?;
    tracing::info!(%gameweek, amount = amount.kes().get(), entries = kept.count, hash = kept.hash, "a draw's list is fixed");
    Ok(kept)
}

/// The entries of a list that is kept, and its hash.
///
/// # Errors
/// They are not those that the hash was made of: somebody has changed them in the table.
pub(super) async fn entries(
    app: &App,
    gameweek: GameweekId,
    amount: EntryAmount,
    list: &EntryList,
) -> Result<(Vec<Entry>, [u8; 32]), AppError> {
    let entries = app.store().listed_entries(gameweek, amount, list).await?;
    let hash = hash(&entries, list.covers)?;
    if hex::encode(hash) != list.hash || entries.len() != list.count {
        let amount = amount.kes().get();
        tracing::error!(%gameweek, amount, alarm = "draw", "a draw's list is not what its hash was made of");
        return Err(AppError::Internal(format!("the list of {gameweek} was changed after it was fixed")));
    }
    Ok((entries, hash))
}

fn hash(entries: &[Entry], covers: Covers) -> Result<[u8; 32], AppError> {
    if covers == Covers::Ids {
        return Ok(draw::entries_hash(entries.iter().map(|entry| entry.id.as_str())));
    }
    let nameless = |entry: &Entry| AppError::Internal(format!("entry {} has no name's hash", entry.id));
    let lines: Result<Vec<EntryLine>, AppError> =
        entries.iter().map(|entry| entry.line().ok_or_else(|| nameless(entry))).collect();
    Ok(entry_line::lines_hash(&lines?))
}
