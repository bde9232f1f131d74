//! An admin with a password only confirmed an invented code at 250,000, or another amount than M-Pesa says, and paid
//! it out to themself.

use app::{
    Safeguards::{self, Full, Light},
    withdrawals::endings::Ending,
};
use domain::Kes;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use store::admin::{
    audit::Who,
    permits::{DailyPayout, Permit},
};

use crate::support::{
    Answer, Person, TERMS, World,
    admin::OWN_ACCOUNT,
    assert_has,
    authenticator::TOTP,
    money,
    money::{done, rejected},
    processes,
};

async fn confirm(admin: &Person, id: &str, amount: i64) -> Answer {
    let body = json!({"paymentId": id, "amount": amount});
    admin.send_once(Method::POST, "/api/manual-payment/confirm", Some(body)).await
}

#[tokio::test]
async fn with_full_safeguards_a_password_moves_no_money() {
    let world = World::start_guarded(Full).await;
    let (email, password) = world.admin_account();
    let with_password_only = world.log_in(&email, &password).await;
    let player = world.player().await;
    let code = player.typed_code("UHK7RT61SV").await;
    let refused = confirm(&with_password_only, &code, 500).await.expect(403);
    assert_has(&refused, json!({"enrol": true, "stepUp": null}));

    let admin = world.admin().await;
    with_password_only.get(TOTP).await.refused(401);
    world.advance(5 * 60).await;
    assert_eq!(confirm(&admin, &code, 500).await.expect(403)["stepUp"], true);
    assert_eq!(player.wallet().await, 0);
    // A code is for one's own session alone.
    world.second_admin().await.get(TOTP).await.expect(200);
    assert_eq!(confirm(&admin, &code, 500).await.expect(403)["stepUp"], true);
    admin.confirm_code(code, 500).await.expect(200);
    assert_eq!(player.wallet().await, 500);
}

/// What any number of signs of a second account would show: an admin's own player.
#[rstest]
#[tokio::test]
async fn an_invented_code_is_not_confirmed_for_oneself_and_not_paid_out(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let admin = world.admin().await;
    let code = admin.typed_code("NLJ7RT61SV").await;
    assert_eq!(admin.confirm_code(&code, 250_000).await.refused(403), OWN_ACCOUNT);
    let reject = json!({"paymentId": code, "reason": "No."});
    assert_eq!(admin.post("/api/manual-payment/reject", reject).await.refused(403), OWN_ACCOUNT);

    // Money of one's own, come by honestly, is paid out by somebody else.
    admin.post("/api/me/terms", json!({"version": TERMS})).await.expect(200);
    world.fund(&admin, 5000).await;
    world.advance(25 * 3600).await;
    let admin = world.admin().await;
    let id = admin.withdrawal(&admin.phone(), 4000).await;
    assert_eq!(admin.pay_out(&id).await.refused(403), OWN_ACCOUNT);
    for body in [done(), rejected("No.")] {
        assert_eq!(admin.end_withdrawal(&id, body).await.refused(403), OWN_ACCOUNT);
    }
    let patch = json!({"suspended": false, "reason": "My own."});
    assert_eq!(admin.patch_player(&admin.id, patch).await.refused(403), OWN_ACCOUNT);
    world.second_admin().await.pay_out(&id).await.expect(200);

    // A second account of theirs, whose money goes to their own number.
    let other = world.player_with(500).await;
    let id = other.withdrawal(&admin.phone(), 300).await;
    world.advance(25 * 3600).await;
    let admin = world.admin().await;
    assert_eq!(admin.pay_out(&id).await.refused(403), OWN_ACCOUNT);
    for body in [done(), rejected("No.")] {
        assert_eq!(admin.end_withdrawal(&id, body).await.refused(403), OWN_ACCOUNT);
    }
    // Their own phone has paid for it, and M-Pesa says that only when it is asked for the confirmation.
    world.faults(json!({"daraja": "pending"})).await;
    let by_hand = json!({"phone": admin.phone(), "amount": 700, "accountReference": "x", "confirm": false});
    let receipt = world.paybill(by_hand).await;
    let code = world.again(&other).await.typed_code(&receipt).await;
    world.advance(60).await;
    world.faults(json!({"daraja": "none"})).await;
    let admin = world.admin().await;
    assert_eq!(admin.confirm_code(&code, 700).await.refused(403), OWN_ACCOUNT);
    let reject = json!({"paymentId": code, "reason": "No."});
    assert_eq!(admin.post("/api/manual-payment/reject", reject).await.refused(403), OWN_ACCOUNT);
    world.second_admin().await.confirm_code(&code, 700).await.expect(200);
    world.ledger().await;
}

