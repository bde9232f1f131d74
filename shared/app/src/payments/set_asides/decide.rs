//! What an admin makes of a case.

use domain::{
    payments::{
        prompt::PaymentState,
        set_aside::{SetAsideAct, SetAsideError, check_reason},
        typed_code::ReceiptCode,
    },
    withdrawals::requests::WithdrawalStatus,
};
use store::{
    AdminDecision,
    payments::prompts::Payment,
    withdrawals::{Payout, Withdrawal, payouts::PaidOut},
};

use super::{Case, CaseDecision, CaseError, credit::credit, find, of_payout, of_prompt, record};
use crate::{
    App, AppError,
    payments::receipts::forget_payers,
    platform::{
        flow::{Flow, FlowError},
        security_log::{self, SecurityEntry},
    },
    withdrawals::payouts::correct::ask_after_an_admins_word,
};

/// Closes the case `id`. Answers it as it stands then.
pub async fn close(app: &App, id: &str, decision: CaseDecision<'_>) -> Flow<Case, CaseError> {
    let case = find(app, id).await?;
    let done = decide(app, &case, decision).await;
    if !matches!(done, Err(FlowError::Failed(_))) {
        let (by, act) = (decision.permit.who.person(), decision.act.into_str());
        tracing::info!(?by, case = id, act, ?done, "set-aside");
    }
    done?;
    find(app, id).await
}

/// Does what the admin decided. An act that was done before, in the same way, is done.
pub async fn decide(app: &App, case: &Case, decision: CaseDecision<'_>) -> Flow<(), CaseError> {
    let Some((by, _)) = decision.permit.who.person() else {
        return Err(AppError::Internal("a case is an admin's to decide".to_owned()).into());
    };
    let reason = check_reason(decision.reason)?.to_owned();
    let decided = AdminDecision { by: by.clone(), reason, at: app.clock().now() };
    let done_now = match (case, decision.act) {
        (Case::Prompt(payment), SetAsideAct::Credit) => credit(app, payment, decision, &decided).await?,
        (Case::Prompt(payment), SetAsideAct::Dismiss) => dismiss(app, payment, decision, &decided).await?,
        (Case::Payout(withdrawal), SetAsideAct::Dismiss)
            if withdrawal.status != WithdrawalStatus::Pending =>
        {
            dismiss_payout(app, withdrawal, decision, &decided).await?;
            true
        }
        (Case::Payout(withdrawal), SetAsideAct::Paid) => {
            end_payout(app, withdrawal, WithdrawalStatus::Done, decision, &decided).await?
        }
        (Case::Payout(withdrawal), SetAsideAct::Return) => {
            end_payout(app, withdrawal, WithdrawalStatus::Rejected, decision, &decided).await?
        }
        _ => return Err(SetAsideError::NotForThis.into()),
    };
    if done_now {
        let text = format!("{} by {}: {}", decision.act.into_str(), decided.by, decided.reason);
        app.store().note_event(case.subject(), "act", &text, decided.at).await?;
    }
    // Of an account that is erased who paid was kept for this decision alone.
    if let Case::Prompt(payment) = case
        && payment.phone.is_gone()
        && let Some(decided) = app.store().payment(&payment.id).await?
    {
        forget_payers(app, &decided).await?;
    }
    Ok(())
}

/// `false`: it was dismissed before.
async fn dismiss(
    app: &App,
    payment: &Payment,
    decision: CaseDecision<'_>,
    decided: &AdminDecision,
) -> Flow<bool, CaseError> {
    if decision.seen.is_some_and(|seen| !seen.is_all_of(payment)) {
        return Err(SetAsideError::ReportedSince.into());
    }
    let seen = if payment.state == PaymentState::Success { "seen" } else { "dismissed" };
    let act = record(of_prompt(payment), decision, decided, seen);
    let reason = format!("We have looked into this payment: {}", decided.reason);
    let done = match payment.state {
        PaymentState::Success => app.store().close_credited(payment, decided, &act).await?,
        _ => app.store().dismiss_payment(payment, decided, &reason, &act).await?,
    };
    if done {
        return Ok(true);
    }
    match app.store().payment(&payment.id).await? {
        Some(now) if now.state == PaymentState::Dismissed => Ok(false),
        Some(now) if now.state == PaymentState::SetAside => Err(SetAsideError::ReportedSince.into()),
        Some(now) if now.state == PaymentState::Success && now.flagged && now.closed.is_some() => Ok(false),
        Some(now) if now.state == PaymentState::Success && now.flagged => {
            Err(SetAsideError::ReportedSince.into())
        }
        _ => Err(SetAsideError::Closed.into()),
    }
}

