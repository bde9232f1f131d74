//! A browser maker's push service, and the phones behind it: it takes what is signed by the key that a phone subscribed
//! with, opens it as that phone would, and shows what the phone shows. Read from RFC 8030, 8291 and 8292.

mod phone;

use axum::{
    Json, Router,
    body::Bytes,
    extract::{Path, Query, State, rejection::QueryRejection},
    http::{HeaderMap, StatusCode, header},
    routing::{delete, get, post},
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use jiff::Timestamp;
use ring::signature::{ECDSA_P256_SHA256_FIXED, UnparsedPublicKey};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Sim,
    faults::PushFault,
    http::{Read, Refusal, method_not_allowed},
};
use phone::Phone;

/// A signature is good for so long at the most.
const LONGEST: i64 = 24 * 3600;
/// Longer bodies are refused.
const LARGEST: usize = 4096;

/// Where pushes are handed over: `POST /sim/push/{phone}`.
pub(crate) fn router(sim: Sim) -> Router {
    Router::new()
        .route("/{phone}", post(take))
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(sim)
}

/// For people and tests, under `/sim/api/push`.
pub(crate) fn control(sim: Sim) -> Router {
    Router::new()
        .route("/", get(list))
        .route("/phones", post(subscribe))
        .route("/phones/{phone}", delete(end))
        .method_not_allowed_fallback(method_not_allowed)
        .with_state(sim)
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Subscribe {
    /// The sender's public key, as the page has it from the product: hex. Left out: whoever sends.
    #[serde(default)]
    application_server_key: String,
    /// Where this world is reached.
    origin: String,
}

async fn subscribe(
    State(sim): State<Sim>,
    Read(told): Read<Subscribe>,
) -> Result<(StatusCode, Json<Value>), Refusal> {
    let phone = Phone::subscribe(sim.db(), &told.application_server_key, sim.now())?;
    let mut answer = phone.told(&told.origin);
    answer["phone"] = json!(phone.id);
    Ok((StatusCode::CREATED, Json(answer)))
}

async fn end(State(sim): State<Sim>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    match Phone::end(sim.db(), &id)? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(Refusal::not_found(format!("There is no phone {id:?}."))),
    }
}

#[derive(Deserialize)]
struct OfPhone {
    phone: Option<String>,
}

async fn list(
    State(sim): State<Sim>,
    of: Result<Query<OfPhone>, QueryRejection>,
) -> Result<Json<Value>, Refusal> {
    let Query(of) = of.map_err(|rejection| Refusal::bad(rejection.body_text()))?;
    Ok(Json(json!(phone::shown(sim.db(), of.phone.as_deref())?)))
}

/// Takes a push as a push service does: 201 where it is sound.
async fn take(
    State(sim): State<Sim>,
    Path(id): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, Refusal> {
    if sim.faults().push == PushFault::Down {
        return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "The push service is switched off."));
    }
    let Some(phone) = Phone::find(sim.db(), &id)? else {
        return Err(Refusal::not_found("There is no such subscription."));
    };
    if phone.gone {
        return Err(Refusal::new(StatusCode::GONE, "The subscription has ended."));
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let host = text(header::HOST.as_str());
    signed(text(header::AUTHORIZATION.as_str()), &phone.sender, &format!("http://{host}"), sim.now())
        .map_err(|why| Refusal::new(StatusCode::FORBIDDEN, why))?;
    let ttl: i64 = text("ttl").parse().map_err(|_| Refusal::bad("TTL is missing."))?;
    if text(header::CONTENT_ENCODING.as_str()) != "aes128gcm" {
        return Err(Refusal::bad("The content encoding is not aes128gcm."));
    }
    if body.len() > LARGEST {
        return Err(Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "The message is too large."));
    }
    // A real service cannot see this: the phone would drop it.
    let opened = phone.open(body.to_vec()).ok_or_else(|| Refusal::bad("The phone cannot open it."))?;
    phone.show(sim.db(), &opened, ttl, sim.now())?;
    Ok(StatusCode::CREATED)
}

/// Whether a push is signed by `sender` for this service, and not for too long.
fn signed(authorization: &str, sender: &str, origin: &str, now: Timestamp) -> Result<(), String> {
    let fields = authorization.strip_prefix("vapid ").ok_or("The authorization is no vapid.")?;
    let field = |name: &str| {
        let mut fields = fields.split(',').map(str::trim);
        fields.find_map(|field| field.strip_prefix(name)).ok_or_else(|| format!("{name} is missing."))
    };
    let (token, key) = (field("t=")?, field("k=")?);
    let key = BASE64.decode(key).map_err(|_| "k is no base64url.")?;
    let expected = hex::decode(sender).map_err(|_| "The subscription has no key.")?;
    if !expected.is_empty() && expected != key {
        return Err("Another key than the subscription's.".to_owned());
    }
    let (message, signature) = token.rsplit_once('.').ok_or("The token has no signature.")?;
    let signature = BASE64.decode(signature).map_err(|_| "The signature is no base64url.")?;
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, key)
        .verify(message.as_bytes(), &signature)
        .map_err(|_| "The signature is not the key's.")?;
    let part = |text: &str| {
        let bytes = BASE64.decode(text).map_err(|_| "The token is no base64url.".to_owned())?;
        serde_json::from_slice::<Value>(&bytes).map_err(|_| "The token is no JSON.".to_owned())
    };
    let (head, claims) = message.split_once('.').ok_or("The token has two parts.")?;
    if part(head)?["alg"] != "ES256" {
        return Err("The algorithm is not ES256.".to_owned());
    }
    let claims = part(claims)?;
    if claims["aud"] != origin {
        return Err(format!("aud is {}, and this is {origin}.", claims["aud"]));
    }
    let left = claims["exp"].as_i64().unwrap_or_default() - now.as_second();
    if !(1..=LONGEST).contains(&left) {
        return Err(format!("exp is {left} seconds from now."));
    }
    let contact = claims["sub"].as_str().unwrap_or_default();
    match contact.starts_with("mailto:") || contact.starts_with("https://") {
        true => Ok(()),
        false => Err("sub is no contact.".to_owned()),
    }
}
