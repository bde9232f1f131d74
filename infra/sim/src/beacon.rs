//! A public randomness beacon in the manner of drand's quicknet: a round every three seconds, whose
//! value nobody can have before its time. The values come from a seed made at the world's first start.

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::get,
};
use jiff::Timestamp;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::Sim;

/// Seconds UTC of the first round.
const GENESIS: i64 = 1_692_803_367;
/// Seconds between rounds.
const PERIOD: i64 = 3;

pub(crate) fn router(sim: Sim) -> Router {
    Router::new()
        .route("/{chain_hash}/info", get(info))
        .route("/{chain_hash}/public/{round}", get(round))
        .fallback(|| async { not_found() })
        .with_state(sim)
}

async fn info(State(sim): State<Sim>, Path(chain_hash): Path<String>) -> Response {
    if !is_hash(&chain_hash) {
        return not_found();
    }
    let key = hash(&[sim.beacon_seed().as_bytes(), b"public key"]);
    Json(json!({
        "public_key": key.repeat(3),
        "period": PERIOD,
        "genesis_time": GENESIS,
        "hash": chain_hash,
        "groupHash": hash(&[sim.beacon_seed().as_bytes(), b"group"]),
        "schemeID": "bls-unchained-g1-rfc9380",
        "metadata": { "beaconID": "quicknet" },
    }))
    .into_response()
}

/// A round by its number, or `latest`; 404 before its time.
async fn round(State(sim): State<Sim>, Path((chain_hash, wanted)): Path<(String, String)>) -> Response {
    let latest = latest(sim.now());
    let round = if wanted == "latest" { Some(latest) } else { wanted.parse().ok() };
    match round {
        Some(round) if is_hash(&chain_hash) && (1..=latest).contains(&round) => {
            let signature = signature(sim.beacon_seed(), round);
            let randomness = hex::encode(Sha256::digest(&signature));
            Json(json!({
                "round": round,
                "randomness": randomness,
                "signature": hex::encode(signature),
            }))
            .into_response()
        }
        _ => not_found(),
    }
}

/// The last round whose time has come; 0 before the first.
fn latest(now: Timestamp) -> u64 {
    let since = now.as_second() - GENESIS;
    u64::try_from(since.div_euclid(PERIOD) + 1).unwrap_or(0)
}

/// 48 bytes, as long as a signature on the curve's smaller group.
fn signature(seed: &str, round: u64) -> Vec<u8> {
    let half = |part: &[u8]| Sha256::digest([seed.as_bytes(), &round.to_be_bytes(), part].concat());
    [&half(b"first")[..], &half(b"second")[..16]].concat()
}

fn hash(parts: &[&[u8]]) -> String {
    hex::encode(Sha256::digest(parts.concat()))
}

fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn not_found() -> Response {
    StatusCode::NOT_FOUND.into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_begins_with_its_second() {
        let at = |second| Timestamp::new(second, 0).unwrap();
        assert_eq!(latest(at(GENESIS - 1)), 0);
        assert_eq!(latest(at(GENESIS)), 1);
        assert_eq!(latest(at(GENESIS + 2)), 1);
        assert_eq!(latest(at(GENESIS + 3)), 2);
    }
}
