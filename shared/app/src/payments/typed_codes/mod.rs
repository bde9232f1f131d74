//! Typed codes, verified by machine: M-Pesa is asked afresh about each, and what it answers either credits the
//! code or stands beside it on the admin's list (docs/decisions.md, "A machine credits what nobody could dispute"; the
//! rules are `domain::payments::receipt_match` and `domain::payments::typed_code_check`).
//!
//! A stored confirmation of the paybill says the same sooner, but not who paid (its number is masked), and
//! nothing is credited on a callback alone, nor on an answer of before: M-Pesa is asked in any case.

pub mod review;
pub mod submit;
pub mod waiting;

use domain::{
    Kes, MpesaPhone, PaybillAccount, UserId,
    ledger::postings::Cause,
    payments::{
        prompt::pause_before_next_question,
        receipt_match::PromptMatch,
        typed_code::TypedCodeStatus,
        typed_code_check::{NotByMachine, judge},
    },
};
use jiff::{SignedDuration, Timestamp};
use store::{
    Page, StoreError,
    accounts::players::Player,
    payments::{
        paybill::PaybillPayment,
        receipt_questions::{Question, QuestionSubject},
        typed_codes::{Confirmed, KnownCode, TypedCode, receipt_facts},
    },
    platform::concurrency::try_map,
};

use crate::{
    App, AppError,
    payments::{
        ask_afresh, numbers,
        receipts::{ReceiptMatch, match_prompts, prompts_that_show, take_back_reversed},
    },
    platform::{
        backstop,
        flow::{Flow, FlowError, Refusal},
        queues::MpesaTask,
    },
};

/// After so many checks, some two hours, a code that M-Pesa does not know is the admin's alone.
const CHECKS: u32 = 12;
/// One that waits for a prompt is checked for longer than a prompt can be open.
const CHECKS_FOR_A_PROMPT: u32 = 120;
/// However often a code is sent in and a message delivered.
const ASKED_AT_MOST_EVERY: SignedDuration = SignedDuration::from_mins(1);

/// Has a code processed now. A message that is lost is made up for by [`remind`].
async fn process_soon(app: &App, typed_code_id: &str) {
    let message = MpesaTask::TypedCode { typed_code_id: typed_code_id.to_owned(), asked: 0 };
    if let Err(error) = app.send(&message, SignedDuration::ZERO).await {
        tracing::warn!(code = typed_code_id, %error, "a typed code is left to the admin");
    }
}

/// Processes a code, and claims the next check where waiting may help.
pub async fn process(app: &App, typed_code_id: &str, asked: u32) -> Result<(), AppError> {
    let typed_code = app.store().typed_code(typed_code_id).await?;
    if let Some(typed_code) = &typed_code {
        end_reversed(app, typed_code).await?;
    }
    let Some(typed_code) = typed_code.filter(|typed_code| typed_code.status == TypedCodeStatus::Pending)
    else {
        return Ok(());
    };
    let checks = match app.store().receipt(typed_code.code.as_str()).await? {
        None => process_open(app, &typed_code, asked).await?,
        Some(receipt) if receipt.user_id == typed_code.user_id => return end(app, &typed_code).await,
        Some(_) => 0,
    };
    let (now, pause) = (app.clock().now(), pause_before_next_question(asked));
    if asked >= checks {
        return Ok(app.store().end_typed_code_checks(typed_code_id, now).await?);
    }
    if app.store().claim_typed_code_check(typed_code_id, now, pause).await? {
        let next = MpesaTask::TypedCode { typed_code_id: typed_code_id.to_owned(), asked: asked + 1 };
        app.send(&next, pause).await?;
    }
    Ok(())
}

/// Gives a code to the prompt that it belongs to, or asks M-Pesa. Answers how many checks it is worth.
async fn process_open(app: &App, typed_code: &TypedCode, asked: u32) -> Result<u32, AppError> {
    match match_with_prompts(app, typed_code).await? {
        Some(ReceiptMatch::OfAPrompt) => {
            end_reversed(app, typed_code).await?;
            if is_credited(app, typed_code).await? {
                end(app, typed_code).await?;
            }
            return Ok(0);
        }
        // Nothing that M-Pesa could say now helps.
        Some(ReceiptMatch::Waits) => return Ok(CHECKS_FOR_A_PROMPT),
        Some(ReceiptMatch::Free | ReceiptMatch::MayBe) | None => {}
    }
    let why = check(app, typed_code).await.err().map(FlowError::refusal).transpose()?;
    let may_change = matches!(
        why,
        None | Some(NotByMachine::NotAnswered | NotByMachine::NotCompleted | NotByMachine::Prompts)
    );
    // Who types a code again has it asked about again, but not without end.
    let now = app.clock().now();
    if (may_change || asked == 0)
        && app.store().claim_code_question(&typed_code.id, now, now - ASKED_AT_MOST_EVERY).await?
    {
        ask_afresh::ask(app, &typed_code.code, QuestionSubject::TypedCode, Some(typed_code.id.clone()))
            .await?;
    }
    Ok(if may_change { CHECKS } else { 0 })
}

