//! Payments to the paybill (C2B): M-Pesa is told where to confirm them, what it confirms is kept, and it is
//! judged whose each is (docs/decisions.md, "Which prompt a receipt belongs to"). M-Pesa confirms prompts too: such a
//! receipt is its prompt's. What is no prompt's is its account's (`by_account`), once M-Pesa, asked afresh, bears it
//! out.

mod by_account;

use clients::daraja::{CallbackAmount, PaybillUrls, parse_confirmation};
use domain::{
    Kes,
    payments::{
        prompt::{LONGEST_PAUSE_FROM, pause_before_next_question},
        typed_code::ReceiptCode,
    },
};
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use store::payments::{
    paybill::{PaybillPayment, Registered},
    receipt_questions::Question,
    receipts::Receipt,
    typed_codes::{KnownCode, receipt_facts},
};

use crate::{
    App, AppError,
    payments::{
        ask_afresh,
        receipts::{ReceiptMatch, match_prompts, record_success},
        typed_codes::names_another,
    },
    platform::{
        backstop,
        flow::{Flow, Refusal},
        queues::MpesaTask,
    },
};

const CONFIRM: &str = "/hooks/c2b/confirm";
/// Nobody's so far.
const UNCLAIMED: &str = "unclaimed";

/// Whether what was posted to that path with this mac is M-Pesa's: by a key that is believed, or at the address that M-Pesa
/// was told last. It goes on calling that one until it was told another, which in production Safaricom's people have to
/// do: payments must not be lost because a key was changed. M-Pesa is asked before any of them is credited.
///
/// # Errors
/// The table or the secrets do not answer.
pub async fn is_confirmation_mac(app: &App, mac: &str) -> Result<bool, AppError> {
    if app.secrets().is_hook_mac(CONFIRM, mac).await? {
        return Ok(true);
    }
    let registered = app.store().registered_paybill().await?;
    let address = format!("{}{CONFIRM}/{mac}", app.config().public_origin);
    Ok(registered.is_some_and(|registered| registered.address_hash == hash_of(&address)))
}

/// A hash of an address, by which it is known again: it carries a mac.
fn hash_of(address: &str) -> String {
    hex::encode(Sha256::digest(address))
}

/// Where M-Pesa is to confirm payments, under the key in force.
///
/// # Errors
/// The secrets do not answer.
pub async fn addresses(app: &App) -> Result<PaybillUrls, AppError> {
    let address = async |path: &str| {
        let path = app.secrets().hook_path(path).await?;
        Ok::<_, AppError>(format!("{}{path}", app.config().public_origin))
    };
    // Nobody answers at the second address: M-Pesa is not asked to have payments validated.
    Ok(PaybillUrls {
        confirmation: address(CONFIRM).await?,
        validation: address("/hooks/c2b/validate").await?,
    })
}

/// Tells M-Pesa where to confirm payments, unless it was told this address before. Answers whether it
/// was told now.
///
/// # Errors
/// The table, the secrets or M-Pesa do not answer; the next run makes it good.
pub async fn register(app: &App) -> Result<bool, AppError> {
    let urls = addresses(app).await?;
    let (shortcode, address_hash) = (&app.config().paybill.number, hash_of(&urls.confirmation));
    let before = app.store().registered_paybill().await?;
    if before.is_some_and(|before| before.shortcode == *shortcode && before.address_hash == address_hash) {
        return Ok(false);
    }
    app.register_paybill(shortcode, &urls).await?;
    note(app, address_hash).await?;
    Ok(true)
}

/// Notes at which address M-Pesa confirms payments from now on.
async fn note(app: &App, address_hash: String) -> Result<(), AppError> {
    let shortcode = app.config().paybill.number.clone();
    let registered = Registered { shortcode, address_hash, at: app.clock().now() };
    Ok(app.store().note_registered_paybill(&registered).await?)
}

