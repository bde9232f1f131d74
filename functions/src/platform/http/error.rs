//! Refusals: `{"message": "…", "code": "…"}` with the right status. What went wrong inside is logged once, here,
//! and never shown.

use app::{AppError, platform::flow::FlowError};
use axum::{
    Json,
    response::{IntoResponse, Response},
};
use domain::platform::limits::Limited;
use http::{HeaderValue, StatusCode, header};
use serde_json::{Map, Value, json};
use store::StoreError;
use utoipa::ToSchema;

use super::RefusalCode;

/// The body of every refusal.
#[derive(serde::Serialize, ToSchema)]
#[schema(example = json!({"message": "The deadline has passed.", "code": "deadline_passed"}))]
pub struct Refusal {
    /// For the player, in plain words.
    #[schema(example = "The deadline has passed.")]
    pub message: String,
    /// Which rule it is.
    pub code: RefusalCode,
}

/// The body where it went wrong on our side.
#[derive(serde::Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// Always the same, but of a payout that M-Pesa did not accept.
    #[schema(example = "Something went wrong on our side. Nothing was lost. Please try again.")]
    message: String,
    /// `failed`, `unavailable` or `not_set_up`.
    code: RefusalCode,
    /// Names the request in our log.
    #[schema(example = "0198c6f8d1b87a3c9f5e2b7a4c1d0e6f")]
    request_id: String,
}

/// A refusal on its way out.
#[derive(Debug, Clone)]
pub struct ApiError {
    status: StatusCode,
    code: RefusalCode,
    message: String,
    retry_after_seconds: Option<u32>,
    extra: Map<String, Value>,
}

pub(crate) const TRY_AGAIN: &str = "Something went wrong on our side. Nothing was lost. Please try again.";
/// What is missing is for the log alone.
const NOT_SET_UP: &str = "This is not set up yet. Nothing was lost. Please tell the operator.";

impl ApiError {
    pub fn new(status: StatusCode, message: impl ToString) -> Self {
        let code = RefusalCode::of(status);
        Self { status, code, message: message.to_string(), retry_after_seconds: None, extra: Map::new() }
    }

    /// With the code of the rule that refused; without, the status has one.
    #[must_use]
    pub fn code(mut self, code: RefusalCode) -> Self {
        self.code = code;
        self
    }

    pub fn status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    pub fn bad_request(message: impl ToString) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    pub fn unauthorized() -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "Please log in.")
    }

    pub fn forbidden() -> Self {
        Self::new(StatusCode::FORBIDDEN, "You are not allowed to do this.")
    }

    pub fn not_found(message: impl ToString) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    pub fn conflict(message: impl ToString) -> Self {
        Self::new(StatusCode::CONFLICT, message)
    }

    /// With one more field in the body: `success: false`, for one.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(field.to_owned(), value.into());
        self
    }

    /// The operator has to set something up first.
    pub fn not_set_up() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, NOT_SET_UP).code(RefusalCode::NotSetUp)
    }

    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.retry_after_seconds = Some(seconds);
        self
    }

    /// The fields of the body.
    pub(super) fn fields(&self) -> Map<String, Value> {
        let mut fields = self.extra.clone();
        fields.insert("message".to_owned(), Value::String(self.message.clone()));
        fields.insert("code".to_owned(), json!(self.code));
        fields
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(self.fields())).into_response();
        if let Some(seconds) = self.retry_after_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Limited> for ApiError {
    fn from(limited: Limited) -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, limited).retry_after(limited.retry_after)
    }
}

/// A call's answer: where it is a refusal, whoever refused, the handler or what stands before it, as `with` has it.
pub(crate) async fn complete(mut answer: Response, with: fn(ApiError) -> ApiError) -> Response {
    match answer.extensions_mut().remove::<ApiError>() {
        Some(refusal) => with(refusal).into_response(),
        None => answer,
    }
}

/// For the calls whose refusals carry `success: false` (spec §3).
pub fn with_success_false(refusal: ApiError) -> ApiError {
    refusal.with("success", false)
}

/// For the call whose refusals carry the text in `error` as well, as its form reads it (spec §7).
pub fn with_text_in_error(refusal: ApiError) -> ApiError {
    let text = refusal.message.clone();
    refusal.with("error", text)
}

/// A flow's refusals are given their status where the flow's calls are, by `From<…> for ApiError`.
impl<R: Into<ApiError>> From<FlowError<R>> for ApiError {
    fn from(error: FlowError<R>) -> Self {
        match error {
            FlowError::Refused(refusal) => refusal.into(),
            FlowError::Failed(failure) => failure.into(),
        }
    }
}

impl From<AppError> for ApiError {
    fn from(error: AppError) -> Self {
        if let AppError::Store(StoreError::Withheld(why)) = error {
            return Self::conflict(why);
        }
        tracing::error!(%error, alarm = error.alarm(), "a request failed");
        match error {
            not_set_up if not_set_up.is_not_set_up() => Self::not_set_up(),
            AppError::Unavailable(_)
            | AppError::Store(StoreError::Unavailable(_) | StoreError::Contended(_)) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, TRY_AGAIN).retry_after(1)
            }
            _ => Self::new(StatusCode::INTERNAL_SERVER_ERROR, TRY_AGAIN),
        }
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        AppError::from(error).into()
    }
}
