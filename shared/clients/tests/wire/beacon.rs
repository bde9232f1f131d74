use clients::{Beacon, BeaconConfig, BeaconError, BeaconRound, Http, beacon::Chain};
use rstest::rstest;
use serde_json::json;

use crate::server::{Server, nobody, reply};

/// Round 1000 of quicknet, as `https://api.drand.sh` publishes it.
pub const SIGNATURE: &str =
    "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
/// SHA-256 of the bytes that `SIGNATURE` spells.
pub const RANDOMNESS: &str = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd";
/// Of another round, with its own hash: whoever does not check the signature believes it.
const ANOTHER: &str = "8d61d9100567de44682506aea1a7a6fa6e5491cd27a0a0ed349ef6910ac5ac20";
const ANOTHERS_HASH: &str = "d42bebdfe08e3ac503969d3c0f6db22b8a416f0f1dd7744548391e54678e3df7";

fn beacon<const N: usize>(relays: [String; N]) -> Beacon {
    Beacon::new(BeaconConfig { relays: relays.into(), chain: Chain::quicknet() }, Http::new())
}

fn round(round: u64, randomness: &str, signature: &str) -> String {
    json!({"round": round, "randomness": randomness, "signature": signature}).to_string()
}

fn the_round() -> BeaconRound {
    BeaconRound { round: 1000, randomness_hex: RANDOMNESS.into(), signature_hex: SIGNATURE.into() }
}

/// What one relay did instead of giving round 1000.
async fn failure(relay: String) -> BeaconError {
    beacon([relay]).round(1000).await.expect_err("it has no round").remove(0).error
}

#[tokio::test]
async fn a_round_is_asked_of_its_chain() {
    let body = round(1000, &RANDOMNESS.to_uppercase(), SIGNATURE);
    let (server, base) = Server::start([reply(200, &body)]).await;
    assert_eq!(beacon([format!("{base}/")]).round(1000).await, Ok(the_round()));
    let target = format!("/{}/public/1000", Chain::quicknet().hash);
    assert_eq!(server.asked()[0].target, target);
}

#[rstest]
#[case(404)]
#[case(425)]
#[tokio::test]
async fn a_round_to_come(#[case] status: u16) {
    let (_server, base) = Server::start([reply(status, "{}")]).await;
    assert_eq!(failure(base).await, BeaconError::NotYet);
}

#[rstest]
#[case::another_round(round(999, RANDOMNESS, SIGNATURE))]
#[case::other_randomness(round(1000, ANOTHERS_HASH, SIGNATURE))]
#[case::no_signature(round(1000, RANDOMNESS, ""))]
#[case::not_hex(round(1000, RANDOMNESS, "not hex"))]
#[case::html("<html></html>".to_owned())]
#[case::cut("{\"round\":1000,".to_owned())]
#[tokio::test]
async fn a_round_that_cannot_be_believed(#[case] body: String) {
    let (_server, base) = Server::start([reply(200, &body)]).await;
    let error = failure(base).await;
    assert!(matches!(error, BeaconError::Malformed { .. }), "{error:?}");
}

/// Round and randomness fit together, and the beacon never said so.
#[tokio::test]
async fn a_lie_is_no_answer() {
    let (_server, base) = Server::start([reply(200, &round(1000, ANOTHERS_HASH, ANOTHER))]).await;
    assert_eq!(failure(base).await, BeaconError::NotSigned);
}

#[tokio::test]
async fn a_beacon_that_is_down() {
    let (_server, base) = Server::start([reply(500, "")]).await;
    let error = failure(base).await;
    assert!(matches!(error, BeaconError::Unreachable { .. }), "{error:?}");
    let (_held, base) = nobody();
    let error = failure(base).await;
    assert!(matches!(error, BeaconError::Unreachable { .. }), "{error:?}");
}

/// One lies, one is down, one says the truth: that is enough, in whatever order they stand.
#[rstest]
#[case([0, 1, 2])]
#[case([2, 0, 1])]
#[case([1, 2, 0])]
#[tokio::test]
async fn one_honest_relay_of_three_is_enough(#[case] order: [usize; 3]) {
    let (_lies, lies) = Server::start([reply(200, &round(1000, ANOTHERS_HASH, ANOTHER))]).await;
    let (_down, down) = Server::start([reply(503, "")]).await;
    let (_honest, honest) = Server::start([reply(200, &round(1000, RANDOMNESS, SIGNATURE))]).await;
    let relays = [lies, down, honest];
    assert_eq!(beacon(order.map(|at| relays[at].clone())).round(1000).await, Ok(the_round()));
}

#[tokio::test]
async fn where_none_has_it_each_is_named() {
    let (_lies, lies) = Server::start([reply(200, &round(1000, ANOTHERS_HASH, ANOTHER))]).await;
    let (_early, early) = Server::start([reply(404, "")]).await;
    let failures = beacon([lies.clone(), early.clone()]).round(1000).await.unwrap_err();
    let told: Vec<_> = failures.into_iter().map(|failure| (failure.relay, failure.error)).collect();
    assert_eq!(told, [(lies, BeaconError::NotSigned), (early, BeaconError::NotYet)]);
}
