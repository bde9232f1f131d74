//! Money out: taken at the request, ended once.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    World, assert_has, at_once,
    money::{done, rejected},
};

#[rstest]
#[case(json!({"mpesaNumber": "0212345678", "amount": 60}), "Please enter a valid Kenyan M-Pesa number.")]
#[case(json!({"mpesaNumber": "+254712345678", "amount": 60}), "Please enter a valid Kenyan M-Pesa number.")]
#[case(json!({"amount": 60}), "Please enter a valid Kenyan M-Pesa number.")]
#[case(json!({"mpesaNumber": "0712345678"}), "Please enter a valid amount.")]
#[case(json!({"mpesaNumber": "0712345678", "amount": "60"}), "Please enter a valid amount.")]
#[case(json!({"mpesaNumber": "0712345678", "amount": 60.5}), "Please enter a valid amount.")]
#[case(json!({"mpesaNumber": "0712345678", "amount": -60}), "Please enter a valid amount.")]
#[case(json!({"mpesaNumber": "0712345678", "amount": 59}), "Minimum withdrawal amount is KES 60.")]
#[case(json!({"mpesaNumber": "0712345678", "amount": 101}), "Insufficient wallet balance.")]
#[tokio::test]
async fn what_is_not_in_order_takes_nothing(#[case] body: Value, #[case] message: &str) {
    let (_world, player) = World::with_player(100).await;
    assert_eq!(player.post("/api/withdraw", body).await.refused(400), message);
    assert_eq!(player.wallet().await, 100);
}

#[rstest]
#[case("0712345678")]
#[case("0112 345 678")]
#[case("254712345678")]
#[case("254112345678")]
#[tokio::test]
async fn every_form_of_a_number_is_taken(#[case] number: &str) {
    let (_world, player) = World::with_player(100).await;
    let asked = player.withdraw(number, 60).await.expect(201);
    assert_eq!(asked["message"], "Withdrawal request submitted successfully!");
    assert_eq!(asked["walletBalance"], 40);
    let own = player.get("/api/withdraw").await.expect(200);
    assert_has(&own[0], json!({"status": "pending", "amount": 60}));
    assert!(own[0]["mpesaNumber"].as_str().unwrap().starts_with('0'));
}

/// Many small ones would bury the admins and the player's inbox, and escape a tax that is rounded down.
#[tokio::test]
async fn a_player_asks_for_so_many_a_day() {
    let (world, player) = World::with_player(3_200).await;
    // What is refused does not count.
    player.withdraw("0712345678", 5_000).await.expect(400);
    for _ in 0..50 {
        player.withdraw("0712345678", 60).await.expect(201);
    }
    let refused = player.withdraw("0712345678", 60).await.refused(429);
    assert_eq!(refused, "Too many withdrawals today. Try again in 24 hours.");
    assert_eq!(player.wallet().await, 200);
    world.advance(24 * 3600).await;
    world.again(&player).await.withdraw("0712345678", 60).await.expect(201);
}

/// Fault 18: two full withdrawals at once.
#[tokio::test]
async fn a_wallet_is_emptied_once() {
    let (world, player) = World::with_player(100).await;
    let asks = (0..5).map(|_| {
        let player = player.clone();
        let body = json!({"mpesaNumber": "0712345678", "amount": 100});
        async move { player.post("/api/withdraw", body).await.status.as_u16() }
    });
    let mut taken = 0;
    for ask in at_once(asks).await {
        taken += usize::from(ask == 201);
    }
    assert_eq!((taken, player.wallet().await), (1, 0));
    assert_eq!(world.ledger().await.account("withdrawals"), 100);
}

/// Fault 19: done and rejected at once end it once, one way or the other.
#[tokio::test]
async fn done_and_rejected_at_once_end_it_one_way() {
    let (world, player) = World::with_player(100).await;
    let id = player.withdrawal("0712345678", 100).await;
    let admin = world.admin().await;
    let path = format!("/api/withdraw/{id}");
    let acts = (0..6).map(|i| {
        let (admin, path) = (admin.clone(), path.clone());
        let body = if i % 2 == 0 { done() } else { rejected("Wrong number.") };
        async move { admin.put(&path, body).await.status.as_u16() }
    });
    for act in at_once(acts).await {
        assert!(matches!(act, 200 | 409));
    }
    let ledger = world.ledger().await;
    let back = player.wallet().await;
    assert_eq!(ledger.account("mpesa:out"), 100 - back);
    assert_eq!(ledger.account("withdrawals"), 0);
    let own = player.get("/api/withdraw").await.expect(200);
    assert_eq!(own[0]["status"], if back == 100 { "rejected" } else { "done" });
}

#[tokio::test]
async fn a_rejection_needs_a_reason_and_gives_the_money_back() {
    let (world, player) = World::with_player(100).await;
    let id = player.withdrawal("0712345678", 60).await;
    let admin = world.admin().await;
    let put = |body: Value| admin.put("/api/withdraw/nothing", body);
    put(json!({"status": "lost"})).await.refused(400);
    put(json!({"status": "rejected"})).await.refused(400);
    put(rejected(&"r".repeat(201))).await.refused(400);
    put(done()).await.refused(404);
    let path = format!("/api/withdraw/{id}");
    let reject = rejected("The number is not registered.");
    let answer = admin.put(&path, reject.clone()).await.expect(200);
    assert_eq!(answer["reason"], "The number is not registered.");
    admin.put(&path, reject).await.expect(200);
    admin.put(&path, done()).await.refused(409);
    assert_eq!(player.wallet().await, 100);
    assert_eq!(admin.get("/api/withdraw").await.expect(200), json!([]));
    let kinds: Vec<Value> = player.movements().await.iter().map(|m| m["kind"].clone()).collect();
    assert_eq!(kinds, ["withdrawal-rejected", "withdrawal", "deposit"]);
}
