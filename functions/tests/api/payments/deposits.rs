//! Deposits by prompt: credited exactly once, however the callback comes or does not.

use domain::{
    Kes,
    payments::prompt::{CallbackClaim, PaymentState},
};
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::payments::prompts::{Credit, Credited, Intended, Payment};

use crate::support::{
    World, assert_has, at_once,
    mpesa::{callback, paid, paid_calling_back, paid_unheard},
    set_asides::RECEIPT,
    text,
};

#[tokio::test]
async fn a_deposit_is_pending_until_it_is_paid_and_then_in_the_wallet() {
    let (world, player) = World::with_player(0).await;
    let body = json!({"phone": player.phone(), "amount": 500, "userId": player.id});
    let answer = player.post("/api/deposits", body).await.expect(200);
    assert_has(&answer, json!({"success": true, "message": "Check your phone to complete the payment"}));
    let id = text(&answer, "checkoutId");
    assert_eq!(world.deposit_status(&id).await["status"], "PENDING");
    assert_eq!(player.wallet().await, 0);

    let receipt = world.receipt_of(&player.phone(), paid()).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    assert_eq!(player.wallet().await, 500);

    let movements = player.movements().await;
    assert_eq!(movements.len(), 1);
    let own = json!({"kind": "deposit", "amount": 500, "balanceAfter": 500, "receipt": receipt});
    assert_has(&movements[0], own);
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
}

#[rstest]
#[case::cancelled("cancelled")]
#[case::wrong_pin("wrong_pin")]
#[case::insufficient("insufficient_funds")]
#[case::unreachable("unreachable")]
#[tokio::test]
async fn one_that_is_not_paid_fails_and_says_why(#[case] outcome: &str) {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    world.answer_prompt(&player.phone(), json!({"outcome": outcome})).await;
    let status = world.deposit_status(&id).await;
    assert_eq!(status["status"], "FAILED");
    assert!(!status["message"].as_str().unwrap().is_empty());
    assert_eq!(player.wallet().await, 0);
    world.ledger().await;
}

#[tokio::test]
async fn a_prompt_that_nobody_answers_fails_by_itself() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    world.advance(120).await;
    assert_eq!(world.deposit_status(&id).await["status"], "FAILED");
}

/// Faults 1, 2 and 3: twice, five minutes late, never.
#[rstest]
#[case::twice("duplicate", 0)]
#[case::late("late", 360)]
#[case::never("never", 120)]
#[tokio::test]
async fn it_is_credited_once_however_the_callback_comes(#[case] callback: &str, #[case] after: i64) {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    world.answer_prompt(&player.phone(), paid_calling_back(callback)).await;
    world.advance(after).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    assert_eq!(player.wallet().await, 500);
    world.advance(3600).await;
    assert_eq!(world.player_again(1).await.wallet().await, 500);
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
}

/// Fault 1: the same body fifty times at once.
#[tokio::test]
async fn fifty_callbacks_at_once_credit_once() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    world.decide_prompt(&player.phone(), paid_calling_back("duplicate")).await;
    let (hook, nobody) = (world.hook(&id).await, world.nobody());
    let body = callback(&world.checkout_request(&player.phone()).await, "NLJ7RT61SV", 500);
    for answer in at_once((0..50).map(|_| nobody.post(&hook, body.clone()))).await {
        answer.expect(200);
    }
    world.advance(0).await;
    assert_eq!(player.wallet().await, 500);
    world.ledger().await;
}

/// Fault 5: a wrong secret finds nothing; a right one with another prompt's ids credits nothing.
#[tokio::test]
async fn a_forged_callback_credits_nothing() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.prompt(500).await;
    let hook = world.hook(&id).await;
    let forged = format!("/hooks/stk/{id}/{}", "0".repeat(64));
    let claim = callback("ws_CO_1", "NLJ7RT61SV", 500);
    world.nobody().post(&forged, claim.clone()).await.refused(404);
    world.nobody().post(&hook, claim).await.expect(200);
    world.nobody().post(&hook, json!({"Body": "nonsense"})).await.expect(200);
    // As long as would let a callback stand alone.
    world.advance(900).await;
    assert_ne!(world.deposit_status(&id).await["status"], "SUCCESS");
    assert_eq!(world.again(&player).await.wallet().await, 0);
}

