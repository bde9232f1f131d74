//! Forgotten passwords (spec §2, §4, §8): a link by mail, and a new password by the link.

use app::App;
use axum::{
    Json,
    extract::{Path, State},
};
use domain::{Email, Password};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Body, CallerAddress, Lenient, Refusal};

#[derive(Deserialize, ToSchema)]
pub struct ForgottenPassword {
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "wanjiku@example.co.ke")]
    email: Lenient,
}

#[derive(Serialize, ToSchema)]
pub struct LinkSent {
    /// The same whether the email is an account's or not.
    #[schema(example = "If the email exists, a reset link has been sent.")]
    message: &'static str,
}

/// Has a link for a new password sent. Whether the email is an account's shows neither in the answer
/// nor in its time: that is looked up when the mail is sent.
#[utoipa::path(post, path = "/api/forgot-password", tag = "auth", request_body = ForgottenPassword, responses(
    (status = 200, description = "Sent, if there is such an account", body = LinkSent),
    (status = 400, description = "Not an email", body = Refusal),
    (status = 429, description = "Asked for too often for this account", body = Refusal),
))]
pub async fn forgot_password(
    State(app): State<App>,
    address: CallerAddress,
    Body(form): Body<ForgottenPassword>,
) -> Result<Json<LinkSent>, ApiError> {
    app.ask_for_reset(Email::parse(form.email.text())?, address.ip()).await?;
    Ok(Json(LinkSent { message: "If the email exists, a reset link has been sent." }))
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPassword {
    /// At least 6 characters once trimmed, and not one of the commonest.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "correct horse")]
    new_password: Lenient,
}

#[derive(Serialize, ToSchema)]
pub struct PasswordReset {
    #[schema(example = "Password has been reset successfully.")]
    message: &'static str,
}

/// Sets a new password and ends every session of the account. A link is good once, for thirty
/// minutes, and until a newer one is sent.
#[utoipa::path(post, path = "/api/reset-password/{token}", tag = "auth",
    params(("token" = String, Path, description = "From the link",
        example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae")),
    request_body = NewPassword, responses(
        (status = 200, description = "The password is set", body = PasswordReset),
        (status = 400, description = "The password is not in order, or the link not good any more",
            body = Refusal, example = json!({"message": "Invalid or expired token.", "code": "invalid_token"})),
    ))]
pub async fn reset_password(
    State(app): State<App>,
    Path(token): Path<String>,
    Body(form): Body<NewPassword>,
) -> Result<Json<PasswordReset>, ApiError> {
    app.reset_password(&token, Password::choose(form.new_password.text())?).await?;
    Ok(Json(PasswordReset { message: "Password has been reset successfully." }))
}