/// Whether a code's receipt was credited to the same player by its prompt, or as a payment to the account. One that was
/// credited to another player stays before the admin: one of the two credits may be wrong.
async fn is_credited(app: &App, typed_code: &TypedCode) -> Result<bool, StoreError> {
    let receipt = app.store().receipt(typed_code.code.as_str()).await?;
    Ok(receipt.is_some_and(|receipt| receipt.user_id == typed_code.user_id))
}

/// Ends a code that is credited: there is nothing left to decide.
async fn end(app: &App, typed_code: &TypedCode) -> Result<(), AppError> {
    if app.store().end_credited_code(&typed_code.id, app.clock().now()).await? {
        tracing::info!(code = typed_code.id, "a typed code was credited by another way");
    }
    Ok(())
}

/// Ends a code that M-Pesa has called reversed and whose player was credited with it all the same, once that is taken back.
/// Where another player was credited the code stays before the admin.
async fn end_reversed(app: &App, typed_code: &TypedCode) -> Result<(), AppError> {
    let waits = typed_code.status == TypedCodeStatus::Pending;
    let reversed = typed_code.known.as_ref().filter(|known| known.answered.reversed && known.answered.to_us);
    let Some(reversed) = reversed.filter(|_| waits) else { return Ok(()) };
    let (code, payer) = (typed_code.code.as_str(), reversed.answered.payer.as_ref());
    // An older version has kept it with the code alone.
    if is_credited(app, typed_code).await?
        && app.store().note_called_reversed(code, reversed.at).await?
        && take_back_reversed(app, code, payer).await?
        && app.store().end_reversed_code(&typed_code.id, app.clock().now()).await?
    {
        tracing::info!(code = typed_code.id, "a typed code was credited and taken back");
    }
    Ok(())
}

/// The backstop: has each code processed whose next check was lost, or which was credited by another way since its last one.
pub async fn remind(app: &App) -> Result<usize, AppError> {
    let now = app.clock().now();
    let page = |cursor: Option<String>| async move {
        let page = app.store().pending_typed_codes(cursor.as_deref(), backstop::PAGE).await?;
        let items = try_map(page.items, |code| async move {
            let resumes = if code.checks_over {
                is_credited(app, &code).await?
            } else {
                backstop::is_lost(code.next_check, code.created_at, now)
            };
            Ok::<_, StoreError>((code.id, resumes))
        });
        Ok(Page { items: items.await?, cursor: page.cursor })
    };
    backstop::resume(app, page, |(id, resumes)| {
        resumes.then(|| MpesaTask::TypedCode {
            typed_code_id: id.clone(),
            asked: backstop::ASKED_BEFORE_RESUMED,
        })
    })
    .await
}

/// Whether there is anything to do about a code.
async fn is_open(app: &App, typed_code: &TypedCode) -> Result<bool, AppError> {
    let credited = app.store().receipt(typed_code.code.as_str()).await?.is_some();
    Ok(typed_code.status == TypedCodeStatus::Pending && !credited)
}

/// How a code stands to the prompts, by what M-Pesa has told of it; nothing where it has told nothing. A code
/// that is a prompt's own is given to it.
async fn match_with_prompts(app: &App, typed_code: &TypedCode) -> Result<Option<ReceiptMatch>, AppError> {
    let confirmed = app.store().paybill_payment(typed_code.code.as_str()).await?;
    let said_of = |known: &&KnownCode| known.answered.completed || known.answered.reversed;
    let known = typed_code.known.as_ref().filter(said_of);
    if known.is_none() && confirmed.is_none() {
        return Ok(None);
    }
    let facts = receipt_facts(known, confirmed.as_ref());
    Ok(Some(match_prompts(app, typed_code.code.as_str(), &facts).await?))
}

/// Goes on with a code when M-Pesa has answered about it: notes what it says, and credits the code where
/// nothing stands against it.
pub(crate) async fn answered(app: &App, question: &Question, known: &KnownCode) -> Result<(), AppError> {
    let Some(id) = &question.on else { return Ok(()) };
    let Some(typed_code) = app.store().typed_code(id).await? else { return Ok(()) };
    let found = |known: &KnownCode| known.answered.completed || known.answered.reversed;
    // That it is not found, once it was, is no news.
    if found(known) || !typed_code.known.as_ref().is_some_and(found) {
        app.store().note_known_code(&typed_code.id, known).await?;
    }
    if !ask_afresh::is_fresh(app, question) || !is_open(app, &typed_code).await? {
        return Ok(());
    }
    let typed_code = TypedCode { known: Some(known.clone()), ..typed_code };
    credit(app, &typed_code).await
}

