//! Money that was sent to the paybill with a player's own account: it is credited by itself, once, as soon as
//! M-Pesa, asked afresh, bears it out. An account that is nobody's credits nobody: a typed code finds the money.

use domain::{
    Kes, PaybillAccount,
    payments::{
        typed_code::{ReceiptCode, check_amount},
        typed_code_check::{MpesaSays, bears_out},
    },
};
use jiff::SignedDuration;
use store::{
    accounts::players::Player,
    payments::{
        paybill::{CreditedToAccount, PaybillPayment},
        receipt_questions::QuestionSubject,
        typed_codes::{KnownCode, told},
    },
};

use super::Judged;
use crate::{App, AppError, payments::ask_afresh};

/// Nobody's so far.
const UNCLAIMED: &str = "unclaimed";
/// So long after its confirmation a payment that M-Pesa does not bear out is left to a typed code.
const ASKED_FOR: SignedDuration = SignedDuration::from_hours(7 * 24);
/// After so many checks, some two hours, somebody is told that M-Pesa does not bear it out. As many are made before it is
/// given up, however late the first one is: it is asked about.
const CHECKS: u32 = 12;

/// Credits a payment that is no prompt's to the player whose account it names, or says what it waits for.
/// `known` is M-Pesa's answer to a question that was asked just now, where it has come.
pub(super) async fn judge(
    app: &App,
    payment: &PaybillPayment,
    known: Option<&KnownCode>,
    asked: u32,
) -> Result<Judged, AppError> {
    let unclaimed = || Judged::Ended(UNCLAIMED.to_owned());
    let Some((player, code, amount)) = addressee(app, payment).await? else { return Ok(unclaimed()) };
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
                "M-Pesa tells no whole amount of a payment to the paybill"
            );
            return Ok(unclaimed());
        }
        // It may not know it yet.
        Err(MpesaSays::Unpaid) => return Ok(Judged::Waits),
        Err(against) => {
            tracing::error!(receipt = payment.code, %against, "a payment to the paybill is not credited");
            return Ok(unclaimed());
        }
    }
    let told = told(Some(known), Some(payment));
    let (told, now) = ((&told, &app.config().excise), app.clock().now());
    let credited = app.store().credit_paybill_payment(&player.id, &code, amount, told, now).await?;
    tracing::info!(receipt = payment.code, player = %player.id, ?credited, "paid to an account at the paybill");
    Ok(match credited {
        CreditedToAccount::Done(cause) => {
            app.tell_of_payment(&player.id, &cause).await;
            Judged::Ended(cause)
        }
        // The next look sees by what it was credited, or how the prompt has ended.
        CreditedToAccount::Before | CreditedToAccount::OwnPrompt => Judged::Waits,
    })
}

/// Whose account a payment names; nothing where it is nobody's, or what M-Pesa confirmed cannot be credited.
async fn addressee(
    app: &App,
    payment: &PaybillPayment,
) -> Result<Option<(Player, ReceiptCode, Kes)>, AppError> {
    let account = payment.account_reference.as_deref().and_then(|text| PaybillAccount::parse(text).ok());
    let code = ReceiptCode::parse(&payment.code).ok();
    let amount = check_amount(payment.amount.map(Kes::get)).ok();
    let (Some(account), Some(code), Some(amount)) = (account, code, amount) else { return Ok(None) };
    // A closed account whose personal data goes is nobody's any more.
    let player = app.store().player_by_account(account).await?.filter(|player| player.erasing_at.is_none());
    Ok(player.map(|player| (player, code, amount)))
}
