//! Withdrawals that have ended, and of which M-Pesa says something else: returned by an admin and paid after
//! all, marked as done and paid too, counted as paid and not paid. M-Pesa is asked, and its answer is booked:
//! the books follow the money, without a hand in them (docs/decisions.md, "M-Pesa's word after the end").

use domain::{
    ledger::postings::Cause,
    payments::prompt::pause_before_next_question,
    withdrawals::requests::{PayoutCorrection, WithdrawalStatus},
};
use jiff::SignedDuration;
use store::{
    StoreError,
    admin::audit::{AuditAction, AuditRecord, Who},
    withdrawals::{Taking, Withdrawal, corrections::Correcting, payouts::PaidOut},
};

use super::{ask, contest, payout_of};
use crate::{
    App, AppError,
    ledger::taking_back,
    platform::{
        queues::{MpesaTask, is_next_lost},
        reasons,
    },
};

/// After so many questions, some 24 hours, what M-Pesa has said by itself is the admin's alone.
const QUESTIONS: u32 = 100;
/// By then the admin's word is written.
const FIRST_QUESTION_AFTER_A_WORD: SignedDuration = SignedDuration::from_mins(1);

/// Has M-Pesa asked whether it is so, and an admin see it. The question goes out before it is noted: dying in
/// between then loses none.
pub(super) async fn ask_whether(
    app: &App,
    withdrawal: &Withdrawal,
    correction: PayoutCorrection,
) -> Result<(), AppError> {
    let why = correction.question();
    if withdrawal.trouble.as_deref() != Some(why) {
        let question = MpesaTask::Recheck { withdrawal_id: withdrawal.id.clone(), asked: 0 };
        app.send(&question, SignedDuration::ZERO).await?;
    }
    contest(app, withdrawal, why).await
}

/// Has M-Pesa asked about a payout that an admin is about to end on their own word: should it have been paid, or not
/// paid, the books follow. The question goes out before the end is written: dying in between loses none.
pub(crate) async fn ask_after_an_admins_word(app: &App, withdrawal: &Withdrawal) -> Result<(), AppError> {
    let question = MpesaTask::Recheck { withdrawal_id: withdrawal.id.clone(), asked: 0 };
    app.send(&question, FIRST_QUESTION_AFTER_A_WORD).await
}

/// Asks M-Pesa once more about a withdrawal that has ended, in its turn, until its answer has corrected it.
pub async fn recheck(app: &App, withdrawal_id: &str, asked: u32) -> Result<(), AppError> {
    let Some(withdrawal) = app.store().withdrawal(withdrawal_id).await? else { return Ok(()) };
    if withdrawal.corrected.is_some() || asked >= QUESTIONS || withdrawal.status == WithdrawalStatus::Pending
    {
        return Ok(());
    }
    ask(app, &withdrawal).await?;
    let now = app.clock().now();
    let goes_on = app.store().claim_recheck(withdrawal_id, asked, now).await?;
    let reached = withdrawal.recheck.as_ref().map(|last| (u64::from(last.asked), last.at));
    if !goes_on && !reached.is_some_and(|reached| is_next_lost(asked.into(), reached, now)) {
        return Ok(());
    }
    let next = MpesaTask::Recheck { withdrawal_id: withdrawal_id.to_owned(), asked: asked + 1 };
    app.send(&next, pause_before_next_question(asked)).await
}

/// Books what M-Pesa has answered. `false`: the withdrawal is not as it was read any more.
pub(super) async fn correct(
    app: &App,
    withdrawal: &Withdrawal,
    correction: PayoutCorrection,
    paid: &PaidOut,
) -> Result<bool, AppError> {
    let at = app.clock().now();
    let player = &withdrawal.user_id;
    let owes =
        correction == PayoutCorrection::Paid && taking_back::owes(app, player, &withdrawal.phone).await?;
    let trouble = match correction {
        PayoutCorrection::Paid if owes => {
            "The money had gone back, and M-Pesa has paid it: it is taken back, and what the wallet did not cover is owed."
        }
        PayoutCorrection::Paid => {
            "The money had gone back, and M-Pesa has paid it: it is taken back, and what the wallet did not cover is our loss."
        }
        PayoutCorrection::PaidTwice => {
            "It was marked as done, and M-Pesa has paid it too: our loss. If the player has both, correct the wallet."
        }
        PayoutCorrection::Failed => {
            "It counted as paid, and M-Pesa has not paid it: the money is in the wallet again."
        }
    };
    let act =
        AuditRecord::new(Who::Mpesa, AuditAction::CorrectPayout, format!("withdrawal {}", withdrawal.id), at)
            .of(player)
            .from_to(
                withdrawal.status.into_str(),
                format!("{}, {}", correction.into_str(), withdrawal.amount),
            )
            .because(correction.question());
    let cause = match correction {
        PayoutCorrection::Paid => Some(Cause::Correction { id: format!("{}-paid", withdrawal.id) }),
        PayoutCorrection::Failed => Some(Cause::Correction { id: format!("{}-failed", withdrawal.id) }),
        PayoutCorrection::PaidTwice => None,
    };
    if let Some(cause) = &cause {
        app.mail_taken_back_later(player, cause).await?;
    }
    let payout = payout_of(withdrawal, at);
    let by = Correcting { correction, payout: &payout, paid, owes, trouble, act: &act, at };
    let corrected = booked(app, withdrawal, by).await?;
    if corrected {
        tracing::error!(withdrawal = withdrawal.id, ?correction, alarm = "payout", "a payout is corrected");
        if let Some(cause) = &cause {
            app.mail_taken_back_now(player, cause).await;
        }
    }
    Ok(corrected)
}

/// Books it, with what the player has asked for and nobody has paid back in the wallet before.
async fn booked(app: &App, withdrawal: &Withdrawal, by: Correcting<'_>) -> Result<bool, AppError> {
    for _ in 0..taking_back::ROUNDS {
        match app.store().correct_withdrawal(withdrawal, by).await? {
            Taking::Is(corrected) => return Ok(corrected),
            Taking::First(unpaid) => {
                taking_back::give_back(app, &unpaid, &Who::Mpesa, reasons::COVERS_A_PAYOUT).await?
            }
        }
    }
    Err(StoreError::Contended("a wallet").into())
}
