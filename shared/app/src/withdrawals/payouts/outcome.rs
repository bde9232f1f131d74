//! What M-Pesa says of payouts: results that it posts, answers to questions, and the questions' turns.

use clients::daraja::{CallbackAmount, LateResult, Party, PayoutOutcome, TransactionState, parse_result};
use domain::{
    Kes,
    payments::prompt::pause_before_next_question,
    withdrawals::requests::{
        PAYOUT_OVERDUE_AFTER, PayoutReport, PayoutState, PayoutVerdict, Said, WithdrawalState,
        WithdrawalStatus, decide_payout,
    },
};
use jiff::Timestamp;
use store::withdrawals::{Payout, Withdrawal, payouts::PaidOut};

use super::{
    alarm, ask, contest,
    correct::{ask_whether, correct},
    payout_of, record_body, record_event,
};
use crate::{
    App, AppError,
    platform::{
        backstop,
        queues::MpesaTask,
        reasons,
        security_log::{SecurityEntry, SecurityEvent},
    },
};

const SILENT: &str = "M-Pesa has not said for a day what became of the payout.";

/// Processes a payout: asks M-Pesa what became of it, and claims the next question.
pub async fn poll(app: &App, withdrawal_id: &str, asked: u32) -> Result<(), AppError> {
    let now = app.clock().now();
    let pause = pause_before_next_question(asked);
    let Some(withdrawal) = app.store().withdrawal(withdrawal_id).await? else { return Ok(()) };
    let Some(payout) = in_flight(&withdrawal) else { return Ok(()) };
    // Where M-Pesa has said something odd, that stands.
    if withdrawal.trouble.is_none()
        && now >= payout.sent_at + PAYOUT_OVERDUE_AFTER
        && app.store().contest_silent_payout(withdrawal_id, SILENT).await?
    {
        alarm(&withdrawal, SILENT);
    }
    ask(app, &withdrawal).await?;
    if app.store().claim_payout_question(withdrawal_id, now, pause).await? {
        let next = MpesaTask::Payout { withdrawal_id: withdrawal_id.to_owned(), asked: asked + 1 };
        app.send(&next, pause).await?;
    }
    Ok(())
}

fn in_flight(withdrawal: &Withdrawal) -> Option<&Payout> {
    let sent = withdrawal.payout.as_ref().filter(|payout| payout.state == PayoutState::Sent);
    sent.filter(|_| withdrawal.status == WithdrawalStatus::Pending)
}

/// Takes the result that M-Pesa posted of a payout.
pub async fn take_result(app: &App, withdrawal_id: &str, body: &str) -> Result<(), AppError> {
    let Some(withdrawal) = app.store().withdrawal(withdrawal_id).await? else {
        tracing::error!(withdrawal = withdrawal_id, "a payout's result without a withdrawal");
        return Ok(());
    };
    record_body(app, withdrawal_id, "result", body).await;
    let Some(result) = read(withdrawal_id, body) else { return Ok(()) };
    if result.originator_conversation_id != withdrawal.id || !is_its_own(&withdrawal, &result.conversation_id)
    {
        tracing::error!(withdrawal = withdrawal_id, ?result, "a result with another payout's ids");
        return Ok(());
    }
    let (report, paid) = match result.payout() {
        PayoutOutcome::Paid { amount, receipt, recipient } => {
            let report = paid_report(&withdrawal, amount.as_ref());
            (report, paid_out(receipt, recipient))
        }
        PayoutOutcome::Failed(why) => {
            let reason = why.player_message();
            let statement = Statement { report: PayoutReport::Failed, said: Said::Posted, reason };
            return apply(app, &withdrawal, statement, PaidOut::default()).await;
        }
        PayoutOutcome::Unknown => {
            tracing::warn!(withdrawal = withdrawal_id, ?result, "a result code that is not documented");
            (PayoutReport::Open, PaidOut::default())
        }
    };
    apply(app, &withdrawal, Statement { report, said: Said::Posted, reason: "" }, paid).await
}

/// M-Pesa says that a payout timed out in its queue: it may have been paid all the same. It is asked.
pub async fn take_timeout(app: &App, withdrawal_id: &str) -> Result<(), AppError> {
    let Some(withdrawal) = app.store().withdrawal(withdrawal_id).await? else { return Ok(()) };
    record_event(app, withdrawal_id, "timeout", "It timed out in M-Pesa's queue.").await;
    if in_flight(&withdrawal).is_some() { ask(app, &withdrawal).await } else { Ok(()) }
}

/// Takes M-Pesa's answer to a question about `withdrawal`'s payout.
pub async fn answered(app: &App, withdrawal: &Withdrawal, body: &str) -> Result<(), AppError> {
    record_body(app, &withdrawal.id, "answer", body).await;
    let Some(result) = read(&withdrawal.id, body) else { return Ok(()) };
    let Some(found) = result.transaction() else {
        tracing::warn!(withdrawal = withdrawal.id, ?result, "M-Pesa does not find a payout");
        return Ok(());
    };
    if found.conversation_id.is_some_and(|id| !is_its_own(withdrawal, &id)) {
        tracing::error!(withdrawal = withdrawal.id, "an answer with another payout's ids");
        return Ok(());
    }
    let report = match &found.state {
        TransactionState::Completed => paid_report(withdrawal, found.amount.as_ref()),
        TransactionState::Failed => PayoutReport::Failed,
        // What M-Pesa takes back is not returned by us: nothing is concluded from it.
        TransactionState::Open(_) | TransactionState::Reversed => PayoutReport::Open,
    };
    let paid = paid_out(found.receipt, found.payee);
    let statement = Statement { report, said: Said::Asked, reason: reasons::PAYOUT_FAILED };
    apply(app, withdrawal, statement, paid).await
}

