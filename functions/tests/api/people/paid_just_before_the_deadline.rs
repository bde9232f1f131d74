//! Paid 175 seconds before the deadline, the success callback in hand, M-Pesa's query slow.

use app::Safeguards;
use domain::gameweeks::calendar::FENCE_AFTER_DEADLINE;
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{PASSWORD, World};

async fn to_deadline(world: &World, seconds: i64) {
    let deadline: Timestamp = "2026-08-22T10:30:00Z".parse().unwrap();
    let to = deadline + SignedDuration::from_secs(seconds);
    world.sim(Method::POST, "/clock", json!({"to": to.to_string()})).await;
}

/// Sends the prompt of an entry at `sent` seconds from the deadline. Answers its id.
async fn pay(world: &World, sent: i64) -> String {
    to_deadline(world, sent).await;
    let player = world.log_in("player1@example.co.ke", PASSWORD).await;
    let body = json!({"phone": "0712000001", "amount": 100, "fplId": player.fpl_id,
        "entryAmount": 100, "gameweek": 1});
    player.post("/api/pay", body).await.expect(200)["checkoutId"].as_str().unwrap().to_owned()
}

async fn status(world: &World, id: &str) -> Value {
    world.nobody().get(&format!("/api/pay/status?checkoutId={id}")).await.expect(200)
}

/// Lets each minute's jobs run until half an hour after the deadline.
async fn until_drawn(world: &World, from: i64) {
    for seconds in (from..30 * 60).step_by(60) {
        to_deadline(world, seconds).await;
    }
}

async fn members(world: &World) -> usize {
    world.advance(61 * 60).await;
    let player = world.log_in("player1@example.co.ke", PASSWORD).await;
    let leagues = player.leagues(100, 1).await;
    leagues.iter().map(|league| league["users"].as_array().unwrap().len()).sum()
}

/// When M-Pesa's success reached us decides, not when it is processed: the second prompt's callback comes before
/// the fence, and its credit after it; the draw's list waits for it.
#[rstest]
#[case::light(Safeguards::Light, -175, -170, "once")]
#[case::full(Safeguards::Full, -175, -170, "once")]
#[case::light_heard_just_before_the_fence(Safeguards::Light, -10, 30, "late")]
#[case::full_heard_just_before_the_fence(Safeguards::Full, -10, 30, "late")]
#[tokio::test]
async fn it_makes_its_entry(
    #[case] safeguards: Safeguards,
    #[case] sent: i64,
    #[case] paid: i64,
    #[case] callback: &str,
) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 100).await;
    world.player().await;
    let id = pay(&world, sent).await;
    world.faults(json!({"daraja": "pending"})).await;
    to_deadline(&world, paid).await;
    world.decide_prompt("0712000001", json!({"outcome": "success", "callback": callback})).await;
    if callback == "late" {
        to_deadline(&world, FENCE_AFTER_DEADLINE.as_secs() + 5).await;
        assert_eq!(status(&world, &id).await["status"], "PENDING", "it is not decided at the fence");
        let drawn = world.app().store().entry_list("2026-01".parse().unwrap(), domain::EntryAmount::Hundred);
        assert!(drawn.await.unwrap().is_none(), "the list waits for it");
        until_drawn(&world, 660).await;
    } else {
        until_drawn(&world, 0).await;
    }
    let status = status(&world, &id).await;
    assert_eq!((&status["status"], &status["entered"]), (&json!("SUCCESS"), &json!(true)), "{status}");
    assert_eq!(members(&world).await, 6);
    world.ledger().await;
}

/// The paybill's confirmation is evidence as a callback is, by when it reached us: the callback is lost, and M-Pesa
/// answers no question before the fence.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn what_was_confirmed_before_the_fence_makes_its_entry(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 100).await;
    world.player().await;
    let id = pay(&world, -10).await;
    world.faults(json!({"daraja": "pending"})).await;
    world.decide_prompt("0712000001", json!({"outcome": "success", "callback": "never"})).await;
    to_deadline(&world, FENCE_AFTER_DEADLINE.as_secs() + 5).await;
    assert_eq!(status(&world, &id).await["status"], "PENDING", "it is not decided at the fence");
    let drawn = world.app().store().entry_list("2026-01".parse().unwrap(), domain::EntryAmount::Hundred);
    assert!(drawn.await.unwrap().is_none(), "the list waits for it");
    world.faults(json!({"daraja": "none"})).await;
    until_drawn(&world, 660).await;
    let status = status(&world, &id).await;
    assert_eq!((&status["status"], &status["entered"]), (&json!("SUCCESS"), &json!(true)), "{status}");
    assert_eq!(members(&world).await, 6);
    world.ledger().await;
}

/// What nobody heard of before the fence is credited to the wallet, and holds no draw up.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn what_is_heard_after_the_fence_is_in_the_wallet(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 100).await;
    world.player().await;
    let id = pay(&world, -10).await;
    world.faults(json!({"daraja": "pending"})).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    world.decide_prompt("0712000001", how).await;
    until_drawn(&world, 0).await;
    let drawn = world.app().store().entry_list("2026-01".parse().unwrap(), domain::EntryAmount::Hundred);
    assert!(drawn.await.unwrap().is_some(), "nothing was heard of: nothing is waited for");
    world.faults(json!({"daraja": "none"})).await;
    world.advance(3600).await;
    let status = status(&world, &id).await;
    assert_eq!((&status["status"], &status["entered"]), (&json!("SUCCESS"), &json!(false)), "{status}");
    let player = world.log_in("player1@example.co.ke", PASSWORD).await;
    assert_eq!((player.wallet().await, members(&world).await), (100, 5));
}
