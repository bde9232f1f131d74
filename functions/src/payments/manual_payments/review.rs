//! The admin's word on a typed code: confirmed with its amount, or rejected.

use app::{
    App,
    payments::{codes, mpesa_word, receipts::Stands},
};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    Kes,
    accounts::account::is_hex_id,
    payments::manual_payment::{self, ManualPaymentError, Status},
};
use serde::Deserialize;
use store::{
    admin::{
        audit::{Act, What, Who},
        permits::Permit,
    },
    payments::manual_payments::{Confirmed, ManualPayment},
};
use utoipa::ToSchema;

use super::list::ManualPaymentItem;
use crate::{
    admin::{acts::MoneyAct, approvals::ProposalItem},
    platform::http::{Actor, ApiError, Body, Loose, Refusal},
};

/// What a player reads of a reason at the most, in characters.
const LONGEST_REASON: usize = 200;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    payment_id: Loose,
    /// The player is the stored payment's; one that is sent has to be the same.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    user_id: Loose,
    /// What M-Pesa received, in whole KES.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 500)]
    amount: Loose,
}

/// Credits a typed code with its amount, once: the receipt is claimed in the same transaction.
#[utoipa::path(post, path = "/api/manual-payment/confirm", tag = "manual payments",
    security(("bearer" = [])), request_body = Confirmation, responses(
        (status = 200, description = "Confirmed with this amount, now or before", body = ManualPaymentItem),
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
    let amount = manual_payment::check_amount(form.amount.integer()).map_err(ApiError::bad_request)?;
    let manual = find(&app, form.payment_id.text()).await?;
    if !form.user_id.is_absent() && form.user_id.text() != manual.user_id.as_str() {
        return Err(ApiError::conflict(ManualPaymentError::AnotherPlayer));
    }
    actor.does(&app, MoneyAct::ConfirmCode { id: manual.id, amount }).await
}

/// Confirms a typed code by `permit`.
pub(crate) async fn confirm(app: &App, id: &str, amount: Kes, permit: &Permit) -> Result<Response, ApiError> {
    let (mut manual, now) = (find(app, id).await?, app.clock().now());
    if manual.status == Status::Pending {
        let known = mpesa_word::check(app, &manual.code, manual.known.as_ref(), amount).await?;
        if let Some(known) = known.map_err(ApiError::conflict)? {
            // Who paid and when, as M-Pesa says it now: the prompts are held against that.
            app.store().note_known_code(&manual.id, &known).await?;
            manual.known = Some(known);
        }
        // A code that is a prompt's own receipt is given to it, and its claim then refuses the credit below.
        if codes::meet(app, &manual).await? == Some(Stands::Waits) {
            return Err(ApiError::conflict(ManualPaymentError::OwnPrompt));
        }
    }
    let act = Act::permitted(permit, What::ConfirmManualPayment, format!("typed code {id}"), now)
        .of(&manual.user_id)
        .from_to("pending", format!("confirmed, {amount}"));
    let confirmed = app.store().confirm_manual_payment(&manual, amount, Some(&act), now).await?;
    tracing::info!(by = ?permit.who.person(), payment = id, amount = amount.get(), ?confirmed, "manual payment");
    let manual = find(app, id).await?;
    match against(&manual, amount, confirmed) {
        None => Ok(Json(ManualPaymentItem::ended(manual, now)).into_response()),
        Some(error) => Err(ApiError::conflict(error)),
    }
}

/// What stands against `manual` being confirmed with `amount`, as it stands after the attempt.
fn against(manual: &ManualPayment, amount: Kes, attempt: Confirmed) -> Option<ManualPaymentError> {
    match manual.status {
        Status::Confirmed if manual.amount == Some(amount) => None,
        Status::Confirmed => Some(ManualPaymentError::AnotherAmount(manual.amount.unwrap_or_default())),
        Status::Rejected => Some(ManualPaymentError::Ended(Status::Rejected)),
        Status::Pending if attempt == Confirmed::OwnPrompt => Some(ManualPaymentError::OwnPrompt),
        Status::Pending => Some(ManualPaymentError::AlreadyCredited),
    }
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rejection {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    payment_id: Loose,
    /// Why, in at most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    reason: Loose,
}

/// Rejects a typed code: nothing is credited for this request.
#[utoipa::path(post, path = "/api/manual-payment/reject", tag = "manual payments",
    security(("bearer" = [])), request_body = Rejection, responses(
        (status = 200, description = "Rejected, now or before", body = ManualPaymentItem),
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
) -> Result<Json<ManualPaymentItem>, ApiError> {
    let reason = form.reason.text().trim();
    if reason.chars().count() > LONGEST_REASON {
        return Err(ApiError::bad_request("A reason has at most 200 characters."));
    }
    let manual = find(&app, form.payment_id.text()).await?;
    actor.not_own(&manual.user_id)?;
    let (admin, now) = (&actor.admin, app.clock().now());
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    let act =
        Act::new(Who::admin(admin), What::RejectManualPayment, format!("typed code {}", manual.id), now)
            .of(&manual.user_id)
            .from_to("pending", "rejected")
            .because(reason.unwrap_or_default());
    let rejected = app.store().reject_manual_payment(&manual.id, reason, &act).await?;
    tracing::info!(admin = %admin.id, payment = manual.id, rejected, "manual payment");
    let manual = find(&app, &manual.id).await?;
    match manual.status {
        Status::Rejected => Ok(Json(ManualPaymentItem::ended(manual, now))),
        ended => Err(ApiError::conflict(ManualPaymentError::Ended(ended))),
    }
}

pub(crate) async fn find(app: &App, id: &str) -> Result<ManualPayment, ApiError> {
    let no_such = || ApiError::not_found("There is no such payment.");
    if !is_hex_id(id) {
        return Err(no_such());
    }
    app.store().manual_payment(id).await?.ok_or_else(no_such)
}
