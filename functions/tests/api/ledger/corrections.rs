//! An admin's corrections of a wallet.

use app::Safeguards::Full;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::admin::audit::AuditAction;

use crate::support::{Answer, Person, World, assert_has};

async fn correct(world: &World, player: &Person, id: &str, amount: Value) -> Answer {
    let body = json!({"correctionId": id, "amount": amount, "reason": "A code was confirmed with too much."});
    let path = format!("/api/admin/players/{}/corrections", player.id);
    world.admin().await.send(Method::POST, &path, Some(body)).await
}

#[tokio::test]
async fn a_correction_is_booked_once_and_both_see_it() {
    let (world, player) = World::with_player(100).await;
    let (one, other) = ("a".repeat(32), "b".repeat(32));
    let up = correct(&world, &player, &one, json!(400)).await.expect(200);
    assert_has(&up, json!({"wallet": 500, "owed": 0, "writtenOff": 0, "repeated": false}));
    let again = correct(&world, &player, &one, json!(400)).await.expect(200);
    assert_has(&again, json!({"wallet": 500, "repeated": true, "transaction": up["transaction"]}));
    let another = "A correction with this id was booked with another amount.";
    assert_eq!(correct(&world, &player, &one, json!(401)).await.refused(409), another);
    let down = correct(&world, &player, &other, json!(-700)).await.expect(200);
    assert_has(&down, json!({"wallet": 0, "owed": 0, "writtenOff": 200}));
    assert_has(&down["transaction"], json!({"kind": "correction", "amount": -500}));

    let ledger = world.ledger().await;
    assert_eq!((ledger.account("corrections"), ledger.account("losses")), (300, -200));
    let seen = world.again(&player).await.movements().await;
    assert_eq!(seen[0]["note"], "A code was confirmed with too much.");
    world.advance(120).await;
    assert_eq!(world.mails_about(&player.email(), "Your wallet has been corrected").await.len(), 2);
    let acts = world.acts().await;
    let corrected = acts.iter().filter(|act| act.what == AuditAction::CorrectWallet).count();
    assert_eq!(corrected, 2, "each once");
}

/// The page keeps the id of one whose answer was lost, and sends it again whatever the reason is by then.
#[tokio::test]
async fn a_correction_that_was_booked_before_says_when_and_why() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with(100).await;
    let path = format!("/api/admin/players/{}/corrections", player.id);
    let body = |reason: &str| json!({"correctionId": "a".repeat(32), "amount": 400, "reason": reason});
    world.by_two(Method::POST, &path, Some(body("It was too little."))).await.expect(200);
    let booked = world.again(&player).await.movements().await[0].clone();
    world.advance(3600).await;
    let again = world.admin().await.post(&path, body("Too little once more.")).await.expect(200);
    assert_has(&again, json!({"wallet": 500, "repeated": true}));
    let transaction = json!({"note": "It was too little.", "at": booked["at"]});
    assert_has(&again["transaction"], transaction);
}

#[rstest]
#[case::nothing("a", json!(0), 400)]
#[case::too_much("a", json!(250_001), 400)]
#[case::not_whole("a", json!(1.5), 400)]
#[case::no_id("", json!(5), 400)]
#[tokio::test]
async fn a_correction_that_is_not_in_order_moves_nothing(
    #[case] id: &str,
    #[case] amount: Value,
    #[case] status: u16,
) {
    let (world, player) = World::with_player(100).await;
    correct(&world, &player, &id.repeat(32), amount).await.refused(status);
    let nobody = Person { id: "0".repeat(32), ..player.clone() };
    correct(&world, &nobody, &"a".repeat(32), json!(5)).await.refused(404);
    assert_eq!(world.ledger().await.wallets[&player.id], 100);
}
