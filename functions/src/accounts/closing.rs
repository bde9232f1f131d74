//! Closing an account.

use app::{
    App,
    accounts::{closing, credentials::Shown},
};
use axum::{Json, extract::State};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Body, CallerInSession, Lenient, Refusal};

#[derive(Deserialize, ToSchema)]
pub struct Closing {
    /// The caller's own, once more.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "correct horse")]
    password: Lenient,
    /// Where the account has a second factor: its code, or a recovery code.
    #[serde(default)]
    #[schema(value_type = Option<String>, example = "492039")]
    code: Lenient,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// When what is personal goes; until then nobody can log in.
    #[schema(value_type = String, format = DateTime, example = "2026-11-30T09:00:00Z")]
    erased_at: Timestamp,
}

/// Closes the account: every session ends, nobody logs in any more, and a week later what is personal is removed.
/// Refused while as much as can be withdrawn is in the wallet, or anything of it is open.
#[utoipa::path(post, path = "/api/me/closure", tag = "account", security(("bearer" = [])), request_body = Closing,
    responses(
        (status = 200, description = "The account is closed", body = Closed),
        (status = 400, description = "The password is not right, or the code is missing or not right", body = Refusal),
        (status = 403, description = "An admin's account", body = Refusal),
        (status = 409, description = "Money is in the wallet or owed; a withdrawal, payment or entry is open; the account is looked into, or has changed meanwhile", body = Refusal),
        (status = 429, description = "Too many that were not right", body = Refusal),
    ))]
pub async fn close_account(
    State(app): State<App>,
    CallerInSession { player, session }: CallerInSession,
    Body(form): Body<Closing>,
) -> Result<Json<Closed>, ApiError> {
    let code = form.code.text_if_any("code")?.map_or("", str::trim);
    let shown = Shown { password: form.password.text(), code, session: &session };
    let erased_at = closing::close(&app, &player, shown).await?;
    Ok(Json(Closed { erased_at }))
}
