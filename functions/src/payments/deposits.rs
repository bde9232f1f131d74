//! Money in by prompt (spec §4 "Deposit", §5 "Deposit").

use app::{
    App,
    payments::prompts::{self, CHECK_YOUR_PHONE, NewPrompt, PromptError},
    platform::idempotency::{self, KeyCheck, RequestKey},
};
use axum::{
    Json,
    extract::{Query, State},
};
use domain::{
    Kes, MpesaPhone, accounts::account::is_hex_id, entries::join::JoinError, payments::prompt,
    platform::idempotency::Call,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{accounts::players::Player, payments::prompts::Payment, platform::idempotency::Binding};
use utoipa::{IntoParams, ToSchema};

use crate::{
    accounts::profile::OwnPaybill,
    platform::http::{ApiError, Caller, Lenient, Refusal, Submission},
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
    #[schema(value_type = Option<String>)]
    user_id: Lenient,
}

/// A prompt is on its way.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Prompted {
    pub success: bool,
    /// Unguessable; asks for the status.
    pub checkout_id: String,
    pub message: &'static str,
}

/// A refused prompt.
#[derive(Serialize, ToSchema)]
pub struct NotPrompted {
    success: bool,
    message: String,
    /// The way that is left where no prompt is sent to this number.
    paybill: Option<OwnPaybill>,
}

/// Sends a prompt to the phone; the money is in the wallet once it is paid.
#[utoipa::path(post, path = "/api/deposits", tag = "deposits", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = Deposit, responses(
        (status = 200, description = "The prompt is on its way", body = Prompted),
        (status = 400, description = "A field is not in order, or M-Pesa refused", body = NotPrompted),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Another player's `userId`", body = NotPrompted),
        (status = 409, description = "Another player's number, another request is open on this phone, or the key is another request's",
            body = NotPrompted),
        (status = 429, description = "Too many prompts to this number, or today to numbers that are not the player's own", body = NotPrompted),
        (status = 503, description = "M-Pesa is not answering", body = NotPrompted),
    ))]
pub async fn start_deposit(
    State(app): State<App>,
    Caller(player): Caller,
    Submission { form, key }: Submission<Deposit>,
) -> Result<Json<Prompted>, ApiError> {
    let request = PromptRequest { app: &app, player: &player, call: Call::Deposit, key };
    match request.check_key().await? {
        KeyCheck::Again(checkout_id) => Ok(prompted(checkout_id)),
        KeyCheck::Act(binding) => request.or_first_answer(deposit(&app, &player, &form, binding).await).await,
    }
}

async fn deposit(
    app: &App,
    player: &Player,
    form: &Deposit,
    binding: Option<Binding>,
) -> Result<Json<Prompted>, ApiError> {
    let refused = |error: &dyn ToString| ApiError::bad_request(error.to_string());
    check_own(&form.user_id, player.id.as_str())?;
    let phone = MpesaPhone::for_deposit(form.phone.text()).map_err(|error| refused(&error))?;
    let amount = Kes::new(form.amount.integer().unwrap_or(0));
    prompt::check_deposit(amount).map_err(|error| refused(&error))?;
    prompt(app, player, NewPrompt { phone, amount, entry: None, binding }).await
}

/// A field that names the caller has to name the caller.
pub(crate) fn check_own(field: &Lenient, own: &str) -> Result<(), ApiError> {
    if field.is_absent() || field.text().trim() == own { Ok(()) } else { Err(ApiError::forbidden()) }
}

/// A request for a prompt, with the key that it may have been sent with.
pub(crate) struct PromptRequest<'a> {
    pub app: &'a App,
    pub player: &'a Player,
    pub call: Call,
    pub key: Option<RequestKey>,
}

