//! The admin's word on a typed code: confirmed with its amount, or rejected.

use app::{
    App,
    payments::{mpesa_word, receipts::Stands, typed_codes},
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    Kes,
    accounts::account::is_hex_id,
    payments::typed_code::{self, Status, TypedCodeError},
};
use serde::Deserialize;
use store::{
    admin::{
        audit::{AuditAction, AuditRecord, Who},
        permits::Permit,
    },
    payments::typed_codes::{Confirmed, TypedCode},
};
use utoipa::ToSchema;

use super::list::TypedCodeItem;
use crate::{
    admin::{acts::MoneyAct, approvals::ProposalItem},
    platform::http::{Actor, ApiError, Body, Lenient, Refusal},
};

/// What a player reads of a reason at the most, in characters.
const LONGEST_REASON: usize = 200;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    payment_id: Lenient,
    /// The player is the stored payment's; one that is sent has to be the same.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    user_id: Lenient,
    /// What M-Pesa received, in whole KES.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 500)]
    amount: Lenient,
}

/// Credits a typed code with its amount, once: the receipt is claimed in the same transaction.
#[utoipa::path(post, path = "/api/manual-payment/confirm", tag = "manual payments",
    security(("bearer" = [])), request_body = Confirmation, responses(
        (status = 200, description = "Confirmed with this amount, now or before", body = TypedCodeItem),
        (status = 202, description = "It waits for a second admin", body = ProposalItem),
        (status = 400, description = "Not an amount", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such payment", body = Refusal),
        (status = 409, description = "Ended another way, another player's, its receipt is credited, or a prompt \
            of this amount has no receipt yet", body = Refusal),
    ))]
pub async fn confirm_manual_payment(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<Confirmation>,
) -> Result<Response, ApiError> {
    let amount = typed_code::check_amount(form.amount.integer()).map_err(ApiError::bad_request)?;
    let typed_code = find(&app, form.payment_id.text()).await?;
    if !form.user_id.is_absent() && form.user_id.text() != typed_code.user_id.as_str() {
        return Err(ApiError::conflict(TypedCodeError::AnotherPlayer));
    }
    actor.does(&app, MoneyAct::ConfirmCode { id: typed_code.id, amount }).await
}

/// Confirms a typed code by `permit`.
pub(crate) async fn confirm(app: &App, id: &str, amount: Kes, permit: &Permit) -> Result<Response, ApiError> {
    let (mut typed_code, now) = (find(app, id).await?, app.clock().now());
    if typed_code.status == Status::Pending {
        let known = mpesa_word::check(app, &typed_code.code, typed_code.known.as_ref(), amount).await?;
        if let Some(known) = known.map_err(ApiError::conflict)? {
            // Who paid and when, as M-Pesa says it now: the prompts are held against that.
            app.store().note_known_code(&typed_code.id, &known).await?;
            typed_code.known = Some(known);
        }
        // A code that is a prompt's own receipt is given to it, and its claim then refuses the credit below.
        if typed_codes::meet(app, &typed_code).await? == Some(Stands::Waits) {
            return Err(ApiError::conflict(TypedCodeError::OwnPrompt));
        }
    }
    let act = AuditRecord::permitted(permit, AuditAction::ConfirmTypedCode, format!("typed code {id}"), now)
        .of(&typed_code.user_id)
        .from_to("pending", format!("confirmed, {amount}"));
    let confirmed = app.store().confirm_typed_code(&typed_code, amount, Some(&act), now).await?;
    tracing::info!(by = ?permit.who.person(), payment = id, amount = amount.get(), ?confirmed, "manual payment");
    let typed_code = find(app, id).await?;
    match against(&typed_code, amount, confirmed) {
        None => Ok(Json(TypedCodeItem::ended(typed_code, now)).into_response()),
        Some(error) => Err(ApiError::conflict(error)),
    }
}

/// What stands against `manual` being confirmed with `amount`, as it stands after the attempt.
fn against(typed_code: &TypedCode, amount: Kes, attempt: Confirmed) -> Option<TypedCodeError> {
    match typed_code.status {
        Status::Confirmed if typed_code.amount == Some(amount) => None,
        Status::Confirmed => Some(TypedCodeError::AnotherAmount(typed_code.amount.unwrap_or_default())),
        Status::Rejected => Some(TypedCodeError::Ended(Status::Rejected)),
        Status::Pending if attempt == Confirmed::OwnPrompt => Some(TypedCodeError::OwnPrompt),
        Status::Pending => Some(TypedCodeError::AlreadyCredited),
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rejection {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    payment_id: Lenient,
    /// Why, in at most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reason: Lenient,
}

/// Rejects a typed code: nothing is credited for this request.
#[utoipa::path(post, path = "/api/manual-payment/reject", tag = "manual payments",
    security(("bearer" = [])), request_body = Rejection, responses(
        (status = 200, description = "Rejected, now or before", body = TypedCodeItem),
        (status = 400, description = "The reason is too long", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 404, description = "No such payment", body = Refusal),
        (status = 409, description = "It is confirmed", body = Refusal),
    ))]
pub async fn reject_manual_payment(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<Rejection>,
) -> Result<Json<TypedCodeItem>, ApiError> {
    let reason = form.reason.text().trim();
    if reason.chars().count() > LONGEST_REASON {
        return Err(ApiError::bad_request("A reason has at most 200 characters."));
    }
    let typed_code = find(&app, form.payment_id.text()).await?;
    actor.not_own(&typed_code.user_id)?;
    let (admin, now) = (&actor.admin, app.clock().now());
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    let act = AuditRecord::new(
        Who::admin(admin),
        AuditAction::RejectTypedCode,
        format!("typed code {}", typed_code.id),
        now,
    )
    .of(&typed_code.user_id)
    .from_to("pending", "rejected")
    .because(reason.unwrap_or_default());
    let rejected = app.store().reject_typed_code(&typed_code.id, reason, &act).await?;
    tracing::info!(admin = %admin.id, payment = typed_code.id, rejected, "manual payment");
    let typed_code = find(&app, &typed_code.id).await?;
    match typed_code.status {
        Status::Rejected => Ok(Json(TypedCodeItem::ended(typed_code, now))),
        ended => Err(ApiError::conflict(TypedCodeError::Ended(ended))),
    }
}

pub(crate) async fn find(app: &App, id: &str) -> Result<TypedCode, ApiError> {
    let no_such = || ApiError::not_found("There is no such payment.");
    if !is_hex_id(id) {
        return Err(no_such());
    }
    app.store().typed_code(id).await?.ok_or_else(no_such)
}
