//! Paid 175 seconds before the deadline, the success callback in hand, M-Pesa's query slow.

use app::{
    Safeguards::{self, Full, Light},
    payments::prompts,
    platform::queues::ProcessPayment,
};
use domain::{EntryAmount, gameweeks::calendar::FENCE_AFTER_DEADLINE, payments::prompt::PromptAnswer};
use jiff::{Timestamp, tz};
use local::process::Fate;
use rstest::rstest;
use serde_json::json;

use crate::support::{
    World, assert_has,
    gameweek::{this_week, users},
    mpesa::{paid_calling_back, paid_unheard},
    text,
};

/// Sends the prompt of an entry at `sent` seconds from the deadline. Answers its id.
async fn pay(world: &World, sent: i64) -> String {
    world.to_deadline(sent).await;
    let player = world.player_again(1).await;
    let body = json!({"phone": "0712000001", "amount": 100, "fplId": player.fpl_id,
        "entryAmount": 100, "gameweek": 1});
    player.post("/api/pay", body).await.text(200, "checkoutId")
}

/// Lets each minute's jobs run until half an hour after the deadline.
async fn until_drawn(world: &World, from: i64) {
    for seconds in (from..30 * 60).step_by(60) {
        world.to_deadline(seconds).await;
    }
}

/// Whether the entries of the draw are fixed.
async fn list_is_fixed(world: &World) -> bool {
    let list = world.app().store().entry_list(this_week(), EntryAmount::Hundred);
    list.await.unwrap().is_some()
}

/// The paybill confirms now what the player has paid at `paid_at`.
async fn confirm(world: &World, receipt: &str, paid_at: Timestamp) {
    let east_africa = tz::Offset::constant(3).to_datetime(paid_at);
    let confirmation = json!({"TransID": receipt, "TransAmount": "100.00", "BusinessShortCode": "174379",
        "TransTime": east_africa.strftime("%Y%m%d%H%M%S").to_string(), "BillRefNumber": "player1",
        "MSISDN": "2547 ***** 001"});
    world.post_to_hook("/hooks/c2b/confirm", confirmation).await;
    world.advance(0).await;
}

async fn members(world: &World) -> usize {
    world.advance(61 * 60).await;
    let leagues = world.player_again(1).await.leagues(100, 1).await;
    leagues.iter().map(|league| users(league).len()).sum()
}

/// When M-Pesa's success reached us decides, not when it is processed: the second prompt's callback comes before
/// the fence, and its credit after it; the draw's list waits for it.
#[rstest]
#[case::light(Light, -175, -170, "once")]
#[case::full(Full, -175, -170, "once")]
#[case::light_heard_just_before_the_fence(Light, -10, 30, "late")]
#[case::full_heard_just_before_the_fence(Full, -10, 30, "late")]
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
    world.to_deadline(paid).await;
    world.decide_prompt("0712000001", paid_calling_back(callback)).await;
    if callback == "late" {
        world.to_deadline(FENCE_AFTER_DEADLINE.as_secs() + 5).await;
        assert_eq!(
            world.entry_payment_status(&id).await["status"],
            "PENDING",
            "it is not decided at the fence"
        );
        assert!(!list_is_fixed(&world).await, "the list waits for it");
        until_drawn(&world, 660).await;
    } else {
        until_drawn(&world, 0).await;
    }
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": true}));
    assert_eq!(members(&world).await, 6);
    world.ledger().await;
}

/// The paybill's confirmation is evidence as a callback is, by when it reached us: the callback is lost, and M-Pesa
/// answers no question before `answers`. About the earlier prompt it is asked in turn at 790 seconds, and then at 1690, when the
/// list waits no longer: what was confirmed has it asked in between.
#[rstest]
#[case::light(Light, -10, 10, 630)]
#[case::full(Full, -10, 10, 630)]
#[case::light_asked_once_more(Light, -170, 540, 815)]
#[case::full_asked_once_more(Full, -170, 540, 815)]
#[tokio::test]
async fn what_was_confirmed_before_the_fence_makes_its_entry(
    #[case] safeguards: Safeguards,
    #[case] sent: i64,
    #[case] confirmed: i64,
    #[case] answers: i64,
) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 100).await;
    world.player().await;
    let id = pay(&world, sent).await;
    world.faults(json!({"daraja": "pending"})).await;
    let receipt = text(&world.decide_prompt("0712000001", paid_unheard()).await, "receipt");
    let paid_at = world.app().clock().now();
    world.to_deadline(confirmed).await;
    confirm(&world, &receipt, paid_at).await;
    world.to_deadline(FENCE_AFTER_DEADLINE.as_secs() + 5).await;
    assert_eq!(world.entry_payment_status(&id).await["status"], "PENDING", "it is not decided at the fence");
    assert!(!list_is_fixed(&world).await, "the list waits for it");
    world.to_deadline(answers).await;
    world.faults(json!({"daraja": "none"})).await;
    until_drawn(&world, answers + 45).await;
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": true}));
    assert_eq!(members(&world).await, 6);
    world.ledger().await;
}

