//! What becomes of a prompt. Two ways lead to [`settle`]: the callback, and the questions that are asked
//! until M-Pesa's answer is final.

use clients::daraja::{self, CallbackAmount, PromptOutcome, QueryAnswer};
use domain::{
    Kes,
    ledger::postings::Cause,
    payments::prompt::{self, CallbackClaim, PaymentState, PromptAnswer, Verdict},
};
use jiff::Timestamp;
use store::payments::prompts::Payment;

use super::{
    credit::{credit, learn_receipt, set_aside},
    limits::answered_by_holder,
    record_body, record_event,
};
use crate::{
    App, AppError,
    payments::{
        numbers,
        receipts::{forget_payers, take_back_reversed},
    },
    platform::{backstop, queues::ProcessPayment},
};

/// M-Pesa's ids of a prompt: the merchant's and the checkout's.
type Ids = (String, String);

/// Takes a message about a payment: notes what a callback claims, asks M-Pesa, and does what follows.
/// Any number of times, at once and in any order, to one result.
pub async fn process(app: &App, message: &ProcessPayment) -> Result<(), AppError> {
    if let Some((merchant, checkout)) = &message.ids {
        app.store().attach_daraja_ids(&message.payment_id, merchant, checkout, app.clock().now()).await?;
    }
    if let Some(body) = &message.callback {
        let at = message.received_at.unwrap_or_else(|| app.clock().now());
        note_callback(app, &message.payment_id, body, at).await?;
    }
    let Some((mut payment, ids)) = read(app, message).await? else {
        tracing::warn!(payment = %message.payment_id, "a message about a payment that does not exist");
        return Ok(());
    };
    match payment.state {
        PaymentState::Success => return follow_up(app, &payment.id).await,
        PaymentState::SetAside | PaymentState::Dismissed => return Ok(()),
        PaymentState::Pending | PaymentState::Failed => {}
    }
    let claimed_paid = payment.claim.as_ref().is_some_and(|claim| claim.paid);
    if payment.state == PaymentState::Failed && !claimed_paid && payment.success_heard_at.is_none() {
        return Ok(());
    }
    let answer = ask(app, &mut payment).await?;
    record_event(app, &payment.id, "query", answer.text()).await;
    if apply(app, &payment, &answer).await? {
        return follow_up(app, &payment.id).await;
    }
    // A draw's list may wait for this one: it is processed when the callback stands alone, whenever its next question is.
    let claimed = payment.claim.as_ref().is_some_and(|claim| claim.paid);
    let question =
        |asked| ProcessPayment { ids: ids.clone(), ..ProcessPayment::question(&payment.id, asked) };
    if message.callback.is_some() && payment.entry.is_some() && claimed {
        app.send(&question(0), prompt::CALLBACK_STANDS_AFTER).await?;
    }
    // A payment has one series of questions. For one that is pending a callback finds it there.
    let pause = prompt::pause_before_next_question(message.asked);
    let asks_on = message.callback.is_none() || payment.state == PaymentState::Failed;
    if asks_on && app.store().claim_question(&payment.id, app.clock().now(), pause).await? {
        app.send(&question(message.asked + 1), pause).await?;
    }
    Ok(())
}

/// The payment that a message is about, as it stands. If its account is erased, the payment does not keep M-Pesa's ids, for
/// one of them ends with the number: it is asked about by the ids that the message tells, and these go on with the next one.
async fn read(app: &App, message: &ProcessPayment) -> Result<Option<(Payment, Option<Ids>)>, AppError> {
    let Some(mut payment) = app.store().payment(&message.payment_id).await? else { return Ok(None) };
    let ids = if payment.phone.is_gone() { told_ids(message) } else { None };
    if let Some((_, checkout)) = &ids {
        payment.checkout_request_id = Some(checkout.clone());
    }
    Ok(Some((payment, ids)))
}

