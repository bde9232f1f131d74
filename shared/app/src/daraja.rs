//! M-Pesa with the one token that all functions share: whoever finds it old renews it, and an
//! invalid-token answer renews it once (facts/daraja.md).

use clients::daraja::{Daraja, DarajaCredentials, DarajaError, PushAccepted, QueryAnswer, StkPush};
use jiff::SignedDuration;
use store::tokens::SharedToken;

use crate::{App, AppError};

/// A token is renewed this long before it ends.
const RENEWED_BEFORE_END: SignedDuration = SignedDuration::from_mins(10);

impl App {
    /// Puts a prompt on a phone. The inner error is Daraja's.
    ///
    /// # Errors
    /// The table or the secrets do not answer; nothing was sent then.
    pub async fn push(&self, push: &StkPush) -> Result<Result<PushAccepted, DarajaError>, AppError> {
        let now = self.clock().now();
        self.with_token(async |daraja, token, credentials| daraja.push(token, credentials, push, now).await)
            .await
    }

    /// Asks what became of a prompt. The inner error is Daraja's and says nothing about the payment.
    ///
    /// # Errors
    /// The table or the secrets do not answer.
    pub async fn query(
        &self,
        checkout_request_id: &str,
    ) -> Result<Result<QueryAnswer, DarajaError>, AppError> {
        let now = self.clock().now();
        self.with_token(async |daraja, token, credentials| {
            daraja.query(token, credentials, checkout_request_id, now).await
        })
        .await
    }

    async fn with_token<T>(
        &self,
        call: impl AsyncFn(&Daraja, &str, &DarajaCredentials) -> Result<T, DarajaError>,
    ) -> Result<Result<T, DarajaError>, AppError> {
        let credentials = self.secrets().daraja().await?;
        let kept = self.store().daraja_token().await?;
        let fresh = kept.as_ref().filter(|token| self.clock().now() < token.renew_at);
        let token = match fresh {
            Some(token) => token.clone(),
            None => match self.renew_token(&credentials, kept.as_ref()).await? {
                Ok(token) => token,
                Err(error) => return Ok(Err(error)),
            },
        };
        match call(self.daraja(), &token.token, &credentials).await {
            Err(DarajaError::InvalidToken) => {}
            answer => return Ok(answer),
        }
        // Somebody may have renewed it since it was read: theirs is tried before another sign-in.
        let newest = self.store().daraja_token().await?.filter(|newest| newest.token != token.token);
        let next = match newest {
            Some(newest) => newest,
            None => match self.renew_token(&credentials, Some(&token)).await? {
                Ok(token) => token,
                Err(error) => return Ok(Err(error)),
            },
        };
        Ok(call(self.daraja(), &next.token, &credentials).await)
    }

    async fn renew_token(
        &self,
        credentials: &DarajaCredentials,
        seen: Option<&SharedToken>,
    ) -> Result<Result<SharedToken, DarajaError>, AppError> {
        let signed_in = match self.daraja().sign_in(credentials).await {
            Ok(signed_in) => signed_in,
            Err(error) => return Ok(Err(error)),
        };
        let life = SignedDuration::from_secs(i64::from(signed_in.expires_in_seconds));
        let next = SharedToken {
            token: signed_in.token,
            renew_at: self.clock().now() + (life - RENEWED_BEFORE_END).max(SignedDuration::ZERO),
        };
        if !self.store().replace_daraja_token(seen, &next).await? {
            // Two signed in at once. Which of the two tokens Daraja still takes is not known; ours
            // is tried, and an invalid one leads to the kept one.
            tracing::info!("another function renewed the M-Pesa token at the same time");
        }
        Ok(Ok(next))
    }
}
