//! `Idempotency-Key`: the same request sent twice acts once and is answered alike.

use domain::{payments::prompt::PaymentState, platform::idempotency::KeyedCall};
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::{
    payments::prompts::{Intended, Payment},
    platform::idempotency::Binding,
    random_id,
};

use crate::support::{Person, World, at_once, read};

/// A request to each call that takes a key, and another one.
fn requests(call: &str, player: &Person) -> (&'static str, Value, Value) {
    let phone = player.phone();
    match call {
        "deposit" => {
            ("/api/deposits", json!({"phone": phone, "amount": 100}), json!({"phone": phone, "amount": 101}))
        }
        "pay" => {
            let pay = |amount: i64| {
                json!({"phone": phone, "amount": amount, "fplId": player.fpl_id, "entryAmount": amount,
                    "gameweek": 1})
            };
            ("/api/pay", pay(50), pay(100))
        }
        "manual-payment" => {
            ("/api/manual-payment", json!({"mpesaCode": "UHK5RT61S1"}), json!({"mpesaCode": "UHK5RT61S2"}))
        }
        _ => (
            "/api/withdraw",
            json!({"mpesaNumber": phone, "amount": 60}),
            json!({"mpesaNumber": phone, "amount": 61}),
        ),
    }
}

#[rstest]
#[case::deposit("deposit")]
#[case::pay("pay")]
#[case::withdraw("withdraw")]
#[case::typed_code("manual-payment")]
#[tokio::test]
async fn the_same_again_has_the_first_answer_for_a_day(#[case] call: &str) {
    let (world, player) = World::with_player(200).await;
    let (path, body, other) = requests(call, &player);
    let first = player.post_with_key(path, "key-1", &body).await;
    assert!(first.status.is_success(), "{}", first.body);
    let wallet = player.wallet().await;
    let sent = world.prompts(&player.phone()).await.len();
    for _ in 0..3 {
        let again = player.post_with_key(path, "key-1", &body).await;
        assert_eq!((again.status, &again.body), (first.status, &first.body));
    }
    let refused = player.post_with_key(path, "key-1", &other).await.refused(409);
    assert_eq!(refused, "This Idempotency-Key was used for another request.");
    assert_eq!((player.wallet().await, world.prompts(&player.phone()).await.len()), (wallet, sent));

    // Whatever becomes of it, the answer stays; after a day the key is free.
    if matches!(call, "deposit" | "pay") {
        world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    }
    world.advance(23 * 3600).await;
    let again = world.player_again(1).await.post_with_key(path, "key-1", &body).await;
    assert_eq!((again.status, &again.body), (first.status, &first.body));
    world.advance(3601).await;
    let fresh = world.player_again(1).await.post_with_key(path, "key-1", &body).await;
    assert!(fresh.status.is_success(), "{}", fresh.body);
    // The code itself still waits under its first id.
    assert_eq!(fresh.body == first.body, call == "manual-payment");
    world.ledger().await;
}

