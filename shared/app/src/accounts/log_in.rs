//! Log-in (spec §2, §4): the password, of an admin with a second factor a code too, and a session for them.

use std::net::IpAddr;

use domain::{
    Email, Password, accounts::device::Device, entries::join::JoinError, platform::limits::Limited,
};
use store::accounts::players::Player;

use crate::{
    App, AppError,
    accounts::{
        passwords,
        second_factor::{self, SecondFactorError},
        sessions::Tokens,
    },
    platform::{
        flow::{Flow, FlowError, Refusal},
        limits::LogInTry,
        security_log::{SecurityEntry, SecurityEvent},
    },
    teams::link,
};

/// Why somebody is not logged in; the text is what they read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LogInError {
    #[error("Invalid email or password. Please try again.")]
    WrongPassword,
    #[error("Enter the code from your authenticator app.")]
    CodeWanted,
    #[error("{}", SecondFactorError::WrongCode)]
    WrongCode,
    #[error("{}", JoinError::Frozen)]
    Frozen,
    /// By its player; what is personal goes a week later.
    #[error("This account is closed. Its personal data is being removed.")]
    Closed,
    #[error(transparent)]
    Limited(#[from] Limited),
}

impl Refusal for LogInError {}

impl From<SecondFactorError> for LogInError {
    fn from(error: SecondFactorError) -> Self {
        match error {
            SecondFactorError::Limited(limited) => Self::Limited(limited),
            _ => Self::WrongCode,
        }
    }
}

/// What somebody shows of themselves, as it was typed.
pub struct Credentials<'a> {
    pub email: &'a str,
    pub password: &'a str,
    /// Of the second factor; empty where none was given.
    pub code: &'a str,
    /// What the browser says of itself.
    pub device: Option<Device>,
}

/// Somebody whose session has begun.
pub struct LoggedIn {
    pub player: Player,
    pub tokens: Tokens,
    /// Whether a team has to be linked before entering.
    pub needs_team: bool,
}

/// Begins a session for whoever shows a right password, and a right code where one is wanted.
pub async fn log_in(
    app: &App,
    given: Credentials<'_>,
    address: Option<IpAddr>,
) -> Flow<LoggedIn, LogInError> {
    let line = |event| SecurityEntry::new(event).email(given.email).from(address);
    let attempt = match LogInTry::begin(app, given.email, address).await {
        Err(FlowError::Refused(limited)) => {
            app.log_security(line(SecurityEvent::SignInLimited)).await;
            return Err(LogInError::Limited(limited).into());
        }
        begun => begun.map_err(FlowError::within)?,
    };
    let Some(player) = who(app, given.email, given.password).await? else {
        app.log_security(line(SecurityEvent::SignInRefused)).await;
        attempt.failed(app).await.map_err(FlowError::within)?;
        return Err(LogInError::WrongPassword.into());
    };
    let refused = show_code(app, &player, given.code).await.err().map(FlowError::refusal).transpose()?;
    match refused {
        None => attempt.check(app).await.map_err(FlowError::within)?,
        // Both answers reveal that the password is right, so they are given only while the limit admits the try.
        Some(told @ (LogInError::CodeWanted | LogInError::Limited(_))) => {
            attempt.check(app).await.map_err(FlowError::within)?;
            let asked = told == LogInError::CodeWanted;
            let event =
                if asked { SecurityEvent::SecondFactorAsked } else { SecurityEvent::SecondFactorLimited };
            app.log_security(line(event).of(&player.id)).await;
            return Err(told.into());
        }
        Some(wrong) => {
            app.log_security(line(SecurityEvent::SecondFactorRefused).of(&player.id)).await;
            attempt.failed(app).await.map_err(FlowError::within)?;
            return Err(wrong.into());
        }
    }
    if player.frozen {
        attempt.forget_failures(app).await?;
        app.log_security(line(SecurityEvent::SignInFrozen).of(&player.id)).await;
        return Err(LogInError::Frozen.into());
    }
    if player.closed_at.is_some() {
        attempt.forget_failures(app).await?;
        return Err(LogInError::Closed.into());
    }
    let (_, tokens, season) = tokio::try_join!(
        attempt.forget_failures(app),
        app.start_session(&player, given.device),
        app.season()
    )?;
    app.log_security(line(SecurityEvent::SignedIn).of(&player.id)).await;
    let needs_team = link::is_needed(&player, season);
    Ok(LoggedIn { player, tokens, needs_team })
}

/// Shows the code of the second factor, where the account has one.
async fn show_code(app: &App, player: &Player, code: &str) -> Flow<(), LogInError> {
    if !player.totp {
        return Ok(());
    }
    if code.is_empty() {
        return Err(LogInError::CodeWanted.into());
    }
    second_factor::check(app, &player.id, code).await.map_err(FlowError::within)
}

/// Whose email and password these are. The same work for an email that nobody has and for a password
/// that no account can have, so that time tells nothing.
async fn who(app: &App, email: &str, password: &str) -> Result<Option<Player>, AppError> {
    let (player, kept) = match Email::parse(email) {
        Ok(email) => app.store().player_with_password(&email).await?.unzip(),
        Err(_) => (None, None),
    };
    let kept = kept.flatten();
    let password = Password::parse(password);
    let possible = password.is_ok() && kept.is_some();
    let candidate = password.or_else(|_| Password::parse("no such password"));
    let candidate = candidate.expect("sixteen characters are a password");
    let right = passwords::verify(candidate, kept).await?;
    Ok(player.filter(|_| right && possible))
}
