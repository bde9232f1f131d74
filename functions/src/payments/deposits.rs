//! Money in by prompt (spec §4 "Deposit", §5 "Deposit").

use app::{
    App,
    payments::{
        deposits::{self, DepositRequest},
        prompts,
    },
};
use axum::{Json, extract::State};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    payments::wire::{NotPrompted, PromptStatus, Prompted, StatusQuery},
    platform::http::{ApiError, Caller, Lenient, OptionalCaller, Query, Submission},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Deposit {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0712345678")]
    phone: Lenient,
    /// Whole KES.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 500)]
    amount: Lenient,
    /// The caller's own `_id`, where it is sent.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    user_id: Lenient,
}

/// Sends a prompt to the phone; the money is in the wallet once it is paid.
#[utoipa::path(post, path = "/api/deposits", tag = "deposits", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = Deposit, responses(
        (status = 200, description = "The prompt is on its way", body = Prompted),
        (status = 400, description = "A field is not in order, or M-Pesa refused", body = NotPrompted),
        (status = 403, description = "Another player's `userId`", body = NotPrompted),
        (status = 409, description = "Above an own limit, the caller may not pay in now, another player's number, another request is \
            open on this phone, or the key is another request's", body = NotPrompted),
        (status = 429, description = "Too many prompts to this number, or today to numbers that are not the player's own", body = NotPrompted),
        (status = 503, description = "M-Pesa is busy or not answering", body = NotPrompted),
    ))]
pub async fn start_deposit(
    State(app): State<App>,
    Caller(player): Caller,
    Submission { form, key }: Submission<Deposit>,
) -> Result<Json<Prompted>, ApiError> {
    let asked = DepositRequest {
        user_id: form.user_id.sent_text(),
        phone: form.phone.text(),
        amount: form.amount.integer(),
    };
    Ok(Prompted::new(deposits::start(&app, &player, asked, key.as_ref()).await?))
}

/// How a deposit stands.
#[utoipa::path(get, path = "/api/deposits/status", tag = "deposits", security((), ("bearer" = [])), params(StatusQuery), responses(
    (status = 200, description = "The status", body = PromptStatus),
    (status = 404, description = "No such payment", body = NotPrompted),
))]
pub async fn get_deposit_status(
    State(app): State<App>,
    _: OptionalCaller,
    Query(query): Query<StatusQuery>,
) -> Result<Json<PromptStatus>, ApiError> {
    let payment = prompts::find(&app, query.checkout_id.as_deref().unwrap_or_default()).await?;
    Ok(Json(payment.into()))
}
