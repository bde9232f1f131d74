//! Sign-in and what a signed-in call must show. There is one token at a time: each sign-in ends the
//! one before it, as Safaricom documents.

use axum::{
    Json,
    extract::{Query, State},
    http::{HeaderMap, header},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{DarajaError, Product};
use crate::{Sim, db};

const KEY: &str = "daraja_token";
const LIFETIME: i64 = 3599;
/// As long as Safaricom's: clients have columns for that many characters.
const LENGTH: usize = 28;

#[derive(Serialize, Deserialize)]
struct Token {
    value: String,
    until: Timestamp,
}

#[derive(Deserialize)]
pub(super) struct Grant {
    grant_type: Option<String>,
}

/// `GET /oauth/v1/generate?grant_type=client_credentials` with Basic key and secret.
pub(super) async fn generate(
    State(sim): State<Sim>,
    Query(grant): Query<Grant>,
    headers: HeaderMap,
) -> Result<Json<Value>, DarajaError> {
    let secrets = sim.secrets();
    let expected = format!("{}:{}", secrets.consumer_key, secrets.consumer_secret);
    let sent = credential(&headers, "basic").and_then(|sent| STANDARD.decode(sent).ok());
    if sent.is_none_or(|sent| sent != expected.as_bytes()) {
        return Err(DarajaError::InvalidAuthType);
    }
    if grant.grant_type.as_deref() != Some("client_credentials") {
        return Err(DarajaError::InvalidGrantType);
    }
    let mut value = Uuid::new_v4().simple().to_string();
    value.truncate(LENGTH);
    let token = Token { value, until: sim.now() + SignedDuration::from_secs(LIFETIME) };
    let stored = serde_json::to_string(&token).map_err(anyhow::Error::from)?;
    sim.db().write(|tx| Ok(db::put(tx, KEY, &stored)?))?;
    Ok(Json(json!({ "access_token": token.value, "expires_in": LIFETIME.to_string() })))
}

/// Refuses a call of `product` whose bearer token is not the latest, or has run out.
pub(super) fn require_token(sim: &Sim, headers: &HeaderMap, product: Product) -> Result<(), DarajaError> {
    let sent = credential(headers, "bearer").unwrap_or_default();
    let stored = sim.db().read(|connection| db::get(connection, KEY))?;
    let token: Option<Token> =
        stored.map(|stored| serde_json::from_str(&stored)).transpose().map_err(anyhow::Error::from)?;
    match token {
        Some(token) if token.value == sent && sim.now() < token.until => Ok(()),
        _ => Err(DarajaError::InvalidAccessToken(product, sent.to_owned())),
    }
}

/// What follows the scheme in the Authorization header.
fn credential<'a>(headers: &'a HeaderMap, scheme: &str) -> Option<&'a str> {
    let (name, rest) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    name.eq_ignore_ascii_case(scheme).then(|| rest.trim())
}
