//! `take-result`: what M-Pesa posts about orders of ours, and the questions that are asked where it
//! posts nothing. Any number of times, at once and in any order, to one result.

use store::payments::receipt_questions::QuestionSubject;

use crate::{
    App, AppError,
    ledger::{float, reversals},
    payments::{ask_afresh, paybill, typed_codes},
    platform::queues::MpesaTask,
    withdrawals::payouts,
};

/// Takes one message.
pub async fn process(app: &App, message: MpesaTask) -> Result<(), AppError> {
    match message {
        MpesaTask::Payout { withdrawal_id, asked } => payouts::poll(app, &withdrawal_id, asked).await,
        MpesaTask::Recheck { withdrawal_id, asked } => payouts::recheck(app, &withdrawal_id, asked).await,
        MpesaTask::Receipts { run, seq } => reversals::ask_next(app, &run, seq).await,
        MpesaTask::PayoutResult { withdrawal_id, body } => {
            payouts::take_result(app, &withdrawal_id, &body).await
        }
        MpesaTask::PayoutTimeout { withdrawal_id } => payouts::take_timeout(app, &withdrawal_id).await,
        MpesaTask::Answer { id, body } => answered(app, &id, &body).await,
        MpesaTask::TypedCode { typed_code_id, asked } => {
            typed_codes::process(app, &typed_code_id, asked).await
        }
        MpesaTask::Confirmation { body, received_at } => {
            paybill::take_confirmation(app, &body, received_at).await
        }
        MpesaTask::Paybill { code, asked } => paybill::process(app, &code, asked).await,
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
            QuestionSubject::Waiting => Ok(()),
            QuestionSubject::Paybill => paybill::answered(app, &question, &known).await,
            QuestionSubject::TypedCode => typed_codes::answered(app, &question, &known).await,
        };
    }
    float::answered(app, id, body).await
}
