//! An admin's second factor: begun, confirmed by a code, removed by a code.

use app::{App, accounts::second_factor};
use axum::{Json, extract::State};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::http::{Actor, Admin, ApiError, Body, Lenient, Refusal};

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactor {
    /// Whether a log-in asks for a code.
    #[schema(example = true)]
    enrolled: bool,
    /// RFC 3339, UTC; null where it does not.
    #[schema(example = "2026-08-20T09:00:00Z")]
    since: Option<Timestamp>,
    #[schema(example = 10)]
    recovery_codes_left: usize,
}

/// Whether the caller's log-in asks for a code of an authenticator app.
#[utoipa::path(get, path = "/api/admin/totp", tag = "admin", security(("bearer" = [])), responses(
    (status = 200, description = "How it stands", body = SecondFactor),
    (status = 403, description = "Not an admin", body = Refusal),
))]
pub async fn get_totp(State(app): State<App>, Admin(admin): Admin) -> Result<Json<SecondFactor>, ApiError> {
    let active = app
        .store()
        .second_factor(&admin.id)
        .await?
        .filter(store::accounts::second_factor::SecondFactor::is_active);
    Ok(Json(SecondFactor {
        enrolled: active.is_some(),
        since: active.as_ref().map(|kept| kept.since),
        recovery_codes_left: active.map_or(0, |kept| kept.recovery_codes_left()),
    }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Enrolment {
    /// Base32, to be typed in where no picture can be taken. Shown this once.
    #[schema(example = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")]
    secret: String,
    #[schema(
        example = "otpauth://totp/FPL%20Leagues:admin-0198c6f8?secret=JBSWY3DPEHPK3PXP&issuer=FPL%20Leagues"
    )]
    uri: String,
    /// The same as a QR code.
    #[schema(example = "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>")]
    qr_svg: String,
}

#[derive(Deserialize, ToSchema)]
pub struct OwnPassword {
    /// The caller's own, once more.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "correct horse")]
    password: Lenient,
}

/// Begins: a secret for an authenticator app. It counts once a code of it is confirmed; begun again, the one
/// before is of no use.
#[utoipa::path(post, path = "/api/admin/totp", tag = "admin", security(("bearer" = [])),
    request_body = OwnPassword, responses(
        (status = 200, description = "The secret", body = Enrolment),
        (status = 400, description = "The password is not right", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 409, description = "One is in force", body = Refusal),
        (status = 429, description = "Too many that were not right", body = Refusal),
    ))]
pub async fn start_totp(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<OwnPassword>,
) -> Result<Json<Enrolment>, ApiError> {
    let started = second_factor::start(&app, actor.in_session(), form.password.text()).await?;
    let second_factor::Enrolment { secret, uri, qr_svg } = started;
    Ok(Json(Enrolment { secret, uri, qr_svg }))
}

#[derive(Deserialize, ToSchema)]
pub struct SecondFactorCode {
    /// Six digits; to remove it, or to have new recovery codes, also a recovery code.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "492039")]
    code: Lenient,
}

#[derive(Deserialize, ToSchema)]
pub struct SecondFactorConfirmation {
    /// The caller's own, once more.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "correct horse")]
    password: Lenient,
    /// Six digits.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "492039")]
    code: Lenient,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecoveryCodes {
    /// Each is good once in the place of a code. Shown this once.
    #[schema(example = json!(["k3mpq-7xw2a"]))]
    recovery_codes: Vec<String>,
}

/// Puts it in force by a code: from now on a log-in asks for one. The account's other sessions end.
#[utoipa::path(post, path = "/api/admin/totp/confirm", tag = "admin", security(("bearer" = [])),
    request_body = SecondFactorConfirmation, responses(
        (status = 200, description = "In force", body = RecoveryCodes),
        (status = 400, description = "The password or the code is not right", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 409, description = "Nothing was begun", body = Refusal),
        (status = 429, description = "Too many that were not right", body = Refusal),
    ))]
pub async fn confirm_totp(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<SecondFactorConfirmation>,
) -> Result<Json<RecoveryCodes>, ApiError> {
    let (password, code) = (form.password.text(), form.code.text());
    let recovery_codes = second_factor::confirm(&app, actor.in_session(), password, code).await?;
    tracing::info!(admin = %actor.admin.id, "second factor in force");
    Ok(Json(RecoveryCodes { recovery_codes }))
}

/// Takes it out of force by a code. The account's other sessions end.
#[utoipa::path(post, path = "/api/admin/totp/remove", tag = "admin", security(("bearer" = [])),
    request_body = SecondFactorCode, responses(
        (status = 200, description = "A log-in asks for no code", body = SecondFactor),
        (status = 400, description = "The code is not right", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 409, description = "None is in force", body = Refusal),
        (status = 429, description = "Too many that were not right", body = Refusal),
    ))]
pub async fn remove_totp(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<SecondFactorCode>,
) -> Result<Json<SecondFactor>, ApiError> {
    second_factor::remove(&app, actor.in_session(), form.code.text()).await?;
    tracing::info!(admin = %actor.admin.id, "second factor removed");
    Ok(Json(SecondFactor { enrolled: false, since: None, recovery_codes_left: 0 }))
}

/// Makes new recovery codes by a code. Those from before are good for nothing any more.
#[utoipa::path(post, path = "/api/admin/totp/recovery-codes", tag = "admin", security(("bearer" = [])),
    request_body = SecondFactorCode, responses(
        (status = 200, description = "The new ones", body = RecoveryCodes),
        (status = 400, description = "The code is not right", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 409, description = "No second factor is in force", body = Refusal),
        (status = 429, description = "Too many that were not right", body = Refusal),
    ))]
pub async fn renew_recovery_codes(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<SecondFactorCode>,
) -> Result<Json<RecoveryCodes>, ApiError> {
    let code = form.code.text();
    let recovery_codes = second_factor::renew_recovery_codes(&app, actor.in_session(), code).await?;
    tracing::info!(admin = %actor.admin.id, "recovery codes renewed");
    Ok(Json(RecoveryCodes { recovery_codes }))
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SteppedUp {
    /// How long the session may move money by it.
    #[schema(example = 300)]
    good_for_seconds: i64,
}

/// Gives a code: what moves money wants one of the last five minutes, a log-in's or this one, and is refused
/// with `stepUp: true` otherwise.
#[utoipa::path(post, path = "/api/admin/step-up", tag = "admin", security(("bearer" = [])),
    request_body = SecondFactorCode, responses(
        (status = 200, description = "Taken", body = SteppedUp),
        (status = 400, description = "The code is not right", body = Refusal),
        (status = 403, description = "Not an admin", body = Refusal),
        (status = 409, description = "No second factor is in force", body = Refusal),
        (status = 429, description = "Too many that were not right", body = Refusal),
    ))]
pub async fn step_up(
    State(app): State<App>,
    actor: Actor,
    Body(form): Body<SecondFactorCode>,
) -> Result<Json<SteppedUp>, ApiError> {
    second_factor::step_up(&app, actor.in_session(), form.code.text()).await?;
    Ok(Json(SteppedUp { good_for_seconds: app::accounts::step_up::FRESH_FOR.as_secs() }))
}
