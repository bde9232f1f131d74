//! Money that was sent to the paybill with a player's own account: it is credited by itself, once, as soon as
//! M-Pesa, asked afresh, bears it out. So is what a prompt received that M-Pesa says has failed. An account that is nobody's
//! credits nobody: a typed code finds the money.

use domain::{
    Kes, PaybillAccount,
    payments::{
        prompt::{PaymentState, is_contradicted},
        receipt_match::{Fit, Payer, ReceiptFacts, fit},
        typed_code::{ReceiptCode, check_amount},
        typed_code_check::{MpesaSays, bears_out},
    },
};
use jiff::SignedDuration;
use store::{
    accounts::players::Player,
    payments::{
        paybill::{CreditedToAccount, PaybillPayment},
        prompts::Payment,
        receipt_questions::QuestionSubject,
        typed_codes::{KnownCode, receipt_facts},
    },
};

use super::{Judged, UNCLAIMED};
use crate::{
    App, AppError,
    payments::{
        ask_afresh,
        receipts::{ask_about, prompts_that_show},
    },
};

/// So long after its confirmation a payment that M-Pesa does not bear out is left to a typed code.
const ASKED_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
/// After so many checks, some two hours, an alarm says that M-Pesa does not bear the payment out. We make at least as
/// many before we give a payment up, however late the first one is, so that M-Pesa has been asked about it.
pub(super) const CHECKS: u32 = 12;

/// Credits a payment that is no prompt's to the player whose account it names, or says what it waits for. `known` is
/// M-Pesa's answer to the question of just now, if it has come.
pub(super) async fn judge(
    app: &App,
    payment: &PaybillPayment,
    known: Option<&KnownCode>,
    asked: u32,
) -> Result<Judged, AppError> {
    let unclaimed = || Judged::Ended(UNCLAIMED.to_owned());
    let (player, code, amount) = match addressee(app, payment, known).await? {
        Addressee::Player(player, code, amount) => (player, code, amount),
        Addressee::Prompt => return Ok(Judged::WaitsForPrompt),
        Addressee::Nobody => return Ok(unclaimed()),
    };
    let Some(known) = known else {
        if asked >= CHECKS && app.clock().now() >= payment.at + ASKED_FOR {
            tracing::error!(receipt = payment.code, "M-Pesa has not borne a payment to the paybill out");
            return Ok(unclaimed());
        }
        if asked == CHECKS {
            tracing::error!(
                receipt = payment.code,
                alarm = "paybill",
                "M-Pesa does not bear a payment to an account out: it is asked on"
            );
        }
        ask_afresh::ask(app, &code, QuestionSubject::Paybill, None).await?;
        return Ok(Judged::Waits);
    };
    match bears_out(&known.answered, amount) {
        Ok(()) if known.answered.amount == Some(amount) => {}
        Ok(()) => {
            tracing::error!(
                receipt = payment.code,
                alarm = "paybill",
                "M-Pesa tells no whole amount of a payment to the paybill"
            );
            return Ok(unclaimed());
        }
        // It may not know it yet.
        Err(MpesaSays::Unpaid) => return Ok(Judged::Waits),
        Err(against) => {
            // What was taken back is nobody's any more. Otherwise M-Pesa says two things of one payment.
            let alarm = (against != MpesaSays::Reversed).then_some("paybill");
            tracing::error!(receipt = payment.code, %against, alarm, "a payment to the paybill is not credited");
            return Ok(unclaimed());
        }
    }
    let facts = receipt_facts(Some(known), Some(payment));
    let (facts, now) = ((&facts, &app.config().excise), app.clock().now());
    let credited = app.store().credit_paybill_payment(&player.id, &code, amount, facts, now).await?;
    tracing::info!(receipt = payment.code, player = %player.id, ?credited, "paid to an account at the paybill");
    Ok(match credited {
        CreditedToAccount::Done(cause) => {
            app.tell_of_payment(&player.id, &cause).await;
            Judged::Ended(cause)
        }
        CreditedToAccount::Reversed => {
            let against = MpesaSays::Reversed;
            tracing::error!(receipt = payment.code, %against, "a payment to the paybill is not credited");
            unclaimed()
        }
        // The next look sees by what it was credited, or how the prompt has ended.
        CreditedToAccount::Before | CreditedToAccount::OwnPrompt => Judged::WaitsForPrompt,
    })
}

/// Whose a payment is.
enum Addressee {
    Player(Box<Player>, ReceiptCode, Kes),
    /// Of a prompt that is open, or whose failure is contradicted and may still end as paid.
    Prompt,
    /// Nobody's, or what M-Pesa confirmed cannot be credited.
    Nobody,
}

