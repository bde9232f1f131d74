//! A public randomness beacon in the manner of drand's quicknet: a round every three seconds, whose
//! value nobody can have before its time. The chain's key comes from a seed made at the world's first
//! start, its signatures are real ones (scheme `bls-unchained-g1-rfc9380`), and its hash names it. It is
//! reached by three relays, each under a path of its own, which fail each in its own way.

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use blst::min_sig::SecretKey;
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{Sim, faults::RelayFault};

/// The relays' paths.
pub const RELAYS: [&str; 3] = ["one", "two", "three"];
/// Seconds UTC of the first round.
const GENESIS: i64 = 1_692_803_367;
/// Seconds between rounds.
const PERIOD: u32 = 3;
const BEACON_ID: &str = "stand-in";
/// What the scheme hashes a message to its curve with (RFC 9380, §3.1).
const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

pub(crate) struct Chain {
    key: SecretKey,
    /// What a relay that lies signs with.
    another: SecretKey,
    group_hash: [u8; 32],
    /// Lowercase hex.
    pub(crate) hash: String,
}

impl Chain {
    pub(crate) fn new(seed: &str) -> Self {
        let material = Sha256::digest([seed.as_bytes(), b"key"].concat());
        let key = SecretKey::key_gen(&material, &[]).expect("32 bytes are enough for a key");
        let other_material = Sha256::digest([seed.as_bytes(), b"another key"].concat());
        let another = SecretKey::key_gen(&other_material, &[]).expect("32 bytes are enough for a key");
        let group_hash = Sha256::digest([seed.as_bytes(), b"group"].concat()).into();
        // As drand names a chain: a hash over all that it consists of.
        let hash = Sha256::new()
            .chain_update(PERIOD.to_be_bytes())
            .chain_update(GENESIS.to_be_bytes())
            .chain_update(key.sk_to_pk().compress())
            .chain_update(group_hash)
            .chain_update(BEACON_ID);
        Self { group_hash, hash: hex::encode(hash.finalize()), key, another }
    }

    /// 48 bytes: a point of the curve's smaller group.
    fn signature(&self, round: u64) -> [u8; 48] {
        sign(&self.key, round)
    }

    pub(crate) fn info(&self) -> Value {
        json!({
            "public_key": hex::encode(self.key.sk_to_pk().compress()),
            "period": PERIOD,
            "genesis_time": GENESIS,
            "hash": self.hash,
            "groupHash": hex::encode(self.group_hash),
            "schemeID": "bls-unchained-g1-rfc9380",
            "metadata": { "beaconID": BEACON_ID },
        })
    }
}

fn sign(key: &SecretKey, round: u64) -> [u8; 48] {
    key.sign(&Sha256::digest(round.to_be_bytes()), DOMAIN, &[]).compress()
}

pub(crate) fn router(sim: Sim) -> Router {
    Router::new()
        .route("/{relay}/{chain_hash}/info", get(info))
        .route("/{relay}/{chain_hash}/public/{round}", get(round))
        .fallback(|| async { not_found() })
        .with_state(sim)
}

/// What the relay of that path does now; `None`: there is none.
fn fault_of(sim: &Sim, relay: &str) -> Option<RelayFault> {
    let place = RELAYS.iter().position(|known| *known == relay)?;
    Some(sim.faults().beacon.of(place))
}

async fn info(State(sim): State<Sim>, Path((relay, chain_hash)): Path<(String, String)>) -> Response {
    match fault_of(&sim, &relay) {
        Some(RelayFault::Down) => unavailable(),
        Some(_) if chain_hash == sim.chain().hash => Json(sim.chain().info()).into_response(),
        _ => not_found(),
    }
}

/// A round by its number, or `latest`; 404 before its time.
async fn round(
    State(sim): State<Sim>,
    Path((relay, chain_hash, wanted)): Path<(String, String, String)>,
) -> Response {
    let Some(fault) = fault_of(&sim, &relay) else { return not_found() };
    if fault == RelayFault::Down {
        return unavailable();
    }
    let latest = latest(sim.now());
    let round = if wanted == "latest" { Some(latest) } else { wanted.parse().ok() };
    match round {
        Some(round) if chain_hash == sim.chain().hash && (1..=latest).contains(&round) => {
            let signature = match fault {
                RelayFault::Lies => sign(&sim.chain().another, round),
                _ => sim.chain().signature(round),
            };
            Json(json!({
                "round": round,
                "randomness": hex::encode(Sha256::digest(signature)),
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
    u64::try_from(since.div_euclid(i64::from(PERIOD)) + 1).unwrap_or(0)
}

fn unavailable() -> Response {
    let page = Html("<html><body>Service Unavailable</body></html>");
    (StatusCode::SERVICE_UNAVAILABLE, page).into_response()
}

fn not_found() -> Response {
    StatusCode::NOT_FOUND.into_response()
}

#[cfg(test)]
mod tests {
    use blst::{BLST_ERROR, min_sig::Signature};

    use super::*;

    #[test]
    fn a_round_begins_with_its_second() {
        let at = |second| Timestamp::new(second, 0).unwrap();
        assert_eq!(latest(at(GENESIS - 1)), 0);
        assert_eq!(latest(at(GENESIS)), 1);
        assert_eq!(latest(at(GENESIS + 2)), 1);
        assert_eq!(latest(at(GENESIS + 3)), 2);
    }

    #[test]
    fn a_signature_is_the_chains_own_for_its_round() {
        let (chain, other) = (Chain::new("one"), Chain::new("two"));
        let signature = Signature::uncompress(&chain.signature(7)).unwrap();
        let verify = |chain: &Chain, round: u64| {
            let message = Sha256::digest(round.to_be_bytes());
            signature.verify(true, &message, DOMAIN, &[], &chain.key.sk_to_pk(), true)
        };
        assert_eq!(verify(&chain, 7), BLST_ERROR::BLST_SUCCESS);
        assert_ne!(verify(&chain, 8), BLST_ERROR::BLST_SUCCESS);
        assert_ne!(verify(&other, 7), BLST_ERROR::BLST_SUCCESS);
        assert_ne!(chain.hash, other.hash);
        assert_eq!(chain.hash, Chain::new("one").hash, "the same after a restart");
    }
}
