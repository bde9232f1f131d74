//! What M-Pesa answers about a receipt that is credited, and the taking back of one that it has reversed.

use clients::daraja::{TransactionState, parse_result};
use domain::{MpesaPhone, UserId, ledger::postings::Cause};
use jiff::Timestamp;
use store::{
    StoreError,
    admin::audit::{AuditAction, AuditRecord, Who},
    ledger::reversals::Reversed,
    payments::receipts::{Receipt, Reversal},
    withdrawals::Taking,
};

use crate::{App, AppError, ledger::taking_back, platform::reasons};

/// An answer's path carries 32 hex digits: these, and the receipt's ten characters.
const PREFIX: &str = "000000000000";

/// What names the question about a receipt in its answer's path.
pub(super) fn question_of(code: &str) -> String {
    format!("{PREFIX}{}", hex::encode(code))
}

/// The receipt that a question with this id is about, where it is about one.
#[must_use]
pub fn receipt_of(id: &str) -> Option<String> {
    let code = String::from_utf8(hex::decode(id.strip_prefix(PREFIX)?).ok()?).ok()?;
    code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).then_some(code)
}

/// Takes M-Pesa's answer about a receipt.
pub async fn answered(app: &App, code: &str, body: &str) -> Result<(), AppError> {
    let result = match parse_result(body.as_bytes()) {
        Ok(result) => result,
        Err(error) => {
            tracing::error!(receipt = code, %error, "an answer about a receipt that cannot be read");
            return Ok(());
        }
    };
    let Some(found) = result.transaction() else {
        tracing::warn!(receipt = code, ?result, "M-Pesa does not find a receipt that is credited");
        return Ok(());
    };
    if found.receipt.as_deref() != Some(code) {
        tracing::error!(receipt = code, "an answer about another receipt");
        return Ok(());
    }
    let payer = found.payer.phone().and_then(|phone| MpesaPhone::for_withdrawal(phone).ok());
    match found.state {
        TransactionState::Completed => note_stands(app, code).await?,
        TransactionState::Reversed => take_back(app, code, payer.as_ref()).await?,
        TransactionState::Failed => {
            tracing::error!(
                receipt = code,
                alarm = "receipt",
                "M-Pesa calls a receipt failed that is credited"
            );
        }
        TransactionState::Open(word) => tracing::warn!(receipt = code, word, "nothing final of a receipt"),
    }
    Ok(())
}

/// Notes that a receipt stands, as of its last question: an answer to the question of last night that comes late does not
/// stand for the one that this night has still to ask.
async fn note_stands(app: &App, code: &str) -> Result<(), AppError> {
    let receipt = app.store().receipt(code).await?;
    let asked_at = receipt.and_then(|receipt| receipt.asked_at);
    if let Some(asked_at) = asked_at.and_then(|millis| Timestamp::from_millisecond(millis).ok()) {
        app.store().note_receipt_stands(code, asked_at).await?;
    }
    Ok(())
}

/// Books that M-Pesa has taken a payment back, where it was credited, and has player and admins told. Any number
/// of times: once. `payer`: the number that M-Pesa names, where it names one.
pub async fn take_back(app: &App, code: &str, payer: Option<&MpesaPhone>) -> Result<(), AppError> {
    let Some(receipt) = app.store().receipt(code).await? else { return Ok(()) };
    let player = &receipt.user_id;
    let owes = match paid_from(app, &receipt, payer).await? {
        Some(phone) => taking_back::owes(app, player, &phone).await?,
        None => false,
    };
    let cause = Cause::Reversal { receipt: code.to_owned() };
    app.mail_taken_back_later(player, &cause).await?;
    match reversed(app, code, player, owes).await? {
        Reversed::Now(reversal) => {
            let (wallet, debt, loss) = (reversal.wallet.get(), reversal.debt.get(), reversal.loss.get());
            tracing::error!(receipt = code, %player, wallet, debt, loss, alarm = "reversal", "M-Pesa has taken a payment back");
        }
        Reversed::Before(_) => {}
        Reversed::NothingCredited => {
            tracing::error!(
                receipt = code,
                alarm = "reversal",
                "M-Pesa has taken back what was not credited"
            );
            return Ok(());
        }
    }
    app.mail_taken_back_now(player, &cause).await;
    Ok(())
}

/// Books it, with what the player has asked for and nobody has paid back in the wallet before.
async fn reversed(app: &App, code: &str, player: &UserId, owes: bool) -> Result<Reversed, AppError> {
    for _ in 0..taking_back::ROUNDS {
        let act = |reversal: &Reversal| record(code, player, reversal);
        match app.store().reverse_receipt(code, owes, act, app.clock().now()).await? {
            Taking::Is(reversed) => return Ok(reversed),
            Taking::First(unpaid) => {
                taking_back::give_back(app, &unpaid, &Who::Mpesa, reasons::COVERS_A_REVERSAL).await?
            }
        }
    }
    Err(StoreError::Contended("a wallet").into())
}

/// The number that a payment came from: a prompt's is known, another's only where M-Pesa tells it.
async fn paid_from(
    app: &App,
    receipt: &Receipt,
    payer: Option<&MpesaPhone>,
) -> Result<Option<MpesaPhone>, AppError> {
    let prompt = match receipt.cause.strip_prefix("deposit#") {
        Some(id) => app.store().payment(id).await?,
        None => None,
    };
    Ok(prompt.map(|payment| payment.phone).or_else(|| payer.cloned()))
}

fn record(code: &str, player: &UserId, reversal: &Reversal) -> AuditRecord {
    let Reversal { at, wallet, debt, loss, excise } = reversal;
    let tax = if excise.is_positive() { format!(", {excise} of excise") } else { String::new() };
    AuditRecord::new(Who::Mpesa, AuditAction::ReverseReceipt, format!("receipt {code}"), *at)
        .of(player)
        .from_to(
            format!("credited, {}", reversal.amount()),
            format!("taken back: {wallet} from the wallet, {debt} owed, {loss} lost{tax}"),
        )
        .because("M-Pesa has taken the payment back.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_its_receipt() {
        let id = question_of("NLJ7RT61SV");
        assert!(domain::accounts::account::is_hex_id(&id), "{id}");
        assert_eq!(receipt_of(&id).as_deref(), Some("NLJ7RT61SV"));
        for other in ["0198c6f8d1b87a3c9f5e2b7a4c1d0e6f", "00000000000000000000000000000000", ""] {
            assert_eq!(receipt_of(other), None, "{other}");
        }
    }
}