async fn addressee(
    app: &App,
    payment: &PaybillPayment,
    known: Option<&KnownCode>,
) -> Result<Addressee, AppError> {
    let code = ReceiptCode::parse(&payment.code).ok();
    let amount = check_amount(payment.amount.map(Kes::get)).ok();
    let (Some(named), Some(code), Some(amount)) = (payment.account_reference.as_deref(), code, amount) else {
        return Ok(Addressee::Nobody);
    };
    let player = match PaybillAccount::parse(named) {
        Ok(account) => app.store().player_by_account(account).await?,
        Err(_) => match of_own_prompt(app, payment, known).await? {
            // It was sent so shortly before that the list of prompts does not have it yet.
            Some((_, prompt)) if prompt.state == PaymentState::Pending => return Ok(Addressee::Prompt),
            Some((_, prompt)) if waits_for(app, payment, &prompt).await? => return Ok(Addressee::Prompt),
            Some((player, prompt)) => {
                // Its payer is known now: what the prompt reports later is this money, and finds it credited.
                if known.is_some_and(|known| known.answered.completed) {
                    app.store().note_told_receipt(&prompt.id, code.as_str()).await?;
                }
                Some(player)
            }
            None => None,
        },
    };
    // A closed account whose personal data goes is nobody's any more.
    let player = player.filter(|player| player.erasing_at.is_none());
    Ok(player.map_or(Addressee::Nobody, |player| Addressee::Player(Box::new(player), code, amount)))
}

/// The player whose name this payment carries, and the prompt of that player that it fits: an open one, or one that
/// failed by M-Pesa's word. Once M-Pesa knows the payment, it fits a failed prompt only if M-Pesa tells the payer's
/// whole number, and that is the prompt's.
async fn of_own_prompt(
    app: &App,
    payment: &PaybillPayment,
    known: Option<&KnownCode>,
) -> Result<Option<(Player, Payment)>, AppError> {
    let facts = receipt_facts(known, Some(payment));
    let Some((player, prompts)) = prompts_that_show(app, &facts).await? else { return Ok(None) };
    let is_meant = |prompt: &Payment| matches!(prompt.state, PaymentState::Failed | PaymentState::Pending);
    // One that has its receipt is another payment's, where there are two.
    let is_anothers =
        |prompt: &Payment| prompt.told_receipt.as_ref().is_some_and(|told| *told != payment.code);
    // One that it fits without doubt goes before one that was sent just after it was paid.
    let doubts = |prompt: &Payment| (is_anothers(prompt), fit(&facts, &prompt.as_sent()) != Fit::Own);
    let Some(prompt) = prompts.into_iter().filter(is_meant).min_by_key(doubts) else { return Ok(None) };
    let is_paid = known.is_some_and(|known| known.answered.completed);
    if is_paid && prompt.state == PaymentState::Failed && !matches!(facts.payer, Payer::Whole(_)) {
        tracing::error!(
            receipt = payment.code,
            alarm = "paybill",
            "M-Pesa does not tell who paid what fits a prompt that failed"
        );
        return Ok(None);
    }
    Ok(Some((player, prompt)))
}

/// Has M-Pesa asked again about a failed prompt for an entry that a payment fits, though it waits for an open one: that was sent
/// just after it was paid.
pub(super) async fn contradict_failure(
    app: &App,
    payment: &PaybillPayment,
    facts: &ReceiptFacts,
) -> Result<(), AppError> {
    let shown = prompts_that_show(app, facts).await?;
    let failed = shown
        .into_iter()
        .flat_map(|(_, prompts)| prompts)
        .filter(|prompt| prompt.state == PaymentState::Failed && fit(facts, &prompt.as_sent()) == Fit::Own);
    for prompt in failed {
        waits_for(app, payment, &prompt).await?;
    }
    Ok(())
}

/// Whether M-Pesa is asked about a failed prompt again, as this payment contradicts its failure: it may be paid, and its
/// entry still be made.
async fn waits_for(app: &App, payment: &PaybillPayment, prompt: &Payment) -> Result<bool, AppError> {
    if prompt.entry.is_some() && prompt.success_heard_at.is_none() {
        ask_about(app, prompt, payment.at).await?;
        return Ok(true);
    }
    let is_paid = prompt.claim.as_ref().is_some_and(|claim| claim.paid);
    Ok(is_paid || is_contradicted(prompt.success_heard_at, app.clock().now()))
}
