//! Withdrawals that M-Pesa pays: sent once, ended once, by what M-Pesa says and by nothing else.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Person, World, assert_has,
    money::{done, rejected},
    set_asides::WHY,
};

const PHONE: &str = "0712000777";
const ANOTHER_AMOUNT: &str = "M-Pesa reports another amount than was asked for.";

/// A player with KES 500, who asks for 450 of it. Answers the withdrawal's id.
async fn asked(world: &World) -> (Person, String) {
    let player = world.player_with(500).await;
    let id = player.withdrawal(PHONE, 450).await;
    (player, id)
}

/// The withdrawal as its player sees it.
async fn seen(world: &World, player: &Person) -> Value {
    let fresh = world.again(player).await;
    fresh.get("/api/withdraw").await.expect(200)[0].clone()
}

/// Posts `body` to a hook of ours, with its mac.
async fn post(world: &World, path: &str, body: &Value) -> u16 {
    let hook = world.app().secrets().hook_path(path).await.unwrap();
    let status = world.nobody().post(&hook, body.clone()).await.status.as_u16();
    world.advance(0).await;
    status
}

/// A result of M-Pesa's, as it posts it.
fn result(id: &str, conversation: &Value, code: Value, parameters: Value) -> Value {
    json!({"Result": {"ResultType": 0, "ResultCode": code, "ResultDesc": "What M-Pesa says.",
        "OriginatorConversationID": id, "ConversationID": conversation, "TransactionID": "SG632NMUAB",
        "ResultParameters": parameters}})
}

/// The books after the one withdrawal: what left M-Pesa's account, what is still held.
async fn out_and_held(world: &World) -> (i64, i64) {
    let ledger = world.ledger().await;
    (ledger.account("mpesa:out"), ledger.account("withdrawals"))
}

#[tokio::test]
async fn a_payout_ends_the_withdrawal_and_names_the_recipient() {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    let sent = world.pay_out(&id).await.expect(200);
    // The result may be there before the answer is.
    let told = (sent["status"].as_str().unwrap(), sent["payout"].as_str().unwrap());
    assert!([("pending", "sent"), ("done", "done")].contains(&told), "{told:?}");
    world.advance(0).await;
    let withdrawal = seen(&world, &player).await;
    assert_has(&withdrawal, json!({"status": "done", "payout": "done"}));
    let payouts = world.payouts(Some(PHONE)).await;
    assert_eq!((payouts.len(), &payouts[0]["amount"]), (1, &json!(450)));
    assert_eq!(withdrawal["receipt"], payouts[0]["receipt"]);
    let name = withdrawal["recipientName"].as_str().unwrap();
    assert!(name.split(' ').count() == 3 && !name.contains("254"), "{name}");
    assert_eq!(out_and_held(&world).await, (450, 0));
    assert_eq!(player.wallet().await, 50);

    let admin = world.admin().await;
    assert_eq!(admin.get("/api/withdraw").await.expect(200), json!([]));
    let of = admin.get(&format!("/api/withdraw?userId={}", player.id)).await.expect(200);
    assert_eq!(of[0]["recipientName"], name);
    world.advance(7200).await;
    let mails = world.notices("player1@example.co.ke").await;
    assert_eq!((mails.len(), &mails[0]["subject"]), (1, &json!("Your withdrawal of KSh 450 is done")));
    assert!(mails[0]["text"].as_str().unwrap().contains(withdrawal["receipt"].as_str().unwrap()));
    assert_eq!(world.pay_out(&id).await.refused(409), "This withdrawal is done already.");
    // Who marks it as sent by hand has sent it a second time, and has to see that.
    let marked = world.admin().await.end_withdrawal(&id, done()).await;
    assert_eq!(marked.refused(409), "This withdrawal is done already.");
    assert_eq!(out_and_held(&world).await, (450, 0));
}

#[tokio::test]
async fn two_admins_who_send_one_withdrawal_by_hand_are_not_both_told_that_it_went_well() {
    let world = World::start().await;
    let (_, id) = asked(&world).await;
    assert_eq!(world.admin().await.end_withdrawal(&id, done()).await.expect(200)["status"], "done");
    let again = world.admin().await.end_withdrawal(&id, done()).await.expect(200);
    assert_eq!(again["status"], "done", "the first answer was lost");
    let second = world.second_admin().await.end_withdrawal(&id, done()).await;
    assert_eq!(second.refused(409), "This withdrawal is done already.");
    assert_eq!(out_and_held(&world).await, (450, 0));

    let (_, id) = asked(&world).await;
    let (one, other) = (world.admin().await, world.second_admin().await);
    let (one, other) = tokio::join!(one.end_withdrawal(&id, done()), other.end_withdrawal(&id, done()));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409], "at once");
    assert_eq!(out_and_held(&world).await, (900, 0));
}