/// Takes a withdrawal that has ended off the list of cases, unless something is noted that the admin has not seen.
async fn dismiss_payout(
    app: &App,
    withdrawal: &Withdrawal,
    decision: CaseDecision<'_>,
    decided: &AdminDecision,
) -> Flow<(), CaseError> {
    let seen = decision.seen.and_then(|seen| seen.reason);
    if seen.is_some_and(|seen| withdrawal.trouble.as_deref() != Some(seen)) {
        return Err(SetAsideError::ReportedSince.into());
    }
    let act = record(of_payout(withdrawal), decision, decided, "seen");
    if app.store().dismiss_contested(withdrawal, &act).await? {
        return Ok(());
    }
    let now = app.store().withdrawal(&withdrawal.id).await?;
    let is_listed = now.is_some_and(|now| now.is_contested());
    Err(if is_listed { SetAsideError::ReportedSince } else { SetAsideError::Closed }.into())
}

/// Ends a payout that M-Pesa does not answer for on the admin's word. `false`: it was before, in the same way.
async fn end_payout(
    app: &App,
    withdrawal: &Withdrawal,
    ends: WithdrawalStatus,
    decision: CaseDecision<'_>,
    decided: &AdminDecision,
) -> Flow<bool, CaseError> {
    let receipt = match decision.receipt.trim() {
        "" => None,
        typed => Some(ReceiptCode::parse(typed).map_err(|_| SetAsideError::Receipt)?.to_string()),
    };
    let open = withdrawal.trouble.is_some() && withdrawal.status == WithdrawalStatus::Pending;
    let (true, Some(payout)) = (open, withdrawal.payout.clone()) else {
        return was_ended(withdrawal, ends);
    };
    let (id, at) = (&withdrawal.id, decided.at);
    let after = format!("{}, {}", ends.into_str(), withdrawal.amount);
    let record = record(of_payout(withdrawal), decision, decided, &after);
    let payout = Payout { resolved: Some(decided.clone()), ..payout };
    app.mail_withdrawal_later(id).await?;
    ask_after_an_admins_word(app, withdrawal).await?;
    let is_paid = ends == WithdrawalStatus::Done;
    let ended = if is_paid {
        let paid = PaidOut { receipt, recipient: payout.recipient.clone() };
        app.store().complete_payout(withdrawal, &payout, &paid, at, Some(&record)).await?
    } else {
        app.store().return_payout(withdrawal, &payout, &decided.reason, at, Some(&record)).await?
    };
    if !ended {
        let now = app.store().withdrawal(id).await?.ok_or(SetAsideError::Closed)?;
        return was_ended(&now, ends);
    }
    let event = if is_paid {
        security_log::SecurityEvent::WithdrawalDone
    } else {
        security_log::SecurityEvent::WithdrawalRejected
    };
    let line = SecurityEntry::new(event).of(&withdrawal.user_id).on(id).by(&decided.by);
    app.log_security(line).await;
    app.mail_withdrawal_now(id).await;
    Ok(true)
}

/// Of the same act twice the second finds it done.
fn was_ended(withdrawal: &Withdrawal, ends: WithdrawalStatus) -> Flow<bool, CaseError> {
    let by_word = withdrawal.payout.as_ref().is_some_and(|payout| payout.resolved.is_some());
    if by_word && withdrawal.status == ends { Ok(false) } else { Err(SetAsideError::Closed.into()) }
}
