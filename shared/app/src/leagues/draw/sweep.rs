//! The sweep: an entry that came too late for the draw's list gets its stake back. A sweep of many entries is done in
//! steps by one process at a time. The process notes after each step how far it is, and stops before its function's
//! time ends; the next process goes on from that note. A refund is booked once, however many processes meet its entry.

use domain::{EntryAmount, GameweekId, leagues::draw::LEAGUE_SIZE};
use jiff::{SignedDuration, Timestamp};
use store::{
    leagues::{
        draw_rounds::{SweepSoFar, Sweeps},
        draws::EntryList,
    },
    platform::concurrency::try_map,
    random_id,
};

use super::{list::Unlisted, refund};
use crate::{
    App, AppError,
    platform::{
        queues::{ForGameweek, Sweep},
        reasons,
    },
};

/// A process that has not renewed its turn for this long counts as dead. Many times what a step takes.
const TURN: SignedDuration = SignedDuration::from_mins(2);
/// Less than the functions have that sweep, by more than a step takes.
const SWEEPS_FOR: SignedDuration = SignedDuration::from_secs(60);
/// No function that writes entries runs for so long. We do not go on with a sweep that began longer ago: a function may
/// have written an entry since, before the place that the sweep has reached. A sweep that began this long after the
/// lists has seen all entries there will be.
const ENTRIES_ARE_WRITTEN_WITHIN: SignedDuration = SignedDuration::from_hours(1);
/// What is not through is taken up again after this long.
const AGAIN_AFTER: SignedDuration = SignedDuration::from_mins(1);

/// Sweeps, and asks for another run where this one does not come to the end.
///
/// # Errors
/// The table or the queue do not answer: asked again, it goes on.
pub async fn sweep_or_ask_again(app: &App, gameweek: GameweekId) -> Result<(), AppError> {
    if sweep(app, gameweek).await? {
        return Ok(());
    }
    app.send(&Sweep(ForGameweek { gameweek }), AGAIN_AFTER).await
}

/// Refunds every entry that the draw's lists do not have. `false`: not all were looked at; another one is at it, or the
/// next run goes on.
///
/// # Errors
/// The table does not answer: asked again, it goes on.
pub async fn sweep(app: &App, gameweek: GameweekId) -> Result<bool, AppError> {
    let mut lists = Vec::new();
    for amount in EntryAmount::ALL {
        lists.extend(app.store().entry_list(gameweek, amount).await?.map(|list| (amount, list)));
    }
    let entries: usize = lists.iter().map(|(_, list)| list.count).sum();
    if entries <= step(app) {
        for (amount, list) in &lists {
            let mut unlisted = Unlisted::of(app, gameweek, *amount, list);
            while let Some(entry) = unlisted.next().await? {
                refund(app, &entry, reasons::TOO_LATE_FOR_THE_DRAW).await?;
            }
        }
        return Ok(true);
    }
    let me = random_id();
    let turn = Turn { app, gameweek, me: &me, began: app.clock().now() };
    if !turn.is_mine().await? {
        return Ok(false);
    }
    let swept = turn.sweep(&lists).await;
    app.store().end_turn_to_sweep(gameweek, &me).await?;
    swept
}

/// Entries that are looked at in one step: those of so many leagues as are written in one.
fn step(app: &App) -> usize {
    app.config().leagues_per_step * LEAGUE_SIZE
}

/// One process's turn.
struct Turn<'a> {
    app: &'a App,
    gameweek: GameweekId,
    me: &'a str,
    began: Timestamp,
}

impl Turn<'_> {
    /// Takes the turn, or keeps it for as long as it may last.
    async fn is_mine(&self) -> Result<bool, AppError> {
        let now = self.app.clock().now();
        let is_over = now >= self.began + SWEEPS_FOR;
        Ok(!is_over && self.app.store().take_turn_to_sweep(self.gameweek, self.me, now, now + TURN).await?)
    }

    async fn sweep(&self, lists: &[(EntryAmount, EntryList)]) -> Result<bool, AppError> {
        let Self { app, gameweek, began, .. } = *self;
        let Sweeps { sweep, through_since } = app.store().sweeps(gameweek).await?;
        let late = |list: &EntryList| list.at + ENTRIES_ARE_WRITTEN_WITHIN;
        if through_since.is_some_and(|since| lists.iter().all(|(_, list)| since >= late(list))) {
            return Ok(true);
        }
        let kept = sweep.filter(|kept| began < kept.began + ENTRIES_ARE_WRITTEN_WITHIN);
        let swept_since = kept.as_ref().map_or(began, |kept| kept.began);
        for (amount, list) in lists {
            let position = match &kept {
                Some(kept) if kept.amount > *amount => continue,
                Some(kept) if kept.amount == *amount => (kept.after.clone(), kept.part),
                _ => (None, 0),
            };
            let mut unlisted = Unlisted::after(app, (gameweek, *amount), list, position);
            while let Some(late) = unlisted.among_next(step(app)).await? {
                try_map(
                    late,
                    |entry| async move { refund(app, &entry, reasons::TOO_LATE_FOR_THE_DRAW).await },
                )
                .await?;
                let (after, part) = unlisted.position();
                let so_far = SweepSoFar { began: swept_since, amount: *amount, after, part };
                app.store().keep_sweeps(gameweek, &Sweeps { sweep: Some(so_far), through_since }).await?;
                if !self.is_mine().await? {
                    tracing::info!(%gameweek, amount = amount.kes().get(), "the sweep is handed over");
                    return Ok(false);
                }
            }
        }
        let through = Sweeps { sweep: None, through_since: Some(swept_since) };
        app.store().keep_sweeps(gameweek, &through).await?;
        Ok(true)
    }
}
