//! Passwords: argon2id, 19 MiB, two passes (docs/security.md, "Passwords"; never below), off the async threads.

pub use argon2::Params;
use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use domain::Password;

use crate::{App, AppError};

/// The PHC string that a password is kept as.
pub async fn hash(app: &App, password: Password) -> Result<String, AppError> {
    let argon2 = Argon2::from(app.config().password_hashing.clone());
    blocking(move || {
        let hash = argon2.hash_password(password.as_bytes());
        hash.map(|hash| hash.to_string()).map_err(|error| AppError::Internal(format!("argon2: {error}")))
    })
    .await?
}

/// Whether `password` is the one that was kept as `kept`, by the parameters that `kept` names. Without one the same work is done, so that
/// the time of an answer does not tell whether the account exists.
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
