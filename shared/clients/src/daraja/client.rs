//! The calls: sign in, push, query (those of an initiator are in `payouts.rs`). What their answers mean
//! is `reply.rs`'s business.
//!
//! Invariants: one `Timestamp` text per request, in its body and in its password; only an answer
//! that says "busy" is tried again, since nothing else is known to have stopped before M-Pesa.

use std::{sync::Arc, time::Duration};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::{Timestamp, tz::Offset};
use reqwest::RequestBuilder;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    DarajaError, StkPush, debug_shows,
    reply::{self, AccessToken, PushAccepted, QueryAnswer},
};
use crate::{
    Backoff,
    http::{self, Http, HttpAnswer},
};

const BODY_LIMIT: usize = 1024 * 1024;
/// A shorter text is no token: it may stand anywhere.
const SHORTEST_TOKEN: usize = 8;
/// Kenya keeps UTC+3 all year.
pub(super) const EAST_AFRICA_TIME: Offset = Offset::constant(3);

/// Whose shop this is, and where Daraja is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DarajaConfig {
    /// `https://api.safaricom.co.ke`, the sandbox's, or a stand-in's.
    pub base_url: String,
    /// 5 to 7 digits.
    pub shortcode: String,
    /// Who receives the money, in digits: the shortcode itself, or the till.
    pub party_b: String,
    /// `CustomerPayBillOnline`, or `CustomerBuyGoodsOnline` for a till.
    pub transaction_type: String,
    /// For one call, its tries included.
    pub time_limit: Duration,
}

/// What the app signs in by. Never in a log: `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct DarajaCredentials {
    pub consumer_key: String,
    pub consumer_secret: String,
}

debug_shows!(DarajaCredentials:);

/// What pushes and queries are signed with. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Passkey(pub String);

debug_shows!(Passkey:);

#[derive(Debug, Clone)]
pub struct Daraja {
    config: Arc<DarajaConfig>,
    http: Http,
    backoff: Backoff,
}

impl Daraja {
    pub fn new(config: DarajaConfig, http: Http) -> Self {
        Self { config: Arc::new(config), http, backoff: Backoff::short() }
    }

    /// Other tries and waits than [`Backoff::short`] after a "busy".
    #[must_use]
    pub fn with_backoff(mut self, backoff: Backoff) -> Self {
        self.backoff = backoff;
        self
    }

    /// A new access token. It ends every earlier one.
    pub async fn sign_in(&self, credentials: &DarajaCredentials) -> Result<AccessToken, DarajaError> {
        let url = self.url("/oauth/v1/generate?grant_type=client_credentials");
        let request = || {
            let secret = Some(&credentials.consumer_secret);
            self.http.get(&url).basic_auth(&credentials.consumer_key, secret)
        };
        self.call(request, reply::token).await
    }

    /// Puts a prompt on a phone. An error leaves it open whether the phone was reached, unless
    /// [`DarajaError::definitely_not_sent`] says otherwise.
    pub async fn push(
        &self,
        token: &str,
        passkey: &Passkey,
        push: &StkPush,
        now: Timestamp,
    ) -> Result<PushAccepted, DarajaError> {
        let phone = push.checked_phone()?;
        let party_b: u64 = (self.config.party_b.parse())
            .map_err(|_| DarajaError::Invalid("the receiving party is not a number"))?;
        let timestamp = timestamp(now);
        let body = json!({
            "BusinessShortCode": self.config.shortcode,
            "Password": self.password(passkey, &timestamp),
            "Timestamp": timestamp,
            "TransactionType": self.config.transaction_type,
            "Amount": push.amount,
            "PartyA": phone,
            "PartyB": party_b,
            "PhoneNumber": phone,
            "CallBackURL": push.callback_url,
            "AccountReference": push.account_reference,
            "TransactionDesc": push.description,
        });
        self.post("/mpesa/stkpush/v1/processrequest", token, &body, reply::push).await
    }

    /// Asks what became of a push. An error says nothing about the payment.
    pub async fn query(
        &self,
        token: &str,
        passkey: &Passkey,
        checkout_request_id: &str,
        now: Timestamp,
    ) -> Result<QueryAnswer, DarajaError> {
        let timestamp = timestamp(now);
        let body = json!({
            "BusinessShortCode": self.config.shortcode,
            "Password": self.password(passkey, &timestamp),
            "Timestamp": timestamp,
            "CheckoutRequestID": checkout_request_id,
        });
        let read = |answer: &HttpAnswer| reply::query(checkout_request_id, answer);
        self.post("/mpesa/stkpushquery/v1/query", token, &body, read).await
    }

    /// A signed-in POST, read by `read`.
    pub(super) async fn post<T>(
        &self,
        path: &str,
        token: &str,
        body: &Value,
        read: impl Fn(&HttpAnswer) -> Result<T, DarajaError>,
    ) -> Result<T, DarajaError> {
        let url = self.url(path);
        let read = |answer: &HttpAnswer| read(&without(token, answer));
        self.call(|| self.http.post(&url).bearer_auth(token).json(body), read).await
    }

    /// One call within the time limit, tried again only while Daraja says that it is busy.
    async fn call<T>(
        &self,
        request: impl Fn() -> RequestBuilder,
        read: impl Fn(&HttpAnswer) -> Result<T, DarajaError>,
    ) -> Result<T, DarajaError> {
        let started = Instant::now();
        let limit = self.config.time_limit;
        let mut tries = 0;
        loop {
            let left = limit.saturating_sub(started.elapsed());
            let answer = http::exchange(request(), left, BODY_LIMIT).await?;
            let result = read(&answer);
            if !matches!(result, Err(DarajaError::Busy)) {
                return result;
            }
            tries += 1;
            let left = limit.saturating_sub(started.elapsed());
            match self.backoff.after(tries) {
                Some(wait) if wait < left => tokio::time::sleep(wait).await,
                _ => return result,
            }
        }
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.config.base_url.trim_end_matches('/'))
    }

    fn password(&self, passkey: &Passkey, timestamp: &str) -> String {
        let shortcode = &self.config.shortcode;
        STANDARD.encode(format!("{shortcode}{}{timestamp}", passkey.0))
    }
}

/// `answer` without the very token that it was asked with: whatever is made of its texts, that one is in
/// none of them.
fn without(token: &str, answer: &HttpAnswer) -> HttpAnswer {
    let text = String::from_utf8_lossy(&answer.body);
    let body = if token.len() >= SHORTEST_TOKEN && text.contains(token) {
        text.replace(token, "…").into_bytes()
    } else {
        answer.body.clone()
    };
    HttpAnswer { status: answer.status, retry_after: answer.retry_after, body }
}

/// `YYYYMMDDHHmmss`, East Africa Time.
fn timestamp(now: Timestamp) -> String {
    EAST_AFRICA_TIME.to_datetime(now).strftime("%Y%m%d%H%M%S").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timestamp_is_in_east_africa_time() {
        let late: Timestamp = "2026-08-20T21:30:05.9Z".parse().expect("an instant");
        assert_eq!(timestamp(late), "20260821003005");
    }

    #[test]
    fn secrets_are_not_shown() {
        let credentials =
            DarajaCredentials { consumer_key: "the-key".into(), consumer_secret: "the-secret".into() };
        let passkey = Passkey("the-passkey".into());
        let token = AccessToken { token: "the-token".into(), expires_in_seconds: 3599 };
        let shown = format!("{credentials:?} {passkey:?} {token:?}");
        assert!(!shown.contains("the-"), "{shown}");
        assert!(shown.contains("3599"));
    }
}
