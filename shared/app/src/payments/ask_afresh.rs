//! M-Pesa, asked afresh about a receipt: an answer counts for the attempt that has asked for it, and for no
//! other one (docs/decisions.md, "Asked afresh"). No machine credits a code or a payment to the paybill
//! without it, and no admin against it.
//!
//! The answer is posted to another function, which keeps it with its question. Who waits for it, waits ten
//! seconds at most; a queue does not wait, and goes on when it comes.

use std::time::Duration;

use clients::daraja::{
    CallbackAmount, LateResult, StatusOf, TransactionState, TransactionStatus, parse_result,
};
use domain::{
    Kes, MpesaPhone,
    payments::{typed_code::ReceiptCode, typed_code_check::Answered},
};
use jiff::SignedDuration;
use store::{
    payments::{
        receipt_questions::{Question, QuestionSubject},
        typed_codes::{KnownCode, receipt_facts},
    },
    random_id,
};

use crate::{
    App, AppError,
    ledger::reversals,
    payments::receipts::{match_prompts, take_back_reversed},
};

/// Nobody waits longer for an answer. A function that does needs some twenty seconds in all.
const WAITED_AT_MOST: SignedDuration = SignedDuration::from_secs(10);
/// It is looked for this often, and no more than this many times under a clock that stands still.
const POLLED_EVERY: Duration = Duration::from_millis(250);
const CHECKS: u32 = 60;

/// An answer is acted on for this long after its question: what is later may have been taken back since.
const FRESH_FOR: SignedDuration = SignedDuration::from_mins(15);

/// "The transaction is not known", as far as that is documented (docs/daraja.md).
const NOT_FOUND: [&str; 2] = ["R000001", "R000002"];

/// Asks M-Pesa about a receipt and waits for the answer, ten seconds at most. `None`: it is not known.
pub async fn ask_and_wait(app: &App, receipt: &ReceiptCode) -> Result<Option<KnownCode>, AppError> {
    let Some(question) = ask(app, receipt, QuestionSubject::Waiting, None).await? else { return Ok(None) };
    for _ in 0..CHECKS {
        let kept = app.store().question(&question.id).await?;
        if let Some(answer) = kept.and_then(|kept| kept.answer) {
            return Ok(Some(answer));
        }
        if app.clock().now() >= question.asked_at + WAITED_AT_MOST {
            break;
        }
        tokio::time::sleep(POLLED_EVERY).await;
    }
    tracing::warn!(receipt = receipt.as_str(), "M-Pesa has not answered in time");
    Ok(None)
}

/// Asks M-Pesa about a receipt. Its answer comes later, as [`answered`]. `None`: M-Pesa could not be asked.
pub(crate) async fn ask(
    app: &App,
    receipt: &ReceiptCode,
    about: QuestionSubject,
    on: Option<String>,
) -> Result<Option<Question>, AppError> {
    let asked_at = app.clock().now();
    let question = Question { id: random_id(), receipt: receipt.clone(), about, on, asked_at, answer: None };
    app.store().keep_question(&question).await?;
    let of = StatusOf::Receipt(receipt.as_str());
    if let Err(error) = app.ask_status(of, &app.config().paybill.number, &question.id).await {
        let error = error.refusal()?;
        tracing::warn!(receipt = receipt.as_str(), ?error, "M-Pesa could not be asked about a receipt");
        return Ok(None);
    }
    Ok(Some(question))
}

/// Whether the answer to a question still counts for the attempt that has asked it.
pub(crate) fn is_fresh(app: &App, question: &Question) -> bool {
    let fresh = app.clock().now() < question.asked_at + FRESH_FOR;
    if !fresh {
        tracing::warn!(receipt = question.receipt.as_str(), "an answer that is too late to act on");
    }
    fresh
}

