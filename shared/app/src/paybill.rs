//! Payments to the paybill (C2B): M-Pesa is told where to confirm them, and what it confirms is kept.
//! A confirmation credits nobody; typed codes are held against it.

use clients::daraja::{CallbackAmount, PaybillUrls, parse_confirmation};
use domain::Kes;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use store::paybill::{PaybillPayment, Registered};

use crate::{App, AppError};

/// Tells M-Pesa where to confirm payments, unless it was told this address before. Answers whether it
/// was told now.
///
/// # Errors
/// The table, the secrets or M-Pesa do not answer; the next run makes it good.
pub async fn register(app: &App) -> Result<bool, AppError> {
    let address = async |of: &str| {
        let path = app.secrets().hook_path(&format!("/hooks/c2b/{of}")).await?;
        Ok::<_, AppError>(format!("{}{path}", app.config().public_origin))
    };
    let shortcode = app.config().paybill.number.clone();
    // Nobody answers at the second address: M-Pesa is not asked to have payments validated.
    let urls =
        PaybillUrls { confirmation: address("confirm").await?, validation: address("validate").await? };
    let address_hash = hex::encode(Sha256::digest(&urls.confirmation));
    let before = app.store().registered_paybill().await?;
    if before.is_some_and(|before| before.shortcode == shortcode && before.address_hash == address_hash) {
        return Ok(false);
    }
    app.register_paybill(&shortcode, &urls).await??;
    let registered = Registered { shortcode, address_hash, at: app.clock().now() };
    app.store().note_registered_paybill(&registered).await?;
    Ok(true)
}

/// Keeps what M-Pesa confirmed. The first confirmation of a receipt stays.
///
/// # Errors
/// The table does not answer: the message is to be tried again.
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
    if amount.is_none() {
        tracing::error!(receipt = confirmation.receipt, "a payment to the paybill of no whole amount");
    }
    let payment = PaybillPayment {
        code: confirmation.receipt,
        amount,
        shortcode: confirmation.shortcode,
        account_reference: confirmation.account_reference,
        phone: confirmation.phone,
        name: confirmation.name,
        at,
    };
    if !app.store().keep_paybill_payment(&payment).await? {
        tracing::info!(receipt = payment.code, "a payment to the paybill that was confirmed before");
    }
    Ok(())
}
