//! Entering by prompt (spec §4 "Payment by prompt"): refused before anything is pushed
//! where no entry could come of it.

use app::{App, admin::switches, payments::prompts::NewPrompt, platform::idempotency::KeyCheck, teams::link};
use axum::{
    Json,
    extract::{Query, State},
};
use domain::{
    EntryAmount, MpesaPhone,
    entries::join::{self, JoinError},
    ledger::{postings::Posting, taking_back::check_debt},
    platform::idempotency::Call,
};
use http::StatusCode;
use serde::Deserialize;
use store::{accounts::players::Player, payments::prompts::ForEntry, platform::idempotency::Binding};
use utoipa::ToSchema;

use crate::{
    payments::deposits::{self, NotPrompted, PromptRequest, PromptStatus, Prompted, StatusQuery, check_own},
    platform::http::{ApiError, Caller, Lenient, OptionalCaller, Refusal, Submission},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EntryPayment {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0712345678")]
    phone: Lenient,
    /// Whole KES; the same as `entryAmount`.
    #[serde(default)]
    #[schema(value_type = i64, required = true, example = 50)]
    amount: Lenient,
    /// The caller's own.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
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
        (status = 400, description = "Refused before anything was sent", body = NotPrompted),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Another player's `fplId`", body = NotPrompted),
        (status = 409, description = "Already joined, another player's number, a prompt is still open, or the key is another request's",
            body = NotPrompted),
        (status = 429, description = "Too many prompts to this number, or today to numbers that are not the player's own", body = NotPrompted),
        (status = 503, description = "M-Pesa is not answering", body = NotPrompted),
    ))]
pub async fn start_entry_payment(
    State(app): State<App>,
    Caller(player): Caller,
    Submission { form, key }: Submission<EntryPayment>,
) -> Result<Json<Prompted>, ApiError> {
    let request = PromptRequest { app: &app, player: &player, call: Call::Pay, key };
    match request.check_key().await? {
        KeyCheck::Again(checkout_id) => Ok(deposits::prompted(checkout_id)),
        KeyCheck::Act(binding) => request.or_first_answer(pay(&app, &player, &form, binding).await).await,
    }
}

async fn pay(
    app: &App,
    player: &Player,
    form: &EntryPayment,
    binding: Option<Binding>,
) -> Result<Json<Prompted>, ApiError> {
    let refused = |error: &dyn ToString| ApiError::bad_request(error.to_string());
    let own = player.fpl_id.map(|id| id.to_string()).unwrap_or_default();
    check_own(&form.fpl_id, &own)?;
    let phone = MpesaPhone::for_pay(form.phone.text()).map_err(|error| refused(&error))?;
    let amount = entry_amount(&form.entry_amount).map_err(|error| refused(&error))?;
    if form.amount.integer() != Some(amount.kes().get()) {
        return Err(refused(&"The amount has to be the entry amount."));
    }
    let (calendar, current) = app.current_gameweek().await?.unzip();
    // The prompt flow's own wording (spec §5 "Join").
    let no_gameweek = |error| match error {
        JoinError::NoGameweek => refused(&"Could not determine current gameweek. Try again."),
        error => refused(&error),
    };
    let asked = gameweek_number(&form.gameweek).ok_or(JoinError::NoGameweek).map_err(no_gameweek)?;
    let gameweek = join::check_open(current.as_ref(), asked, app.clock().now()).map_err(no_gameweek)?;
    switches::check_entries(app).await?.map_err(|error| refused(&error))?;
    let season = calendar.ok_or_else(|| no_gameweek(JoinError::NoGameweek))?;
    link::entering(player, season.season).map_err(|error| refused(&error))?;
    let gameweek = season.id(gameweek.number);
    let cause = Posting::entry(&player.id, gameweek, amount).cause().key();
    if app.store().posting(&player.id, &cause).await?.is_some() {
        return Err(ApiError::new(StatusCode::CONFLICT, JoinError::AlreadyJoined));
    }
    let wallet = app.store().wallet(&player.id).await?;
    check_debt(wallet.debt).map_err(|owes| refused(&JoinError::Owes(owes)))?;
    let player = link::checked(app, player.clone()).await?;
    let entry = Some(ForEntry { gameweek, amount });
    deposits::prompt(app, &player, NewPrompt { phone, amount: amount.kes(), entry, binding }).await
}

pub(crate) fn entry_amount(field: &Lenient) -> Result<EntryAmount, domain::ledger::money::NotAnEntryAmount> {
    EntryAmount::try_from(field.integer().unwrap_or_default())
}

pub(crate) fn gameweek_number(field: &Lenient) -> Option<u8> {
    field.integer().and_then(|number| u8::try_from(number).ok())
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
    deposits::status(&app, query).await
}
