//! M-Pesa with the one token that all functions share: whoever finds it old renews it, and an
//! invalid-token answer renews it once (docs/daraja.md).

use std::time::Duration;

use clients::daraja::{
    DarajaCredentials, DarajaError, Initiator, OrderAccepted, PaybillUrls, PayoutOrder, PushAccepted,
    QueryAnswer, ResultUrls, StatusOf, StkPush,
};
use jiff::SignedDuration;
use store::platform::tokens::SharedToken;

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, Refusal},
        secrets::names,
    },
};

/// A token is renewed this long before it ends.
const RENEWED_BEFORE_END: SignedDuration = SignedDuration::from_mins(10);
/// A function that has claimed the renewal and does not end it is given up after this long.
const RENEWAL_TAKES: SignedDuration = SignedDuration::from_secs(15);
/// A token that is refused this soon is not what is wrong.
const NOT_AT_FAULT_FOR: SignedDuration = SignedDuration::from_secs(30);
/// The others look this often, and this many times: some eight seconds in all.
const RENEWAL_POLLED_EVERY: Duration = Duration::from_millis(100);
const RENEWAL_POLLS: u32 = 80;

/// What M-Pesa says to a call; what fails besides is the table or the secrets.
impl Refusal for DarajaError {}

impl App {
    /// Puts a prompt on a phone, with the token that was kept a moment ago, where it is still good. Nothing was sent
    /// where it failed.
    pub async fn push(&self, push: &StkPush, kept: Option<SharedToken>) -> Flow<PushAccepted, DarajaError> {
        let (passkey, now) = (self.secrets().passkey().await?, self.clock().now());
        let (passkey, daraja) = (&passkey, self.daraja());
        let call = |token: String| async move { daraja.push(&token, passkey, push, now).await };
        self.signed_in_by(kept, call).await
    }

    /// Asks what became of a prompt. A refusal says nothing about the payment.
    pub async fn query(&self, id: &str) -> Flow<QueryAnswer, DarajaError> {
        let (passkey, now) = (self.secrets().passkey().await?, self.clock().now());
        let (passkey, daraja) = (&passkey, self.daraja());
        self.signed_in(|token| async move { daraja.query(&token, passkey, id, now).await }).await
    }

    /// Orders a payout as the initiator that may pay out. If it ends as `Failed`, nothing was sent.
    pub async fn pay_out(&self, payout: &PayoutOrder) -> Flow<OrderAccepted, DarajaError> {
        let name = &self.config().daraja.b2c_initiator;
        let initiator = self.secrets().initiator(name, names::B2C_INITIATOR_PASSWORD).await?;
        let (initiator, daraja) = (&initiator, self.daraja());
        self.signed_in(|token| async move { daraja.pay_out(&token, initiator, payout).await }).await
    }

    /// Asks what became of a transaction of `shortcode`; the answer names `id`. A refusal says nothing about the
    /// transaction.
    pub async fn ask_status(
        &self,
        of: StatusOf<'_>,
        shortcode: &str,
        id: &str,
    ) -> Flow<OrderAccepted, DarajaError> {
        let (initiator, urls) = (self.asker().await?, self.answer_urls(id).await?);
        let (initiator, urls, daraja) = (&initiator, &urls, self.daraja());
        self.signed_in(|token| async move { daraja.ask_status(&token, initiator, of, shortcode, urls).await })
            .await
    }

    /// Asks what is in the accounts of `shortcode`; the answer names `id`.
    pub async fn ask_balance(&self, shortcode: &str, id: &str) -> Flow<OrderAccepted, DarajaError> {
        let (initiator, urls) = (self.asker().await?, self.answer_urls(id).await?);
        let (initiator, urls, daraja) = (&initiator, &urls, self.daraja());
        self.signed_in(|token| async move { daraja.ask_balance(&token, initiator, shortcode, urls).await })
            .await
    }

    /// Tells M-Pesa where to confirm payments to the paybill.
    pub async fn register_paybill(&self, shortcode: &str, urls: &PaybillUrls) -> Flow<(), DarajaError> {
        let daraja = self.daraja();
        self.signed_in(|token| async move { daraja.register_paybill(&token, shortcode, urls).await }).await
    }

