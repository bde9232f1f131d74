//! What M-Pesa says is in our account, beside what the books say.

use jiff::SignedDuration;
use reqwest::Method;
use serde_json::{Value, json};
use store::ledger::float::FloatAccount;

use crate::support::{Person, World, assert_has};

/// The float is compared by what changed since it was told last; what M-Pesa does not tell, or in a way
/// that cannot be read, is said and is no mismatch.
#[tokio::test]
async fn the_float_is_compared_and_what_cannot_be_read_is_said() {
    let (world, player) = World::with_player(500).await;
    let said = |books: &Value| books["report"]["float"].clone();
    assert_eq!(said(&world.read_books().await)["said"], "not-asked");
    let ask = async || {
        world.advance(900).await;
        world.start_job("ask-for-balance").await;
        world.advance(0).await;
        world.read_books().await
    };
    let first = said(&ask().await);
    assert_has(&first, json!({"said": "first", "cents": 50_000}));
    let refreshed = Person { n: player.n, ..world.player_again(1).await };
    world.fund(&refreshed, 250).await;
    let fits = said(&ask().await);
    assert_has(&fits, json!({"said": "fits", "changeCents": 25_000}));

    // Somebody pays the paybill and tells nobody: at M-Pesa and in no wallet.
    let body = json!({"phone": "0712345678", "amount": 300, "accountReference": "FPL Leagues"});
    world.sim(Method::POST, "/paybill", body).await;
    let books = ask().await;
    let differs = said(&books);
    assert_eq!(differs["said"], "differs");
    assert_has(&differs, json!({"changeCents": 30_000, "expectedChangeCents": 0}));
    let report = &books["report"];
    assert_has(report, json!({"unclaimed": 300, "unclaimedPayments": 1}));
    assert_eq!((&report["found"], &books["payouts"]["paused"]), (&json!(0), &json!(false)));
    assert_eq!(said(&ask().await)["said"], "fits", "told once");

    // Asked, and the answer is no list of balances.
    let store = world.app().store();
    world.advance(900).await;
    store.note_float_question(&"a".repeat(32), world.app().clock().now()).await.unwrap();
    assert_eq!(said(&world.read_books().await)["said"], "not-answered");
    let hook = world.app().secrets().hook_path(&format!("/hooks/status/{}", "a".repeat(32))).await.unwrap();
    let broken = json!({"Result": {"ResultCode": 0, "ResultParameters": {"ResultParameter":
        {"Key": "AccountBalance", "Value": "Utility Account|KES|lots"}}}});
    world.nobody().post(&hook, broken).await.expect(200);
    let books = world.read_books().await;
    assert_eq!((&said(&books)["said"], &books["report"]["found"]), (&json!("unreadable"), &json!(0)));
    assert_eq!(said(&ask().await)["said"], "fits", "what was known is not lost");
}

/// An answer is read, and another question asked before what it says is kept. Or one question is answered twice.
#[tokio::test]
async fn what_is_answered_late_counts_for_no_later_question() {
    let world = World::start().await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let after = |seconds| now + SignedDuration::from_secs(seconds);
    let said = |cents| vec![FloatAccount { account: "Utility Account".to_owned(), cents }];
    let kept = async || store.float().await.unwrap().unwrap();
    let (first, second) = ("a".repeat(32), "b".repeat(32));
    store.note_float_question(&first, now).await.unwrap();
    store.note_float_question(&second, after(60)).await.unwrap();
    assert!(!store.note_float(&first, &said(10_000), after(61)).await.unwrap());
    assert_eq!(kept().await.as_of, None);
    store.note_unread_float(&second).await.unwrap();
    store.note_unread_float(&first).await.unwrap();
    assert!(kept().await.is_unread());

    assert!(store.note_float(&second, &said(20_000), after(62)).await.unwrap());
    store.note_unread_float(&second).await.unwrap();
    assert_eq!(kept().await.balances(), Some((after(62), &said(20_000)[..])));
}
