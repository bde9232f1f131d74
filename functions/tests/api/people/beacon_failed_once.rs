//! The beacon fails one request, or one relay of it lies.

use app::Safeguards::{self, Full, Light};
use local::verify::{self, Options};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::World;

async fn is_verified(world: &World) {
    let report = verify::run(&Options::parse(&["1", &world.base]).unwrap()).await.unwrap();
    assert!(report.holds(), "{report}");
}

/// The draw comes late, because its schedules rested, and the first request fails: it is asked again.
#[rstest]
#[case::light(Light, 13)]
#[case::full(Full, 13)]
#[case::an_hour_late(Light, 70)]
#[tokio::test]
async fn one_failed_request_makes_no_draw_without_it(#[case] safeguards: Safeguards, #[case] minutes: i64) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 50).await;
    world.no_schedules().await;
    world.phase(1, "locked").await;
    world.advance(600).await;
    world.start_job("close-gameweek").await;
    world.advance(minutes * 60).await;
    assert!(world.draw().await["listsAt"].is_string());
    world.faults(json!({"beacon": "down"})).await;
    world.start_job("close-gameweek").await;
    assert!(world.draw().await["drawnAt"].is_null());
    world.faults(json!({"beacon": "none"})).await;
    world.start_job("close-gameweek").await;
    let drawn = world.draw().await;
    assert!(drawn["drawnAt"].is_string() && drawn["draws"][0]["beacon"].is_string(), "{drawn}");
    assert!(drawn["draws"][0]["withoutBeacon"].is_null() && drawn["beaconSilence"].is_null(), "{drawn}");
    is_verified(&world).await;
}

/// A relay that lies or is down does not keep the draw from the one that tells the truth, and decides nothing.
#[rstest]
#[case::light(Light, "one-lies-one-down")]
#[case::full(Full, "one-lies-one-down")]
#[case::one_lies(Light, "one-lies")]
#[case::one_is_down(Light, "one-down")]
#[tokio::test]
async fn a_relay_that_lies_decides_nothing(#[case] safeguards: Safeguards, #[case] fault: &str) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 50).await;
    world.faults(json!({"beacon": fault})).await;
    world.phase(1, "live").await;
    let drawn = world.draw().await;
    assert_eq!(drawn["beaconAddresses"].as_array().unwrap().len(), 3);
    assert!(drawn["draws"][0]["beacon"].is_string(), "{drawn}");
    is_verified(&world).await;
}

/// Where all of them lie there is no answer: the draw waits for half an hour, and says what happened.
#[rstest]
#[tokio::test]
async fn where_all_lie_it_is_drawn_without_and_says_so(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(12, 50).await;
    world.faults(json!({"beacon": "lies"})).await;
    world.phase(1, "live").await;
    let drawn = world.draw().await;
    assert_eq!(drawn["draws"][0]["beacon"], Value::Null);
    let silence = &drawn["beaconSilence"];
    let relays = silence["relays"].as_array().unwrap();
    assert_eq!(relays.len(), 3);
    for relay in relays {
        assert_eq!(relay["failed"], silence["tries"]);
        assert_eq!(relay["reasons"], json!(["its answer was not signed by the beacon"]));
    }
    let told = drawn["draws"][0]["withoutBeacon"].as_str().unwrap();
    assert!(told.contains("not signed by the beacon"), "{told}");
    // By 56 minutes after the deadline.
    let at: jiff::Timestamp = drawn["draws"][0]["at"].as_str().unwrap().parse().unwrap();
    assert!(at <= "2026-08-22T11:26:00Z".parse().unwrap(), "{at}");
    world.faults(json!({"beacon": "none"})).await;
    is_verified(&world).await;
}
