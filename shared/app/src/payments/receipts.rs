//! Receipts and prompts: whether a receipt that was confirmed or typed is a prompt's (the rule is
//! `domain::payments::receipt_match`). One that is, is given to its prompt; one that may be, waits.

use std::collections::BTreeSet;

use domain::{
    MpesaPhone, UserId, Username,
    payments::{
        prompt::CALLBACK_STANDS_AFTER,
        receipt_match::{CLOCKS_DIFFER, Fit, PAID_WITHIN, PromptMatch, ReceiptFacts, fit},
    },
};
use jiff::{SignedDuration, Timestamp};
use store::{
    accounts::players::Player,
    payments::{
        prompts::{LateReceipt, Payment},
        receipts::Receipt,
    },
};

use crate::{App, AppError, ledger::reversals, platform::queues::ProcessPayment};

/// How a receipt stands to the prompts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReceiptMatch {
    /// It is no prompt's: it may be credited.
    Free,
    /// A prompt that it fits is open: it waits for how that ends.
    Waits,
    /// It is a prompt's own, and credited by it.
    OfAPrompt,
    /// M-Pesa tells too little: it may be a prompt's, and an admin has to say.
    MayBe,
}

/// A receipt that was credited: by which posting, and to whom. Only admins are told: no player learns who else got the
/// money.
#[derive(Debug)]
pub struct CreditedReceipt {
    pub posting: String,
    pub player: UserId,
    /// Empty where the account was erased.
    pub username: Username,
    /// When M-Pesa's taking back of the payment was booked, where it was.
    pub taken_back_at: Option<Timestamp>,
}

impl CreditedReceipt {
    /// `players`: as they were read; of an erased account there is none.
    pub(super) fn of(receipt: Receipt, players: &[Player]) -> Self {
        let player = players.iter().find(|player| player.id == receipt.user_id);
        let username = player.map_or_else(Username::gone, |player| player.username.clone());
        let taken_back_at = receipt.reversal.map(|reversal| reversal.at);
        Self { posting: receipt.cause, player: receipt.user_id, username, taken_back_at }
    }
}

/// Gives a receipt to the prompt that it belongs to, or says how it stands. Any number of times, at once and in
/// any order, to one result.
pub async fn match_prompts(app: &App, receipt: &str, facts: &ReceiptFacts) -> Result<ReceiptMatch, AppError> {
    let now = app.clock().now();
    let found = app.store().prompts_that_match(facts, now).await?;
    // Which of two open ones it is, nobody can say yet.
    let is_clear = found.iter().filter(|(_, means)| *means == PromptMatch::Waits).count() == 1;
    let mut matched = ReceiptMatch::Free;
    // The newest first: of two that it fits the later one was the one to be paid.
    for (payment, means) in found {
        match means {
            PromptMatch::Its => {
                // Then it is processed once more, which takes its money back also where this run ends after the claim.
                if app.store().is_called_reversed(receipt).await? {
                    app.send(&ProcessPayment::question(&payment.id, 0), CALLBACK_STANDS_AFTER).await?;
                }
                match app.store().claim_late_receipt(&payment, receipt, now).await? {
                    LateReceipt::Claimed => {
                        tracing::info!(payment = %payment.id, "a prompt has its receipt");
                        take_back_reversed(app, receipt, None).await?;
                        return Ok(ReceiptMatch::OfAPrompt);
                    }
                    LateReceipt::Taken(holder) => {
                        tracing::error!(
                            payment = %payment.id,
                            holder = holder.cause,
                            credited_to = %holder.user_id,
                            alarm = "receipt",
                            "a prompt was credited, and its receipt too: the money may be credited twice"
                        );
                        return Ok(ReceiptMatch::OfAPrompt);
                    }
                    // It has learned its receipt a moment before.
                    LateReceipt::NotWanted => {}
                }
            }
            PromptMatch::Waits => {
                if is_clear {
                    app.store().note_told_receipt(&payment.id, receipt).await?;
                }
                return Ok(ReceiptMatch::Waits);
            }
            // An older one that it fits without doubt goes before.
            PromptMatch::WaitsUnsure => matched = ReceiptMatch::Waits,
            PromptMatch::MayBe if matched == ReceiptMatch::Free => matched = ReceiptMatch::MayBe,
            PromptMatch::MayBe | PromptMatch::Free => {}
        }
    }
    Ok(matched)
}