/// Not an address at which we take confirmations.
#[derive(Debug, thiserror::Error)]
#[error("it has to be {0} and 64 hex digits behind it, as make paybill-address shows it")]
pub struct NotOurAddress(String);

impl Refusal for NotOurAddress {}

/// Notes that Safaricom's people have registered `address` by hand, as if M-Pesa had taken it from us. Its key need not be
/// one that is kept: M-Pesa calls it all the same.
///
/// # Errors
/// The address is not one of ours for confirmations, or the table does not answer.
pub async fn note_registered(app: &App, address: &str) -> Flow<(), NotOurAddress> {
    let before_mac = format!("{}{CONFIRM}/", app.config().public_origin);
    let mac = address.strip_prefix(&before_mac).unwrap_or_default();
    if mac.len() != 64 || !mac.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f')) {
        return Err(NotOurAddress(before_mac).into());
    }
    Ok(note(app, hash_of(address)).await?)
}

/// Keeps what M-Pesa confirmed, and looks whose it is. The first confirmation of a receipt stays.
pub async fn take_confirmation(app: &App, body: &str, at: Timestamp) -> Result<(), AppError> {
    let confirmation = match parse_confirmation(body.as_bytes()) {
        Ok(confirmation) => confirmation,
        Err(error) => {
            tracing::error!(%error, alarm = "confirmation", "a payment to the paybill that cannot be read");
            return Ok(());
        }
    };
    let amount = match confirmation.amount {
        CallbackAmount::Whole(kes) if kes > 0 => Some(Kes::new(kes)),
        _ => None,
    };
    let receipt = &confirmation.receipt;
    if amount.is_none() {
        tracing::error!(receipt, alarm = "confirmation", "a payment to the paybill of no whole amount");
    }
    if ReceiptCode::parse(receipt).is_err() {
        tracing::error!(
            receipt,
            alarm = "confirmation",
            "a payment to the paybill under a code of an unknown form"
        );
    }
    let paid_at = confirmation.paid_at();
    let payment = PaybillPayment {
        code: confirmation.receipt,
        amount,
        shortcode: confirmation.shortcode,
        account_reference: confirmation.account_reference,
        phone: confirmation.phone,
        name: confirmation.name,
        paid_at,
        at,
        judged: None,
        next_check: None,
    };
    if !app.store().keep_paybill_payment(&payment).await? {
        tracing::info!(receipt = payment.code, "a payment to the paybill that was confirmed before");
    }
    process(app, &payment.code, 0).await
}

/// Processes a payment: judges whose it is, and claims the next check where that is still open.
pub async fn process(app: &App, code: &str, asked: u32) -> Result<(), AppError> {
    let Some(payment) = app.store().paybill_payment(code).await? else { return Ok(()) };
    if payment.judged.is_some() {
        return Ok(());
    }
    let judged = judge(app, &payment, None, asked).await?;
    if let Judged::Ended(what) = &judged {
        return Ok(app.store().judge_paybill_payment(code, what).await?);
    }
    let (now, pause) = (app.clock().now(), pause_before_next_question(asked));
    if app.store().claim_paybill_check(code, now, pause).await? {
        let next = MpesaTask::Paybill { code: code.to_owned(), asked: judged.asked_after(asked) };
        app.send(&next, pause).await?;
    }
    Ok(())
}

/// What is known of whose a payment is.
enum Judged {
    /// It is known, or nobody's so far: this is kept of it.
    Ended(String),
    /// A prompt that it fits is open.
    WaitsForPrompt,
    /// M-Pesa is asked about it.
    Waits,
}

impl Judged {
    /// The number of the next check, after number `asked`. While the payment waits for a prompt the number stays low:
    /// the checks that ask M-Pesa are counted only once the prompt has ended.
    fn asked_after(&self, asked: u32) -> u32 {
        match self {
            Self::WaitsForPrompt => (asked + 1).min(LONGEST_PAUSE_FROM),
            Self::Waits | Self::Ended(_) => asked + 1,
        }
    }
}