/// Credits a code without an admin, on what M-Pesa has just said, where nothing stands against it.
async fn credit(app: &App, typed_code: &TypedCode) -> Result<(), AppError> {
    if match_with_prompts(app, typed_code).await?.is_none_or(|matched| matched != ReceiptMatch::Free) {
        return Ok(());
    }
    let amount = match check(app, typed_code).await {
        Ok(amount) => amount,
        Err(error) => return error.refusal().map(drop),
    };
    let now = app.clock().now();
    let taxed = (amount, &app.config().excise);
    let confirmed = app.store().confirm_typed_code(typed_code, taxed, None, now).await?;
    tracing::info!(code = typed_code.id, amount = amount.get(), ?confirmed, "typed code, by machine");
    match confirmed {
        Confirmed::Done => tell(app, typed_code).await,
        Confirmed::OwnPrompt => process_soon(app, &typed_code.id).await,
        // What M-Pesa has called reversed since this answer it is asked about at the next check.
        Confirmed::Ended | Confirmed::ReceiptTaken | Confirmed::Reversed => {}
    }
    Ok(())
}

/// Has the player told that a code is credited.
async fn tell(app: &App, typed_code: &TypedCode) {
    let cause = Cause::TypedCode { code: typed_code.code.to_string() };
    app.tell_of_payment(&typed_code.user_id, &cause.key()).await;
}

impl Refusal for NotByMachine {}

/// What a machine would credit a code with, by what is known of it, or why it does not. It changes nothing.
async fn check(app: &App, typed_code: &TypedCode) -> Flow<Kes, NotByMachine> {
    let now = app.clock().now();
    let confirmed = app.store().paybill_payment(typed_code.code.as_str()).await?;
    let answered = typed_code.known.as_ref().map(|known| &known.answered);
    let payer = answered.and_then(|said| said.payer.as_ref().zip(said.finalised_at));
    let own = match payer {
        Some((payer, paid_at)) => is_own_number(app, &typed_code.user_id, payer, paid_at).await?,
        None => false,
    };
    let mut judged = judge(answered, confirmed.as_ref().and_then(|confirmed| confirmed.amount), own, now);
    if judged.is_ok() && names_another(app, &typed_code.user_id, confirmed.as_ref()).await? {
        judged = Err(NotByMachine::AnothersAccount);
    }
    // One that waits for a prompt is not asked about before that has ended: the prompt is why.
    let asks_prompts = match judged {
        Ok(_) => app.config().credit_verified_codes,
        Err(why) => why == NotByMachine::NotAnswered && confirmed.is_some(),
    };
    if asks_prompts {
        let facts = receipt_facts(typed_code.known.as_ref(), confirmed.as_ref());
        let prompts = app.store().prompts_that_match(&facts, now).await?;
        if prompts.iter().any(|(_, means)| *means != PromptMatch::Free) {
            return Err(NotByMachine::Prompts.into());
        }
    }
    let amount = judged?;
    if app.config().credit_verified_codes { Ok(amount) } else { Err(NotByMachine::Off.into()) }
}

/// Whether a payment names the account of another player: it is that player's then, whoever paid and types its code.
pub(super) async fn names_another(
    app: &App,
    player: &UserId,
    confirmed: Option<&PaybillPayment>,
) -> Result<bool, AppError> {
    let whose = named_by(app, confirmed).await?;
    Ok(whose.is_some_and(|whose| whose.id != *player))
}

/// The player whose account at the paybill a payment names, or whose prompt it fits by name, number, amount and time, whatever
/// M-Pesa says of that one: a name alone may be mistyped.
async fn named_by(app: &App, confirmed: Option<&PaybillPayment>) -> Result<Option<Player>, AppError> {
    let Some(confirmed) = confirmed else { return Ok(None) };
    let named = confirmed.account_reference.as_deref().unwrap_or_default();
    if let Ok(account) = PaybillAccount::parse(named) {
        return Ok(app.store().player_by_account(account).await?);
    }
    let shown = prompts_that_show(app, &receipt_facts(None, Some(confirmed))).await?;
    Ok(shown.filter(|(_, prompts)| !prompts.is_empty()).map(|(player, _)| player))
}

/// Whether a payment at `paid_at` from this number is this player's without anybody's word.
async fn is_own_number(
    app: &App,
    player: &UserId,
    phone: &MpesaPhone,
    paid_at: Timestamp,
) -> Result<bool, AppError> {
    match app.store().player(player).await? {
        Some(player) => numbers::is_own(app, &player, phone, paid_at).await,
        None => Ok(false),
    }
}
