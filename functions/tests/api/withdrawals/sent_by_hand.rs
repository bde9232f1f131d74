//! What an admin says to have sent by hand, above the sum that one admin may pay alone.

use app::{
    Safeguards::Full,
    admin::acts::{self, MoneyAct},
    ledger::reversals,
};
use reqwest::Method;
use serde_json::json;

use crate::support::{
    World,
    admin::{OWN_ACCOUNT, approval},
    assert_has,
    money::{done, rejected},
    processes::{by_the_rules, freeze, held_up_at_every_step, pay_out},
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

/// Nothing is paid out of a frozen account: nobody says either that it was, by which it could not be given back any more.
#[tokio::test]
async fn what_a_frozen_account_asked_for_is_not_said_to_be_sent() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(20_000).await;
    let id = player.withdrawal(&player.phone(), 15_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let freeze = async |frozen| {
        let change = json!({"frozen": frozen, "reason": "A stolen session."});
        second.patch_player(&player.id, change).await.expect(200);
    };
    freeze(true).await;
    let refused = admin.end_withdrawal(&id, done()).await.refused(409);
    assert_eq!(refused, "This account is frozen: nothing can be paid out of it.");
    assert_eq!(world.stored_withdrawal(&id).await.said_sent_until, None);
    freeze(false).await;
    let proposed = admin.end_withdrawal(&id, done()).await.expect(202);

    // What is said already is said, and told again.
    freeze(true).await;
    assert_eq!(admin.end_withdrawal(&id, done()).await.expect(202)["_id"], proposed["_id"]);
}

/// Frozen while an admin is saying so: it is said before, or not at all.
#[tokio::test]
async fn nothing_is_said_to_be_sent_once_its_account_is_frozen() {
    let world = World::start_guarded(Full).await;
    let admin = world.stored(&world.admin().await).await;
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let player = world.player_with_own_number(20_000).await;
            let id = player.withdrawal(&player.phone(), 15_000).await;
            (player, id)
        },
        async |app, (_, id)| {
            let asked = acts::ask(app, &admin, &MoneyAct::MarkDone { id: id.clone() }).await;
            let _proposed_or_refused = by_the_rules(asked);
        },
        async |app, (player, _)| freeze(app, player).await,
    )
    .await;
    // All admins are to be told: that message goes first.
    let before_it_is_said = 2;
    for (step, (_, id)) in subjects.iter().enumerate() {
        let said = world.stored_withdrawal(id).await.said_sent_until.is_some();
        assert_eq!(said, step >= before_it_is_said, "frozen before step {}", step + 1);
    }
}

/// Sent by M-Pesa while an admin is saying so: it is said before, and M-Pesa is not told to pay it, or not at all.
#[tokio::test]
async fn nothing_is_said_to_be_sent_once_m_pesa_is_paying_it() {
    let world = World::start_guarded(Full).await;
    let admin = world.stored(&world.admin().await).await;
    // What has ended would not show any more what was said of it.
    world.faults(json!({"payouts": "unknown"})).await;
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let player = world.player_with_own_number(20_000).await;
            player.withdrawal(&player.phone(), 15_000).await
        },
        async |app, id| {
            let asked = acts::ask(app, &admin, &MoneyAct::MarkDone { id: id.clone() }).await;
            let _proposed_or_refused = by_the_rules(asked);
        },
        async |app, id| _ = pay_out(app, id, &admin).await,
    )
    .await;
    // As above.
    let before_it_is_said = 2;
    for (step, id) in subjects.iter().enumerate() {
        let withdrawal = world.stored_withdrawal(id).await;
        let (said, sent) = (withdrawal.said_sent_until.is_some(), withdrawal.payout.is_some());
        let is_said = step >= before_it_is_said;
        assert_eq!((said, sent), (is_said, !is_said), "paid before step {}", step + 1);
    }
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
