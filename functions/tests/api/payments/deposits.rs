//! Deposits by prompt: credited exactly once, however the callback comes or does not.

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Person, World};

async fn deposit(player: &Person, amount: i64) -> String {
    let body = json!({"phone": player.phone(), "amount": amount, "userId": player.id});
    let answer = player.post("/api/deposits", body).await.expect(200);
    assert_eq!(answer["success"], true);
    assert_eq!(answer["message"], "Check your phone to complete the payment");
    answer["checkoutId"].as_str().unwrap().to_owned()
}

async fn status(world: &World, id: &str) -> Value {
    world.nobody().get(&format!("/api/deposits/status?checkoutId={id}")).await.expect(200)
}

#[tokio::test]
async fn a_deposit_is_pending_until_it_is_paid_and_then_in_the_wallet() {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    assert_eq!(status(&world, &id).await["status"], "PENDING");
    assert_eq!(player.wallet().await, 0);

    let receipt = world.answer_prompt(&player.phone(), json!({"outcome": "success"})).await;
    assert_eq!(status(&world, &id).await["status"], "SUCCESS");
    assert_eq!(player.wallet().await, 500);

    let movements = player.get("/api/me/transactions").await.expect(200);
    assert_eq!(movements.as_array().unwrap().len(), 1);
    assert_eq!(movements[0]["kind"], "deposit");
    assert_eq!(movements[0]["amount"], 500);
    assert_eq!(movements[0]["balanceAfter"], 500);
    assert_eq!(movements[0]["receipt"], receipt["receipt"]);
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
}

#[rstest]
#[case::cancelled("cancelled")]
#[case::wrong_pin("wrong_pin")]
#[case::insufficient("insufficient_funds")]
#[case::unreachable("unreachable")]
#[tokio::test]
async fn one_that_is_not_paid_fails_and_says_why(#[case] outcome: &str) {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    world.answer_prompt(&player.phone(), json!({"outcome": outcome})).await;
    let status = status(&world, &id).await;
    assert_eq!(status["status"], "FAILED");
    assert!(!status["message"].as_str().unwrap().is_empty());
    assert_eq!(player.wallet().await, 0);
    world.ledger().await;
}

#[tokio::test]
async fn a_prompt_that_nobody_answers_fails_by_itself() {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    world.advance(120).await;
    assert_eq!(status(&world, &id).await["status"], "FAILED");
}

/// Faults 1, 2 and 3: twice, five minutes late, never.
#[rstest]
#[case::twice("duplicate", 0)]
#[case::late("late", 360)]
#[case::never("never", 120)]
#[tokio::test]
async fn it_is_credited_once_however_the_callback_comes(#[case] callback: &str, #[case] after: i64) {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    world.answer_prompt(&player.phone(), json!({"outcome": "success", "callback": callback})).await;
    world.advance(after).await;
    assert_eq!(status(&world, &id).await["status"], "SUCCESS");
    assert_eq!(player.wallet().await, 500);
    world.advance(3600).await;
    let again = world.log_in("player1@example.co.ke", crate::support::PASSWORD).await;
    assert_eq!(again.wallet().await, 500);
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
}

/// Fault 1: the same body fifty times at once.
#[tokio::test]
async fn fifty_callbacks_at_once_credit_once() {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    world.decide_prompt(&player.phone(), json!({"outcome": "success", "callback": "duplicate"})).await;
    let hook = world.hook(&id).await;
    let prompts = world.nobody().get(&format!("/sim/api/prompts?phone={}", player.phone())).await.expect(200);
    let body = callback(prompts[0]["checkoutRequestId"].as_str().unwrap(), "NLJ7RT61SV", 500);
    let posts = (0..50).map(|_| {
        let (nobody, hook, body) = (world.nobody(), hook.clone(), body.clone());
        tokio::spawn(async move { nobody.post(&hook, body).await.status })
    });
    for post in posts.collect::<Vec<_>>() {
        assert_eq!(post.await.unwrap(), 200);
    }
    world.advance(0).await;
    assert_eq!(player.wallet().await, 500);
    world.ledger().await;
}

