//! The admin's word on a typed code: confirmed with its amount, or rejected.

use domain::{
    Kes,
    accounts::account::is_hex_id,
    payments::{
        typed_code::{TypedCodeError, TypedCodeStatus},
        typed_code_check::MpesaSays,
    },
};
use store::{
    StoreError,
    accounts::players::Player,
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::{Permit, Withheld},
    },
    payments::typed_codes::{Confirmed, TypedCode},
};

use super::{match_with_prompts, names_another};
use crate::{
    App, AppError,
    payments::{
        mpesa_word,
        receipts::{CreditedReceipt, ReceiptMatch},
    },
    platform::flow::{Flow, FlowError, Refusal},
};

/// What a player reads of a reason at the most, in characters.
const LONGEST_REASON: usize = 200;

/// Why a code is not confirmed or rejected; the text is what the admin reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReviewError {
    #[error("There is no such payment.")]
    NoTypedCode,
    #[error("A reason has at most 200 characters.")]
    LongReason,
    #[error(transparent)]
    TypedCode(#[from] TypedCodeError),
    #[error(transparent)]
    Mpesa(#[from] MpesaSays),
}

impl Refusal for ReviewError {}

pub async fn find(app: &App, id: &str) -> Flow<TypedCode, ReviewError> {
    if !is_hex_id(id) {
        return Err(ReviewError::NoTypedCode.into());
    }
    Ok(app.store().typed_code(id).await?.ok_or(ReviewError::NoTypedCode)?)
}

/// The code `id`, where it is the player's whom the call names.
pub async fn find_of(app: &App, id: &str, player: Option<&str>) -> Flow<TypedCode, ReviewError> {
    let typed_code = find(app, id).await?;
    if player.is_some_and(|player| player != typed_code.user_id.as_str()) {
        return Err(ReviewError::TypedCode(TypedCodeError::AnotherPlayer).into());
    }
    Ok(typed_code)
}

/// A reason, as it is kept: nothing where it is empty.
pub fn check_reason(text: &str) -> Result<Option<&str>, ReviewError> {
    let text = text.trim();
    if text.chars().count() > LONGEST_REASON {
        return Err(ReviewError::LongReason);
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

/// Credits a code with its amount, once, by `permit`: the receipt is claimed in the same transaction.
pub async fn confirm(app: &App, id: &str, amount: Kes, permit: &Permit) -> Flow<TypedCode, ReviewError> {
    let (mut typed_code, now) = (find(app, id).await?, app.clock().now());
    if typed_code.status == TypedCodeStatus::Pending {
        let known = mpesa_word::check(app, &typed_code.code, typed_code.known.as_ref(), amount).await;
        if let Some(known) = known.map_err(FlowError::within)? {
            // Who paid and when, as M-Pesa says it now: the prompts are held against that.
            app.store().note_known_code(&typed_code.id, &known).await?;
            typed_code.known = Some(known);
        }
        let payer = typed_code.known.as_ref().and_then(|known| known.answered.payer.as_ref());
        if payer.is_some() && payer != permit.number.as_ref() {
            // Whose number it is, and how much was done for it, counts too.
            return Err(AppError::Store(StoreError::Withheld(Withheld::NumberLearned)).into());
        }
        // A code that is a prompt's own receipt is given to it, and its claim then refuses the credit below.
        if match_with_prompts(app, &typed_code).await? == Some(ReceiptMatch::Waits) {
            return Err(ReviewError::TypedCode(TypedCodeError::OwnPrompt).into());
        }
        let confirmed = app.store().paybill_payment(typed_code.code.as_str()).await?;
        if names_another(app, &typed_code.user_id, confirmed.as_ref()).await? {
            return Err(ReviewError::TypedCode(TypedCodeError::AnothersAccount).into());
        }
    }
    let act = AuditRecord::permitted(permit, AuditAction::ConfirmTypedCode, format!("typed code {id}"), now)
        .of(&typed_code.user_id)
        .from_to("pending", format!("confirmed, {amount}"));
    let taxed = (amount, &app.config().excise);
    let confirmed = app.store().confirm_typed_code(&typed_code, taxed, Some(&act), now).await?;
    tracing::info!(by = ?permit.who.person(), payment = id, amount = amount.get(), ?confirmed, "manual payment");
    if confirmed == Confirmed::Reversed {
        return Err(ReviewError::Mpesa(MpesaSays::Reversed).into());
    }
    let typed_code = find(app, id).await?;
    match against(&typed_code, amount, confirmed) {
        None => {
            super::tell(app, &typed_code).await;
            Ok(typed_code)
        }
        Some(error) => Err(ReviewError::TypedCode(error).into()),
    }
}

/// What stands against a code being confirmed with `amount`, as it stands after the attempt.
fn against(typed_code: &TypedCode, amount: Kes, attempt: Confirmed) -> Option<TypedCodeError> {
    match typed_code.status {
        TypedCodeStatus::Confirmed if typed_code.amount == Some(amount) => None,
        TypedCodeStatus::Confirmed => {
            Some(TypedCodeError::AnotherAmount(typed_code.amount.unwrap_or_default()))
        }
        // By nobody: it was credited by another way.
        TypedCodeStatus::Rejected if typed_code.ended_by.is_none() => Some(TypedCodeError::AlreadyCredited),
        TypedCodeStatus::Rejected => Some(TypedCodeError::Ended(TypedCodeStatus::Rejected)),
        TypedCodeStatus::Pending if attempt == Confirmed::OwnPrompt => Some(TypedCodeError::OwnPrompt),
        TypedCodeStatus::Pending => Some(TypedCodeError::AlreadyCredited),
    }
}

/// Rejects a code: nothing is credited for this request. Answers it with what its receipt was credited by all the same,
/// where it was: by another way, or to another player.
pub async fn reject(
    app: &App,
    typed_code: &TypedCode,
    reason: Option<&str>,
    admin: &Player,
) -> Flow<(TypedCode, Option<CreditedReceipt>), ReviewError> {
    let (id, who) = (&typed_code.id, Who::admin(admin));
    let on = format!("typed code {id}");
    let act = AuditRecord::by_admin(who, AuditAction::RejectTypedCode, on, app.clock().now())
        .of(&typed_code.user_id)
        .from_to("pending", "rejected")
        .because(reason.unwrap_or_default());
    app.mail_typed_code_rejected_later(id).await?;
    let rejected = app.store().reject_typed_code(id, reason, &act).await?;
    tracing::info!(admin = %admin.id, payment = id, rejected, "manual payment");
    let typed_code = find(app, id).await?;
    match typed_code.status {
        // By nobody: it was credited by another way.
        TypedCodeStatus::Rejected if typed_code.ended_by.is_none() => {
            Err(ReviewError::TypedCode(TypedCodeError::AlreadyCredited).into())
        }
        TypedCodeStatus::Rejected => {
            app.mail_typed_code_rejected_now(id).await;
            let credited = credit_of(app, &typed_code).await?;
            Ok((typed_code, credited))
        }
        ended => Err(ReviewError::TypedCode(TypedCodeError::Ended(ended)).into()),
    }
}

/// What a code's receipt was credited by, and to whom; nothing where it was not.
async fn credit_of(app: &App, typed_code: &TypedCode) -> Result<Option<CreditedReceipt>, AppError> {
    let Some(receipt) = app.store().receipt(typed_code.code.as_str()).await? else { return Ok(None) };
    let player = app.store().player(&receipt.user_id).await?;
    Ok(Some(CreditedReceipt::of(receipt, player.as_slice())))
}