#[tokio::test]
async fn a_key_is_its_players_and_its_calls_alone() {
    let world = World::start().await;
    let (one, other) = (world.player_with(200).await, world.player_with(200).await);
    let mut answers = Vec::new();
    for player in [&one, &other] {
        for call in ["deposit", "withdraw", "pay"] {
            let (path, body, _) = requests(call, player);
            let answer = player.post_with_key(path, "key-1", &body).await;
            assert!(answer.status.is_success(), "{call}: {}", answer.body);
            answers.push(answer.body.to_string());
            // The phone takes one prompt at a time.
            if call == "deposit" {
                world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
            }
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 6);
}

/// A refused request binds nothing: the same key acts once it can.
#[rstest]
#[case::rejected("reject", 400)]
#[case::not_answering("down", 503)]
#[tokio::test]
async fn a_refused_prompt_leaves_its_key_free(#[case] fault: &str, #[case] status: u16) {
    let (world, player) = World::with_player(0).await;
    let (path, body, other) = requests("deposit", &player);
    world.faults(json!({"daraja": fault})).await;
    player.post_with_key(path, "key-1", &body).await.refused(status);
    world.faults(json!({"daraja": "none"})).await;
    let accepted = player.post_with_key(path, "key-1", &other).await.expect(200);
    assert_eq!(player.post_with_key(path, "key-1", &other).await.expect(200), accepted);
    assert_eq!(world.prompts(&player.phone()).await.len(), 1);
}

#[tokio::test]
async fn a_refused_withdrawal_leaves_its_key_free() {
    let (world, player) = World::with_player(0).await;
    let (path, body, _) = requests("withdraw", &player);
    player.post_with_key(path, "key-1", &body).await.refused(400);
    world.fund(&player, 100).await;
    assert_eq!(player.post_with_key(path, "key-1", &body).await.expect(201)["walletBalance"], 40);
}

#[rstest]
#[case::deposit("deposit", 6)]
#[case::pay("pay", 6)]
#[case::withdraw("withdraw", 6)]
#[case::typed_code("manual-payment", 6)]
#[tokio::test]
async fn of_the_same_at_once_one_acts(#[case] call: &'static str, #[case] clicks: usize) {
    let world = World::start().await;
    // No more than one withdrawal: the second one must not be refused for want of money.
    let player = world.player_with(60).await;
    let (path, body, _) = requests(call, &player);
    let before = world.prompts(&player.phone()).await.len();
    let asks = (0..clicks).map(|_| {
        let (player, body) = (player.clone(), body.clone());
        async move { player.post_with_key(path, "key-1", &body).await }
    });
    let mut answers = Vec::new();
    for ask in at_once(asks).await {
        let answer = ask;
        if answer.status.is_success() {
            answers.push(answer.body);
        } else {
            // The first one's push is under way.
            assert!(answer.headers.contains_key("retry-after"));
            let message = answer.refused(409);
            assert_eq!(message, "This request is still being processed. Try again in a moment.");
            assert!(matches!(call, "deposit" | "pay"), "{call}");
        }
    }
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    assert_eq!(player.post_with_key(path, "key-1", &body).await.body, answers[0]);
    match call {
        "withdraw" => assert_eq!(player.wallet().await, 0),
        "manual-payment" => {}
        _ => assert_eq!(world.prompts(&player.phone()).await.len(), before + 1),
    }
    world.ledger().await;
}

#[rstest]
#[case::empty("")]
#[case::a_space("two words")]
#[case::too_long(&"k".repeat(129))]
#[tokio::test]
async fn a_key_is_1_to_128_visible_characters(#[case] key: &str) {
    let (_world, player) = World::with_player(100).await;
    for call in ["deposit", "pay", "withdraw", "manual-payment"] {
        let (path, body, _) = requests(call, &player);
        let message = player.post_with_key(path, key, &body).await.refused(400);
        assert_eq!(message, "An Idempotency-Key is 1 to 128 visible ASCII characters.");
    }
    assert_eq!(player.wallet().await, 100);
}

/// Fields in another order are the same body.
#[tokio::test]
async fn a_body_is_the_same_however_it_is_written() {
    let (_world, player) = World::with_player(200).await;
    let send = async |body: &'static str| {
        let request = player.request(Method::POST, "/api/withdraw");
        let request = request.bearer_auth(player.token.as_ref().unwrap()).header("idempotency-key", "k");
        read(request.body(body)).await
    };
    let first = send(r#"{"mpesaNumber":"0712345678","amount":60}"#).await.expect(201);
    assert_eq!(first, send(r#"{ "amount": 60, "mpesaNumber": "0712345678" }"#).await.expect(201));
    send(r#"{"mpesaNumber":"0712345678","amount":60,"note":"x"}"#).await.refused(409);
}

/// A function that died between the intent and the push's reply: the phone may have the prompt, so it
/// is never pushed again. While the function may still live, the request is under way.
#[tokio::test]
async fn a_request_whose_function_died_is_answered_and_not_pushed_again() {
    let (world, player) = World::with_player(0).await;
    let (path, body, _) = requests("deposit", &player);
    // Refused, so that the key is there and free.
    world.faults(json!({"daraja": "reject"})).await;
    player.post_with_key(path, "key-1", &body).await.refused(400);
    world.faults(json!({"daraja": "none"})).await;
    let store = world.app().store();
    let user = player.user_id();
    let key_hash = hex::encode(Sha256::digest("key-1"));
    let free = store.bound(&user, KeyedCall::Deposit, &key_hash).await.unwrap().unwrap();
    assert!(free.released);
    let refused = store.payment(&free.id).await.unwrap().unwrap();
    let intent =
        Payment { id: random_id(), state: PaymentState::Pending, reason: None, decided_at: None, ..refused };
    let intent = Payment { created_at: world.app().clock().now(), ..intent };
    let binding = Binding {
        player: user,
        call: KeyedCall::Deposit,
        key_hash,
        body_hash: free.body_hash,
        instead_of: Some(free.id),
    };
    let intended = store.create_payment(&intent, None, Some(&binding), None).await.unwrap();
    assert_eq!(intended, Intended::Written);

    // Another one has read the key as free too, and the refused one lets it go only now.
    let late = Payment { id: random_id(), ..intent.clone() };
    let intended = store.create_payment(&late, None, Some(&binding), None).await.unwrap();
    assert_eq!(intended, Intended::KeyTaken);
    store.release(&binding, binding.instead_of.as_deref().unwrap()).await.unwrap();

    let answer = player.post_with_key(path, "key-1", &body).await;
    assert!(answer.headers.contains_key("retry-after"));
    answer.refused(409);
    world.advance(30).await;
    assert_eq!(player.post_with_key(path, "key-1", &body).await.expect(200)["checkoutId"], intent.id);
    assert_eq!(world.prompts(&player.phone()).await.len(), 0);
}