/// Another admin has credited a code to them that somebody else says is theirs.
#[tokio::test]
async fn a_code_that_was_credited_to_oneself_is_not_rejected_for_another() {
    let world = World::start().await;
    let (admin, player) = (world.admin().await, world.player().await);
    let theirs = player.typed_code("NLJ7RT61SV").await;
    let own = admin.typed_code("NLJ7RT61SV").await;
    world.second_admin().await.confirm_code(&own, 500).await.expect(200);
    let reject = json!({"paymentId": theirs, "reason": "No."});
    assert_eq!(admin.post("/api/manual-payment/reject", reject.clone()).await.refused(403), OWN_ACCOUNT);
    world.second_admin().await.post("/api/manual-payment/reject", reject).await.expect(200);
}

/// Their own phone has paid for a second account of theirs, or been paid for it twice: nobody else would look at the case.
#[rstest]
#[tokio::test]
async fn a_case_of_ones_own_phone_is_not_dismissed(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let admin = world.admin().await;
    let other = world.player_with(500).await;
    let prompt = other.deposit(&admin.phone(), 500).await.text(200, "checkoutId");
    world.receipt_of(&admin.phone(), json!({"outcome": "success", "amount": 600})).await;
    world.advance(60).await;
    let admin = world.admin().await;
    admin.post("/api/me/terms", json!({"version": TERMS})).await.expect(200);
    world.fund(&admin, 100).await;
    let payout = other.withdrawal(&admin.phone(), 450).await;
    // With full safeguards it waits so long.
    world.advance(25 * 3600).await;
    processes::end_withdrawal(world.app(), &payout, Ending::Done).await;
    processes::hear_that_it_is_paid(world.app(), &payout).await;
    let dismiss = json!({"act": "dismiss", "reason": "Seen in the portal."});
    for id in [prompt, payout] {
        let case = format!("/api/admin/set-asides/{id}");
        assert_eq!(world.admin().await.post(&case, dismiss.clone()).await.refused(403), OWN_ACCOUNT, "{id}");
        world.second_admin().await.post(&case, dismiss.clone()).await.expect(200);
    }
    world.ledger().await;
}

/// It is proposed while M-Pesa is silent, which names the proposer's own phone when another admin approves.
#[tokio::test]
async fn a_proposal_about_ones_own_phone_is_not_approved() {
    let world = World::start_guarded(Full).await;
    let admin = world.admin().await;
    admin.post("/api/me/terms", json!({"version": TERMS})).await.expect(200);
    world.fund(&admin, 100).await;
    let other = world.player().await;
    world.faults(json!({"daraja": "pending"})).await;
    let by_hand =
        json!({"phone": admin.phone(), "amount": 12_000, "accountReference": "x", "confirm": false});
    let receipt = world.paybill(by_hand).await;
    let code = other.typed_code(&receipt).await;
    world.advance(60).await;
    let told = world.admin().await.confirm_code(&code, 12_000).await.expect(202);
    assert_eq!(told["inWords"], format!("Credit KSh 12,000 for a typed code: {receipt}"));
    let proposed = told["_id"].as_str().unwrap();
    world.faults(json!({"daraja": "none"})).await;
    let approve = async || {
        let path = format!("/api/admin/approvals/{proposed}");
        world.second_admin().await.post(&path, json!({"decision": "approve"})).await.refused(409)
    };
    assert_eq!(approve().await, "M-Pesa has just said who paid this. Try again.");
    approve().await;
    assert_eq!(world.balance(&other).await, 0);
}

const SWITCHES: &str = "/api/admin/switches";