/// M-Pesa answers a failure while the message with the success still waits in its queue: it is open for an hour more,
/// and the draw's list waits for it.
#[rstest]
#[tokio::test]
async fn an_answer_does_not_fail_what_was_heard(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 100).await;
    let player = world.player().await;
    let id = pay(&world, -175).await;
    world.hear_paid(&player, &id, 100).await;
    world.decide_prompt("0712000001", json!({"outcome": "cancelled", "callback": "never"})).await;
    world.to_deadline(FENCE_AFTER_DEADLINE.as_secs() + 5).await;
    assert_eq!(world.entry_payment_status(&id).await["status"], "PENDING");
    assert!(!list_is_fixed(&world).await, "the list waits for it");
    world.to_deadline(22 * 60).await;
    assert!(!list_is_fixed(&world).await, "the list waits for 23 minutes");
    world.to_deadline(25 * 60).await;
    assert!(list_is_fixed(&world).await, "and no longer");
    world.advance(2 * 3600).await;
    assert_eq!(world.entry_payment_status(&id).await["status"], "FAILED", "nothing more was heard");
    world.ledger().await;
}

/// What nobody heard of before the fence is credited to the wallet, and holds no draw up.
#[rstest]
#[tokio::test]
async fn what_is_heard_after_the_fence_is_in_the_wallet(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    world.crowd(5, 100).await;
    world.player().await;
    let id = pay(&world, -10).await;
    world.faults(json!({"daraja": "pending"})).await;
    world.decide_prompt("0712000001", paid_unheard()).await;
    until_drawn(&world, 0).await;
    assert!(list_is_fixed(&world).await, "nothing was heard of: nothing is waited for");
    world.faults(json!({"daraja": "none"})).await;
    world.advance(3600).await;
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": false}));
    assert_eq!((world.player_again(1).await.wallet().await, members(&world).await), (100, 5));
}

/// A question has read the prompt before its success was heard of, and is answered after the fence: the entry is made.
#[tokio::test]
async fn what_is_heard_while_it_is_asked_about_makes_its_entry() {
    let world = World::start().await;
    let player = world.player().await;
    let id = pay(&world, -10).await;
    let read = world.app().store().payment(&id).await.unwrap().unwrap();
    world.hear_paid(&player, &id, 100).await;
    let late = world.process_with_clock(FENCE_AFTER_DEADLINE.as_secs() + 15);
    assert!(prompts::apply(late.app(), &read, &PromptAnswer::Paid).await.unwrap());
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": true}));
}

/// M-Pesa has answered that it failed, and before that is written its success is heard of.
#[tokio::test]
async fn what_is_heard_while_a_failure_is_written_does_not_fail() {
    let world = World::start().await;
    let player = world.player().await;
    let id = pay(&world, -10).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let read = store.payment(&id).await.unwrap().unwrap();
    world.hear_paid(&player, &id, 100).await;
    assert!(!store.fail_payment(&read, "The prompt was cancelled.", now).await.unwrap());
    assert_eq!(world.entry_payment_status(&id).await["status"], "PENDING");
}

/// M-Pesa's answer is kept before anything follows from it: who has asked dies then, and the entry is made after the fence.
#[tokio::test]
async fn what_was_answered_before_the_fence_makes_its_entry() {
    let world = World::start().await;
    world.player().await;
    let id = pay(&world, -10).await;
    world.decide_prompt("0712000001", paid_unheard()).await;
    let question = ProcessPayment::question(&id, 0);
    let dies = world.process(Fate::DiesAfter(1));
    assert!(dies.run(prompts::process(dies.app(), &question)).await.is_none());
    let late = world.process_with_clock(FENCE_AFTER_DEADLINE.as_secs() + 15);
    prompts::process(late.app(), &question).await.unwrap();
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": true}));
}