/// Fault 6: another amount than was asked for is set aside, whatever M-Pesa answers.
#[rstest]
#[case(501)]
#[case(499)]
#[case(0)]
#[case(-500)]
#[tokio::test]
async fn another_amount_credits_nothing(#[case] claimed: i64) {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    world.answer_prompt(&player.phone(), json!({"outcome": "success", "amount": claimed})).await;
    world.advance(7200).await;
    assert_eq!(world.deposit_status(&id).await["status"], "PENDING");
    assert_eq!(world.player_again(1).await.wallet().await, 0);
}

/// Fault 8: the callback comes before the push's reply.
#[tokio::test]
async fn a_callback_before_the_reply_is_credited() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "early"})).await;
    let id = player.prompt(500).await;
    world.advance(0).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    assert_eq!(player.wallet().await, 500);
}

/// M-Pesa's queries stay pending: the callback stands alone after five minutes.
#[tokio::test]
async fn without_an_answer_the_callback_stands_after_five_minutes() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.prompt(500).await;
    world.answer_prompt(&player.phone(), paid()).await;
    assert_eq!(world.deposit_status(&id).await["status"], "PENDING");
    world.advance(900).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    world.ledger().await;
}

#[rstest]
#[case::down("down", 503)]
#[case::reject("reject", 400)]
#[tokio::test]
async fn a_push_that_is_not_accepted_says_so_and_takes_nothing(#[case] fault: &str, #[case] code: u16) {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": fault})).await;
    assert_eq!(player.deposit(&player.phone(), 500).await.expect(code)["success"], false);
    world.ledger().await;
}

#[rstest]
#[case(json!({"phone": "12345", "amount": 100}), "Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).")]
#[case(json!({"phone": 712345678, "amount": 100}), "Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).")]
#[case(json!({"amount": 100}), "Enter a valid Kenyan phone number (e.g. 07XXXXXXXX).")]
#[case(json!({"phone": "0712345678", "amount": 0}), "Enter a valid deposit amount greater than 0.")]
#[case(json!({"phone": "0712345678", "amount": -1}), "Enter a valid deposit amount greater than 0.")]
#[case(json!({"phone": "0712345678", "amount": 10.5}), "Enter a valid deposit amount greater than 0.")]
#[case(json!({"phone": "0712345678", "amount": "100"}), "Enter a valid deposit amount greater than 0.")]
#[case(json!({"phone": "0712345678", "amount": 250_001}), "M-Pesa moves at most KSh 250,000 at once.")]
#[case(json!({"phone": "0712345678", "amount": 1e300}), "Enter a valid deposit amount greater than 0.")]
#[tokio::test]
async fn what_is_not_in_order_is_refused_with_its_own_text(#[case] body: Value, #[case] message: &str) {
    let (_world, player) = World::with_player(0).await;
    assert_eq!(player.post("/api/deposits", body).await.refused(400), message);
}

#[tokio::test]
async fn another_players_user_id_is_refused() {
    let world = World::start().await;
    let (one, other) = (world.player().await, world.player().await);
    let body = json!({"phone": one.phone(), "amount": 100, "userId": other.id});
    assert_eq!(one.send(Method::POST, "/api/deposits", Some(body)).await.expect(403)["success"], false);
}

