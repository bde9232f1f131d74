//! The password once more, and a code where the account has a second factor: for what whoever has stolen a session must
//! not do.

use domain::{
    Password,
    platform::limits::{Limit, Limited},
};
use store::{
    accounts::{players::Player, sessions::Session},
    platform::limits::Counter,
};

use crate::{
    App,
    accounts::{
        passwords,
        second_factor::{self, SecondFactorError},
    },
    platform::flow::{Flow, FlowError, Refusal},
};

/// Why it is not the player; the text is what they read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CredentialsError {
    #[error("{}", SecondFactorError::WrongPassword)]
    WrongPassword,
    #[error("Enter the code from your authenticator app.")]
    CodeWanted,
    #[error("{}", SecondFactorError::WrongCode)]
    WrongCode,
    #[error(transparent)]
    Limited(#[from] Limited),
}

impl Refusal for CredentialsError {}

impl From<SecondFactorError> for CredentialsError {
    fn from(error: SecondFactorError) -> Self {
        match error {
            SecondFactorError::Limited(limited) => Self::Limited(limited),
            _ => Self::WrongCode,
        }
    }
}

/// What is shown, and in which session.
#[derive(Clone, Copy)]
pub struct Shown<'a> {
    pub password: &'a str,
    pub code: &'a str,
    pub session: &'a Session,
}

/// Shows that it is `player` who asks. Wrong ones count for their session: who has stolen one keeps nobody else out.
pub async fn show(app: &App, player: &Player, shown: Shown<'_>) -> Flow<(), CredentialsError> {
    let Shown { password, code, session } = shown;
    let counter = Counter::new(Limit::Passwords, &[player.id.as_str(), &session.family]);
    let at = app.clock().now();
    // Counted before it is judged: of many at once no more are judged than may be.
    if let Some(limited) = app.store().take_limit(&counter, at).await? {
        return Err(CredentialsError::Limited(limited).into());
    }
    let kept = app.store().password_hash(&player.id).await?;
    let password = Password::parse(password).map_err(|_| CredentialsError::WrongPassword)?;
    if !passwords::verify(password, kept).await? {
        return Err(CredentialsError::WrongPassword.into());
    }
    if player.totp {
        if code.is_empty() {
            return Err(CredentialsError::CodeWanted.into());
        }
        second_factor::check(app, &player.id, code).await.map_err(FlowError::within)?;
    }
    Ok(app.store().give_limit_back(&counter, at).await?)
}
