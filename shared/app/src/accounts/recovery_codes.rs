//! Recovery codes, which stand in for the codes of a phone that is lost: each is good once, and only a keyed hash of it is kept.

use std::collections::BTreeMap;

use domain::UserId;

use crate::{
    App, AppError,
    platform::secrets::{hmac, names, random_32},
};

const RECOVERY_CODES: usize = 10;
/// Letters and digits that are not taken for each other.
const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";

/// Ten of them, and how they are kept.
pub(super) async fn make(
    app: &App,
    player: &UserId,
) -> Result<(Vec<String>, BTreeMap<String, bool>), AppError> {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| code()).collect();
    let mut hashes = BTreeMap::new();
    for code in &codes {
        hashes.insert(hash(app, player, code).await?, true);
    }
    Ok((codes, hashes))
}

/// Fifty random bits: `k3mpq-7xw2a`.
fn code() -> String {
    let letter = |byte: &u8| char::from(ALPHABET[usize::from(byte % 32)]);
    let letters: String = random_32()[..10].iter().map(letter).collect();
    format!("{}-{}", &letters[..5], &letters[5..])
}

/// How the table has a code: by a keyed hash.
pub(super) async fn hash(app: &App, player: &UserId, code: &str) -> Result<String, AppError> {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    let text = format!("recovery {player} {}", plain.to_ascii_lowercase());
    let key = app.secrets().key(names::TOTP_KEY).await?;
    Ok(hex::encode(hmac(&key, text.as_bytes())))
}