/// A query that says failed for a payment that succeeded (docs/daraja.md): the callback's claim is
/// not lost, and is asked about for an hour before an admin is.
#[tokio::test]
async fn a_claim_of_success_after_a_failure_is_taken_up() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    world.decide_prompt(&player.phone(), json!({"outcome": "unreachable", "callback": "never"})).await;
    world.advance(120).await;
    assert_eq!(world.deposit_status(&id).await["status"], "FAILED");
    let request = world.checkout_request(&player.phone()).await;
    world.nobody().post(&world.hook(&id).await, callback(&request, "NLJ7RT61SV", 500)).await.expect(200);
    world.advance(30 * 60).await;
    assert_eq!(world.deposit_status(&id).await["status"], "FAILED", "M-Pesa still says that it failed");
    world.advance(2 * 3600).await;
    assert_eq!(world.deposit_status(&id).await["status"], "PENDING", "set aside: for an admin to look at");
    world.ledger().await;
}

/// Daraja's sign-in is down: nothing was sent, so nothing stays open.
#[tokio::test]
async fn what_was_certainly_not_sent_can_be_tried_again_at_once() {
    let world = World::start().await;
    world.faults(json!({"daraja": "down"})).await;
    // Longer than the token lives that other calls have signed in for.
    world.advance(2 * 3600).await;
    let player = world.player().await;
    let message = player.pay(50, 1).await.refused(503);
    assert_eq!(message, "M-Pesa is busy. Nothing was taken. Please try again in a minute.");
    world.faults(json!({"daraja": "none"})).await;
    player.pay(50, 1).await.expect(200);
}

/// M-Pesa calls back twice and contradicts itself, its confirmation is lost and it answers nothing: what was paid is credited.
#[tokio::test]
async fn a_later_failure_does_not_take_the_place_of_a_success() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.prompt(500).await;
    let receipt = world.receipt_of(&player.phone(), paid_unheard()).await;
    world.call_back(&player, &id, 0, Some(&receipt)).await;
    world.call_back(&player, &id, 1032, None).await;
    world.advance(900).await;
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
    assert_eq!(world.again(&player).await.wallet().await, 500);
}

/// One worker has decided that the prompt failed, or is an admin's, when another one credits it.
#[tokio::test]
async fn what_is_credited_neither_fails_nor_is_set_aside() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let read = store.payment(&id).await.unwrap().unwrap();
    world.decide_prompt(&player.phone(), paid_unheard()).await;
    world.advance(120).await;
    assert_eq!(player.wallet().await, 500);
    assert!(!store.fail_payment(&read, "The prompt was cancelled.", now).await.unwrap());
    assert!(!store.set_payment_aside(&read, "Nothing was heard of it.", now).await.unwrap());
    assert_eq!(world.deposit_status(&id).await["status"], "SUCCESS");
}

/// Messages come twice: of two that would ask on, one does.
#[tokio::test]
async fn a_prompt_has_one_line_of_questions() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let (store, pause) = (world.app().store(), SignedDuration::from_mins(1));
    let due = world.app().clock().now() + SignedDuration::from_hours(1);
    assert!(store.claim_question(&id, due, pause).await.unwrap());
    assert!(!store.claim_question(&id, due, pause).await.unwrap());
}

/// What a callback claims that says that so much was paid.
fn claim(amount: i64, at: Timestamp) -> CallbackClaim {
    CallbackClaim { at, paid: true, amount: Some(Kes::new(amount)), receipt: None, reason: String::new() }
}

/// One worker has M-Pesa's word that the prompt failed, when another one hears that it was paid.
#[rstest]
#[case::as_a_callback_claims(true)]
#[case::by_other_evidence(false)]
#[tokio::test]
async fn a_prompt_does_not_fail_once_a_success_was_heard_of(#[case] claimed: bool) {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let read = store.payment(&id).await.unwrap().unwrap();
    if claimed {
        assert!(!store.note_claim(&read, &claim(500, now)).await.unwrap());
    } else {
        assert!(store.note_success_heard(&read, None, now).await.unwrap());
    }
    assert!(!store.fail_payment(&read, "The prompt was cancelled.", now).await.unwrap());
    assert_eq!(store.payment(&id).await.unwrap().unwrap().state, PaymentState::Pending);
}

