//! The public randomness beacon: drand's HTTP API (`GET {base}/{chain hash}/public/{round}`).
//!
//! Invariants: which round counts follows from the instant alone (`round_at`), before anyone can
//! know its value; a round is believed only if its randomness is the SHA-256 of its signature.

use std::{sync::Arc, time::Duration};

use jiff::Timestamp;
use reqwest::StatusCode;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::http::{self, Failure, Http};

const TIME_LIMIT: Duration = Duration::from_secs(10);
const BODY_LIMIT: usize = 64 * 1024;
const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// Which chain, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeaconConfig {
    pub base_url: String,
    /// Lowercase hex; names the chain in the path.
    pub chain_hash: String,
    /// Seconds UTC since 1970: the instant of round 1.
    pub genesis_time_unix: i64,
    /// Seconds between rounds; 0 counts as 1.
    pub period_seconds: u32,
}

/// A published round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BeaconRound {
    pub round: u64,
    /// 64 lowercase hex digits: SHA-256 of the signature.
    pub randomness_hex: String,
    /// Lowercase hex.
    pub signature_hex: String,
}

/// Why there is no round.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BeaconError {
    /// That round is not published yet: its instant has not come, or has only just come.
    #[error("the beacon has not published that round yet")]
    NotYet,
    #[error("the beacon cannot be reached")]
    Unreachable { reason: String },
    #[error("the beacon did not answer in time")]
    TimedOut,
    /// Not a round, not the round that was asked for, or randomness that is not its signature's.
    #[error("the beacon's answer cannot be used")]
    Malformed { reason: String },
}

/// A client of one chain. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Beacon {
    config: Arc<BeaconConfig>,
    http: Http,
}

impl Beacon {
    #[must_use]
    pub fn new(config: BeaconConfig, http: Http) -> Self {
        Self { config: Arc::new(config), http }
    }

    /// The first round at or after `instant`. Round 1 is at the chain's genesis.
    #[must_use]
    pub fn round_at(&self, instant: Timestamp) -> u64 {
        let genesis = i128::from(self.config.genesis_time_unix) * NANOS_PER_SECOND;
        let period = i128::from(self.config.period_seconds.max(1)) * NANOS_PER_SECOND;
        let elapsed = (instant.as_nanosecond() - genesis).max(0);
        let periods = (elapsed + period - 1) / period;
        u64::try_from(periods + 1).expect("a count of whole seconds since 1970 fits")
    }

    /// Asks for `round`, within ten seconds. It is not asked again here: the caller decides how
    /// long a draw waits.
    pub async fn round(&self, round: u64) -> Result<BeaconRound, BeaconError> {
        let base = self.config.base_url.trim_end_matches('/');
        let url = format!("{base}/{}/public/{round}", self.config.chain_hash);
        let answer = http::exchange(self.http.get(&url), TIME_LIMIT, BODY_LIMIT).await?;
        match answer.status {
            StatusCode::OK => decode(round, &answer.body),
            StatusCode::NOT_FOUND | StatusCode::TOO_EARLY => Err(BeaconError::NotYet),
            status if status.is_server_error() => {
                Err(BeaconError::Unreachable { reason: format!("HTTP {status}") })
            }
            status => Err(malformed(format!("HTTP {status}"))),
        }
    }
}

impl From<Failure> for BeaconError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotSent(reason) | Failure::Broken(reason) => Self::Unreachable { reason },
            Failure::TimedOut => Self::TimedOut,
            Failure::TooLarge => malformed("the answer is too large"),
        }
    }
}

#[derive(Deserialize)]
struct RoundBody {
    round: u64,
    randomness: String,
    signature: String,
}

fn decode(asked: u64, body: &[u8]) -> Result<BeaconRound, BeaconError> {
    let body: RoundBody = serde_json::from_slice(body).map_err(|error| malformed(error.to_string()))?;
    if body.round != asked {
        return Err(malformed(format!("round {} instead of {asked}", body.round)));
    }
    let signature = hex::decode(&body.signature).map_err(|_| malformed("the signature is not hex"))?;
    if signature.is_empty() {
        return Err(malformed("the signature is empty"));
    }
    let randomness_hex = hex::encode(Sha256::digest(&signature));
    if !randomness_hex.eq_ignore_ascii_case(&body.randomness) {
        return Err(malformed("the randomness is not the signature's hash"));
    }
    Ok(BeaconRound { round: asked, randomness_hex, signature_hex: hex::encode(signature) })
}

fn malformed(reason: impl Into<String>) -> BeaconError {
    BeaconError::Malformed { reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn beacon() -> Beacon {
        let config = BeaconConfig {
            base_url: "http://beacon.test".into(),
            chain_hash: "ab".into(),
            genesis_time_unix: 1_000,
            period_seconds: 30,
        };
        Beacon::new(config, Http::new())
    }

    #[rstest]
    #[case::before_the_chain("1970-01-01T00:00:00Z", 1)]
    #[case::at_genesis("1970-01-01T00:16:40Z", 1)]
    #[case::just_after_it("1970-01-01T00:16:40.000000001Z", 2)]
    #[case::just_before_the_second("1970-01-01T00:17:09.999999999Z", 2)]
    #[case::at_the_second("1970-01-01T00:17:10Z", 2)]
    #[case::after_the_second("1970-01-01T00:17:11Z", 3)]
    fn the_first_round_at_or_after(#[case] instant: Timestamp, #[case] round: u64) {
        assert_eq!(beacon().round_at(instant), round);
    }

    proptest::proptest! {
        #[test]
        fn the_round_is_not_before_the_instant_and_the_one_before_is(second in 0i64..2_000_000_000) {
            let instant = Timestamp::from_second(second).expect("in range");
            let round = i64::try_from(beacon().round_at(instant)).expect("small");
            let time_of = |round: i64| 1_000 + (round - 1) * 30;
            proptest::prop_assert!(time_of(round) >= second);
            proptest::prop_assert!(round == 1 || time_of(round - 1) < second);
        }
    }
}