impl PromptRequest<'_> {
    /// Whether to act, or what the same request has made before.
    pub async fn check_key(&self) -> Result<KeyCheck, ApiError> {
        let check = idempotency::check_prompt(self.app, &self.player.id, self.call, self.key.as_ref());
        check.await?.map_err(ApiError::from)
    }

    /// Of two at once, the one that is refused because the other has acted has its answer too.
    pub async fn or_first_answer(
        &self,
        outcome: Result<Json<Prompted>, ApiError>,
    ) -> Result<Json<Prompted>, ApiError> {
        match outcome {
            Err(refused) if self.key.is_some() => match self.check_key().await? {
                KeyCheck::Again(checkout_id) => Ok(prompted(checkout_id)),
                KeyCheck::Act(_) => Err(refused),
            },
            outcome => outcome,
        }
    }
}

pub(crate) fn prompted(checkout_id: String) -> Json<Prompted> {
    Json(Prompted { success: true, checkout_id, message: CHECK_YOUR_PHONE })
}

pub(crate) async fn prompt(
    app: &App,
    player: &Player,
    prompt: NewPrompt,
) -> Result<Json<Prompted>, ApiError> {
    match prompts::start(app, player, prompt).await? {
        Ok(checkout_id) => Ok(prompted(checkout_id)),
        Err(error @ (PromptError::Limited(_) | PromptError::AnothersNumber)) => {
            Err(not_to_this_number(&error, OwnPaybill::of(app, player).await?))
        }
        Err(PromptError::Key(error)) => Err(ApiError::from(error)),
        Err(error) => {
            let status = match &error {
                PromptError::Join(JoinError::AlreadyJoined)
                | PromptError::StillOpen
                | PromptError::PhoneBusy => StatusCode::CONFLICT,
                PromptError::Busy | PromptError::NotAnswering => StatusCode::SERVICE_UNAVAILABLE,
                _ => StatusCode::BAD_REQUEST,
            };
            Err(ApiError::new(status, error))
        }
    }
}

/// No prompt is sent there, now or ever: the player's own account at the paybill is the way that is left.
fn not_to_this_number(error: &PromptError, paybill: OwnPaybill) -> ApiError {
    let refusal = match error {
        PromptError::Limited(limited) => {
            let text = format!("{limited} Or pay to the paybill {paybill}: it is credited by itself.");
            ApiError::new(StatusCode::TOO_MANY_REQUESTS, text).retry_after(limited.retry_after)
        }
        error => ApiError::conflict(error),
    };
    refusal.with("paybill", serde_json::json!(paybill))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct StatusQuery {
    /// As the call that sent the prompt answered it.
    #[param(required = true, pattern = "^[0-9a-f]{32}$", example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    pub checkout_id: Option<String>,
}

/// How a prompt stands.
#[derive(Serialize, ToSchema)]
pub struct PromptStatus {
    pub success: bool,
    /// `SUCCESS` (credited, and the entry made or given up), `FAILED` or `PENDING`.
    pub status: &'static str,
    /// Why it failed, or why it made no entry.
    pub message: Option<String>,
    /// Whether it made the entry it was for.
    pub entered: bool,
}

/// How a deposit stands.
#[utoipa::path(get, path = "/api/deposits/status", tag = "deposits", security((), ("bearer" = [])), params(StatusQuery), responses(
    (status = 200, description = "The status", body = PromptStatus),
    (status = 404, description = "No such payment", body = NotPrompted),
))]
pub async fn get_deposit_status(
    State(app): State<App>,
    _: crate::platform::http::OptionalCaller,
    Query(query): Query<StatusQuery>,
) -> Result<Json<PromptStatus>, ApiError> {
    status(&app, query).await
}

pub(crate) async fn status(app: &App, query: StatusQuery) -> Result<Json<PromptStatus>, ApiError> {
    let payment = find(app, query.checkout_id.as_deref().unwrap_or_default()).await?;
    Ok(Json(PromptStatus {
        success: true,
        status: payment.state.shown(),
        message: payment.reason,
        entered: payment.entered,
    }))
}

/// The payment behind a `checkoutId`.
pub(crate) async fn find(app: &App, checkout_id: &str) -> Result<Payment, ApiError> {
    let no_such = || ApiError::not_found("There is no such payment.");
    if !is_hex_id(checkout_id) {
        return Err(no_such());
    }
    app.store().payment(checkout_id).await?.ok_or_else(no_such)
}