/// Whose a payment is, from what was confirmed and, where M-Pesa was asked afresh, from its answer.
async fn judge(
    app: &App,
    payment: &PaybillPayment,
    known: Option<&KnownCode>,
    asked: u32,
) -> Result<Judged, AppError> {
    let credited = app.store().receipt(&payment.code).await?;
    if let Some(holder) = &credited
        && holder.cause.starts_with("deposit#")
    {
        return ended_by(app, payment, holder).await;
    }
    // Also where a code was credited with it: that a prompt was credited as well is seen here.
    let facts = receipt_facts(known, Some(payment));
    Ok(match match_prompts(app, &payment.code, &facts).await? {
        ReceiptMatch::Waits => {
            if !record_success(app, &facts, payment.at).await? {
                by_account::contradict_failure(app, payment, &facts).await?;
            }
            Judged::WaitsForPrompt
        }
        ReceiptMatch::OfAPrompt => Judged::Ended("prompt".to_owned()),
        ReceiptMatch::Free if credited.is_none() => by_account::judge(app, payment, known, asked).await?,
        ReceiptMatch::Free | ReceiptMatch::MayBe => match credited {
            Some(holder) => ended_by(app, payment, &holder).await?,
            None => Judged::Ended(UNCLAIMED.to_owned()),
        },
    })
}

/// `holder` says to whom the payment was credited. If the payment names another player's account, an alarm calls an
/// admin. If the holder's account is erased, who paid is not kept.
async fn ended_by(app: &App, payment: &PaybillPayment, holder: &Receipt) -> Result<Judged, AppError> {
    let by_account = holder.cause.starts_with("paybill#");
    if !by_account && names_another(app, &holder.user_id, Some(payment)).await? {
        tracing::error!(
            receipt = payment.code,
            holder = holder.cause,
            credited_to = %holder.user_id,
            alarm = "receipt",
            "a payment was credited to another player than the one whose account it names"
        );
    }
    let player = app.store().player(&holder.user_id).await?;
    if player.is_none_or(|player| player.erasing_at.is_some()) {
        app.store().forget_payer(&payment.code).await?;
    }
    Ok(Judged::Ended(holder.cause.clone()))
}

/// Goes on with a payment when M-Pesa has answered about it.
pub(crate) async fn answered(app: &App, question: &Question, known: &KnownCode) -> Result<(), AppError> {
    let Some(payment) = app.store().paybill_payment(question.receipt.as_str()).await? else { return Ok(()) };
    if payment.judged.is_some() || !ask_afresh::is_fresh(app, question) {
        return Ok(());
    }
    if let Judged::Ended(what) = judge(app, &payment, Some(known), 0).await? {
        app.store().judge_paybill_payment(&payment.code, &what).await?;
    }
    Ok(())
}

/// The backstop: checks each payment whose next check was lost.
pub async fn remind(app: &App) -> Result<usize, AppError> {
    let now = app.clock().now();
    let page = |cursor: Option<String>| async move {
        app.store().paybill_payments_to_judge(cursor.as_deref(), backstop::PAGE).await
    };
    backstop::resume(app, page, |payment| {
        backstop::is_lost(payment.next_check, payment.at, now)
            .then(|| MpesaTask::Paybill { code: payment.code.clone(), asked: backstop::ASKED_BEFORE_RESUMED })
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::{by_account::CHECKS, *};

    #[test]
    fn however_long_it_waits_for_a_prompt_its_checks_ring_after_it() {
        let waited = (0..90).fold(0, |asked, _| Judged::WaitsForPrompt.asked_after(asked));
        let checks: Vec<u32> = (0..CHECKS)
            .scan(waited, |asked, _| Some(std::mem::replace(asked, Judged::Waits.asked_after(*asked))))
            .collect();
        assert!(checks.contains(&CHECKS), "{checks:?}");
    }
}
