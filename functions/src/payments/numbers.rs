//! Numbers that are players' own, as an admin sees and releases them.

use app::{
    App,
    payments::numbers::{self, ReleaseError},
};
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{MpesaPhone, UserId};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use store::payments::numbers::OwnNumber;
use utoipa::ToSchema;

use crate::platform::http::{Actor, ApiError, Body, Lenient, Refusal, RefusalCode};

/// A number that is a player's own.
#[derive(Serialize, ToSchema)]
pub struct OwnNumberItem {
    #[schema(example = "0712345678")]
    phone: String,
    /// RFC 3339, UTC: when the prompt was paid that proved it.
    since: Timestamp,
}

impl From<OwnNumber> for OwnNumberItem {
    fn from(own: OwnNumber) -> Self {
        Self { phone: own.phone.local(), since: own.since }
    }
}

#[derive(Deserialize, ToSchema)]
pub struct Release {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "0712345678")]
    phone: Lenient,
    /// Why, in at most 200 characters.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "Safaricom gave the number to somebody else.")]
    reason: Lenient,
}

/// Takes a number from the player whose own it is: it is nobody's until the next prompt to it is paid.
#[utoipa::path(post, path = "/api/admin/players/{id}/release-number", tag = "admin", security(("bearer" = [])),
    params(("id" = String, Path, description = "The player's `_id`")), request_body = Release, responses(
        (status = 200, description = "The numbers that are still the player's own", body = Vec<OwnNumberItem>),
        (status = 400, description = "No number, or no reason", body = Refusal),
        (status = 403, description = "Not an admin, a code of the second factor is wanted, or the admin's own account", body = Refusal),
        (status = 404, description = "No such player", body = Refusal),
        (status = 409, description = "Not this player's own", body = Refusal),
    ))]
pub async fn release_number(
    State(app): State<App>,
    actor: Actor,
    Path(id): Path<String>,
    Body(form): Body<Release>,
) -> Result<Json<Vec<OwnNumberItem>>, ApiError> {
    let id = UserId::parse(&id).map_err(|_| ReleaseError::NoPlayer)?;
    let phone = MpesaPhone::for_deposit(form.phone.text())
        .map_err(|error| ApiError::bad_request(error).code(RefusalCode::InvalidPhone))?;
    let reason = form.reason.reason()?;
    actor.step_up(&app)?;
    actor.not_own(&id)?;
    numbers::release(&app, &id, &phone, &actor.admin, &reason).await?;
    Ok(Json(own_numbers(&app, &id).await?))
}

pub(crate) async fn own_numbers(app: &App, player: &UserId) -> Result<Vec<OwnNumberItem>, ApiError> {
    let own = app.store().own_numbers(player).await?;
    Ok(own.into_iter().map(OwnNumberItem::from).collect())
}