    /// The addresses of two hooks, with their macs.
    pub(crate) async fn result_urls(&self, result: &str, timeout: &str) -> Result<ResultUrls, AppError> {
        let (origin, secrets) = (&self.config().public_origin, self.secrets());
        Ok(ResultUrls {
            result: format!("{origin}{}", secrets.hook_path(result).await?),
            timeout: format!("{origin}{}", secrets.hook_path(timeout).await?),
        })
    }

    /// Where the answer to a question about `id` is posted, and that it timed out: both are looked at
    /// as answers, and one that says nothing changes nothing.
    async fn answer_urls(&self, id: &str) -> Result<ResultUrls, AppError> {
        let path = format!("/hooks/status/{id}");
        self.result_urls(&path, &path).await
    }

    /// The initiator that may query.
    async fn asker(&self) -> Result<Initiator, AppError> {
        let name = &self.config().daraja.query_initiator;
        self.secrets().initiator(name, names::QUERY_INITIATOR_PASSWORD).await
    }

    /// Calls with the shared token, and once more with another where Daraja does not take it.
    async fn signed_in<T, F: Future<Output = Result<T, DarajaError>>>(
        &self,
        call: impl Fn(String) -> F,
    ) -> Flow<T, DarajaError> {
        self.signed_in_by(None, call).await
    }

    /// The same with the token that was read of the table before, where it was one.
    async fn signed_in_by<T, F: Future<Output = Result<T, DarajaError>>>(
        &self,
        kept: Option<SharedToken>,
        call: impl Fn(String) -> F,
    ) -> Flow<T, DarajaError> {
        let now = self.clock().now();
        let credentials = self.secrets().daraja().await?;
        let good = |kept: &SharedToken| now < kept.renew_at;
        let first = match kept.filter(good) {
            Some(kept) => kept,
            None => self.token(&credentials, good).await?,
        };
        let answer = call(first.token.clone()).await;
        if !matches!(answer, Err(DarajaError::InvalidToken)) {
            return Ok(answer?);
        }
        // Daraja refuses an initiator or a product that is out of order with every token: a sign-in for each of its
        // calls would end the token of all others again and again.
        let kept = self.store().daraja_token().await?;
        let is_kept = kept.is_none_or(|kept| kept.token == first.token);
        if is_kept && now < first.signed_in_at + NOT_AT_FAULT_FOR {
            tracing::error!("M-Pesa refuses a token that is new");
            return Ok(answer?);
        }
        // The one that somebody else has renewed meanwhile, or a new one.
        let other = self.token(&credentials, |kept| kept.token != first.token).await?;
        Ok(call(other.token).await?)
    }

    /// The kept token where it is `good`, or the one of a sign-in. One function signs in, since each
    /// sign-in ends the token before it; the others wait for what it keeps.
    async fn token(
        &self,
        credentials: &DarajaCredentials,
        good: impl Fn(&SharedToken) -> bool,
    ) -> Flow<SharedToken, DarajaError> {
        let renewal = store::random_id();
        for _ in 0..RENEWAL_POLLS {
            let kept = self.store().daraja_token().await?;
            if let Some(token) = kept.as_ref().filter(|kept| good(kept)) {
                return Ok(token.clone());
            }
            let now = self.clock().now();
            let until = now + RENEWAL_TAKES;
            if self.store().claim_daraja_renewal(&renewal, kept.as_ref(), now, until).await? {
                return self.sign_in(credentials, renewal).await;
            }
            tokio::time::sleep(RENEWAL_POLLED_EVERY).await;
        }
        Err(DarajaError::Busy.into())
    }

    async fn sign_in(
        &self,
        credentials: &DarajaCredentials,
        renewal: String,
    ) -> Flow<SharedToken, DarajaError> {
        let signed_in = match self.daraja().sign_in(credentials).await {
            Ok(signed_in) => signed_in,
            Err(error) => {
                // Whatever it was, nothing but a sign-in was sent: no prompt can come of it.
                tracing::warn!(?error, "M-Pesa does not let us sign in");
                self.store().end_daraja_renewal(&renewal, None).await?;
                return Err(DarajaError::Busy.into());
            }
        };
        let life = SignedDuration::from_secs(i64::from(signed_in.expires_in_seconds));
        let signed_in_at = self.clock().now();
        let next = SharedToken {
            token: signed_in.token,
            renew_at: signed_in_at + (life - RENEWED_BEFORE_END).max(SignedDuration::ZERO),
            signed_in_at,
        };
        self.store().end_daraja_renewal(&renewal, Some(&next)).await?;
        Ok(next)
    }
}
