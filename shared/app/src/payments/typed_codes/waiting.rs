//! The typed codes that wait for an admin, each with everything that is known of it.

use domain::{
    Kes, UserId, Username,
    payments::{
        prompt::PaymentState,
        receipt_match::{HELD_FOR, PromptMatch, ReceiptFacts, match_prompt},
        typed_code_check::NotByMachine,
    },
};
use jiff::Timestamp;
use store::{
    Page,
    payments::{
        paybill::PaybillPayment,
        prompts::Payment,
        receipts::Receipt,
        typed_codes::{TypedCode, receipt_facts},
    },
    platform::concurrency::try_map,
};

use super::{check, named_by};
use crate::{App, AppError, payments::receipts::CreditedReceipt, platform::flow::FlowError};

/// Other players' prompts that are shown beside one code, at most.
const OTHERS: usize = 10;

/// A code with what an admin sees beside it.
#[derive(Debug)]
pub struct WaitingCode {
    pub typed_code: TypedCode,
    pub known: Option<KnownPayment>,
    /// Prompts that it may belong to, by what M-Pesa tells of it.
    pub prompts: Vec<PossiblePrompt>,
    /// Why no machine has credited it.
    pub waits_because: Option<NotByMachine>,
    /// By what, and to whom, its receipt was credited before.
    pub credited: Option<CreditedReceipt>,
}

/// A payment as M-Pesa has it.
#[derive(Debug)]
pub struct KnownPayment {
    /// What it confirmed when the paybill was paid; otherwise it was asked.
    pub is_confirmation: bool,
    pub completed: bool,
    pub to_us: bool,
    pub amount: Option<Kes>,
    pub payer_phone: Option<String>,
    pub payer_name: Option<String>,
    pub account_reference: Option<String>,
    /// Whose account at the paybill that is.
    pub account_of: Option<Username>,
    pub at: Timestamp,
}

#[derive(Debug)]
pub struct PossiblePrompt {
    pub payment: Payment,
    /// Whether a confirmation with this amount is refused because of it.
    pub holds_back: bool,
}

/// A page of them, oldest first.
pub async fn page(app: &App, cursor: Option<&str>, limit: usize) -> Result<Page<WaitingCode>, AppError> {
    let (page, others) = tokio::try_join!(
        app.store().pending_typed_codes(cursor, limit),
        app.store().prompts_without_receipt(app.clock().now()),
    )?;
    let others = &others;
    let found = try_map(page.items, |typed_code| waiting(app, typed_code, others)).await?;
    let receipts = found.iter().filter_map(|(_, receipt)| receipt.as_ref());
    let ids: Vec<UserId> = receipts.map(|receipt| receipt.user_id.clone()).collect();
    let players = app.store().players(&ids).await?;
    let items = found.into_iter().map(|(code, receipt)| WaitingCode {
        credited: receipt.map(|receipt| CreditedReceipt::of(receipt, &players)),
        ..code
    });
    Ok(Page { items: items.collect(), cursor: page.cursor })
}

/// A code, and its receipt where that was credited: to whom is read for all of a page at once.
async fn waiting(
    app: &App,
    typed_code: TypedCode,
    others: &[Payment],
) -> Result<(WaitingCode, Option<Receipt>), AppError> {
    let now = app.clock().now();
    let code = typed_code.code.as_str();
    let confirmed = async {
        let confirmed = app.store().paybill_payment(code).await?;
        let named = named_by(app, confirmed.as_ref()).await?;
        Ok::<_, AppError>((confirmed, named.map(|player| player.username)))
    };
    let receipt = async { Ok::<_, AppError>(app.store().receipt(code).await?) };
    let waits_because = async { check(app, &typed_code).await.err().map(FlowError::refusal).transpose() };
    let own = async {
        let own = app.store().payments_since(&typed_code.user_id, now - HELD_FOR).await?;
        Ok::<_, AppError>(own)
    };
    let ((confirmed, account_of), receipt, waits_because, own) =
        tokio::try_join!(confirmed, receipt, waits_because, own)?;
    let facts = receipt_facts(typed_code.known.as_ref(), confirmed.as_ref());
    let known = known(&typed_code, confirmed, account_of);
    let amount = known.as_ref().and_then(|known| known.amount);
    let is_anothers =
        |prompt: &&Payment| prompt.user_id != typed_code.user_id && Some(prompt.amount) == amount;
    let anothers = others.iter().filter(is_anothers).take(OTHERS).cloned();
    let prompts = own.into_iter().map(|prompt| (prompt, true)).chain(anothers.map(|prompt| (prompt, false)));
    let prompts = prompts.filter_map(|(prompt, own)| possible_prompt(prompt, &facts, own, now)).collect();
    Ok((WaitingCode { typed_code, known, prompts, waits_because, credited: None }, receipt))
}

fn known(
    typed_code: &TypedCode,
    confirmed: Option<PaybillPayment>,
    account_of: Option<Username>,
) -> Option<KnownPayment> {
    let reference = confirmed.as_ref().and_then(|confirmed| confirmed.account_reference.clone());
    // An answer that finds nothing says less than a confirmation.
    let answered = typed_code.known.as_ref().filter(|known| known.answered.completed || confirmed.is_none());
    if let Some(known) = answered {
        return Some(KnownPayment {
            is_confirmation: false,
            completed: known.answered.completed,
            to_us: known.answered.to_us,
            amount: known.answered.amount,
            payer_phone: known.answered.payer.as_ref().map(domain::MpesaPhone::local),
            payer_name: known.payer_name.clone(),
            account_reference: reference,
            account_of,
            at: known.at,
        });
    }
    confirmed.map(|confirmed| KnownPayment {
        is_confirmation: true,
        completed: true,
        to_us: true,
        amount: confirmed.amount,
        payer_phone: confirmed.phone,
        payer_name: confirmed.name,
        account_reference: reference,
        account_of,
        at: confirmed.at,
    })
}

fn possible_prompt(
    payment: Payment,
    facts: &ReceiptFacts,
    own: bool,
    now: Timestamp,
) -> Option<PossiblePrompt> {
    let open = match_prompt(facts, &payment.as_sent(), now) != PromptMatch::Free;
    let shown = open || (own && payment.state == PaymentState::SetAside);
    shown.then_some(PossiblePrompt { payment, holds_back: own && open })
}
