//! Payments that M-Pesa takes back. Every night it is asked about the receipts of the last three days (and further back
//! where a night before was left unanswered): all large ones, and a sample of the rest, at a set pace; what it has taken
//! back is booked then, and shown to player and admins (docs/decisions.md, "Which receipts M-Pesa is asked about again").
//!
//! A run goes on by one message after another, each on condition of where the run stands, so that one that
//! comes twice, late or after a death asks nothing twice: a receipt that was asked about waits for its answer
//! for some minutes. What is not answered is asked about again, round by round.

mod answer;

pub use answer::{answered, receipt_of, take_back};
use clients::daraja::StatusOf;
use domain::ledger::reversals::is_asked_about;
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use store::{
    ledger::receipt_runs::{ReceiptRun, ReceiptStep},
    payments::receipts::DatedReceipt,
    platform::{concurrency::try_map, journals::day},
    random_id,
};

use crate::{
    App, AppError,
    platform::queues::{MpesaTask, is_next_lost},
};

/// Receipts that one message looks at.
const READ_AT_ONCE: usize = 100;
/// Receipts that one message asks M-Pesa about, all at once: each question may take ten seconds, and the function runs for sixty.
const ASKED_AT_ONCE: usize = 10;
/// How old the oldest receipts are that a normal night asks about.
const ASKED_FOR: SignedDuration = SignedDuration::from_hours(3 * 24);
/// How old the oldest may be after nights that were left unanswered, or did not run.
const ASKED_FOR_AT_MOST: SignedDuration = SignedDuration::from_hours(7 * 24);
/// An answer is waited for this long before the same is asked again.
const ANSWER_TAKES: SignedDuration = SignedDuration::from_mins(5);
/// Between two rounds of a run.
const ROUNDS_APART: SignedDuration = SignedDuration::from_mins(10);
const ROUNDS: u8 = 4;
/// A run that stands still for longer has lost its message.
const RESUMED_AFTER: SignedDuration = SignedDuration::from_mins(30);
/// A run that is not over by then is given up for the next one.
const GIVEN_UP_AFTER: SignedDuration = SignedDuration::from_hours(12);

/// Every night: begins to ask.
pub async fn start(app: &App) -> Result<(), AppError> {
    let now = app.clock().now();
    let seen = app.store().receipt_run().await?;
    if let Some(open) = seen.as_ref().filter(|run| run.finished_at.is_none()) {
        if now < open.started_at + GIVEN_UP_AFTER {
            return send_next_step(app, open, SignedDuration::ZERO).await;
        }
        tracing::error!(run = open.id, since = %open.started_at, alarm = "receipts", "not all receipts were asked about");
    }
    let since = since(seen.as_ref(), now);
    let run = ReceiptRun {
        id: random_id(),
        salt: random_id(),
        started_at: now,
        since: Some(since),
        touched_at: now,
        seq: 0,
        round: 1,
        day: day(since),
        after: None,
        asked: 0,
        finished_at: None,
    };
    if app.store().put_receipt_run(&run, seen.as_ref()).await? {
        send_next_step(app, &run, SignedDuration::ZERO).await?;
    }
    Ok(())
}

/// How far back the next run looks. An outage of M-Pesa may be longer than the nights that a receipt is asked about.
fn since(last: Option<&ReceiptRun>, now: Timestamp) -> Timestamp {
    let is_answered = |run: &ReceiptRun| run.finished_at.is_some() && run.asked == 0;
    let left = last.map_or(now, |run| if is_answered(run) { run.started_at } else { began_with(run) });
    left.min(now - ASKED_FOR).max(now - ASKED_FOR_AT_MOST)
}

/// The oldest that a run looks at.
fn began_with(run: &ReceiptRun) -> Timestamp {
    run.since.unwrap_or(run.started_at - ASKED_FOR)
}

/// The backstop: resumes a run whose message was lost.
pub async fn remind(app: &App) -> Result<(), AppError> {
    let run = app.store().receipt_run().await?.filter(|run| run.finished_at.is_none());
    match run.filter(|run| run.touched_at + RESUMED_AFTER < app.clock().now()) {
        Some(run) => send_next_step(app, &run, SignedDuration::ZERO).await,
        None => Ok(()),
    }
}

async fn send_next_step(app: &App, run: &ReceiptRun, delay: SignedDuration) -> Result<(), AppError> {
    app.send(&MpesaTask::Receipts { run: run.id.clone(), seq: run.seq }, delay).await
}