/// M-Pesa's ids, as a message tells them.
fn told_ids(message: &ProcessPayment) -> Option<Ids> {
    let body = message.callback.as_ref();
    let callback = body.and_then(|body| daraja::parse_stk_callback(body.as_bytes()).ok());
    let ids = callback.map(|callback| (callback.merchant_request_id, callback.checkout_request_id));
    ids.or_else(|| message.ids.clone())
}

/// Does what follows from a payment as it is now, whoever has decided it: learns what a callback has claimed of it, claims its
/// number, takes its money back if M-Pesa has called its receipt reversed, and has its player told. If its account is erased,
/// who paid is not kept.
async fn follow_up(app: &App, payment_id: &str) -> Result<(), AppError> {
    let Some(mut payment) = app.store().payment(payment_id).await? else { return Ok(()) };
    if learn_receipt(app, &payment).await?
        && let Some(now) = app.store().payment(payment_id).await?
    {
        payment = now;
    }
    // First the number: what the wallet does not cover is owed where the number is the player's own.
    numbers::claim_paid(app, &payment).await?;
    if payment.state == PaymentState::Success {
        let taken_back = match &payment.receipt {
            Some(receipt) => take_back_reversed(app, receipt, None).await?,
            None => false,
        };
        if payment.phone.is_gone() {
            forget_payers(app, &payment).await?;
        }
        if !taken_back {
            let cause = Cause::Deposit { payment_id: payment.id.clone() };
            app.tell_of_payment(&payment.user_id, &cause.key()).await;
        }
    }
    Ok(())
}

/// Asks M-Pesa what became of a payment. That a success was heard of is noted on `payment` too.
async fn ask(app: &App, payment: &mut Payment) -> Result<PromptAnswer, AppError> {
    let Some(id) = &payment.checkout_request_id else { return Ok(PromptAnswer::None) };
    Ok(match app.query(id).await {
        Ok(QueryAnswer::Paid) => {
            // An answer is evidence as a callback is: kept before anything follows from it.
            if payment.entry.is_some() && payment.success_heard_at.is_none() {
                let at = app.clock().now();
                payment.success_heard_at =
                    app.store().note_success_heard(payment, None, at).await?.then_some(at);
            }
            log_answer(payment, "0");
            PromptAnswer::Paid
        }
        Ok(QueryAnswer::Pending) => {
            log_answer(payment, "pending");
            PromptAnswer::Pending
        }
        Ok(QueryAnswer::Failed(code)) => {
            log_answer(payment, code.as_str());
            if code.is_of_phones_holder() {
                answered_by_holder(app, payment).await?;
            }
            PromptAnswer::Failed { reason: code.player_message().to_owned() }
        }
        Ok(QueryAnswer::Unknown(code)) => {
            tracing::warn!(payment = %payment.id, code = code.as_str(), "a result code that is not documented");
            PromptAnswer::None
        }
        Err(error) => {
            let error = error.refusal()?;
            tracing::warn!(payment = %payment.id, ?error, "M-Pesa could not be asked");
            PromptAnswer::None
        }
    })
}

fn log_answer(payment: &Payment, code: &str) {
    tracing::info!(payment = %payment.id, code, "M-Pesa has answered about a prompt");
}

/// Does what follows from M-Pesa's `answer`. `true`: the payment is decided.
pub async fn apply(app: &App, payment: &Payment, answer: &PromptAnswer) -> Result<bool, AppError> {
    let now = app.clock().now();
    let claim = payment.claim.as_ref();
    match prompt::decide(payment.created_at, payment.amount, claim, answer, now) {
        Verdict::AskAgain => Ok(false),
        Verdict::Fail { .. } if prompt::is_contradicted(payment.success_heard_at, now) => Ok(false),
        Verdict::Fail { reason } => {
            // Not failed: a success was heard of since the payment was read. It is asked about again.
            Ok(app.store().fail_payment(payment, &reason, now).await?)
        }
        Verdict::SetAside { reason } => {
            set_aside(app, payment, reason, now).await?;
            Ok(true)
        }
        Verdict::Credit { receipt, flagged } => {
            credit(app, payment, receipt.as_deref(), flagged).await?;
            Ok(true)
        }
    }
}

