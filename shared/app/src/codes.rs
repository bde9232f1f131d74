//! Typed codes, verified by machine: M-Pesa is asked about each, and what it answers either credits the
//! code or stands beside it on the admin's list (decisions, "Money"; the rule is `domain::code_check`).
//!
//! A stored confirmation of the paybill says the same sooner, but not who paid (its number is masked), and
//! nothing is credited on a callback alone: M-Pesa is asked in any case.

use clients::daraja::{
    CallbackAmount, LateResult, StatusOf, TransactionState, TransactionStatus, parse_result,
};
use domain::{
    Kes, MpesaPhone,
    code_check::{Answered, NotByMachine, judge},
    manual_payment::Status,
    payment::pause_before_next_question,
};
use jiff::SignedDuration;
use store::manual_payments::{Confirmed, KnownCode, ManualPayment};

use crate::{App, AppError, queues::TakeResult};

/// After so many looks, some two hours, a code is the admin's alone.
const LOOKS: u32 = 12;

/// Has a code looked at now. The admin's list makes up for a message that is lost.
pub async fn look_soon(app: &App, manual_id: &str) {
    let look = TakeResult::Code { manual_id: manual_id.to_owned(), asked: 0 };
    if let Err(error) = app.send(&look, SignedDuration::ZERO).await {
        tracing::warn!(code = manual_id, %error, "a typed code is left to the admin");
    }
}

/// Looks at a code in its turn: credits it on what is known, or asks M-Pesa, and takes on the next look
/// where waiting may help.
///
/// # Errors
/// The table, the queue or the secrets do not answer: the message is to be tried again.
pub async fn look_at(app: &App, manual_id: &str, asked: u32) -> Result<(), AppError> {
    let Some(manual) = app.store().manual_payment(manual_id).await? else { return Ok(()) };
    if manual.status != Status::Pending || app.store().receipt(manual.code.as_str()).await?.is_some() {
        return Ok(());
    }
    let Some(why) = credit(app, &manual).await? else { return Ok(()) };
    match why {
        NotByMachine::NotAnswered | NotByMachine::NotCompleted => ask(app, &manual).await?,
        NotByMachine::Prompts => {}
        _ => return Ok(()),
    }
    let (now, pause) = (app.clock().now(), pause_before_next_question(asked));
    if asked < LOOKS && app.store().take_on_code_look(manual_id, now, pause).await? {
        let next = TakeResult::Code { manual_id: manual_id.to_owned(), asked: asked + 1 };
        app.send(&next, pause).await?;
    }
    Ok(())
}

/// Asks M-Pesa about a code. Its answer comes later, as [`answered`].
async fn ask(app: &App, manual: &ManualPayment) -> Result<(), AppError> {
    let of = StatusOf::Receipt(manual.code.as_str());
    if let Err(error) = app.ask_status(of, &app.config().paybill.number, &manual.id).await? {
        tracing::warn!(code = manual.id, ?error, "M-Pesa could not be asked about a typed code");
    }
    Ok(())
}

/// Takes M-Pesa's answer about a code, and credits the code where nothing stands against it.
///
/// # Errors
/// The table does not answer: the message is to be tried again.
pub async fn answered(app: &App, manual: &ManualPayment, body: &str) -> Result<(), AppError> {
    let result = match parse_result(body.as_bytes()) {
        Ok(result) => result,
        Err(error) => {
            tracing::error!(code = manual.id, %error, "an answer about a code that cannot be read");
            return Ok(());
        }
    };
    let Some(known) = known(app, manual, &result) else { return Ok(()) };
    let better = manual.known.as_ref().is_none_or(|before| !before.answered.completed);
    if better {
        app.store().note_known_code(&manual.id, &known).await?;
    }
    match app.store().manual_payment(&manual.id).await? {
        Some(manual) => credit(app, &manual).await.map(drop),
        None => Ok(()),
    }
}

/// What an answer says of a code; nothing where it is about another one.
fn known(app: &App, manual: &ManualPayment, result: &LateResult) -> Option<KnownCode> {
    let at = app.clock().now();
    let Some(found) = result.transaction() else {
        tracing::info!(code = manual.id, ?result, "M-Pesa does not find a typed code");
        let answered =
            Answered { completed: false, to_us: false, amount: None, payer: None, finalised_at: None };
        return Some(KnownCode { answered, payer_name: None, at });
    };
    if found.receipt.as_deref() != Some(manual.code.as_str()) {
        tracing::error!(code = manual.id, "an answer about another receipt");
        return None;
    }
    let answered = Answered {
        completed: found.state == TransactionState::Completed,
        to_us: is_ours(app, &found),
        amount: match found.amount {
            Some(CallbackAmount::Whole(kes)) => Some(Kes::new(kes)),
            Some(CallbackAmount::Other(_)) | None => None,
        },
        payer: found.payer.phone().and_then(|phone| MpesaPhone::for_withdrawal(phone).ok()),
        finalised_at: found.finalised_at(),
    };
    Some(KnownCode { answered, payer_name: found.payer.name, at })
}

/// Whether the money came to one of our numbers.
fn is_ours(app: &App, found: &TransactionStatus) -> bool {
    let (paybill, daraja) = (&app.config().paybill, &app.config().daraja);
    let ours = [&paybill.number, &daraja.shortcode, &daraja.party_b];
    found.payee.number.as_ref().is_some_and(|number| ours.contains(&number))
}

/// Credits a code without an admin, or says why not. Nothing is said of one that has ended.
async fn credit(app: &App, manual: &ManualPayment) -> Result<Option<NotByMachine>, AppError> {
    let amount = match check(app, manual).await? {
        Ok(amount) => amount,
        Err(why) => return Ok(Some(why)),
    };
    let now = app.clock().now();
    let confirmed = app.store().confirm_manual_payment(manual, amount, None, now).await?;
    tracing::info!(code = manual.id, amount = amount.get(), ?confirmed, "typed code, by machine");
    Ok((confirmed == Confirmed::OwnPrompt).then_some(NotByMachine::Prompts))
}

/// What a machine would credit a code with now, or why it does not.
///
/// # Errors
/// The table does not answer.
pub async fn check(app: &App, manual: &ManualPayment) -> Result<Result<Kes, NotByMachine>, AppError> {
    let now = app.clock().now();
    let confirmed = app.store().paybill_payment(manual.code.as_str()).await?;
    let answered = manual.known.as_ref().map(|known| &known.answered);
    let paid_from = match answered.and_then(|answered| answered.payer.as_ref()) {
        Some(_) => paid_from(app, manual).await?,
        None => Vec::new(),
    };
    let amount = match judge(answered, confirmed.and_then(|confirmed| confirmed.amount), &paid_from, now) {
        Ok(amount) => amount,
        Err(why) => return Ok(Err(why)),
    };
    if !app.config().credit_verified_codes {
        return Ok(Err(NotByMachine::Off));
    }
    let prompts = app.store().prompts_without_receipt(Some(amount), now).await?;
    Ok(if prompts.is_empty() { Ok(amount) } else { Err(NotByMachine::Prompts) })
}

/// The numbers that the code's player has paid from before.
async fn paid_from(app: &App, manual: &ManualPayment) -> Result<Vec<MpesaPhone>, AppError> {
    let mut phones = app.store().phones_of_paid_prompts(&manual.user_id).await?;
    phones.extend(app.store().phones_of_credited_codes(&manual.user_id).await?);
    Ok(phones)
}