/// Asks about the next receipts of a run, and has it gone on with.
pub async fn ask_next(app: &App, run: &str, seq: u64) -> Result<(), AppError> {
    let found = app.store().receipt_run().await?;
    let Some(run) = found.filter(|found| found.id == run && found.finished_at.is_none()) else {
        return Ok(());
    };
    if run.seq != seq {
        let lost = is_next_lost(seq, (run.seq, run.touched_at), app.clock().now());
        return if lost { send_next_step(app, &run, SignedDuration::ZERO).await } else { Ok(()) };
    }
    let page = app.store().receipts_of_day(run.day, run.after.as_deref(), READ_AT_ONCE).await?;
    let mut wanted = page.items.iter().filter(|receipt| is_wanted(app, &run, receipt));
    let chosen: Vec<&DatedReceipt> = wanted.by_ref().take(ASKED_AT_ONCE).collect();
    let is_more = wanted.next().is_some();
    try_map(chosen.iter().copied(), |receipt| ask(app, receipt)).await?;
    let after = match chosen.last() {
        Some(last) if is_more => Some(last.position.clone()),
        _ => page.cursor,
    };
    let (asked, now) = (chosen.len() as u64, app.clock().now());
    let step = match after {
        Some(after) => ReceiptStep::Further(after),
        None if run.day < day(run.started_at) => ReceiptStep::Day(run.day.tomorrow().unwrap_or(run.day)),
        None => the_round_is_over(&run, run.asked + asked),
    };
    let pause = match step {
        ReceiptStep::Round(_) => ROUNDS_APART,
        _ => SignedDuration::from_secs(seconds_for(app, asked)),
    };
    if let Some(next) = app.store().step_receipt_run(&run, &step, asked, now).await? {
        if next.finished_at.is_none() {
            return send_next_step(app, &next, pause).await;
        }
        if next.asked > 0 {
            tracing::error!(
                run = next.id,
                unanswered = next.asked,
                alarm = "receipts",
                "M-Pesa has not answered about receipts"
            );
        }
        tracing::info!(run = next.id, rounds = next.round, "the receipts of the last days are asked about");
    }
    Ok(())
}

/// Where something was asked, another round looks who has not been answered.
fn the_round_is_over(run: &ReceiptRun, asked: u64) -> ReceiptStep {
    if asked > 0 && run.round < ROUNDS { ReceiptStep::Round(day(began_with(run))) } else { ReceiptStep::Over }
}

/// How long `asked` questions take at the set pace.
fn seconds_for(app: &App, asked: u64) -> i64 {
    let pace = u64::from(app.config().receipt_questions_per_minute.max(1));
    i64::try_from((asked * 60).div_ceil(pace)).unwrap_or(i64::MAX)
}

/// Whether this run asks about a receipt: large or drawn, not taken back, and none of this run's questions about it is answered.
fn is_wanted(app: &App, run: &ReceiptRun, dated: &DatedReceipt) -> bool {
    let receipt = &dated.receipt;
    // When it was asked is kept in milliseconds.
    let began = run.started_at.as_millisecond();
    let answered = receipt.stands_at.is_some_and(|asked_at| asked_at.as_millisecond() >= began);
    let recent = receipt.at >= began_with(run) && receipt.at < run.started_at;
    let (threshold, percent) = (app.config().approval_threshold, app.config().receipt_sample_percent);
    let drawn = is_asked_about(receipt.amount, threshold, percent, sample_number(&run.salt, dated.code()));
    recent && drawn && !answered && receipt.reversal.is_none()
}

/// A receipt's number in the sample of a night, of 0 to 99: nobody can tell it before.
fn sample_number(salt: &str, code: &str) -> u8 {
    let hash = Sha256::new().chain_update(salt).chain_update(b"#").chain_update(code).finalize();
    let number = u64::from_be_bytes(hash[..8].try_into().expect("eight bytes"));
    u8::try_from(number % 100).expect("below a hundred")
}

/// Asks M-Pesa about a receipt, unless it is being asked about.
async fn ask(app: &App, dated: &DatedReceipt) -> Result<(), AppError> {
    let (code, now) = (dated.code(), app.clock().now());
    if !app.store().claim_receipt_question(code, now, ANSWER_TAKES).await? {
        return Ok(());
    }
    let id = answer::question_of(code);
    let shortcode = &app.config().paybill.number;
    if let Err(error) = app.ask_status(StatusOf::Receipt(code), shortcode, &id).await {
        let error = error.refusal()?;
        tracing::warn!(receipt = code, ?error, "M-Pesa could not be asked about a receipt");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_even_and_another_one_each_night() {
        let codes: Vec<String> = (0..2000).map(|n| format!("UHK{n:07}")).collect();
        let drawn = |salt: &str| {
            codes.iter().filter(|code| sample_number(salt, code) < 10).cloned().collect::<Vec<_>>()
        };
        let (monday, tuesday) = (drawn("monday"), drawn("tuesday"));
        for night in [&monday, &tuesday] {
            assert!((140..260).contains(&night.len()), "{}", night.len());
        }
        assert_ne!(monday, tuesday);
    }
}
