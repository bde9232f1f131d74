//! Top-up by a typed M-Pesa code (spec §2 "Main page", §4 "Typed code"): a player sends the code in, a
//! machine credits what M-Pesa bears out, an admin confirms the rest with its amount, or rejects it.

pub mod list;
pub mod review;

use app::{App, payments::typed_codes::submit};
use axum::{Json, extract::State};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::platform::http::{ApiError, Caller, Lenient, Refusal, Submission};

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TypedCode)]
pub struct TypedCodeForm {
    /// From M-Pesa's message; spaces and case do not matter.
    #[serde(default)]
    #[schema(value_type = String, required = true, example = "NLJ7RT61SV")]
    mpesa_code: Lenient,
}

/// The code is before an admin.
#[derive(Serialize, ToSchema)]
pub struct CodeTaken {
    #[schema(example = "Success wallet updated shortly")]
    message: &'static str,
    #[serde(rename = "_id")]
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    id: String,
}

/// Sends a typed code in. It is credited once M-Pesa has borne it out, or an admin has confirmed it;
/// nobody holds it before.
#[utoipa::path(post, path = "/api/manual-payment", tag = "manual payments", security(("bearer" = [])),
    params(("Idempotency-Key" = Option<String>, Header, description = "The same key and body act once")),
    request_body = TypedCodeForm, responses(
        (status = 200, description = "This player's same code waits already: that request", body = CodeTaken),
        (status = 201, description = "Taken", body = CodeTaken),
        (status = 400, description = "Not an M-Pesa code", body = Refusal),
        (status = 409, description = "This code has been credited, or the key is another request's",
            body = Refusal),
        (status = 429, description = "Too many codes today", body = Refusal),
    ))]
pub async fn submit_manual_payment(
    State(app): State<App>,
    Caller(player): Caller,
    Submission { form, key }: Submission<TypedCodeForm>,
) -> Result<(StatusCode, Json<CodeTaken>), ApiError> {
    let taken = submit::submit(&app, &player, form.mpesa_code.text(), key.as_ref()).await?;
    let status = if taken.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Json(CodeTaken { message: "Success wallet updated shortly", id: taken.id })))
}
