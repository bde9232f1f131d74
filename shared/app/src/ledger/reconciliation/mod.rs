//! The nightly reading of the books: every wallet from its postings, the operator's accounts from all
//! postings, and both beside what the records of payments and withdrawals say
//! (docs/decisions.md, "The books are read whole, at night").
//!
//! The table is read in segments, each by one message after another that goes on where the part stands.
//! Any message may come twice, late or after a death. Whichever finds all parts done ends the reading.

mod float;
mod open_wallet;
mod proof;
mod report;
mod sum_tree;
mod totals;
mod trust;

use std::collections::BTreeSet;

use domain::ledger::reconciliation::{Difference, SETTLED_AFTER, Totals, compare, confirmed};
pub use float::FloatReport;
use jiff::SignedDuration;
pub use proof::{NoProof, ProofOfBalance, proof};
pub use report::{Report, latest};
use store::{
    ledger::reconciliation::{ReconciliationRun, SegmentPart},
    random_id,
};
use sum_tree::Built;
use totals::PartTotals;
pub use trust::{FEW, FormerRoot, GameweekFigures, Held, Line, Root, Sums, Trust, latest_trust};

use crate::{App, AppError, platform::queues::ReconcileSegment};

/// A reading that is not over by then is not coming to its end by itself.
const RESUMED_AFTER: SignedDuration = SignedDuration::from_mins(30);

/// Begins a reading. One that was never ended is given up, loudly.
pub async fn start(app: &App) -> Result<(), AppError> {
    let now = app.clock().now();
    let seen = app.store().reconciliation_run().await?;
    if let Some(open) = seen.as_ref().filter(|run| run.finished_at.is_none()) {
        if now < open.started_at + RESUMED_AFTER {
            return send_segments(app, open).await;
        }
        tracing::error!(run = open.id, since = %open.started_at, alarm = "books", "the books were not read to their end");
    }
    let float_at = app.store().float().await?.and_then(|float| float.balances().map(|(at, _)| at));
    let run = ReconciliationRun {
        id: random_id(),
        started_at: now,
        as_of: now - SETTLED_AFTER,
        float_at: float_at.filter(|at| *at > now - SignedDuration::from_hours(24)),
        segments: app.config().reconciliation.segments,
        round: 1,
        suspects: Vec::new(),
        found: Vec::new(),
        finished_at: None,
    };
    if app.store().put_reconciliation_run(&run, seen.as_ref()).await? {
        send_segments(app, &run).await
    } else {
        Ok(())
    }
}

/// The backstop: resumes a reading whose messages were lost.
pub async fn remind(app: &App) -> Result<(), AppError> {
    let run = app.store().reconciliation_run().await?.filter(|run| run.finished_at.is_none());
    match run.filter(|run| run.started_at + RESUMED_AFTER < app.clock().now()) {
        Some(run) => send_segments(app, &run).await,
        None => Ok(()),
    }
}

/// Has every segment read on.
async fn send_segments(app: &App, run: &ReconciliationRun) -> Result<(), AppError> {
    let message = |segment| ReconcileSegment { run: run.id.clone(), segment };
    let messages: Vec<ReconcileSegment> = (0..run.segments).map(message).collect();
    app.send_all(&messages).await
}

/// Reads on in a segment, and has it read on after that, or ends the reading.
pub async fn read(app: &App, message: &ReconcileSegment) -> Result<(), AppError> {
    let run = app.store().reconciliation_run().await?;
    let Some(run) = run.filter(|run| run.id == message.run && run.finished_at.is_none()) else {
        return Ok(());
    };
    let part = app.store().reconciliation_part(&run, message.segment).await?;
    if part.done {
        return end(app, &run, message).await;
    }
    let next = read_on(app, &run, part).await?;
    // Not written: the same message, come twice, is ahead and goes on.
    if !app.store().put_reconciliation_part(&run, &next).await? {
        return Ok(());
    }
    if next.done { end(app, &run, message).await } else { app.send(message, SignedDuration::ZERO).await }
}

