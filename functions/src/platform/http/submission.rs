//! A body with the `Idempotency-Key` that it may have been sent with; the same key and body act
//! once (docs/decisions.md, "Idempotency keys").

use app::platform::idempotency::RequestKey;
use axum::extract::{FromRequest, Request};
use domain::platform::idempotency::{self, KeyError};
use http::{HeaderMap, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{ApiError, Body, RefusalCode};

/// A JSON object, read into `T`, and the key of its request.
pub struct Submission<T> {
    pub form: T,
    pub key: Option<RequestKey>,
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Submission<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let key_hash = key_hash(request.headers()).map_err(ApiError::from)?;
        let Body(value) = Body::<Value>::from_request(request, state).await?;
        let key = key_hash.map(|key_hash| RequestKey { key_hash, body_hash: body_hash(&value) });
        Ok(Self { form: super::body::form(value)?, key })
    }
}

impl From<KeyError> for ApiError {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Malformed => Self::bad_request(error).code(RefusalCode::InvalidIdempotencyKey),
            KeyError::OtherBody => Self::conflict(error).code(RefusalCode::IdempotencyKeyReused),
            KeyError::UnderWay => {
                Self::new(StatusCode::CONFLICT, error).code(RefusalCode::StillProcessing).retry_after(2)
            }
        }
    }
}

fn key_hash(headers: &HeaderMap) -> Result<Option<String>, KeyError> {
    let mut given = headers.get_all("idempotency-key").iter();
    let Some(key) = given.next() else { return Ok(None) };
    if given.next().is_some() {
        return Err(KeyError::Malformed);
    }
    idempotency::check_key(key.as_bytes())?;
    Ok(Some(hex::encode(Sha256::digest(key.as_bytes()))))
}

fn body_hash(body: &Value) -> String {
    let mut canonical = String::new();
    write_canonical(body, &mut canonical);
    hex::encode(Sha256::digest(canonical))
}

/// The same text for the same JSON, however its fields are ordered and spaced.
fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort_unstable();
            out.push('{');
            for name in names {
                out.push_str(&Value::from(name.as_str()).to_string());
                out.push(':');
                write_canonical(&fields[name], out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        plain => out.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(text: &str) -> String {
        body_hash(&serde_json::from_str(text).unwrap())
    }

    #[test]
    fn a_body_is_the_same_however_it_is_written() {
        let one = hash(r#"{"a": 1, "b": {"x": [1, "2"], "y": null}}"#);
        assert_eq!(one, hash(r#"{"b":{"y":null,"x":[1,"2"]},"a":1}"#));
        for other in [
            r#"{"a": "1", "b": {"x": [1, "2"], "y": null}}"#,
            r#"{"a": 1, "b": {"x": ["2", 1], "y": null}}"#,
            r#"{"a": 1, "b": {"x": [1, "2"]}}"#,
            r#"{"a": 1}"#,
        ] {
            assert_ne!(one, hash(other), "{other}");
        }
    }
}