/// Two workers hear of one prompt, and not the same.
#[tokio::test]
async fn what_is_heard_of_a_prompt_first_stays() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let later = now + SignedDuration::from_secs(60);
    let kept = async || store.payment(&id).await.unwrap().unwrap();
    store.attach_daraja_ids(&id, "a merchant's", "a checkout's", now).await.unwrap();
    let read = kept().await;
    store.attach_daraja_ids(&id, "another merchant's", "another checkout's", later).await.unwrap();
    assert_eq!(kept().await.checkout_request_id, read.checkout_request_id);

    assert!(!store.note_success_heard(&read, Some("another checkout's"), now).await.unwrap());
    let named = read.checkout_request_id.as_deref();
    assert!(store.note_success_heard(&read, named, now).await.unwrap());
    assert!(!store.note_success_heard(&read, named, later).await.unwrap());
    assert!(store.note_told_receipt(&id, RECEIPT).await.unwrap());
    assert!(!store.note_told_receipt(&id, "NLJ7RT62SV").await.unwrap());
    store.note_claim(&read, &claim(500, now)).await.unwrap();
    store.note_claim(&read, &claim(501, later)).await.unwrap();
    let failed = CallbackClaim { paid: false, ..claim(500, later) };
    assert!(!store.note_claim(&read, &failed).await.unwrap());
    let stays = kept().await;
    assert_eq!((stays.success_heard_at, stays.told_receipt.as_deref()), (Some(now), Some(RECEIPT)));
    assert_eq!(stays.claim, Some(claim(500, now)));
}

/// A worker that has read the prompt before hears of a success when it is an admin's: it stays one of the admins' cases.
#[tokio::test]
async fn what_is_an_admins_is_opened_by_no_late_news() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let read = store.payment(&id).await.unwrap().unwrap();
    assert!(store.set_payment_aside(&read, "It does not add up.", now).await.unwrap());
    assert!(!store.note_success_heard(&read, None, now).await.unwrap());
    assert!(!store.note_told_receipt(&id, RECEIPT).await.unwrap());
    assert!(!store.note_claim(&read, &claim(500, now)).await.unwrap());
    let cases = world.set_asides().await;
    assert_eq!(cases.len(), 1, "{cases:?}");
    assert_eq!(cases[0]["reportedAmount"], 500);
}

/// One worker finds that a prompt comes too late for its entry, when another one hears that it was paid in time.
#[tokio::test]
async fn who_has_paid_in_time_is_not_credited_without_an_entry() {
    let (world, player) = World::with_player(0).await;
    let id = player.pay(50, 1).await.text(200, "checkoutId");
    let (store, now) = (world.app().store(), world.app().clock().now());
    let read = store.payment(&id).await.unwrap().unwrap();
    assert!(store.note_success_heard(&read, None, now).await.unwrap());
    let without = Credit { receipt: None, flagged: false, reason: Some("Too late."), at: now };
    let credited = store.credit_payment(&read, None, without).await.unwrap();
    assert_eq!(credited, Credited::AlreadyDecided);
    assert_eq!(player.wallet().await, 0);
}

/// Two requests have found no prompt for an entry, and each is about to send one.
#[tokio::test]
async fn an_entry_has_one_open_prompt() {
    let (world, player) = World::with_player(0).await;
    let id = player.pay(50, 1).await.text(200, "checkoutId");
    let store = world.app().store();
    let sent = store.payment(&id).await.unwrap().unwrap();
    let second = Payment { id: store::random_id(), ..sent };
    let found_none = store.create_payment(&second, None, None, None).await.unwrap();
    assert_eq!(found_none, Intended::PromptOpen);
    let found_another = store.create_payment(&second, Some("another one"), None, None).await.unwrap();
    assert_eq!(found_another, Intended::PromptOpen);
}
