//! `take-result`: what M-Pesa posts about orders of ours, and the questions that are asked where it
//! posts nothing. Any number of times, at once and in any order, to one result.

use store::payments::receipt_questions::About;

use crate::{
    App, AppError,
    ledger::{float, reversals},
    payments::{ask_afresh, paybill, typed_codes},
    platform::queues::TakeResult,
    withdrawals::payouts,
};

/// Takes one message.
///
/// # Errors
/// The table, the queue or the secrets do not answer: the message is to be tried again.
pub async fn take(app: &App, message: TakeResult) -> Result<(), AppError> {
    match message {
        TakeResult::Payout { withdrawal_id, asked } => payouts::poll(app, &withdrawal_id, asked).await,
        TakeResult::Recheck { withdrawal_id, asked } => payouts::recheck(app, &withdrawal_id, asked).await,
        TakeResult::Receipts { run, seq } => reversals::ask_on(app, &run, seq).await,
        TakeResult::PayoutResult { withdrawal_id, body } => {
            payouts::take_result(app, &withdrawal_id, &body).await
        }
        TakeResult::PayoutTimeout { withdrawal_id } => payouts::take_timeout(app, &withdrawal_id).await,
        TakeResult::Answer { id, body } => answered(app, &id, &body).await,
        TakeResult::TypedCode { typed_code_id, asked } => {
            typed_codes::process(app, &typed_code_id, asked).await
        }
        TakeResult::Confirmation { body, received_at } => {
            paybill::take_confirmation(app, &body, received_at).await
        }
        TakeResult::Paybill { code, asked } => paybill::process(app, &code, asked).await,
    }
}

/// An answer belongs to what its question was about: the path that it came by names that.
async fn answered(app: &App, id: &str, body: &str) -> Result<(), AppError> {
    if let Some(code) = reversals::receipt_of(id) {
        return reversals::answered(app, &code, body).await;
    }
    if let Some(withdrawal) = app.store().withdrawal(id).await? {
        return payouts::answered(app, &withdrawal, body).await;
    }
    if let Some(question) = app.store().question(id).await? {
        let Some(known) = ask_afresh::answered(app, &question, body).await? else { return Ok(()) };
        return match question.about {
            About::Waiting => Ok(()),
            About::Paybill => paybill::answered(app, &question, &known).await,
            About::TypedCode => typed_codes::answered(app, &question, &known).await,
        };
    }
    float::answered(app, id, body).await
}