#[tokio::test]
async fn a_players_withdrawals_are_the_players_and_an_admins() {
    let world = World::start().await;
    let (player, _) = asked(&world).await;
    let other = world.player().await;
    let path = format!("/api/withdraw?userId={}", player.id);
    assert_eq!(player.get(&path).await.expect(200)[0]["amount"], 450);
    other.get(&path).await.refused(403);
    other.get("/api/withdraw?userId=x").await.refused(403);
    world.admin().await.get("/api/withdraw?userId=x").await.refused(404);
}

/// The endings that M-Pesa reports by itself.
#[rstest]
#[case::not_registered(json!({"payouts": "failed"}), "This number is not registered with M-Pesa.")]
#[case::early(json!({"payouts": "failed", "daraja": "early"}), "This number is not registered with M-Pesa.")]
#[tokio::test]
async fn a_payout_that_fails_gives_the_money_back_once(#[case] faults: Value, #[case] reason: &str) {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    world.faults(faults).await;
    world.pay_out(&id).await.expect(200);
    world.advance(0).await;
    let withdrawal = seen(&world, &player).await;
    assert_has(&withdrawal, json!({"status": "rejected", "payout": "failed"}));
    assert_eq!(withdrawal["reason"], reason);
    world.advance(7200).await;
    assert_eq!(out_and_held(&world).await, (0, 0));
    assert_eq!(world.ledger().await.wallets[&player.id], 500);
    let mails = world.notices("player1@example.co.ke").await;
    assert_eq!(mails.len(), 1);
    assert!(mails[0]["text"].as_str().unwrap().contains(reason));
    assert_eq!(world.end_withdrawal(&id, done()).await.refused(409), "This withdrawal is rejected already.");
}

/// A code was confirmed that nobody paid: the wallet has what the float has not.
#[tokio::test]
async fn a_float_that_does_not_cover_it_gives_the_money_back() {
    let world = World::start().await;
    let (player, admin) = (world.player().await, world.admin().await);
    admin.confirm_code(player.typed_code("UHK0000001").await, 1000).await.expect(200);
    let id = player.withdrawal(PHONE, 1000).await;
    world.pay_out(&id).await.expect(200);
    world.advance(0).await;
    let withdrawal = seen(&world, &player).await;
    assert_eq!(withdrawal["reason"], "M-Pesa could not make this payment for us at the moment.");
    assert_eq!((player.wallet().await, out_and_held(&world).await), (1000, (0, 0)));
}

/// A time-out is not a failure, silence is not one either: the hold stays, nobody can end it by hand or
/// send it again, and M-Pesa's own answer ends it, either way.
#[rstest]
#[case::timed_out_then_paid("timed_out", "completed", "done")]
#[case::timed_out_then_failed("timed_out", "failed", "rejected")]
#[case::unknown_then_paid("unknown", "completed", "done")]
#[case::unknown_then_failed("unknown", "failed", "rejected")]
#[tokio::test]
async fn what_is_not_known_is_asked_for(#[case] fault: &str, #[case] outcome: &str, #[case] ends: &str) {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    world.faults(json!({"payouts": fault})).await;
    world.pay_out(&id).await.expect(200);
    world.advance(3600).await;
    assert_eq!(seen(&world, &player).await["status"], "pending");
    let paying = "M-Pesa is paying this withdrawal. It ends when M-Pesa says what became of it.";
    assert_eq!(world.end_withdrawal(&id, done()).await.refused(409), paying);
    assert_eq!(world.end_withdrawal(&id, rejected("Enough.")).await.refused(409), paying);
    assert_eq!(world.pay_out(&id).await.refused(409), paying);
    assert_eq!(out_and_held(&world).await, (0, 450));

    // Decided, and M-Pesa posts nothing: the next question finds it.
    world.decide_payout(PHONE, json!({"outcome": outcome, "result": "never"})).await;
    world.advance(1800).await;
    let withdrawal = seen(&world, &player).await;
    assert_eq!(withdrawal["status"], ends);
    let paid = ends == "done";
    assert_eq!(withdrawal["recipientName"].is_string(), paid);
    assert_eq!(withdrawal["receipt"], world.payouts(Some(PHONE)).await[0]["receipt"]);
    assert_eq!(out_and_held(&world).await, (if paid { 450 } else { 0 }, 0));
    assert_eq!(world.ledger().await.wallets[&player.id], if paid { 50 } else { 500 });
    assert_eq!(world.payouts(Some(PHONE)).await.len(), 1, "sent once");
}

