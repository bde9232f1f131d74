//! Payouts under faults: refused before M-Pesa acted, killed between the writes, all acts at once.

use jiff::SignedDuration;
use rstest::rstest;
use serde_json::{Value, json};
use store::admin::audit::{AuditAction, AuditRecord, Who};

use crate::support::{
    Person, World, assert_has, at_once,
    money::{done, rejected},
    set_asides::{WHY, credit, kinds},
};

async fn asked(world: &World) -> (Person, String) {
    let player = world.player_with(500).await;
    let id = player.withdrawal("0712000777", 450).await;
    (player, id)
}

async fn status(world: &World, id: &str) -> (String, bool) {
    let withdrawal = world.stored_withdrawal(id).await;
    (withdrawal.status.into_str().to_owned(), withdrawal.payout.is_some())
}

/// M-Pesa refuses it before it acts: the withdrawal waits as before and can be sent again, or ended by
/// hand.
#[tokio::test]
async fn a_payout_that_was_not_accepted_waits_as_before() {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    world.faults(json!({"daraja": "reject"})).await;
    let refused = world.pay_out(&id).await.refused(503);
    assert!(refused.contains("Nothing was sent"), "{refused}");
    assert_eq!(status(&world, &id).await, ("pending".to_owned(), false));
    assert_eq!(world.payouts(None).await.len(), 0);
    world.faults(json!({"daraja": "none"})).await;
    world.pay_out(&id).await.expect(200);
    world.advance(0).await;
    assert_eq!(status(&world, &id).await.0, "done");
    assert_eq!(world.ledger().await.wallets[&player.id], 50);
}

/// M-Pesa answers with a page: nobody knows whether it acted. It is never sent again on a guess.
#[tokio::test]
async fn a_payout_whose_answer_was_lost_is_asked_for_and_not_sent_again() {
    let world = World::start().await;
    let (_player, id) = asked(&world).await;
    let admin = world.admin().await;
    // The token is there; then M-Pesa is down.
    world.advance(0).await;
    world.faults(json!({"daraja": "down"})).await;
    admin.pay_out(&id).await.expect(200);
    assert_eq!(status(&world, &id).await, ("pending".to_owned(), true));
    world.faults(json!({"daraja": "none"})).await;
    world.advance(7200).await;
    assert_eq!(
        (status(&world, &id).await, world.payouts(None).await.len()),
        (("pending".to_owned(), true), 0)
    );
    admin_sees(&world, &id, &json!(null)).await;
    world.advance(24 * 3600).await;
    admin_sees(&world, &id, &json!("M-Pesa has not said for a day what became of the payout.")).await;
    assert_eq!(world.ledger().await.account("withdrawals"), 450);
}

async fn admin_sees(world: &World, id: &str, trouble: &Value) {
    let list = world.pending_withdrawals().await;
    assert_eq!((&list[0]["_id"], &list[0]["trouble"]), (&json!(id), trouble));
}

/// Killed after `sent` was written: before M-Pesa was called, or before its answer was kept. The
/// backstop asks, and M-Pesa's answer ends it where there is something to end.
#[rstest]
#[case::before_the_call(false)]
#[case::before_the_answer_was_kept(true)]
#[tokio::test]
async fn a_payout_that_nobody_is_at_any_more_is_asked_for(#[case] called: bool) {
    let world = World::start().await;
    let (_player, id) = asked(&world).await;
    let (app, now) = (world.app(), world.app().clock().now());
    let payout = store::withdrawals::Payout {
        state: domain::withdrawals::requests::PayoutState::Sent,
        attempt: store::random_id(),
        sent_at: now,
        sent_by: domain::UserId::parse(&"a".repeat(32)).unwrap(),
        conversation_id: None,
        receipt: None,
        recipient: None,
        resolved: None,
    };
    let act = AuditRecord::new(Who::Operator, AuditAction::PayWithdrawal, format!("withdrawal {id}"), now);
    let withdrawal = world.stored_withdrawal(&id).await;
    let noted = app.store().send_payout(&withdrawal, &payout, now, &act).await.unwrap();
    assert_eq!(noted, store::withdrawals::payouts::Sending::Noted);
    if called {
        world.faults(json!({"payouts": "silent"})).await;
        app.pay_out(&world.order(&id, "254712000777", 450).await).await.unwrap();
    }
    world.pay_out(&id).await.refused(409);
    world.advance(3600).await;
    let ends = if called { "done" } else { "pending" };
    assert_eq!(status(&world, &id).await, (ends.to_owned(), true));
    assert_eq!(world.payouts(None).await.len(), usize::from(called));
}