/// Notes, before a callback is acknowledged, that it tells us of the success of an open prompt: by its ids, as far
/// as they are known, and with its amount. What it says is processed later.
pub async fn note_evidence(app: &App, payment_id: &str, body: &[u8], at: Timestamp) -> Result<(), AppError> {
    let Ok(callback) = daraja::parse_stk_callback(body) else { return Ok(()) };
    if !matches!(callback.result_code.outcome(), PromptOutcome::Paid) {
        return Ok(());
    }
    let Some(payment) = app.store().payment(payment_id).await? else { return Ok(()) };
    let amount =
        matches!(callback.amount, Some(CallbackAmount::Whole(kes)) if Kes::new(kes) == payment.amount);
    if amount && payment.success_heard_at.is_none() {
        app.store().note_success_heard(&payment, Some(&callback.checkout_request_id), at).await?;
    }
    Ok(())
}

/// Notes what a callback claims about our prompt. One whose ids are another prompt's is not noted.
async fn note_callback(app: &App, payment_id: &str, body: &str, at: Timestamp) -> Result<(), AppError> {
    record_body(app, payment_id, body).await;
    let callback = match daraja::parse_stk_callback(body.as_bytes()) {
        Ok(callback) => callback,
        Err(error) => {
            tracing::error!(payment = payment_id, ?error, "a callback that cannot be read");
            return Ok(());
        }
    };
    let Some(payment) = app.store().payment(payment_id).await? else { return Ok(()) };
    let known = payment.checkout_request_id.as_deref();
    if known.is_some_and(|known| known != callback.checkout_request_id) {
        tracing::error!(payment = payment_id, "a callback with another prompt's ids");
        return Ok(());
    }
    if known.is_none() {
        let (merchant, checkout) = (&callback.merchant_request_id, &callback.checkout_request_id);
        app.store().attach_daraja_ids(payment_id, merchant, checkout, at).await?;
    }
    if callback.result_code.is_of_phones_holder() {
        answered_by_holder(app, &payment).await?;
    }
    let paid = match callback.result_code.outcome() {
        PromptOutcome::Paid => true,
        PromptOutcome::Failed(_) => false,
        PromptOutcome::Pending | PromptOutcome::Unknown => {
            tracing::warn!(
                payment = payment_id,
                code = callback.result_code.as_str(),
                "an undecided callback"
            );
            return Ok(());
        }
    };
    let amount = match callback.amount {
        Some(CallbackAmount::Whole(shillings)) => Some(Kes::new(shillings)),
        Some(CallbackAmount::Other(_)) | None => None,
    };
    let reason = callback.result_code.player_message().to_owned();
    let claim = CallbackClaim { at, paid, amount, receipt: callback.receipt, reason };
    if app.store().note_claim(&payment, &claim).await? {
        tracing::error!(
            payment = payment_id,
            alarm = "set-aside",
            "a dismissed payment is before the admins again"
        );
    }
    Ok(())
}

/// The backstop: asks about each open payment whose next question was lost.
pub async fn remind_of_open_payments(app: &App) -> Result<usize, AppError> {
    let now = app.clock().now();
    let page = |cursor: Option<String>| async move {
        app.store().open_payments(cursor.as_deref(), backstop::PAGE).await
    };
    backstop::resume(app, page, |payment| {
        let first = payment.created_at + prompt::FIRST_QUESTION_AFTER;
        let lost = backstop::is_lost(payment.next_question, first, now);
        lost.then(|| ProcessPayment::question(&payment.id, backstop::ASKED_BEFORE_RESUMED))
    })
    .await
}
