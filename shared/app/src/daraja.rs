//! M-Pesa with the one token that all functions share: whoever finds it old renews it, and an
//! invalid-token answer renews it once (facts/daraja.md).

use clients::daraja::{DarajaCredentials, DarajaError, PushAccepted, QueryAnswer, StkPush};
use jiff::SignedDuration;
use store::tokens::SharedToken;

use crate::{App, AppError};

/// A token is renewed this long before it ends.
const RENEWED_BEFORE_END: SignedDuration = SignedDuration::from_mins(10);

/// What a call to Daraja is made with.
struct Access {
    credentials: DarajaCredentials,
    token: SharedToken,
}

impl App {
    /// Puts a prompt on a phone. The inner error is Daraja's.
    ///
    /// # Errors
    /// The table or the secrets do not answer; nothing was sent then.
    pub async fn push(&self, push: &StkPush) -> Result<Result<PushAccepted, DarajaError>, AppError> {
        let now = self.clock().now();
        let access = match self.access().await? {
            Ok(access) => access,
            Err(error) => return Ok(Err(error)),
        };
        let answer = self.daraja().push(&access.token.token, &access.credentials, push, now).await;
        if answer != Err(DarajaError::InvalidToken) {
            return Ok(answer);
        }
        Ok(match self.access_after(access).await? {
            Ok(access) => self.daraja().push(&access.token.token, &access.credentials, push, now).await,
            Err(error) => Err(error),
        })
    }

    /// Asks what became of a prompt. The inner error is Daraja's and says nothing about the payment.
    ///
    /// # Errors
    /// The table or the secrets do not answer.
    pub async fn query(&self, id: &str) -> Result<Result<QueryAnswer, DarajaError>, AppError> {
        let now = self.clock().now();
        let access = match self.access().await? {
            Ok(access) => access,
            Err(error) => return Ok(Err(error)),
        };
        let answer = self.daraja().query(&access.token.token, &access.credentials, id, now).await;
        if answer != Err(DarajaError::InvalidToken) {
            return Ok(answer);
        }
        Ok(match self.access_after(access).await? {
            Ok(access) => self.daraja().query(&access.token.token, &access.credentials, id, now).await,
            Err(error) => Err(error),
        })
    }

    /// The shared token, renewed where it is old or there is none.
    async fn access(&self) -> Result<Result<Access, DarajaError>, AppError> {
        let credentials = self.secrets().daraja().await?;
        let kept = self.store().daraja_token().await?;
        let token = match kept {
            Some(token) if self.clock().now() < token.renew_at => Ok(token),
            kept => self.renew_token(&credentials, kept.as_ref()).await?,
        };
        Ok(token.map(|token| Access { credentials, token }))
    }

    /// Another token than one that Daraja does not take: the one that somebody else has renewed
    /// meanwhile, or a new one.
    async fn access_after(&self, refused: Access) -> Result<Result<Access, DarajaError>, AppError> {
        let Access { credentials, token } = refused;
        let newest = self.store().daraja_token().await?.filter(|newest| newest.token != token.token);
        let token = match newest {
            Some(newest) => Ok(newest),
            None => self.renew_token(&credentials, Some(&token)).await?,
        };
        Ok(token.map(|token| Access { credentials, token }))
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
