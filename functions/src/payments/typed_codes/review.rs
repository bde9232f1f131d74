//! The admin's word on a typed code: confirmed with its amount, or rejected.

use app::{App, admin::acts::MoneyAct, payments::typed_codes::review};
use axum::{Json, extract::State, response::Response};
use domain::payments::typed_code::check_amount;
use serde::Deserialize;
use utoipa::ToSchema;

use super::list::TypedCodeItem;
use crate::{
    admin::approvals::ProposalItem,
    platform::http::{Actor, ApiError, Body, Lenient, Refusal},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    payment_id: Lenient,
    /// The player is the stored code's; one that is sent has to be the same.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
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
        (status = 403, description = "Not an admin, one's own account or number, or a code is wanted first", body = Refusal),
        (status = 404, description = "No such typed code", body = Refusal),
        (status = 409, description = "Ended another way, another player's, its receipt is credited, a prompt \
            of this amount has no receipt yet, or M-Pesa says otherwise", body = Refusal),
    ))]
pub async fn confirm_manual_payment(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<Confirmation>,
) -> Result<Response, ApiError> {
    let amount = check_amount(form.amount.integer())?;
    let id = review::find_of(&app, form.payment_id.text(), form.user_id.sent_text()).await?.id;
    actor.does(&app, MoneyAct::ConfirmCode { id, amount }).await
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rejection {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    payment_id: Lenient,
    /// Why, in at most 200 characters.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "The number is not registered for M-Pesa.")]
    reason: Lenient,
}

/// Rejects a typed code: nothing is credited for this request. What its receipt was credited by all the same is answered.
#[utoipa::path(post, path = "/api/manual-payment/reject", tag = "manual payments",
    security(("bearer" = [])), request_body = Rejection, responses(
        (status = 200, description = "Rejected, now or before", body = TypedCodeItem),
        (status = 400, description = "The reason is too long", body = Refusal),
        (status = 403, description = "Not an admin, or one's own account or number", body = Refusal),
        (status = 404, description = "No such typed code", body = Refusal),
        (status = 409, description = "Confirmed, or its player has the money by another way", body = Refusal),
    ))]
pub async fn reject_manual_payment(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<Rejection>,
) -> Result<Json<TypedCodeItem>, ApiError> {
    let reason = review::check_reason(form.reason.text())?;
    let typed_code = review::find(&app, form.payment_id.text()).await?;
    let payer = typed_code.known.as_ref().and_then(|known| known.answered.payer.as_ref());
    let code = Some(typed_code.code.as_str());
    actor.not_own_money(&app, &typed_code.user_id, payer, code).await?;
    let (typed_code, credited) = review::reject(&app, &typed_code, reason, &actor.admin).await?;
    Ok(Json(TypedCodeItem::ended(typed_code, app.clock().now()).with_credit(credited)))
}
