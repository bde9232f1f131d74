//! What an admin says to have sent by hand, above the sum that one admin may pay alone.

use app::{Safeguards::Full, ledger::reversals};
use reqwest::Method;
use serde_json::json;

use crate::support::{
    World,
    admin::{OWN_ACCOUNT, approval},
    assert_has,
    money::{done, rejected},
};

/// While it waits for its day the owner of a stolen session can cancel it: an admin's word that it was sent would bar that.
#[tokio::test]
async fn what_waits_for_its_day_is_not_said_to_be_sent() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with(20_000).await;
    let id = player.withdrawal("0733000001", 15_000).await;
    let link = world.cancellation_link(&player).await;
    let refused = world.admin().await.end_withdrawal(&id, done()).await.refused(409);
    assert!(refused.starts_with("This withdrawal waits until "), "{refused}");
    let cancelled =
        world.nobody().post(&format!("/api/cancel-withdrawal/{link}"), json!({})).await.expect(200);
    assert_has(&cancelled, json!({"status": "rejected"}));
    assert_eq!(world.ledger().await.wallets[&player.id], 20_000);
}

/// The money is out, whatever has become of the account meanwhile: it is booked, and the debt stays.
#[tokio::test]
async fn what_was_sent_is_booked_though_its_player_owes_by_then() {
    let world = World::start_guarded(Full).await;
    let player = world.player().await;
    let receipt = world.fund(&player, 20_000).await;
    world.advance(24 * 3600 + 60).await;
    let player = world.again(&player).await;
    let id = player.withdrawal(&player.phone(), 15_000).await;
    let proposed = world.admin().await.end_withdrawal(&id, done()).await.expect(202);
    world.reverse(&receipt).await;
    reversals::take_back(world.app(), &receipt, None).await.unwrap();
    assert_eq!(world.ledger().await.debt(&player), -15_000);
    let second = world.second_admin().await;
    let freeze = json!({"frozen": true, "reason": "M-Pesa took the deposit back."});
    second.patch_player(&player.id, freeze).await.expect(200);
    second.post(&approval(&proposed), json!({"decision": "approve"})).await.expect(200);
    let ledger = world.ledger().await;
    assert_eq!(
        (ledger.account("mpesa:out"), ledger.wallets[&player.id], ledger.debt(&player)),
        (15_000, 0, -15_000)
    );
}

/// A refusal frees it to be paid once more: it wants a code, and is nobody's whose number the money went to.
#[tokio::test]
async fn to_refuse_what_was_sent_wants_a_code_and_another_admin() {
    let world = World::start_guarded(Full).await;
    let second = world.second_admin().await;
    world.fund(&second, 100).await;
    world.advance(24 * 3600 + 60).await;
    let second = world.second_admin().await;
    // A second account of the second admin's, whose money goes to their own number.
    let other = world.player_with(20_000).await;
    let id = other.withdrawal(&second.phone(), 15_000).await;
    world.advance(24 * 3600 + 60).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let path = approval(&admin.end_withdrawal(&id, done()).await.expect(202));
    let refusal = json!({"decision": "refuse", "reason": "The portal has no such payment."});
    let own = "This is your own account's. Another admin has to approve it.";
    assert_eq!(second.post(&path, refusal.clone()).await.refused(403), own);
    world.advance(6 * 60).await;
    let stale = admin.send_once(Method::POST, &path, Some(refusal.clone())).await;
    assert_eq!(stale.expect(403)["stepUp"], true);
    admin.post(&path, refusal).await.expect(200);
    assert_eq!(second.end_withdrawal(&id, rejected("No.")).await.refused(403), OWN_ACCOUNT);
    admin.end_withdrawal(&id, rejected("It was not sent.")).await.expect(200);
    assert_eq!(world.ledger().await.wallets[&other.id], 20_000);
}
