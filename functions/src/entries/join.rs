//! Joining: from the wallet, or shown what a prompt has paid for (spec §4 "Join from the wallet").

use app::{
    App,
    entries::{
        by_wallet::{self, ReadAhead},
        join::{entry_amount, gameweek_number},
        payments,
    },
};
use axum::{Json, extract::State};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Bearer, Body, Lenient, Refusal};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinLeague {
    /// The caller's own; with a `checkoutId`, the one it was paid for.
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
    /// A paid prompt's: shows that payment's own entry, and spends nothing.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "6f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    checkout_id: Lenient,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinedLeague {
    #[schema(example = "You are in. Good luck!")]
    message: &'static str,
    #[schema(example = 3)]
    gameweek: u8,
    /// In KES.
    #[schema(example = 50)]
    entry_amount: i64,
}

/// Enters the current gameweek: from the wallet, or by a prompt that was paid for it.
#[utoipa::path(post, path = "/api/join-league", tag = "leagues", security((), ("bearer" = [])),
    request_body = JoinLeague, responses(
        (status = 201, description = "In", body = JoinedLeague),
        (status = 400, description = "Closed, not covered, not in order, the caller may not enter now, or the payment made no entry", body = Refusal),
        (status = 403, description = "Another player's, or an admin's who has decided something about this gameweek", body = Refusal),
        (status = 404, description = "No such payment", body = Refusal),
        (status = 409, description = "Already joined this gameweek", body = Refusal),
        (status = 503, description = "The team could not be checked: the official game is not answering", body = Refusal),
    ))]
pub async fn join_league(
    State(app): State<App>,
    bearer: Option<Bearer>,
    body: Result<Body<JoinLeague>, ApiError>,
) -> Result<(StatusCode, Json<JoinedLeague>), ApiError> {
    let (by_wallet, shows_payment) = match &body {
        Ok(Body(form)) => (form.checkout_id.is_absent(), !form.checkout_id.is_absent()),
        Err(_) => (false, false),
    };
    if bearer.is_none() && !shows_payment {
        return Err(ApiError::unauthorized());
    }
    let (standing, ahead) = match &bearer {
        Some(bearer) => {
            let ahead =
                async { if by_wallet { Some(ReadAhead::of(&app, bearer.user_id()).await) } else { None } };
            let (player, ahead) = tokio::join!(bearer.player(&app), ahead);
            (Some(player?), ahead)
        }
        None => (None, None),
    };
    let Body(form) = body?;
    let amount = entry_amount(form.entry_amount.integer())?;
    let number = gameweek_number(form.gameweek.integer())?;
    if form.checkout_id.is_absent() {
        let (player, ahead) = standing.zip(ahead).ok_or_else(ApiError::unauthorized)?;
        by_wallet::join(&app, &player, form.fpl_id.sent_text(), (amount, number), ahead).await?;
    } else {
        payments::check_paid(&app, form.checkout_id.text(), form.fpl_id.text(), amount, number).await?;
    }
    let message = "You are in. Good luck!";
    let joined = JoinedLeague { message, gameweek: number, entry_amount: amount.into() };
    Ok((StatusCode::CREATED, Json(joined)))
}
