//! The public randomness beacon: drand's HTTP API (`GET {relay}/{chain hash}/public/{round}`).
//!
//! Invariants: which round counts follows from the instant alone, before anyone can know its value; every
//! relay is asked, none is believed: a round counts only if its signature is the chain's own and its
//! randomness the signature's SHA-256. So a relay that lies is one that does not answer.

mod chain;

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use reqwest::StatusCode;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::task::JoinSet;

pub use chain::{Chain, ChainError};

use crate::http::{self, Http, HttpFailure};

const TIME_LIMIT: Duration = Duration::from_secs(10);
const BODY_LIMIT: usize = 64 * 1024;

/// Which chain, and where it is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeaconConfig {
    pub relays: Vec<String>,
    pub chain: Chain,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeaconRound {
    pub round: u64,
    /// 64 lowercase hex digits: SHA-256 of the signature.
    pub randomness_hex: String,
    /// Lowercase hex.
    pub signature_hex: String,
}

/// Why a relay gave no round. The texts can be published; the reasons are for the log.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BeaconError {
    /// That round is not published yet: its instant has not come, or has only just come.
    #[error("it did not have the round")]
    NotYet,
    #[error("it could not be reached")]
    Unreachable { reason: String },
    #[error("it did not answer in time")]
    TimedOut,
    /// Not a round, not the round that was asked for, or randomness that is not its signature's.
    #[error("its answer was no round")]
    Malformed { reason: String },
    /// The signature is not the chain's for this round.
    #[error("its answer was not signed by the beacon")]
    NotSigned,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RelayFailure {
    pub relay: String,
    pub error: BeaconError,
}

/// A client of one chain. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Beacon {
    config: Arc<BeaconConfig>,
    http: Http,
}

impl Beacon {
    pub fn new(config: BeaconConfig, http: Http) -> Self {
        Self { config: Arc::new(config), http }
    }

    pub fn chain(&self) -> &Chain {
        &self.config.chain
    }

    /// The relays' base addresses, without a trailing slash.
    pub fn relays(&self) -> impl Iterator<Item = &str> {
        self.config.relays.iter().map(|relay| relay.trim_end_matches('/'))
    }

    /// The first round at or after `instant`. Round 1 is at the chain's genesis.
    pub fn round_at(&self, instant: Timestamp) -> u64 {
        self.config.chain.first_round_from(instant)
    }

    /// Asks every relay for `round`, all at once and within ten seconds: the first one that has it decides,
    /// for there is only one. They are not asked again here: the caller decides how long a draw waits.
    ///
    /// # Errors
    /// None has it: what each did instead, in the order of the configuration.
    pub async fn round(&self, round: u64) -> Result<BeaconRound, Vec<RelayFailure>> {
        let mut asked = JoinSet::new();
        for (place, relay) in self.relays().enumerate() {
            let (beacon, relay) = (self.clone(), relay.to_owned());
            asked.spawn(async move {
                let answer = beacon.ask(&relay, round).await;
                (place, answer.map_err(|error| RelayFailure { relay, error }))
            });
        }
        let mut failures = Vec::new();
        while let Some(answer) = asked.join_next().await {
            match answer {
                Ok((_, Ok(round))) => return Ok(round),
                Ok((place, Err(failure))) => {
                    tracing::warn!(relay = failure.relay, error = ?failure.error, "a relay of the beacon");
                    failures.push((place, failure));
                }
                Err(error) => tracing::error!(%error, "asking a relay of the beacon ended"),
            }
        }
        failures.sort_by_key(|(place, _)| *place);
        Err(failures.into_iter().map(|(_, failure)| failure).collect())
    }

    async fn ask(&self, relay: &str, round: u64) -> Result<BeaconRound, BeaconError> {
        let url = format!("{relay}/{}/public/{round}", self.config.chain.hash);
        let answer = http::exchange(self.http.get(&url), TIME_LIMIT, BODY_LIMIT).await?;
        match answer.status {
            StatusCode::OK => self.decode(round, &answer.body),
            StatusCode::NOT_FOUND | StatusCode::TOO_EARLY => Err(BeaconError::NotYet),
            status if status.is_server_error() => {
                Err(BeaconError::Unreachable { reason: format!("HTTP {status}") })
            }
            status => Err(malformed(format!("HTTP {status}"))),
        }
    }

    /// What a relay's answer says, where it is the round that was asked for and the chain has signed it.
    ///
    /// # Errors
    /// It is not that round, or not the chain's.
    pub fn decode(&self, asked: u64, body: &[u8]) -> Result<BeaconRound, BeaconError> {
        let body: RoundBody = serde_json::from_slice(body).map_err(|error| malformed(error.to_string()))?;
        if body.round != asked {
            return Err(malformed(format!("round {} instead of {asked}", body.round)));
        }
        let signature = hex::decode(&body.signature).map_err(|_| malformed("the signature is not hex"))?;
        let randomness_hex = hex::encode(Sha256::digest(&signature));
        if !randomness_hex.eq_ignore_ascii_case(&body.randomness) {
            return Err(malformed("the randomness is not the signature's hash"));
        }
        if !self.config.chain.signed(asked, &signature) {
            return Err(BeaconError::NotSigned);
        }
        Ok(BeaconRound { round: asked, randomness_hex, signature_hex: hex::encode(signature) })
    }
}

impl From<HttpFailure> for BeaconError {
    fn from(failure: HttpFailure) -> Self {
        match failure {
            HttpFailure::NotSent(reason) | HttpFailure::Broken(reason) => Self::Unreachable { reason },
            HttpFailure::TimedOut => Self::TimedOut,
            HttpFailure::TooLarge => malformed("the answer is too large"),
        }
    }
}

#[derive(Deserialize)]
struct RoundBody {
    round: u64,
    randomness: String,
    signature: String,
}

fn malformed(reason: impl Into<String>) -> BeaconError {
    BeaconError::Malformed { reason: reason.into() }
}
