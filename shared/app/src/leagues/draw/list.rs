//! The list of entries: kept once, its hash public from then on, and only believed as far as that hash goes.

use std::collections::VecDeque;

use domain::{
    EntryAmount, GameweekId,
    gameweeks::calendar::Gameweek,
    leagues::{
        draw,
        entry_line::{LinesHash, NameHash},
    },
};
use jiff::Timestamp;
use store::{
    entries::{Entry, in_order::InOrder},
    leagues::draws::{Covers, EntryList, PART},
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

/// Fixes which entries are in the draw, in parts: as many as there are, few are held at once.
pub(super) async fn fix(app: &App, gameweek: GameweekId, amount: EntryAmount) -> Result<EntryList, AppError> {
    if let Some(list) = app.store().entry_list(gameweek, amount).await? {
        return Ok(list);
    }
    app.store().close_entry_list(gameweek, amount, app.clock().now()).await?;
    let mut entries = app.store().entries_in_order(gameweek, amount, None);
    let (attempt, mut hash) = (random_id(), LinesHash::default());
    let (mut parts, mut count) = (0, 0);
    loop {
        let mut part = entries.part(PART).await?;
        if part.is_empty() {
            break;
        }
        for entry in &mut part {
            // An entry from before the list had names has its salt from here: only the list that counts is read.
            entry.name.get_or_insert_with(|| NameHash::new(&random_id(), &entry.username));
            hash.add(&entry.line().ok_or_else(|| nameless(entry))?);
        }
        count += part.len();
        app.store().keep_list_part(gameweek, amount, (&attempt, parts), part).await?;
        parts += 1;
    }
    let hash = hex::encode(hash.end());
    let list = EntryList { attempt, parts, count, hash, covers: Covers::Lines, at: app.clock().now() };
    let kept = app.store().fix_entry_list(gameweek, amount, &list).await?;
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
    let mut hash = LinesHash::default();
    for entry in entries {
        hash.add(&entry.line().ok_or_else(|| nameless(entry))?);
    }
    Ok(hash.end())
}

fn nameless(entry: &Entry) -> AppError {
    AppError::Internal(format!("entry {} has no name's hash", entry.id))
}

/// The entries that a draw's list does not have, in order of joining: both are in that order, and are read in parts
/// side by side.
pub(crate) struct Unlisted<'a> {
    app: &'a App,
    gameweek: GameweekId,
    amount: EntryAmount,
    list: &'a EntryList,
    entries: InOrder<'a>,
    looked_at: Option<String>,
    listed: VecDeque<Entry>,
    next_part: usize,
}

impl<'a> Unlisted<'a> {
    pub fn of(app: &'a App, gameweek: GameweekId, amount: EntryAmount, list: &'a EntryList) -> Self {
        Self::after(app, (gameweek, amount), list, (None, 0))
    }

    /// Those after `position`, where another one stopped.
    pub fn after(
        app: &'a App,
        (gameweek, amount): (GameweekId, EntryAmount),
        list: &'a EntryList,
        (looked_at, next_part): (Option<String>, usize),
    ) -> Self {
        let entries = app.store().entries_in_order(gameweek, amount, looked_at.as_deref());
        Self { app, gameweek, amount, list, entries, looked_at, listed: VecDeque::new(), next_part }
    }

    pub async fn next(&mut self) -> Result<Option<Entry>, AppError> {
        while let Some(entry) = self.entries.next().await? {
            if !self.is_listed(&entry).await? {
                return Ok(Some(entry));
            }
        }
        Ok(None)
    }

    /// Those among the next `n` entries; `None` when all were looked at.
    pub async fn among_next(&mut self, n: usize) -> Result<Option<Vec<Entry>>, AppError> {
        let part = self.entries.part(n).await?;
        let Some(last) = part.last() else { return Ok(None) };
        self.looked_at = Some(last.id.clone());
        let mut unlisted = Vec::new();
        for entry in part {
            if !self.is_listed(&entry).await? {
                unlisted.push(entry);
            }
        }
        Ok(Some(unlisted))
    }

    /// The last entry that [`Self::among_next`] looked at, and in which part of the list it is.
    pub fn position(&self) -> (Option<String>, usize) {
        (self.looked_at.clone(), self.next_part.saturating_sub(1))
    }

    async fn is_listed(&mut self, entry: &Entry) -> Result<bool, AppError> {
        loop {
            while self.listed.front().is_some_and(|listed| listed.id < entry.id) {
                self.listed.pop_front();
            }
            if let Some(listed) = self.listed.front() {
                return Ok(listed.id == entry.id);
            }
            if self.next_part == self.list.parts {
                return Ok(false);
            }
            let part = self.app.store().listed_part(self.gameweek, self.amount, self.list, self.next_part);
            self.listed = part.await?.into();
            self.next_part += 1;
        }
    }
}
