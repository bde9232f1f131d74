//! A drand chain of the scheme `bls-unchained-g1-rfc9380`, as its `/info` describes it, and its
//! signatures: for the draw, and for whoever checks it.
//!
//! Invariant: a chain's hash is the hash over its key and its times, so whoever knows the hash knows
//! them all. A key alone would not do: who tells the times tells which round counts.

use blst::{
    BLST_ERROR,
    min_sig::{PublicKey, Signature},
};
use jiff::Timestamp;
use serde::Deserialize;
use sha2::{Digest, Sha256};

const SCHEME: &str = "bls-unchained-g1-rfc9380";
/// What the scheme hashes a message to its curve with (RFC 9380, §3.1).
const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const NANOS_PER_SECOND: i128 = 1_000_000_000;

/// The chain that the product is deployed with: `https://api.drand.sh/<hash>/info`.
const QUICKNET: &str = r#"{
    "public_key": "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    "period": 3,
    "genesis_time": 1692803367,
    "hash": "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
    "groupHash": "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
    "schemeID": "bls-unchained-g1-rfc9380",
    "metadata": { "beaconID": "quicknet" }
}"#;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chain {
    /// Lowercase hex.
    pub hash: String,
    /// What it calls itself.
    pub name: String,
    /// Compressed. It is unpacked where a signature is checked: most functions never do.
    key: Vec<u8>,
    /// Seconds UTC since 1970: the instant of round 1.
    genesis: i64,
    /// Seconds between rounds.
    period: u32,
}

#[derive(Debug, thiserror::Error)]
pub enum ChainError {
    #[error("not a chain's /info: {0}")]
    Unreadable(#[from] serde_json::Error),
    #[error("the scheme {0}, and only {SCHEME} is known here")]
    Scheme(String),
    #[error("the public key is none")]
    Key,
    #[error("the hash of the group is none")]
    Group,
    #[error("no time between rounds")]
    Period,
    #[error("a chain with this key and these times has the hash {computed}, not {told}")]
    Hash { computed: String, told: String },
}

#[derive(Deserialize)]
struct Info {
    public_key: String,
    period: u32,
    genesis_time: i64,
    hash: String,
    #[serde(rename = "groupHash")]
    group_hash: String,
    #[serde(rename = "schemeID")]
    scheme_id: String,
    metadata: Metadata,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "beaconID")]
    beacon_id: String,
}

impl Chain {
    pub fn quicknet() -> Self {
        Self::read(QUICKNET).expect("a constant that a test reads")
    }

    /// Reads the answer of a chain's `/info` (JSON).
    pub fn from_info(text: &str) -> Result<Self, ChainError> {
        let chain = Self::read(text)?;
        PublicKey::key_validate(&chain.key).map_err(|_| ChainError::Key)?;
        Ok(chain)
    }

    fn read(text: &str) -> Result<Self, ChainError> {
        let info: Info = serde_json::from_str(text)?;
        if info.scheme_id != SCHEME {
            return Err(ChainError::Scheme(info.scheme_id));
        }
        if info.period == 0 {
            return Err(ChainError::Period);
        }
        let key = hex::decode(&info.public_key).map_err(|_| ChainError::Key)?;
        let group = hex::decode(&info.group_hash).map_err(|_| ChainError::Group)?;
        let computed = Sha256::new()
            .chain_update(info.period.to_be_bytes())
            .chain_update(info.genesis_time.to_be_bytes())
            .chain_update(&key)
            .chain_update(group)
            .chain_update(&info.metadata.beacon_id);
        let computed = hex::encode(computed.finalize());
        if computed != info.hash {
            return Err(ChainError::Hash { computed, told: info.hash });
        }
        let (genesis, period) = (info.genesis_time, info.period);
        Ok(Self { hash: computed, name: info.metadata.beacon_id, key, genesis, period })
    }

    /// The first round at or after `instant`.
    pub fn first_round_from(&self, instant: Timestamp) -> u64 {
        let genesis = i128::from(self.genesis) * NANOS_PER_SECOND;
        let period = i128::from(self.period) * NANOS_PER_SECOND;
        let since = (instant.as_nanosecond() - genesis).max(0);
        u64::try_from((since + period - 1) / period + 1).expect("a count of seconds since 1970 fits")
    }

