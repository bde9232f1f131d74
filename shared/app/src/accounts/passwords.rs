//! Passwords: argon2id, 19 MiB, two passes (docs/security.md, "Passwords"; never below), off the async threads.
//!
//! Forgotten ones: a link with 256 random bits, of which only the SHA-256 is kept; good once, for thirty minutes by
//! the product's clock, and until a newer one is sent. Using it is one transaction that also counts the reset on the
//! profile. A session stands only as long as that count is what it began with, so none outlives a reset, wherever a
//! process dies and whatever two clocks say.

use std::net::IpAddr;

pub use argon2::Params;
use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use domain::{Email, Password, UserId, accounts::account::InvalidResetToken, platform::limits::Limited};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use store::accounts::{passwords::Reset, players::Player};
use subtle::ConstantTimeEq;

use crate::{
    App, AppError,
    platform::{
        flow::{Flow, Refusal},
        limits,
        secrets::random_32,
        security_log::{SecurityEntry, SecurityEvent},
    },
};

const LIFETIME: SignedDuration = SignedDuration::from_mins(30);

impl Refusal for InvalidResetToken {}

impl App {
    /// Has a link for a new password mailed. Whether the email is an account's shows neither in the answer nor in
    /// its time: that is looked up when the mail is sent.
    pub async fn ask_for_reset(&self, email: Email, address: Option<IpAddr>) -> Flow<(), Limited> {
        limits::forgot(self, &email).await?;
        let line = SecurityEntry::new(SecurityEvent::PasswordResetAsked).email(email.as_str()).from(address);
        self.log_security(line).await;
        Ok(self.mail_reset_link(email).await?)
    }

    /// A new link's token for `player`, in the place of the one before.
    pub(crate) async fn issue_reset(&self, player: &Player) -> Result<String, AppError> {
        let token = ResetToken { player: player.id.clone(), secret: random_32() };
        let expires_at = self.clock().now() + LIFETIME;
        let reset =
            Reset { token_hash: token.hash(), expires_at, used_at: None, ttl: expires_at.as_second() };
        self.store().put_reset(&player.id, &reset).await?;
        Ok(token.text())
    }

    /// Sets the password of whoever was sent `token`, as long as that is good.
    pub async fn reset_password(&self, token: &str, password: Password) -> Flow<(), InvalidResetToken> {
        let token = ResetToken::parse(token).ok_or(InvalidResetToken)?;
        let found = self.store().reset(&token.player).await?;
        let reset = found.filter(|reset| token.opens(reset, self.clock().now())).ok_or(InvalidResetToken)?;
        let hash = hash(self, password).await?;
        let at = self.clock().now();
        if !self.store().use_reset(&token.player, &reset, &hash, at).await? {
            return Err(InvalidResetToken.into());
        }
        self.log_security(SecurityEntry::new(SecurityEvent::PasswordReset).of(&token.player)).await;
        Ok(())
    }
}

/// The player's id and the secret, in hex, one behind the other.
struct ResetToken {
    player: UserId,
    secret: [u8; 32],
}

impl ResetToken {
    fn parse(text: &str) -> Option<Self> {
        let (player, secret) = text.split_at_checked(32)?;
        let mut bytes = [0; 32];
        hex::decode_to_slice(secret, &mut bytes).ok()?;
        Some(Self { player: UserId::parse(player).ok()?, secret: bytes })
    }

    fn text(&self) -> String {
        format!("{}{}", self.player, hex::encode(self.secret))
    }

    fn hash(&self) -> String {
        hex::encode(Sha256::digest(self.secret))
    }

    fn opens(&self, reset: &Reset, now: Timestamp) -> bool {
        let same = bool::from(reset.token_hash.as_bytes().ct_eq(self.hash().as_bytes()));
        same && reset.used_at.is_none() && now < reset.expires_at
    }
}

/// The PHC string that a password is kept as.
pub async fn hash(app: &App, password: Password) -> Result<String, AppError> {
    let argon2 = Argon2::from(app.config().password_hashing.clone());
    blocking(move || {
        let hash = argon2.hash_password(password.as_bytes());
        hash.map(|hash| hash.to_string()).map_err(|error| AppError::Internal(format!("argon2: {error}")))
    })
    .await?
}

/// Whether `password` is the one that was kept as `kept`, by the parameters that `kept` names. Without one the same work
/// is done, so that the time of an answer does not tell whether the account exists.
pub async fn verify(password: Password, kept: Option<String>) -> Result<bool, AppError> {
    blocking(move || {
        let known = kept.is_some();
        let kept = kept.unwrap_or_else(|| NOBODYS.to_owned());
        let parsed = PasswordHash::new(&kept)
            .map_err(|error| AppError::Internal(format!("a kept password hash: {error}")))?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok() && known)
    })
    .await?
}

/// A hash of 32 random bytes that nobody kept, with the same parameters: no account has it.
const NOBODYS: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$s8a+J0IMzx7XT1Lm8g417A$o+Cq47dj7hS+XdppM34rKX7eeHAgi+Be3MY3NPed4oM";

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| AppError::Internal(format!("password thread: {error}")))
}
