//! Bodies: JSON in, whatever the sender calls it; a field of the wrong type is met with that field's
//! own text, so fields are read loosely and judged by the rules.

use axum::extract::{FromRequest, OptionalFromRequest, Request};
use http::StatusCode;
use jiff::Timestamp;
use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;

use super::ApiError;

/// A reason has this many characters at most.
const LONGEST_REASON: usize = 200;

/// Larger bodies are refused (docs/security.md, "Input").
pub const LIMIT: usize = 64 * 1024;

/// A JSON object, read into `T`; `Option<Body<T>>` where it may be left out.
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let bytes = read(request).await?;
        object(&bytes)
    }
}

impl<S: Send + Sync, T: DeserializeOwned> OptionalFromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Option<Self>, ApiError> {
        let bytes = read(request).await?;
        if bytes.is_empty() { Ok(None) } else { object(&bytes).map(Some) }
    }
}

fn object<T: DeserializeOwned>(bytes: &[u8]) -> Result<Body<T>, ApiError> {
    let value: Value = serde_json::from_slice(bytes).map_err(|_| malformed())?;
    if !value.is_object() {
        return Err(malformed());
    }
    form(value).map(Body)
}

/// The object as a form.
pub(super) fn form<T: DeserializeOwned>(object: Value) -> Result<T, ApiError> {
    serde_json::from_value(object).map_err(|_| malformed())
}

fn malformed() -> ApiError {
    ApiError::bad_request("The request body must be a JSON object.")
}

/// The whole body, as far as it is within the limit.
pub async fn read(request: Request) -> Result<Vec<u8>, ApiError> {
    let too_large = || ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "The request body is too large.");
    match axum::body::to_bytes(request.into_body(), LIMIT).await {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(error) => {
            let limit = std::error::Error::source(&error)
                .is_some_and(|source| source.is::<http_body_util::LengthLimitError>());
            Err(if limit { too_large() } else { ApiError::bad_request("The request body broke off.") })
        }
    }
}

/// A field that may be missing or of any type.
#[derive(Debug, Clone, Default)]
pub struct Lenient(Option<Value>);

impl<'de> Deserialize<'de> for Lenient {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(|value| Self(Some(value)))
    }
}

impl Lenient {
    /// Its text; empty where it is missing or no text, so that the field's own rule refuses it.
    #[must_use]
    pub fn text(&self) -> &str {
        self.0.as_ref().and_then(Value::as_str).unwrap_or_default()
    }

    /// Its text, as [`Self::text`] reads it, where it was not left out.
    #[must_use]
    pub fn sent_text(&self) -> Option<&str> {
        (!self.is_absent()).then(|| self.text())
    }

    /// Its text, where it was not left out.
    pub fn text_if_any(&self, name: &str) -> Result<Option<&str>, ApiError> {
        match &self.0 {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(ApiError::bad_request(format!("{name} is a text."))),
        }
    }

    /// Its texts, where it is a list of nothing else.
    #[must_use]
    pub fn texts(&self) -> Option<Vec<&str>> {
        self.0.as_ref()?.as_array()?.iter().map(Value::as_str).collect()
    }

    /// Its whole number, where it is one.
    #[must_use]
    pub fn integer(&self) -> Option<i64> {
        self.0.as_ref().and_then(Value::as_i64)
    }

    /// Its truth value, where it was not left out.
    pub fn boolean(&self, name: &str) -> Result<Option<bool>, ApiError> {
        match &self.0 {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(value)) => Ok(Some(*value)),
            Some(_) => Err(ApiError::bad_request(format!("{name} is true or false."))),
        }
    }

    /// Its instant, where it was not left out.
    pub fn instant(&self, name: &str) -> Result<Option<Timestamp>, ApiError> {
        let Some(text) = self.text_if_any(name)? else { return Ok(None) };
        let instant = text.parse::<Timestamp>();
        instant.map(Some).map_err(|_| ApiError::bad_request(format!("{name} is a time in RFC 3339.")))
    }

    /// Its text as the reason of an act.
    pub fn reason(&self) -> Result<String, ApiError> {
        let reason = self.text().trim();
        if reason.is_empty() || reason.chars().count() > LONGEST_REASON {
            return Err(ApiError::bad_request("Give a reason of at most 200 characters."));
        }
        Ok(reason.to_owned())
    }

    /// Whether it is `true`.
    #[must_use]
    pub fn is_true(&self) -> bool {
        self.0 == Some(Value::Bool(true))
    }

    /// Whether it was left out, or null.
    #[must_use]
    pub fn is_absent(&self) -> bool {
        matches!(self.0, None | Some(Value::Null))
    }
}