/// Takes back what a receipt was credited with, if M-Pesa has called it reversed, and answers whether it has. To be called after
/// each step by which a prompt is credited or gets its receipt, and again where that step is taken up: no other credit is made
/// of what M-Pesa has called reversed. `payer`: the number that M-Pesa names, where it names one; a prompt's is known.
pub(super) async fn take_back_reversed(
    app: &App,
    receipt: &str,
    payer: Option<&MpesaPhone>,
) -> Result<bool, AppError> {
    let reversed = app.store().is_called_reversed(receipt).await?;
    if reversed {
        reversals::take_back(app, receipt, payer).await?;
    }
    Ok(reversed)
}

/// The player whose name a payment carries as its account, and those of the player's prompts that the payment fits, whatever
/// their state. The name alone is not enough: a mistyped name may be another player's.
pub async fn prompts_that_show(
    app: &App,
    facts: &ReceiptFacts,
) -> Result<Option<(Player, Vec<Payment>)>, AppError> {
    let name = facts.account.as_deref().and_then(|named| Username::parse(named).ok());
    let (Some(name), Some(paid_at)) = (name, facts.at) else { return Ok(None) };
    let Some(player) = app.store().player_by_name(&name).await? else { return Ok(None) };
    let mut prompts = app.store().payments_since(&player.id, paid_at - PAID_WITHIN - CLOCKS_DIFFER).await?;
    prompts.retain(|prompt| matches!(fit(facts, &prompt.as_sent()), Fit::Own | Fit::Early));
    Ok(Some((player, prompts)))
}

/// Notes with the open prompt for an entry that a confirmation fits when it reached us (`at`, by our clock): it is
/// evidence of the prompt's success as a callback is. Where it fits more than one it may be of either, and
/// nothing is noted. Answers whether it fits one without doubt.
pub async fn record_success(app: &App, facts: &ReceiptFacts, at: Timestamp) -> Result<bool, AppError> {
    let found = app.store().prompts_that_match(facts, app.clock().now()).await?;
    let mut open = found.into_iter().filter(|(_, means)| *means == PromptMatch::Waits);
    let Some((payment, _)) = open.next() else { return Ok(false) };
    if open.next().is_none() && payment.entry.is_some() && payment.success_heard_at.is_none() {
        ask_about(app, &payment, at).await?;
    }
    Ok(true)
}

/// Takes who paid from what M-Pesa has confirmed under a prompt's receipts: its account is erased.
pub(crate) async fn forget_payers(app: &App, payment: &Payment) -> Result<(), AppError> {
    for code in receipts_of(payment) {
        app.store().forget_payer(code).await?;
    }
    Ok(())
}

/// The receipts that were found to be a prompt's, or said to be.
fn receipts_of(payment: &Payment) -> BTreeSet<&str> {
    let claimed = payment.claim.as_ref().and_then(|claim| claim.receipt.as_deref());
    let found = [&payment.receipt, &payment.told_receipt, &payment.contested_receipt];
    found.into_iter().filter_map(|code| code.as_deref()).chain(claimed).collect()
}

/// Has M-Pesa asked about a prompt whose success was heard of `at`, at once and a little later, and notes that; the
/// questions go out before the note, so that dying in between loses none.
pub async fn ask_about(app: &App, payment: &Payment, at: Timestamp) -> Result<(), AppError> {
    let message = ProcessPayment::question(&payment.id, 0);
    for delay in [SignedDuration::ZERO, CALLBACK_STANDS_AFTER] {
        app.send(&message, delay).await?;
    }
    app.store().note_success_heard(payment, None, at).await?;
    Ok(())
}