#[tokio::test]
async fn a_result_that_never_comes_is_found_by_status() {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    world.faults(json!({"payouts": "silent"})).await;
    world.pay_out(&id).await.expect(200);
    world.advance(0).await;
    assert_eq!(seen(&world, &player).await["status"], "pending");
    world.advance(61).await;
    assert_eq!(seen(&world, &player).await["status"], "done");
    assert_eq!(out_and_held(&world).await, (450, 0));
}

/// M-Pesa's answers do not come for a while either: the line of questions goes on.
#[tokio::test]
async fn the_questions_go_on_while_mpesa_is_ill() {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    world.faults(json!({"payouts": "silent"})).await;
    world.pay_out(&id).await.expect(200);
    for fault in ["down", "pending", "none"] {
        world.faults(json!({"daraja": fault})).await;
        world.advance(1800).await;
    }
    assert_eq!(seen(&world, &player).await["status"], "done");
}

/// Results in every shape that is seen, twice, late and after the question was answered.
#[rstest]
#[case::single(json!({"outcome": "completed", "shape": "single"}), "done")]
#[case::text(json!({"outcome": "completed", "shape": "text"}), "done")]
#[case::text_of_a_failure(json!({"outcome": "failed", "shape": "text"}), "rejected")]
#[case::twice(json!({"outcome": "completed", "result": "duplicate"}), "done")]
#[case::failed_twice(json!({"outcome": "failed", "result": "duplicate"}), "rejected")]
#[case::late(json!({"outcome": "failed", "result": "late"}), "rejected")]
#[tokio::test]
async fn a_result_counts_once_in_every_shape(#[case] how: Value, #[case] ends: &str) {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    world.faults(json!({"payouts": "unknown"})).await;
    world.pay_out(&id).await.expect(200);
    world.decide_payout(PHONE, how).await;
    world.advance(900).await;
    assert_has(&seen(&world, &player).await, json!({"status": ends, "trouble": null}));
    let paid = ends == "done";
    assert_eq!(out_and_held(&world).await, (if paid { 450 } else { 0 }, 0));
    assert_eq!(world.notices("player1@example.co.ke").await.len(), 1);
}

/// What is posted under a right mac and is not this payout's result changes nothing.
#[tokio::test]
async fn a_result_that_is_not_its_own_changes_nothing() {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    world.faults(json!({"payouts": "unknown"})).await;
    world.pay_out(&id).await.expect(200);
    let own = world.payouts(Some(PHONE)).await[0]["conversationId"].clone();
    let (result_path, other) = (format!("/hooks/b2c/result/{id}"), "0".repeat(32));
    let paid = json!({"ResultParameter": [{"Key": "TransactionAmount", "Value": 450}]});
    for body in [
        result(&other, &own, json!(0), paid.clone()),
        result(&id, &json!("AG_20260820_0000"), json!(0), paid.clone()),
        result(&id, &json!("AG_20260820_0000"), json!(2040), Value::Null),
        result(&id, &own, json!(9999), Value::Null),
        result(&id, &own, json!("R000002"), Value::Null),
        result(&id, &own, Value::Null, Value::Null),
        json!({"Result": "hello"}),
        json!([]),
    ] {
        assert_eq!(post(&world, &result_path, &body).await, 200);
        assert_eq!(post(&world, &format!("/hooks/status/{id}"), &body).await, 200);
    }
    // Ids that nobody has.
    for path in [format!("/hooks/b2c/result/{other}"), format!("/hooks/status/{other}")] {
        assert_eq!(post(&world, &path, &result(&other, &own, json!(0), paid.clone())).await, 200);
    }
    assert_eq!(seen(&world, &player).await["status"], "pending");
    assert_eq!(out_and_held(&world).await, (0, 450));
    // A wrong mac, or another path's, finds nothing.
    let hook = world.app().secrets().hook_path(&result_path).await.unwrap();
    let mac = hook.rsplit_once('/').unwrap().1;
    for path in [
        format!("{result_path}/{}", "0".repeat(64)),
        format!("/hooks/b2c/timeout/{id}/{mac}"),
        format!("/hooks/status/{id}/{mac}"),
        format!("/hooks/c2b/confirm/{mac}"),
    ] {
        let body = result(&id, &own, json!(0), paid.clone());
        assert_eq!(world.nobody().post(&path, body).await.refused(404), "There is nothing here.");
    }
    world.decide_payout(PHONE, json!({"outcome": "completed"})).await;
    world.advance(0).await;
    assert_eq!(seen(&world, &player).await["status"], "done");
}