async fn read_on(app: &App, run: &ReconciliationRun, part: SegmentPart) -> Result<SegmentPart, AppError> {
    let mut sums = PartTotals::read(&part.totals)?;
    let scope = totals::scope(app, run).await?;
    let mut after = part.after;
    let mut left = app.config().reconciliation.items_at_once;
    let mut done = false;
    while left > 0 && !done {
        let slice = app.store().scan_segment((part.segment, run.segments), after.as_ref(), left).await?;
        left = left.saturating_sub(slice.looked_at.max(1));
        for item in slice.items {
            sums.add(app, &scope, item).await?;
        }
        done = slice.next.is_none();
        after = slice.next;
    }
    if done {
        sums.close_wallet(app).await?;
    }
    sum_tree::keep_leaves(app, run, &mut sums).await?;
    Ok(SegmentPart { seq: part.seq + 1, segment: part.segment, after, done, totals: sums.write() })
}

/// Where every part is done: compares, reads again where sums do not agree, builds the sum tree and reports.
/// `message` goes on with a tree that takes longer than one.
async fn end(app: &App, run: &ReconciliationRun, message: &ReconcileSegment) -> Result<(), AppError> {
    let parts = app.store().reconciliation_parts(run).await?;
    if parts.len() < run.segments as usize || parts.iter().any(|part| !part.done) {
        return Ok(());
    }
    let mut totals = Totals::default();
    let (mut found, mut left_out, mut pages) = (Vec::new(), 0, BTreeSet::new());
    for part in parts {
        let sums = PartTotals::read(&part.totals)?;
        left_out += sums.left_out;
        pages.extend(sums.pages);
        totals.merge(sums.totals);
        found.extend(sums.differences);
    }
    let paid = paid_gameweeks(app, run, &totals).await?;
    let sums = compare(&totals, &paid);
    if run.round == 1 && !sums.is_empty() {
        return read_again(app, run, sums).await;
    }
    found.extend(confirmed(&run.found, sums));
    found.sort();
    found.dedup();
    let top = match sum_tree::build_on(app, run, &pages, &totals).await? {
        Built::Done(top) => top,
        Built::GoesOn => return app.send(message, SignedDuration::ZERO).await,
        Built::ByAnother => return Ok(()),
    };
    report::conclude(app, run, &totals, top, (found, left_out)).await
}

/// Sums that do not agree count once a second reading has them too; it says which records they are.
async fn read_again(app: &App, run: &ReconciliationRun, found: Vec<Difference>) -> Result<(), AppError> {
    tracing::warn!(run = run.id, ?found, "sums do not agree: the books are read once more");
    let again = ReconciliationRun { round: 2, suspects: totals::suspects(&found), found, ..run.clone() };
    // Where it was not written another message has, and what it sends is sent twice at worst.
    app.store().put_reconciliation_run(&again, Some(run)).await?;
    send_segments(app, &again).await
}

/// The gameweeks of the pots in `totals` that owed nobody anything at the time.
async fn paid_gameweeks(
    app: &App,
    run: &ReconciliationRun,
    totals: &Totals,
) -> Result<Vec<domain::GameweekId>, AppError> {
    let calendars = app.calendars().await?;
    let settled = run.as_of - SignedDuration::from_hours(1);
    let pots = totals.accounts.keys().filter_map(|name| name.strip_prefix("pot:")?.parse().ok());
    let is_paid = |id: &domain::GameweekId| {
        let calendar = calendars.iter().find(|calendar| calendar.season == id.season);
        match calendar.and_then(|calendar| calendar.gameweek(id.number)) {
            Some(gameweek) => gameweek.settled_at.is_some_and(|at| at < settled),
            // A season of before former ones were kept gave way when it was paid in full.
            None => calendars.first().is_some_and(|oldest| id.season < oldest.season),
        }
    };
    Ok(pots.filter(is_paid).collect())
}