/// A code of five minutes ago: nothing is even looked up. To stop things is free.
#[tokio::test]
async fn a_stale_code_is_refused_wherever_one_is_wanted() {
    let world = World::start_guarded(Full).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let player = world.player().await;
    world.advance(5 * 60).await;
    let pause = json!({"payoutsPaused": true, "reason": "Something is wrong."});
    let paused = admin.send_once(Method::PUT, SWITCHES, Some(pause)).await.expect(200);
    let (id, reason) = ("0".repeat(32), "Looked into.");
    let withdrawal = format!("/api/withdraw/{id}");
    let (case, approval) = (format!("/api/admin/set-asides/{id}"), format!("/api/admin/approvals/{id}"));
    let (profile, admins) =
        (format!("/api/admin/players/{}", player.id), format!("/api/admin/players/{}", second.id));
    let (league, void) = ("/api/admin/leagues/2026-01-50-00001", "/api/admin/gameweeks/2026-01/void");
    let correction = json!({"correctionId": "a".repeat(32), "amount": 60, "reason": reason});
    let refund = json!({"act": "refund", "reason": reason});
    let wanted = [
        (Method::POST, format!("{withdrawal}/pay"), json!({})),
        (Method::PUT, withdrawal, done()),
        (Method::POST, case.clone(), json!({"act": "credit", "reason": reason, "amount": 500})),
        (Method::POST, case.clone(), json!({"act": "paid", "reason": reason})),
        (Method::POST, case.clone(), json!({"act": "return", "reason": reason})),
        (Method::POST, case, json!({"act": "dismiss", "reason": reason})),
        (Method::POST, approval, json!({"decision": "approve"})),
        (Method::POST, format!("{profile}/corrections"), correction),
        (Method::POST, format!("{profile}/release-number"), json!({"phone": "0712000001", "reason": reason})),
        (Method::PATCH, profile.clone(), json!({"frozen": false, "reason": reason})),
        (Method::PATCH, profile.clone(), json!({"releasePrizes": true, "reason": reason})),
        (Method::PATCH, profile, json!({"fplId": "760001", "reason": reason})),
        (Method::PATCH, admins.clone(), json!({"suspended": true, "reason": reason})),
        (Method::PATCH, admins.clone(), json!({"suspended": false, "reason": reason})),
        (Method::PATCH, admins.clone(), json!({"frozen": true, "reason": reason})),
        (Method::PATCH, admins, json!({"endSessions": true, "reason": reason})),
        (Method::POST, void.to_owned(), json!({"reason": reason})),
        (Method::POST, league.to_owned(), refund),
        (Method::PUT, SWITCHES.to_owned(), json!({"payoutsPaused": false, "reason": reason})),
        (Method::POST, "/api/points/toggle-deduction".to_owned(), json!({})),
    ];
    for (method, path, body) in wanted {
        let refused = admin.send_once(method, &path, Some(body.clone())).await.expect(403);
        assert_eq!(refused["stepUp"], true, "{path} {body}");
    }
    assert_eq!(admin.get(SWITCHES).await.expect(200), paused);
    // Asking the official game again decides nothing: it looks for the league.
    admin.send_once(Method::POST, league, Some(json!({"act": "retry"}))).await.refused(404);
    // With a code it is done.
    let resume = json!({"payoutsPaused": false, "reason": reason});
    assert_eq!(admin.put(SWITCHES, resume).await.expect(200)["payouts"]["paused"], false);
}

#[rstest]
#[tokio::test]
async fn nothing_is_credited_corrected_or_released_for_oneself(
    #[values(Light, Full)] safeguards: Safeguards,
) {
    let world = World::start_guarded(safeguards).await;
    let admin = world.second_admin().await;
    let (id, _) = world.paid_otherwise(&admin, 600).await;
    let case = format!("/api/admin/set-asides/{id}");
    let account = format!("/api/admin/players/{}", admin.id);
    for (path, body) in [
        (case.clone(), json!({"act": "credit", "reason": "Seen in the portal.", "amount": 500})),
        (case, json!({"act": "dismiss", "reason": "Seen in the portal."})),
        (
            format!("{account}/corrections"),
            json!({"correctionId": "a".repeat(32), "amount": 400, "reason": "Seen in the portal."}),
        ),
        (format!("{account}/release-number"), json!({"phone": admin.phone(), "reason": "Another one's."})),
    ] {
        assert_eq!(admin.post(&path, body).await.refused(403), OWN_ACCOUNT, "{path}");
    }
    assert_eq!(admin.wallet().await, 0);
    world.ledger().await;
}