/// Fault 5: a wrong secret finds nothing; a right one with another prompt's ids credits nothing.
#[tokio::test]
async fn a_forged_callback_credits_nothing() {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    let hook = world.hook(&id).await;
    let forged = format!("/hooks/stk/{id}/{}", "0".repeat(64));
    let claim = callback("ws_CO_1", "NLJ7RT61SV", 500);
    world.nobody().post(&forged, claim.clone()).await.refused(404);
    world.nobody().post(&hook, claim).await.expect(200);
    world.nobody().post(&hook, json!({"Body": "nonsense"})).await.expect(200);
    world.advance(0).await;
    assert_eq!(status(&world, &id).await["status"], "PENDING");
    assert_eq!(player.wallet().await, 0);
}

/// Fault 6: another amount than was asked for is set aside, whatever M-Pesa answers.
#[rstest]
#[case(501)]
#[case(499)]
#[case(0)]
#[case(-500)]
#[tokio::test]
async fn another_amount_credits_nothing(#[case] claimed: i64) {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    let how = json!({"outcome": "success", "amount": claimed});
    world.answer_prompt(&player.phone(), how).await;
    world.advance(7200).await;
    assert_eq!(status(&world, &id).await["status"], "PENDING");
    let again = world.log_in("player1@example.co.ke", crate::support::PASSWORD).await;
    assert_eq!(again.wallet().await, 0);
}

/// Fault 8: the callback comes before the push's reply.
#[tokio::test]
async fn a_callback_before_the_reply_is_credited() {
    let world = World::start().await;
    let player = world.player().await;
    world.faults(json!({"daraja": "early"})).await;
    let id = deposit(&player, 500).await;
    world.advance(0).await;
    assert_eq!(status(&world, &id).await["status"], "SUCCESS");
    assert_eq!(player.wallet().await, 500);
}

/// M-Pesa's queries stay pending: the callback stands alone after five minutes.
#[tokio::test]
async fn without_an_answer_the_callback_stands_after_five_minutes() {
    let world = World::start().await;
    let player = world.player().await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = deposit(&player, 500).await;
    world.answer_prompt(&player.phone(), json!({"outcome": "success"})).await;
    assert_eq!(status(&world, &id).await["status"], "PENDING");
    world.advance(900).await;
    assert_eq!(status(&world, &id).await["status"], "SUCCESS");
    world.ledger().await;
}

#[rstest]
#[case::down("down", 503)]
#[case::reject("reject", 400)]
#[tokio::test]
async fn a_push_that_is_not_accepted_says_so_and_takes_nothing(#[case] fault: &str, #[case] code: u16) {
    let world = World::start().await;
    let player = world.player().await;
    world.faults(json!({"daraja": fault})).await;
    let body = json!({"phone": player.phone(), "amount": 500});
    let answer = player.post("/api/deposits", body).await.expect(code);
    assert_eq!(answer["success"], false);
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
    let world = World::start().await;
    let player = world.player().await;
    assert_eq!(player.post("/api/deposits", body).await.refused(400), message);
}

pub fn callback(checkout_request_id: &str, receipt: &str, amount: i64) -> Value {
    let item = |name: &str, value: Value| json!({"Name": name, "Value": value});
    json!({"Body": {"stkCallback": {
        "MerchantRequestID": "29115-34620561-1",
        "CheckoutRequestID": checkout_request_id,
        "ResultCode": 0,
        "ResultDesc": "The service request is processed successfully.",
        "CallbackMetadata": {"Item": [
            item("Amount", json!(amount)),
            item("MpesaReceiptNumber", json!(receipt)),
            {"Name": "Balance"},
            item("TransactionDate", json!(20_191_219_102_115_u64)),
            item("PhoneNumber", json!(254_708_374_149_u64)),
        ]},
    }}})
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
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    world.decide_prompt(&player.phone(), json!({"outcome": "unreachable", "callback": "never"})).await;
    world.advance(120).await;
    assert_eq!(status(&world, &id).await["status"], "FAILED");
    let prompts = world.nobody().get(&format!("/sim/api/prompts?phone={}", player.phone())).await.expect(200);
    let request = prompts[0]["checkoutRequestId"].as_str().unwrap();
    let hook = world.hook(&id).await;
    world.nobody().post(&hook, callback(request, "NLJ7RT61SV", 500)).await.expect(200);
    world.advance(30 * 60).await;
    assert_eq!(status(&world, &id).await["status"], "FAILED", "M-Pesa still says that it failed");
    world.advance(2 * 3600).await;
    assert_eq!(status(&world, &id).await["status"], "PENDING", "set aside: for an admin to look at");
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