fn read(withdrawal_id: &str, body: &str) -> Option<LateResult> {
    parse_result(body.as_bytes())
        .inspect_err(|error| {
            tracing::error!(withdrawal = withdrawal_id, %error, "a result that cannot be read");
        })
        .ok()
}

/// Whether M-Pesa's id is that of this withdrawal's payout, as far as that is known.
fn is_its_own(withdrawal: &Withdrawal, conversation_id: &str) -> bool {
    let known = withdrawal.payout.as_ref().and_then(|payout| payout.conversation_id.as_deref());
    known.is_none_or(|known| known == conversation_id)
}

fn paid_report(withdrawal: &Withdrawal, amount: Option<&CallbackAmount>) -> PayoutReport {
    match amount {
        None => PayoutReport::Paid,
        Some(CallbackAmount::Whole(kes)) if Kes::new(*kes) == withdrawal.paid_amount() => PayoutReport::Paid,
        Some(_) => PayoutReport::PaidOtherwise,
    }
}

fn paid_out(receipt: Option<String>, recipient: Party) -> PaidOut {
    PaidOut { receipt, recipient: recipient.name }
}

/// What M-Pesa has said of a payout.
#[derive(Debug, Clone, Copy)]
struct Statement<'a> {
    report: PayoutReport,
    said: Said,
    /// Why it failed, for the player.
    reason: &'a str,
}

/// Does what follows from what M-Pesa says, and has the player told. The message about it goes out
/// before the withdrawal ends, to be looked at a minute later, and once more after.
async fn apply(
    app: &App,
    withdrawal: &Withdrawal,
    statement: Statement<'_>,
    paid: PaidOut,
) -> Result<(), AppError> {
    let (now, report) = (app.clock().now(), statement.report);
    let payout = withdrawal.payout.as_ref().map(|payout| payout.state);
    let standing = WithdrawalState { status: withdrawal.status, payout, corrected: withdrawal.corrected };
    let ended = match decide_payout(standing, report, statement.said) {
        PayoutVerdict::AskAgain => return Ok(()),
        PayoutVerdict::Nothing => {
            tracing::info!(withdrawal = withdrawal.id, news = ?report, "M-Pesa says of a payout what changes nothing");
            return Ok(());
        }
        PayoutVerdict::Contest(why) => {
            contest(app, withdrawal, why).await?;
            None
        }
        PayoutVerdict::Ask(correction) => return ask_whether(app, withdrawal, correction).await,
        PayoutVerdict::Correct(correction) => {
            let corrected = correct(app, withdrawal, correction, &paid).await?;
            corrected.then_some(SecurityEvent::PayoutCorrected)
        }
        PayoutVerdict::Done => {
            app.mail_withdrawal_later(&withdrawal.id).await?;
            let payout = payout_of(withdrawal, now);
            let ended = app.store().complete_payout(withdrawal, &payout, &paid, now, None).await?;
            ended.then_some(SecurityEvent::PayoutDone)
        }
        PayoutVerdict::GiveBack => {
            app.mail_withdrawal_later(&withdrawal.id).await?;
            let payout = payout_of(withdrawal, now);
            let ended = app.store().return_payout(withdrawal, &payout, statement.reason, now, None).await?;
            ended.then_some(SecurityEvent::PayoutFailed)
        }
    };
    tracing::info!(withdrawal = withdrawal.id, news = ?report, ended = ended.is_some(), "payout");
    if let Some(event) = ended {
        app.log_security(SecurityEntry::new(event).of(&withdrawal.user_id).on(&withdrawal.id)).await;
        app.mail_withdrawal_now(&withdrawal.id).await;
        return Ok(());
    }
    // Of two at once the second meets what the first has made of it; or its account was erased meanwhile.
    let moved = |now: &Withdrawal| {
        now.status != withdrawal.status
            || now.corrected != withdrawal.corrected
            || now.phone != withdrawal.phone
    };
    match app.store().withdrawal(&withdrawal.id).await?.filter(moved) {
        Some(now) => Box::pin(apply(app, &now, statement, paid)).await,
        None => Ok(()),
    }
}

/// The backstop: asks about each payout whose next question was lost.
pub async fn remind(app: &App) -> Result<usize, AppError> {
    let now = app.clock().now();
    let page = |cursor: Option<String>| async move {
        app.store().pending_withdrawals(cursor.as_deref(), backstop::PAGE).await
    };
    backstop::resume(app, page, |withdrawal: &Withdrawal| {
        let lost = backstop::is_lost(withdrawal.next_question, Timestamp::UNIX_EPOCH, now);
        (in_flight(withdrawal).is_some() && lost).then(|| MpesaTask::Payout {
            withdrawal_id: withdrawal.id.clone(),
            asked: backstop::ASKED_BEFORE_RESUMED,
        })
    })
    .await
}