/// Weighed a moment before midnight, and not taken by M-Pesa a moment after.
#[tokio::test]
async fn what_was_not_sent_is_given_back_to_the_day_that_counted_it() {
    let (world, player) = World::with_player(500).await;
    let id = player.withdrawal(&player.phone(), 100).await;
    let admin = world.stored(&world.admin().await).await;
    let (app, today) = (world.app(), world.app().clock().now());
    let day_before = today - jiff::SignedDuration::from_hours(24);
    let paid_out = DailyPayout { amount: Kes::new(100), most: Kes::new(1_000), at: day_before };
    let permit = Permit { paid_out: Some(paid_out), ..Permit::plain(Who::admin(&admin), day_before) };
    world.faults(json!({"daraja": "reject"})).await;
    let kept = world.stored_withdrawal(&id).await;
    let sent = app::withdrawals::payouts::pay(app, &kept, &permit).await;
    assert!(matches!(sent, Err(app::platform::flow::FlowError::Refused(_))), "{sent:?}");
    for day in [day_before, today] {
        assert_eq!(app.store().paid_out_on(day).await.unwrap(), Kes::new(0));
    }
}

#[rstest]
#[tokio::test]
async fn a_days_payouts_have_a_ceiling(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = world.player_with_own_number(250_000).await;
    let ceiling = "Today's ceiling for payouts is reached.";
    let pay = async |id: &str| world.by_two(Method::POST, &format!("/api/withdraw/{id}/pay"), None).await;
    let done =
        async |id: &str| world.by_two(Method::PUT, &format!("/api/withdraw/{id}"), Some(money::done())).await;
    // M-Pesa does not take the first one: it does not count.
    let id = player.withdrawal(&player.phone(), 150_000).await;
    world.faults(json!({"daraja": "reject"})).await;
    pay(&id).await.refused(503);
    world.faults(json!({"daraja": "none"})).await;
    pay(&id).await.expect(200);
    done(&player.withdrawal(&player.phone(), 50_000).await).await.expect(200);
    let one_too_many = player.withdrawal(&player.phone(), 60).await;
    assert_eq!(pay(&one_too_many).await.refused(409), ceiling);
    assert_eq!(done(&one_too_many).await.refused(409), ceiling);
    // Midnight in Kenya: another day.
    world.advance(24 * 3600).await;
    pay(&one_too_many).await.expect(200);
    // What is above it by itself is not paid first thing in the day either.
    let rich = world.player_with_own_number(250_000).await;
    let large = rich.withdrawal(&rich.phone(), 200_060).await;
    assert_eq!(pay(&large).await.refused(409), ceiling);
    world.ledger().await;
}

#[rstest]
#[tokio::test]
async fn mpesas_word_stands_over_an_admins(#[values(Light, Full)] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (admin, player) = (world.admin().await, world.player().await);
    let paid = json!({"phone": "0722000001", "amount": 100, "accountReference": "somebody"});
    let receipt = world.paybill(paid).await;
    world.advance(0).await;
    let code = player.typed_code(&receipt).await;
    let refused = admin.confirm_code(&code, 10_000).await.refused(409);
    assert_eq!(refused, "M-Pesa says that this payment is KSh 100.");
    admin.confirm_code(code, 100).await.expect(200);
    assert_eq!(player.wallet().await, 100);
    // Credited what was set aside: the callback said more than was paid.
    let (id, _) = world.paid_otherwise(&player, 600).await;
    let credit = |amount: i64| json!({"act": "credit", "reason": "As told.", "amount": amount});
    let refused = world.decide_set_aside(&id, credit(600)).await.refused(409);
    assert_eq!(refused, "M-Pesa says that this payment is KSh 500.");
    world.decide_set_aside(&id, credit(500)).await.expect(200);
    world.ledger().await;
}