/// Takes M-Pesa's answer to a question, and keeps it. What it says, for what it was asked for to go on with;
/// `None`: nothing.
pub(crate) async fn answered(
    app: &App,
    question: &Question,
    body: &str,
) -> Result<Option<KnownCode>, AppError> {
    let result = match parse_result(body.as_bytes()) {
        Ok(result) => result,
        Err(error) => {
            let receipt = question.receipt.as_str();
            tracing::error!(receipt, %error, "an answer about a receipt that cannot be read");
            return Ok(None);
        }
    };
    let Some(said) = known(app, &question.receipt, &result) else { return Ok(None) };
    // Whoever was first is believed, also where it died before it went on.
    let known = question.answer.clone().unwrap_or(said);
    // Before the answer is kept: who waits for it, and credits the receipt then, finds it noted.
    if !is_last_word(app, question, &known).await? {
        let receipt = question.receipt.as_str();
        tracing::warn!(receipt, "M-Pesa has said otherwise of a receipt since it was asked");
        take_back_reversed(app, receipt, known.answered.payer.as_ref()).await?;
        return Ok(None);
    }
    let known = match app.store().answer_question(&question.id, &known).await? {
        true => known,
        false => match app.store().question(&question.id).await?.and_then(|kept| kept.answer) {
            Some(first) => first,
            None => return Ok(None),
        },
    };
    if known.answered.reversed {
        // Whatever it was asked for: what was credited on it before is taken back.
        take_back(app, question.receipt.as_str(), &known).await?;
    }
    Ok(Some(known))
}

/// Notes whether M-Pesa calls a receipt reversed that was paid to us, for whatever credits it later to find it there. This is
/// noted before it is looked who has the receipt: so where it is credited meanwhile, either that credit or this answer sees
/// the other one. `false`: M-Pesa has said otherwise since. An alarm rings where it calls completed what was taken back before
/// it was asked.
async fn is_last_word(app: &App, question: &Question, known: &KnownCode) -> Result<bool, AppError> {
    let (code, said) = (question.receipt.as_str(), &known.answered);
    if !said.to_us {
        return Ok(true);
    }
    if said.reversed {
        return Ok(app.store().note_called_reversed(code, known.at).await?);
    }
    if !said.completed {
        return Ok(true);
    }
    let taken_back = app.store().receipt(code).await?.and_then(|receipt| receipt.reversal);
    if taken_back.is_some_and(|reversal| reversal.at <= question.asked_at) {
        // Before it is noted: dying in between loses no alarm.
        tracing::error!(receipt = code, alarm = "reversal", "M-Pesa calls completed what was taken back");
    }
    let is_reversed = app.store().is_called_reversed(code).await?;
    Ok(!is_reversed || app.store().note_called_completed(code, question.asked_at).await?)
}

/// Takes back what was credited on a receipt that M-Pesa calls reversed. Where nobody has the receipt, and it was paid to us, it
/// is first given to the prompt that it fits, if that was credited without a receipt.
async fn take_back(app: &App, code: &str, known: &KnownCode) -> Result<(), AppError> {
    if known.answered.to_us && app.store().receipt(code).await?.is_none() {
        let confirmed = app.store().paybill_payment(code).await?;
        match_prompts(app, code, &receipt_facts(Some(known), confirmed.as_ref())).await?;
    }
    reversals::take_back(app, code, known.answered.payer.as_ref()).await
}

/// What an answer says of a receipt; nothing where it is about another one.
fn known(app: &App, receipt: &ReceiptCode, result: &LateResult) -> Option<KnownCode> {
    let at = app.clock().now();
    let Some(found) = result.transaction() else {
        // A time-out and an error of its own are posted to the same address: they say nothing.
        if !NOT_FOUND.contains(&result.code.as_str()) {
            tracing::warn!(
                receipt = receipt.as_str(),
                ?result,
                "an answer about a receipt that says nothing"
            );
            return None;
        }
        tracing::info!(receipt = receipt.as_str(), ?result, "M-Pesa does not find a receipt");
        let answered = Answered {
            completed: false,
            reversed: false,
            to_us: false,
            amount: None,
            payer: None,
            finalised_at: None,
        };
        return Some(KnownCode { answered, payer_name: None, at });
    };
    if found.receipt.as_deref() != Some(receipt.as_str()) {
        tracing::error!(receipt = receipt.as_str(), "an answer about another receipt");
        return None;
    }
    let answered = Answered {
        completed: found.state == TransactionState::Completed,
        reversed: found.state == TransactionState::Reversed,
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