/// A withdrawal that M-Pesa was told to pay, and of which it posts each of these amounts. Answers the withdrawal's id.
async fn paid_otherwise(world: &World, amounts: &[Value]) -> (Person, String) {
    let (player, id) = asked(world).await;
    world.faults(json!({"payouts": "unknown"})).await;
    world.pay_out(&id).await.expect(200);
    let own = world.payouts(Some(PHONE)).await[0]["conversationId"].clone();
    for amount in amounts {
        let paid = json!({"ResultParameter": [{"Key": "TransactionAmount", "Value": amount}]});
        post(world, &format!("/hooks/b2c/result/{id}"), &result(&id, &own, json!(0), paid)).await;
    }
    (player, id)
}

/// Another amount than was asked for: nothing is concluded, and the admin sees it.
#[tokio::test]
async fn another_amount_is_for_an_admin() {
    let world = World::start().await;
    let amounts = [json!(449), json!("450.50"), json!(-450), json!("lots")];
    let (player, _) = paid_otherwise(&world, &amounts).await;
    assert_eq!(seen(&world, &player).await["status"], "pending");
    assert_eq!(out_and_held(&world).await, (0, 450));
    let told = async || world.pending_withdrawals().await[0]["trouble"].clone();
    assert_eq!(told().await, ANOTHER_AMOUNT);
    // That M-Pesa has not answered for a day is not told over it.
    world.advance(26 * 3600).await;
    assert_eq!(told().await, ANOTHER_AMOUNT);
}

/// The admin does not have to wait for a day to end it.
#[rstest]
#[case::it_was_paid("paid", "done", 450)]
#[case::it_was_not("return", "rejected", 0)]
#[tokio::test]
async fn a_payout_of_another_amount_is_ended_by_an_admin(
    #[case] act: &str,
    #[case] ends: &str,
    #[case] out: i64,
) {
    let world = World::start().await;
    let (player, id) = paid_otherwise(&world, &[json!(449)]).await;
    let case = world.set_aside(&id).await;
    assert_has(&case, json!({"reason": ANOTHER_AMOUNT, "acts": ["paid", "return"]}));
    let closed = world.decide_set_aside(&id, json!({"act": act, "reason": WHY})).await.expect(200);
    assert_has(&closed, json!({"state": ends, "closedBecause": WHY}));
    assert_eq!(out_and_held(&world).await, (out, 0));
    assert_eq!(world.ledger().await.wallets[&player.id], 500 - out);
}

/// The money went back by hand, and M-Pesa posts a success for an id that was never ordered.
#[tokio::test]
async fn a_result_after_a_rejection_is_seen_and_moves_nothing() {
    let world = World::start().await;
    let (player, id) = asked(&world).await;
    world.end_withdrawal(&id, rejected("Wrong number.")).await.expect(200);
    for code in [json!(2040), json!(0)] {
        let body = result(&id, &json!("AG_1"), code, Value::Null);
        assert_eq!(post(&world, &format!("/hooks/b2c/result/{id}"), &body).await, 200);
    }
    assert_has(&seen(&world, &player).await, json!({"status": "rejected", "trouble": null}));
    let path = format!("/api/withdraw?userId={}", player.id);
    let withdrawal = world.admin().await.get(&path).await.expect(200)[0].clone();
    assert_eq!(withdrawal["trouble"], "The money went back, and M-Pesa has paid it.");
    assert_eq!(out_and_held(&world).await, (0, 0));
    assert_eq!(world.ledger().await.wallets[&player.id], 500);
}
