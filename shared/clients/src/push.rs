//! Push services (RFC 8030): those of the browsers' makers, which hand a message to a phone. What is handed over is
//! encrypted for the browser; the address is a subscription's own, and only who asks may say that it is believed.

use std::time::Duration;

use reqwest::{
    StatusCode,
    header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE},
};

use crate::http::{self, Http, HttpFailure};

const TIME_LIMIT: Duration = Duration::from_secs(10);
/// An answer says nothing beside its status.
const BODY_LIMIT: usize = 64 * 1024;

/// A message on its way to one browser.
pub struct PushMessage {
    /// What signs it, whole: `vapid t=…, k=…`.
    pub authorization: String,
    /// How long the service keeps it for a phone that is off.
    pub keeps_for: Duration,
    /// Whether a phone that saves its battery is woken for it.
    pub urgent: bool,
    /// `aes128gcm`.
    pub body: Vec<u8>,
}

/// Why a message was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PushError {
    /// The browser has ended the subscription.
    #[error("the subscription is gone")]
    Gone,
    /// The service is down, busy, or was not reached.
    #[error("not answering ({0})")]
    NotAnswering(String),
    /// The service takes nothing of ours for this subscription as things stand.
    #[error("refused ({0})")]
    Refused(u16),
}

impl Http {
    /// Hands `message` to a push service, once.
    pub async fn push(&self, endpoint: &str, message: PushMessage) -> Result<(), PushError> {
        let request = self
            .post(endpoint)
            .header("ttl", message.keeps_for.as_secs())
            .header("urgency", if message.urgent { "high" } else { "normal" })
            .header(AUTHORIZATION, message.authorization)
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(CONTENT_TYPE, "application/octet-stream")
            .body(message.body);
        match http::exchange(request, TIME_LIMIT, BODY_LIMIT).await {
            Ok(answer) => judge(answer.status),
            // It has taken it, whatever it went on to say.
            Err(HttpFailure::TooLarge) => Ok(()),
            Err(HttpFailure::TimedOut) => Err(PushError::NotAnswering("time limit".to_owned())),
            Err(HttpFailure::NotSent(why) | HttpFailure::Broken(why)) => Err(PushError::NotAnswering(why)),
        }
    }
}

fn judge(status: StatusCode) -> Result<(), PushError> {
    match status.as_u16() {
        200..=299 => Ok(()),
        404 | 410 => Err(PushError::Gone),
        429 | 500..=599 => Err(PushError::NotAnswering(status.as_str().to_owned())),
        other => Err(PushError::Refused(other)),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case(201, Ok(()))]
    #[case(404, Err(PushError::Gone))]
    #[case(410, Err(PushError::Gone))]
    #[case(429, Err(PushError::NotAnswering("429".to_owned())))]
    #[case(503, Err(PushError::NotAnswering("503".to_owned())))]
    #[case::no_redirect_is_followed(307, Err(PushError::Refused(307)))]
    #[case::wrong_key(403, Err(PushError::Refused(403)))]
    fn an_answer_is_its_status(#[case] status: u16, #[case] judged: Result<(), PushError>) {
        assert_eq!(judge(StatusCode::from_u16(status).unwrap()), judged);
    }
}
