//! Passwords: argon2id, 19 MiB, two passes (security.md; never below), off the async threads.

use std::sync::OnceLock;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use domain::Password;

use crate::AppError;

/// The PHC string that a password is kept as.
///
/// # Errors
/// Only where the machine fails.
pub async fn hash(password: Password) -> Result<String, AppError> {
    blocking(move || {
        let hash = Argon2::default().hash_password(password.as_bytes());
        hash.map(|hash| hash.to_string()).map_err(|error| AppError::Internal(format!("argon2: {error}")))
    })
    .await?
}

/// Whether `password` is the one that was kept as `kept`. Without one the same work is done, so that
/// the time of an answer does not tell whether the account exists.
///
/// # Errors
/// Only where the machine fails, or what was kept is not a PHC string.
pub async fn verify(password: Password, kept: Option<String>) -> Result<bool, AppError> {
    blocking(move || {
        let known = kept.is_some();
        let kept = kept.unwrap_or_else(|| nobodys().to_owned());
        let parsed = PasswordHash::new(&kept)
            .map_err(|error| AppError::Internal(format!("a kept password hash: {error}")))?;
        Ok(Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok() && known)
    })
    .await?
}

/// A hash that no account has.
fn nobodys() -> &'static str {
    static NOBODYS: OnceLock<String> = OnceLock::new();
    NOBODYS.get_or_init(|| {
        let hash = Argon2::default().hash_password(&crate::secrets::random_32());
        hash.expect("argon2 hashes 32 bytes").to_string()
    })
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, AppError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| AppError::Internal(format!("password thread: {error}")))
}