    /// The instant at which `round` is published: nobody has it before.
    pub fn time_of(&self, round: u64) -> Timestamp {
        let periods = i64::try_from(round.saturating_sub(1)).unwrap_or(i64::MAX);
        let since = periods.saturating_mul(i64::from(self.period));
        Timestamp::from_second(self.genesis.saturating_add(since)).unwrap_or(Timestamp::MAX)
    }

    /// Whether the chain signed `round` so. Only the compressed form counts, the one there is: the
    /// round's value is a hash over it.
    pub fn signed(&self, round: u64, signature: &[u8]) -> bool {
        let Ok(key) = PublicKey::uncompress(&self.key) else { return false };
        let Ok(signature) = Signature::uncompress(signature) else { return false };
        let message = Sha256::digest(round.to_be_bytes());
        signature.verify(true, &message, DOMAIN, &[], &key, false) == BLST_ERROR::BLST_SUCCESS
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    /// Round 1000 of quicknet, as `https://api.drand.sh` publishes it.
    const ROUND_1000: &str =
        "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";

    #[test]
    fn a_published_round_of_quicknet_is_quicknets() {
        let quicknet = Chain::quicknet();
        assert_eq!(Chain::from_info(QUICKNET).unwrap(), quicknet);
        let signature = hex::decode(ROUND_1000).unwrap();
        assert!(quicknet.signed(1000, &signature));
        let value = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd";
        assert_eq!(hex::encode(Sha256::digest(&signature)), value);
        assert!(!quicknet.signed(1001, &signature));
        assert!(!quicknet.signed(1000, &signature[..47]));
        let mut other = signature;
        other[20] ^= 1;
        assert!(!quicknet.signed(1000, &other));
        assert!(!quicknet.signed(1000, &[]));
    }

    #[rstest]
    #[case::another_period("\"period\": 3", "\"period\": 30")]
    #[case::no_period("\"period\": 3", "\"period\": 0")]
    #[case::another_genesis("1692803367", "1692803368")]
    #[case::another_key("83cf0f28", "83cf0f29")]
    #[case::another_group("f477d5c8", "f477d5c9")]
    #[case::no_group("f477d5c8", "f477d5cx")]
    #[case::another_name("\"quicknet\"", "\"slownet\"")]
    #[case::another_hash("52db9ba7", "52db9ba8")]
    #[case::another_scheme("bls-unchained-g1-rfc9380", "pedersen-bls-chained")]
    #[case::nothing(QUICKNET, "")]
    fn a_chain_is_all_that_its_hash_is_over(#[case] from: &str, #[case] to: &str) {
        assert!(Chain::from_info(&QUICKNET.replace(from, to)).is_err());
    }

    #[rstest]
    #[case::before_the_chain("1970-01-01T00:00:00Z", 1)]
    #[case::at_genesis("2023-08-23T15:09:27Z", 1)]
    #[case::just_after_it("2023-08-23T15:09:27.000000001Z", 2)]
    #[case::at_the_second("2023-08-23T15:09:30Z", 2)]
    #[case::after_the_second("2023-08-23T15:09:31Z", 3)]
    #[case::of_the_thousandth("2023-08-23T15:59:24Z", 1000)]
    fn the_first_round_at_or_after(#[case] instant: Timestamp, #[case] round: u64) {
        assert_eq!(Chain::quicknet().first_round_from(instant), round);
    }

    proptest::proptest! {
        #[test]
        fn the_round_is_not_before_the_instant_and_the_one_before_is(second in 0i64..4_000_000_000) {
            let (chain, instant) = (Chain::quicknet(), Timestamp::from_second(second).unwrap());
            let round = chain.first_round_from(instant);
            proptest::prop_assert!(chain.time_of(round) >= instant);
            proptest::prop_assert!(round == 1 || chain.time_of(round - 1) < instant);
        }
    }
}
