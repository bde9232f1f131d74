//! Entering by a prompt (spec §4 "Payment by prompt").

use app::{
    App,
    entries::{
        join::CurrentEntries,
        payments::{self, EntryPromptRequest},
    },
    payments::prompts,
};
use axum::{Json, extract::State};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    payments::wire::{NotPrompted, PromptStatus, Prompted, StatusQuery},
    platform::http::{ApiError, Bearer, Lenient, OptionalCaller, Query, Submission},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryPayment {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0712345678")]
    phone: Lenient,
    /// Whole KES: `entryAmount`, and where there is excise (`excisePercent` of the settings) so much more that this is left.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 50)]
    amount: Lenient,
    /// The caller's own.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "118670")]
    fpl_id: Lenient,
    /// 50, 100 or 250 KES.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 50)]
    entry_amount: Lenient,
    /// The current one's number.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 1)]
    gameweek: Lenient,
}

/// Sends a prompt that pays for an entry; once it is paid the player is in.
#[utoipa::path(post, path = "/api/pay", tag = "entry payments", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = EntryPayment, responses(
        (status = 200, description = "The prompt is on its way", body = Prompted),
        (status = 400, description = "A field is not in order, no entry could come of it, or M-Pesa refused", body = NotPrompted),
        (status = 403, description = "Another player's `fplId`, or an admin's who has decided something about this gameweek", body = NotPrompted),
        (status = 409, description = "Already joined, above an own limit, another player's number, a prompt is still open for this \
            gameweek or on this phone, or the key is another request's", body = NotPrompted),
        (status = 429, description = "Too many prompts to this number, or today to numbers that are not the player's own", body = NotPrompted),
        (status = 503, description = "M-Pesa is busy, or M-Pesa or the official game is not answering", body = NotPrompted),
    ))]
pub async fn start_entry_payment(
    State(app): State<App>,
    bearer: Bearer,
    submission: Result<Submission<EntryPayment>, ApiError>,
) -> Result<Json<Prompted>, ApiError> {
    let (player, current) = tokio::join!(bearer.player(&app), CurrentEntries::read(&app));
    let (player, Submission { form, key }) = (player?, submission?);
    let asked = EntryPromptRequest {
        phone: form.phone.text(),
        amount: form.amount.integer(),
        team: form.fpl_id.sent_text(),
        entry_amount: form.entry_amount.integer(),
        gameweek: form.gameweek.integer(),
    };
    Ok(Prompted::new(payments::start(&app, &player, asked, key.as_ref(), current).await?))
}

/// How an entry's payment stands.
#[utoipa::path(get, path = "/api/pay/status", tag = "entry payments", security((), ("bearer" = [])), params(StatusQuery), responses(
    (status = 200, description = "The status", body = PromptStatus),
    (status = 404, description = "No such payment", body = NotPrompted),
))]
pub async fn get_entry_payment_status(
    State(app): State<App>,
    _: OptionalCaller,
    Query(query): Query<StatusQuery>,
) -> Result<Json<PromptStatus>, ApiError> {
    let payment = prompts::find(&app, query.checkout_id.as_deref().unwrap_or_default()).await?;
    Ok(Json(payment.into()))
}