/// Fault 19, all pairs: done, rejected and pay at once end it one way, and it is sent at most once.
#[rstest]
#[case::done_and_pay(&["done", "pay"])]
#[case::rejected_and_pay(&["rejected", "pay"])]
#[case::pay_twice(&["pay", "pay"])]
#[case::all_three(&["done", "rejected", "pay"])]
#[tokio::test]
async fn acts_at_once_end_it_one_way(#[case] acts: &[&'static str]) {
    let world = World::start().await;
    for round in 1..=3 {
        let (player, id) = asked(&world).await;
        let admin = world.admin().await;
        let sent_before = world.payouts(None).await.len();
        let tasks = acts.iter().copied().cycle().take(acts.len() * 2).map(|act| {
            let (admin, id) = (&admin, &id);
            async move {
                let answer = match act {
                    "pay" => admin.pay_out(id).await,
                    "done" => admin.end_withdrawal(id, done()).await,
                    _ => admin.end_withdrawal(id, rejected("Wrong number.")).await,
                };
                (act, answer.status.as_u16())
            }
        });
        let mut won = std::collections::BTreeSet::new();
        let mut paid = 0;
        for (act, status) in at_once(tasks).await {
            assert!(matches!(status, 200 | 409), "{act}: {status}");
            if status == 200 {
                won.insert(act);
                paid += usize::from(act == "pay");
            }
        }
        world.advance(0).await;
        // A second "done" after a payout that is done already is answered as it stands.
        assert_eq!(world.payouts(None).await.len() - sent_before, paid, "{won:?}");
        assert!(paid <= 1 && !won.is_empty());
        let back = world.ledger().await.wallets[&player.id] == 500;
        let ledger = world.ledger().await;
        assert_eq!(back, won.contains("rejected"), "{won:?}");
        assert!(!(won.contains("rejected") && won.len() > 1), "{won:?}");
        assert_eq!(ledger.account("withdrawals"), 0, "round {round}");
        let (ended, by_mpesa) = status(&world, &id).await;
        assert_eq!(ended, if back { "rejected" } else { "done" });
        assert_eq!(by_mpesa, paid == 1);
    }
}

/// A success and a failure posted at once, many times: one of them ends it, and the books hold.
#[tokio::test]
async fn results_at_once_end_it_once() {
    let world = World::start().await;
    for _ in 0..3 {
        let (player, id) = asked(&world).await;
        world.faults(json!({"payouts": "unknown"})).await;
        world.pay_out(&id).await.expect(200);
        let own = world.stored_withdrawal(&id).await.payout.unwrap().conversation_id;
        let hook = &format!("/hooks/b2c/result/{id}");
        let posts = (0..12).map(|i| {
            let body = json!({"Result": {"ResultCode": if i % 2 == 0 { 0 } else { 2040 }, "ResultDesc": "",
                "OriginatorConversationID": id, "ConversationID": own}});
            world.post_to_hook(hook, body)
        });
        at_once(posts).await;
        world.advance(0).await;
        let ledger = world.ledger().await;
        assert_eq!(ledger.account("withdrawals"), 0);
        let (ended, _) = status(&world, &id).await;
        assert_eq!(ledger.wallets[&player.id], if ended == "done" { 50 } else { 500 });
    }
}

/// A payout that M-Pesa does not answer for is ended on an admin's word a day later, and not before.
#[rstest]
#[case::it_was_paid("paid", "done", 450)]
#[case::it_was_not("return", "rejected", 0)]
#[tokio::test]
async fn a_payout_without_an_answer_is_ended_by_an_admin(
    #[case] act: &str,
    #[case] ends: &str,
    #[case] out: i64,
) {
    let (world, player) = World::with_player(500).await;
    world.faults(json!({"payouts": "unknown"})).await;
    let id = player.withdrawal("0712000777", 450).await;
    world.admin().await.pay_out(&id).await.expect(200);
    world.advance(3600).await;
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
    world.decide_set_aside(&id, json!({"act": act, "reason": WHY})).await.refused(404);
    world.advance(24 * 3600).await;
    let case = world.set_aside(&id).await;
    assert_has(&case, json!({"_id": id, "kind": "payout"}));
    assert_eq!(case["acts"], json!(["paid", "return"]));
    assert_eq!(case["reason"], "M-Pesa has not said for a day what became of the payout.");
    assert_eq!(kinds(&case)[..2], ["intent", "push"]);
    assert_eq!(world.decide_set_aside(&id, credit(450)).await.refused(409), "This act is not for this case.");
    let closed = world.decide_set_aside(&id, json!({"act": act, "reason": WHY})).await.expect(200);
    assert_has(&closed, json!({"state": ends, "closedBecause": WHY}));
    world.decide_set_aside(&id, json!({"act": act, "reason": WHY})).await.expect(200);
    let other = if act == "paid" { "return" } else { "paid" };
    let refused = world.decide_set_aside(&id, json!({"act": other, "reason": WHY})).await.refused(409);
    assert_eq!(refused, "This case is closed already.");
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.account("withdrawals")), (out, 0));
    assert_eq!(ledger.wallets[&player.id], 500 - out);
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
    let fresh = world.player_again(1).await;
    assert_eq!(fresh.get("/api/withdraw").await.expect(200)[0]["trouble"], json!(null));
}

/// Messages come twice: of two that would ask on, one does.
#[tokio::test]
async fn a_payout_has_one_line_of_questions() {
    let world = World::start().await;
    let (_, id) = world.withdrawing().await;
    world.faults(json!({"payouts": "silent"})).await;
    world.pay_out(&id).await.expect(200);
    let (store, pause) = (world.app().store(), SignedDuration::from_mins(1));
    let due = world.app().clock().now() + SignedDuration::from_hours(1);
    assert!(store.claim_payout_question(&id, due, pause).await.unwrap());
    assert!(!store.claim_payout_question(&id, due, pause).await.unwrap());
}
