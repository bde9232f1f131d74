//! Top-up by a typed M-Pesa code (spec §2 "Main page", §4 "Typed code"): a player sends the code in, a
//! machine credits what M-Pesa bears out, an admin confirms the rest with its amount, or rejects it.

pub mod list;
pub mod review;

use app::{
    App,
    payments::typed_codes,
    platform::{
        idempotency::{self, KeyCheck},
        limits,
    },
};
use axum::{Json, extract::State};
use domain::{
    payments::typed_code::{ReceiptCode, Status, TypedCodeError},
    platform::idempotency::{Call, KeyError},
};
use http::StatusCode;
use serde::{Deserialize, Serialize};
use store::{
    accounts::players::Player,
    payments::typed_codes::{Submitted, TypedCode},
    platform::idempotency::Binding,
    random_id,
};
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
    message: &'static str,
    #[serde(rename = "_id")]
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
        (status = 401, description = "Not logged in", body = Refusal),
        (status = 409, description = "This code has been credited, or the key is another request's",
            body = Refusal),
        (status = 429, description = "Too many codes today", body = Refusal),
    ))]
pub async fn submit_manual_payment(
    State(app): State<App>,
    Caller(player): Caller,
    Submission { form, key }: Submission<TypedCodeForm>,
) -> Result<(StatusCode, Json<CodeTaken>), ApiError> {
    let check = async || idempotency::check(&app, &player.id, Call::TypedCode, key.as_ref()).await;
    let binding = match check().await?? {
        KeyCheck::Again(id) => return Ok(taken(StatusCode::CREATED, id)),
        KeyCheck::Act(binding) => binding,
    };
    match submit(&app, &player, &form, binding).await {
        // Of two at once, the one that is refused because the other has acted has its answer too.
        Err(refused) if key.is_some() => match check().await?? {
            KeyCheck::Again(id) => Ok(taken(StatusCode::CREATED, id)),
            KeyCheck::Act(_) => Err(refused),
        },
        outcome => outcome,
    }
}

async fn submit(
    app: &App,
    player: &Player,
    form: &TypedCodeForm,
    binding: Option<Binding>,
) -> Result<(StatusCode, Json<CodeTaken>), ApiError> {
    let code = ReceiptCode::parse(form.mpesa_code.text()).map_err(ApiError::bad_request)?;
    let typed_code = TypedCode {
        id: random_id(),
        user_id: player.id.clone(),
        username: player.username.clone(),
        code,
        status: Status::Pending,
        created_at: app.clock().now(),
        ended_at: None,
        ended_by: None,
        amount: None,
        reason: None,
        known: None,
        next_check: None,
        checks_over: false,
    };
    let counter = limits::typed_codes(&player.id);
    match app.store().submit_typed_code(&typed_code, &counter, binding.as_ref()).await? {
        Submitted::New => {
            typed_codes::process_soon(app, &typed_code.id).await;
            Ok(taken(StatusCode::CREATED, typed_code.id))
        }
        // Nothing was made for a key to stand for; the code itself is the key.
        Submitted::Waiting(id) => {
            typed_codes::process_soon(app, &id).await;
            Ok(taken(StatusCode::OK, id))
        }
        Submitted::AlreadyCredited => Err(ApiError::conflict(TypedCodeError::AlreadyCredited)),
        Submitted::Limited(limited) => Err(limited.into()),
        Submitted::KeyTaken => Err(KeyError::UnderWay.into()),
    }
}

fn taken(status: StatusCode, id: String) -> (StatusCode, Json<CodeTaken>) {
    (status, Json(CodeTaken { message: "Success wallet updated shortly", id }))
}
