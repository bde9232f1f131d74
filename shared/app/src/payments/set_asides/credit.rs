//! A prompt that is set aside is credited by an admin: under a receipt that may be its own, and not against M-Pesa's
//! word.

use domain::{
    Kes,
    ledger::{postings::Cause, taxes::amount_of},
    payments::{
        prompt::PaymentState,
        receipt_match::{Fit, HELD_FOR, PromptMatch, ReceiptFacts, fit, match_prompt},
        set_aside::SetAsideError,
        typed_code::{ReceiptCode, check_amount},
        typed_code_check::MpesaSays,
    },
};
use store::{
    AdminDecision,
    payments::{
        prompts::{AdminCredit, AdminCredited, Payment},
        typed_codes::{KnownCode, receipt_facts},
    },
};

use super::{CaseDecision, CaseError, of_prompt, record, told_receipt};
use crate::{
    App, AppError,
    payments::{
        mpesa_word,
        receipts::{ReceiptMatch, match_prompts},
        typed_codes::names_another,
    },
    platform::flow::{Flow, FlowError},
};

/// `false`: it was credited before, in the same way.
pub(super) async fn credit(
    app: &App,
    payment: &Payment,
    decision: CaseDecision<'_>,
    decided: &AdminDecision,
) -> Flow<bool, CaseError> {
    if !matches!(payment.state, PaymentState::SetAside | PaymentState::Success) {
        return Err(SetAsideError::Closed.into());
    }
    let amount = check_amount(decision.amount).map_err(|_| SetAsideError::Amount)?;
    let receipt = receipt_of(payment, decision.receipt)?;
    if payment.state == PaymentState::SetAside
        && let Ok(code) = ReceiptCode::parse(&receipt)
    {
        let known = mpesa_word::check(app, &code, None, amount).await.map_err(FlowError::within)?;
        check_receipt(app, payment, (&code, amount), known.as_ref()).await?;
    }
    let gained = amount - amount_of(payment.excise_of(amount));
    let reason = format!("We have looked into this payment: {gained} is credited to you.");
    let act = &record(of_prompt(payment), decision, decided, &format!("credited, {amount}, {receipt}"));
    let by = AdminCredit { amount, receipt: &receipt, decided, reason: &reason, act };
    match app.store().credit_set_aside(payment, by).await? {
        AdminCredited::Done => {
            let cause = Cause::Deposit { payment_id: payment.id.clone() };
            app.tell_of_payment(&payment.user_id, &cause.key()).await;
            Ok(true)
        }
        AdminCredited::ReceiptTaken => Err(SetAsideError::ReceiptTaken.into()),
        AdminCredited::Reversed => Err(CaseError::Mpesa(MpesaSays::Reversed).into()),
        AdminCredited::Closed => {
            let same = |now: &Payment| now.credited == Some(amount) && now.receipt == Some(receipt.clone());
            match app.store().payment(&payment.id).await? {
                Some(now) if same(&now) => Ok(false),
                Some(now) if now.state == PaymentState::SetAside => Err(SetAsideError::ReportedSince.into()),
                _ => Err(SetAsideError::Closed.into()),
            }
        }
    }
}

/// The receipt that is claimed: the one that M-Pesa told, or the one that the admin has found.
fn receipt_of(payment: &Payment, typed: &str) -> Result<String, SetAsideError> {
    let told = told_receipt(payment);
    if typed.trim().is_empty() {
        return told.ok_or(SetAsideError::Receipt);
    }
    let typed = ReceiptCode::parse(typed).map_err(|_| SetAsideError::Receipt)?.to_string();
    match told {
        Some(told) if told != typed => Err(SetAsideError::AnotherReceipt),
        _ => Ok(typed),
    }
}

/// Checks that a case's prompt may be credited under this receipt. A receipt of another prompt, of whichever player, is
/// given to that prompt. `known` is M-Pesa's answer of just now.
async fn check_receipt(
    app: &App,
    payment: &Payment,
    (receipt, amount): (&ReceiptCode, Kes),
    known: Option<&KnownCode>,
) -> Flow<(), CaseError> {
    let confirmed = app.store().paybill_payment(receipt.as_str()).await?;
    if names_another(app, &payment.user_id, confirmed.as_ref()).await? {
        return Err(SetAsideError::AnothersAccount.into());
    }
    // What is credited is what the prompts are held against, whatever M-Pesa says it is.
    let facts = ReceiptFacts { amount: Some(amount), ..receipt_facts(known, confirmed.as_ref()) };
    let may_be_anothers = match match_prompts(app, receipt.as_str(), &facts).await? {
        ReceiptMatch::OfAPrompt => return Err(SetAsideError::AnotherPrompts.into()),
        ReceiptMatch::Waits => true,
        ReceiptMatch::MayBe => has_another(app, payment, &facts).await?,
        ReceiptMatch::Free => false,
    };
    if may_be_anothers {
        return Err(SetAsideError::MayBeAnothers.into());
    }
    // Another amount than was asked for may be credited: by whom and when it was paid has to fit.
    let paid = ReceiptFacts { amount: Some(payment.amount), account: None, ..facts };
    if fit(&paid, &payment.as_sent()) == Fit::Another {
        return Err(SetAsideError::NotThisPrompts.into());
    }
    Ok(())
}

/// Whether another prompt of the same player's may have this receipt: where M-Pesa tells too little it holds the
/// receipt back, as it does a typed code.
async fn has_another(app: &App, payment: &Payment, facts: &ReceiptFacts) -> Result<bool, AppError> {
    let now = app.clock().now();
    let prompts = app.store().payments_since(&payment.user_id, now - HELD_FOR).await?;
    let mut others = prompts.iter().filter(|other| other.id != payment.id);
    Ok(others.any(|other| match_prompt(facts, &other.as_sent(), now) != PromptMatch::Free))
}
