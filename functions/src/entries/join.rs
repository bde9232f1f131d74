//! Joining: from the wallet, or shown what a prompt has paid for (spec §4 "Join from the wallet").

use app::{App, admin::switches, payments::prompts::new_entry, teams::link};
use axum::{
    Json,
    extract::State,
    response::{IntoResponse, Response},
};
use domain::{
    EntryAmount,
    entries::join::{self, JoinError},
    gameweeks::calendar::{Calendar, Gameweek},
    payments::prompt,
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{accounts::players::Player, entries::Joined};
use utoipa::ToSchema;

use crate::{
    entries::payments::{entry_amount, gameweek_number},
    payments::deposits::{self, check_own},
    platform::http::{ApiError, Body, Caller, Lenient, Refusal},
};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinLeague {
    /// The caller's own; with a `checkoutId`, the one it was paid for.
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
    /// A paid prompt's: shows that payment's own entry, and spends nothing.
    #[serde(default)]
    #[schema(value_type = Option<String>)]
    checkout_id: Lenient,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinedLeague {
    message: String,
    gameweek: u8,
    /// In KES.
    entry_amount: i64,
}

/// Enters the current gameweek: from the wallet, or by a prompt that was paid for it.
#[utoipa::path(post, path = "/api/join-league", tag = "leagues", security((), ("bearer" = [])),
    request_body = JoinLeague, responses(
        (status = 201, description = "In", body = JoinedLeague),
        (status = 400, description = "Closed, not covered, or not in order", body = Refusal),
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 403, description = "Another player's", body = Refusal),
        (status = 404, description = "No such payment", body = Refusal),
        (status = 409, description = "Already joined this gameweek", body = Refusal),
        (status = 503, description = "The team could not be checked: the official game is not answering", body = Refusal),
    ))]
pub async fn join_league(
    State(app): State<App>,
    caller: Option<Caller>,
    Body(form): Body<JoinLeague>,
) -> Result<Response, ApiError> {
    let amount = entry_amount(&form.entry_amount).map_err(ApiError::bad_request)?;
    let number =
        gameweek_number(&form.gameweek).ok_or(JoinError::NoGameweek).map_err(ApiError::bad_request)?;
    if form.checkout_id.is_absent() {
        let Caller(player) = caller.ok_or_else(ApiError::unauthorized)?;
        join_by_wallet(&app, player, &form, amount, number).await?;
    } else {
        paid_entry(&app, &form, amount, number).await?;
    }
    let message = "You are in. Good luck!".to_owned();
    let body = JoinedLeague { message, gameweek: number, entry_amount: amount.into() };
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

/// Takes the entry out of the wallet.
async fn join_by_wallet(
    app: &App,
    player: Player,
    form: &JoinLeague,
    amount: EntryAmount,
    number: u8,
) -> Result<(), ApiError> {
    let own = player.fpl_id.map(|id| id.to_string()).unwrap_or_default();
    check_own(&form.fpl_id, &own)?;
    let (calendar, gameweek) = open_gameweek(app, number).await?;
    let fpl_id = link::entering(&player, calendar.season).map_err(ApiError::bad_request)?;
    let player = link::checked(app, player).await?;
    let id = calendar.id(gameweek.number);
    let entry = new_entry(&player, fpl_id, id, amount, app.clock().now());
    match app.store().join_by_wallet(&entry).await? {
        Joined::Entered => Ok(()),
        Joined::AlreadyJoined => Err(ApiError::conflict(JoinError::AlreadyJoined)),
        Joined::TeamElsewhere => Err(ApiError::conflict(JoinError::TeamElsewhere)),
        Joined::AccountChanged => Err(ApiError::conflict(JoinError::AccountChanged)),
        Joined::Owes(owes) => Err(ApiError::bad_request(JoinError::Owes(owes))),
        Joined::InsufficientBalance => Err(ApiError::bad_request(JoinError::InsufficientBalance(amount))),
    }
}

/// The gameweek a wallet join goes into.
async fn open_gameweek(app: &App, number: u8) -> Result<(Calendar, Gameweek), ApiError> {
    let current = app.current_gameweek().await?;
    let gameweek = current.as_ref().map(|(_, gameweek)| gameweek);
    join::check_open(gameweek, number, app.clock().now()).map_err(ApiError::bad_request)?;
    switches::check_entries(app).await?.map_err(ApiError::bad_request)?;
    current.ok_or_else(|| ApiError::bad_request(JoinError::NoGameweek))
}

/// Whether a prompt made the entry that is asked for: it can show that one, and nothing else.
async fn paid_entry(app: &App, form: &JoinLeague, amount: EntryAmount, number: u8) -> Result<(), ApiError> {
    let payment = deposits::find(app, form.checkout_id.text()).await?;
    let player = app.store().player(&payment.user_id).await?.ok_or_else(ApiError::forbidden)?;
    let own = player.fpl_id.map(|id| id.to_string()).unwrap_or_default();
    // A number is a gameweek of this season: last season's payment shows nothing in it.
    let asked = app.calendar().await?.map(|calendar| calendar.id(number));
    let for_this = payment.entry.is_some_and(|entry| {
        entry.amount == amount && Some(entry.gameweek) == asked && form.fpl_id.text().trim() == own
    });
    if !for_this {
        return Err(ApiError::forbidden());
    }
    match payment.state {
        prompt::State::Success if payment.entered => Ok(()),
        prompt::State::Success => {
            let why = payment.reason.unwrap_or_else(|| "Your money is in your wallet.".to_owned());
            let already = why.starts_with(&JoinError::AlreadyJoined.to_string());
            Err(if already { ApiError::conflict(why) } else { ApiError::bad_request(why) })
        }
        prompt::State::Failed | prompt::State::Dismissed => {
            Err(ApiError::bad_request("Payment failed. Please try again."))
        }
        prompt::State::Pending | prompt::State::SetAside => {
            Err(ApiError::bad_request("The payment is not confirmed yet."))
        }
    }
}
