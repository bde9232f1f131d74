//! What can go wrong with a call to Daraja, told apart by what it means for a prompt.
//!
//! Invariants: an error that says "not sent" is one where nothing can have reached the phone; a text from
//! outside is kept without access tokens and without long runs of digits, so no token and no phone number
//! gets into a log (`words`).

use super::words::kept;
use crate::http::HttpFailure;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DarajaError {
    /// Our own request breaks Daraja's rules for its fields: it was not sent.
    #[error("the request was not sent: {0}")]
    Invalid(&'static str),
    /// The token has expired or was replaced: sign in once and try again.
    #[error("Daraja does not accept the access token")]
    InvalidToken,
    /// Refused before M-Pesa acted. The code is Daraja's `errorCode` or `ResponseCode`, or
    /// `HTTP <status>` where it gave none.
    #[error("Daraja refused: {code} {message}")]
    Refused { code: String, message: String },
    /// Refused for load before M-Pesa acted (500.003.02, 500.003.03), tries included.
    #[error("Daraja is busy")]
    Busy,
    /// That phone has another transaction under way (wait at least a minute).
    #[error("another transaction of this subscriber is under way")]
    SubscriberLocked,
    /// A payout of this id is there already (500.002.1001): an earlier call did arrive.
    #[error("Daraja has this payout already")]
    Duplicate,
    /// An error inside Daraja: what became of the request is unknown.
    #[error("Daraja failed: {code} {message}")]
    ServerError { code: String, message: String },
    /// No connection was made: nothing was sent.
    #[error("Daraja cannot be reached")]
    Unreachable { reason: String },
    /// The connection broke under way: what became of the request is unknown.
    #[error("the connection to Daraja broke")]
    Interrupted { reason: String },
    /// No answer in time: what became of the request is unknown.
    #[error("Daraja did not answer in time")]
    TimedOut,
    /// An answer that is none of the documented ones: what became of the request is unknown.
    #[error("Daraja's answer cannot be read")]
    Malformed { reason: String },
}

impl DarajaError {
    /// Whether a call that ended so certainly did nothing. Where this is false the phone may be asking
    /// for a PIN, or the money be on its way: it stays open until Daraja says what became of it.
    pub fn definitely_not_sent(&self) -> bool {
        match self {
            Self::Invalid(_)
            | Self::InvalidToken
            | Self::Refused { .. }
            | Self::Busy
            | Self::SubscriberLocked
            | Self::Unreachable { .. } => true,
            Self::Duplicate
            | Self::ServerError { .. }
            | Self::Interrupted { .. }
            | Self::TimedOut
            | Self::Malformed { .. } => false,
        }
    }

    pub(super) fn refused(code: impl Into<String>, message: &str) -> Self {
        Self::Refused { code: code.into(), message: kept(message) }
    }

    pub(super) fn server_error(code: impl Into<String>, message: &str) -> Self {
        Self::ServerError { code: code.into(), message: kept(message) }
    }

    pub(super) fn malformed(reason: &str) -> Self {
        Self::Malformed { reason: kept(reason) }
    }
}

impl From<HttpFailure> for DarajaError {
    fn from(failure: HttpFailure) -> Self {
        match failure {
            HttpFailure::NotSent(reason) => Self::Unreachable { reason },
            HttpFailure::Broken(reason) => Self::Interrupted { reason },
            HttpFailure::TimedOut => Self::TimedOut,
            HttpFailure::TooLarge => Self::malformed("the answer is too large"),
        }
    }
}

/// What is wrong with JSON from outside, without quoting what was in it.
pub(super) fn unreadable(error: &serde_json::Error) -> String {
    let text = error.to_string();
    if !error.is_data() || text.starts_with("missing field") {
        return text;
    }
    format!("a value of another type at line {} column {}", error.line(), error.column())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case("{\"code\": \"ours?\"}", "a value of another type at line 1 column 16")]
    #[case("{}", "missing field `code` at line 1 column 2")]
    #[case("{\"code\"", "EOF while parsing an object at line 1 column 7")]
    fn json_from_outside_is_not_quoted(#[case] json: &str, #[case] text: &str) {
        #[derive(Debug, serde::Deserialize)]
        struct Wanted {
            #[expect(dead_code, reason = "only read")]
            code: u8,
        }
        assert_eq!(unreadable(&serde_json::from_str::<Wanted>(json).unwrap_err()), text);
    }
}
