use clients::{Beacon, BeaconConfig, BeaconError, BeaconRound, Http};
use rstest::rstest;
use serde_json::json;

use crate::server::{Server, nobody, reply};

const SIGNATURE: &str = "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20";
/// SHA-256 of the bytes that `SIGNATURE` spells.
const RANDOMNESS: &str = "d42bebdfe08e3ac503969d3c0f6db22b8a416f0f1dd7744548391e54678e3df7";

fn beacon(base_url: String) -> Beacon {
    let config = BeaconConfig {
        base_url,
        chain_hash: "52db9ba7".into(),
        genesis_time_unix: 1_692_803_367,
        period_seconds: 3,
    };
    Beacon::new(config, Http::new())
}

fn round(round: u64, randomness: &str, signature: &str) -> String {
    json!({"round": round, "randomness": randomness, "signature": signature}).to_string()
}

#[tokio::test]
async fn a_round_is_asked_of_its_chain() {
    let body = round(1000, &RANDOMNESS.to_uppercase(), SIGNATURE);
    let (server, base) = Server::start([reply(200, &body)]).await;
    let answer = beacon(format!("{base}/")).round(1000).await;
    assert_eq!(
        answer,
        Ok(BeaconRound { round: 1000, randomness_hex: RANDOMNESS.into(), signature_hex: SIGNATURE.into() })
    );
    assert_eq!(server.asked()[0].target, "/52db9ba7/public/1000");
}

#[rstest]
#[case(404)]
#[case(425)]
#[tokio::test]
async fn a_round_to_come(#[case] status: u16) {
    let (_server, base) = Server::start([reply(status, "{}")]).await;
    assert_eq!(beacon(base).round(1000).await, Err(BeaconError::NotYet));
}

#[rstest]
#[case::another_round(round(999, RANDOMNESS, SIGNATURE))]
#[case::other_randomness(round(1000, SIGNATURE, SIGNATURE))]
#[case::no_signature(round(1000, RANDOMNESS, ""))]
#[case::not_hex(round(1000, RANDOMNESS, "not hex"))]
#[case::html("<html></html>".to_owned())]
#[case::cut("{\"round\":1000,".to_owned())]
#[tokio::test]
async fn a_round_that_cannot_be_believed(#[case] body: String) {
    let (_server, base) = Server::start([reply(200, &body)]).await;
    let answer = beacon(base).round(1000).await;
    assert!(matches!(answer, Err(BeaconError::Malformed { .. })), "{answer:?}");
}

#[tokio::test]
async fn a_beacon_that_is_down() {
    let (_server, base) = Server::start([reply(500, "")]).await;
    let answer = beacon(base).round(1000).await;
    assert!(matches!(answer, Err(BeaconError::Unreachable { .. })), "{answer:?}");
    let (_held, base) = nobody();
    let answer = beacon(base).round(1000).await;
    assert!(matches!(answer, Err(BeaconError::Unreachable { .. })), "{answer:?}");
}
