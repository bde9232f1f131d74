//! An admin with a password only confirmed an invented code at 250,000, or another amount than M-Pesa says, and paid
//! it out to themself.

use app::Safeguards;
use domain::Kes;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};
use store::admin::{
    audit::Who,
    permits::{DailyPayout, Permit},
};

use crate::support::{Answer, PASSWORD, Person, World};

async fn typed_code(player: &Person, code: &str) -> String {
    let body = json!({"mpesaCode": code});
    player.post("/api/manual-payment", body).await.expect(201)["_id"].as_str().unwrap().to_owned()
}

async fn confirm(admin: &Person, id: &str, amount: i64) -> Answer {
    let body = json!({"paymentId": id, "amount": amount});
    admin.send_once(Method::POST, "/api/manual-payment/confirm", Some(body)).await
}

#[tokio::test]
async fn with_full_safeguards_a_password_moves_no_money() {
    let world = World::start_guarded(Safeguards::Full).await;
    let (email, password) = world.admin_account();
    let with_password_only = world.log_in(&email, &password).await;
    let player = world.player().await;
    let code = typed_code(&player, "UHK7RT61SV").await;
    let refused = confirm(&with_password_only, &code, 500).await.expect(403);
    assert_eq!((&refused["enrol"], &refused["stepUp"]), (&json!(true), &Value::Null));

    let admin = world.admin().await;
    with_password_only.get("/api/admin/totp").await.refused(401);
    world.advance(5 * 60).await;
    assert_eq!(confirm(&admin, &code, 500).await.expect(403)["stepUp"], true);
    assert_eq!(player.wallet().await, 0);
    // A code is for one's own session alone.
    world.second_admin().await.get("/api/admin/totp").await.expect(200);
    assert_eq!(confirm(&admin, &code, 500).await.expect(403)["stepUp"], true);
    let body = json!({"paymentId": code, "amount": 500});
    admin.post("/api/manual-payment/confirm", body).await.expect(200);
    assert_eq!(player.wallet().await, 500);
}

async fn withdrawal(player: &Person, amount: i64) -> String {
    let body = json!({"mpesaNumber": player.phone(), "amount": amount});
    player.post("/api/withdraw", body).await.expect(201)["_id"].as_str().unwrap().to_owned()
}

/// What any number of signs of a second account would show: an admin's own player.
#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn an_invented_code_is_not_confirmed_for_oneself_and_not_paid_out(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let admin = world.admin().await;
    let own = "This is your own account's. Another admin has to do it.";
    let code = typed_code(&admin, "NLJ7RT61SV").await;
    let body = json!({"paymentId": code, "amount": 250_000});
    assert_eq!(admin.post("/api/manual-payment/confirm", body.clone()).await.refused(403), own);
    let reject = json!({"paymentId": code, "reason": "No."});
    assert_eq!(admin.post("/api/manual-payment/reject", reject).await.refused(403), own);

    // Money of one's own, come by honestly, is paid out by somebody else.
    world.fund(&admin, 5000).await;
    world.advance(25 * 3600).await;
    let admin = world.admin().await;
    let id = withdrawal(&admin, 4000).await;
    let path = format!("/api/withdraw/{id}");
    assert_eq!(admin.send(Method::POST, &format!("{path}/pay"), None).await.refused(403), own);
    for body in [json!({"status": "done"}), json!({"status": "rejected", "reason": "No."})] {
        assert_eq!(admin.send(Method::PUT, &path, Some(body)).await.refused(403), own);
    }
    let patch = json!({"suspended": false, "reason": "My own."});
    let own_account = format!("/api/admin/players/{}", admin.id);
    assert_eq!(admin.send(Method::PATCH, &own_account, Some(patch)).await.refused(403), own);
    let second = world.second_admin().await;
    second.send(Method::POST, &format!("{path}/pay"), None).await.expect(200);
    world.ledger().await;
}

#[tokio::test]
async fn above_the_threshold_another_admin_approves() {
    let world = World::start_guarded(Safeguards::Full).await;
    let (admin, player) = (world.admin().await, world.player().await);
    let code = typed_code(&player, "NLJ7RT61SV").await;
    let body = json!({"paymentId": code, "amount": 250_000});
    let proposed = admin.post("/api/manual-payment/confirm", body.clone()).await.expect(202);
    assert_eq!((&proposed["state"], &proposed["amount"]), (&json!("waiting"), &json!(250_000)));
    // The same again is the same proposal.
    let again = admin.post("/api/manual-payment/confirm", body.clone()).await.expect(202);
    assert_eq!(again["_id"], proposed["_id"]);
    let path = format!("/api/admin/approvals/{}", proposed["_id"].as_str().unwrap());
    let approve = json!({"decision": "approve", "reason": "Seen in the portal."});
    let own = "You have proposed this. Another admin has to approve it.";
    assert_eq!(admin.post(&path, approve.clone()).await.refused(403), own);
    assert_eq!(player.wallet().await, 0);

    let second = world.second_admin().await;
    let listed = second.get("/api/admin/approvals").await.expect(200);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["state"]), (1, &json!("waiting")));
    world.advance(5 * 60).await;
    assert_eq!(
        second.send_once(Method::POST, &path, Some(approve.clone())).await.expect(403)["stepUp"],
        true
    );
    let approved = second.post(&path, approve.clone()).await.expect(200);
    assert_eq!((&approved["state"], &approved["decidedByName"]), (&json!("approved"), &json!("deputy")));
    assert_eq!(player.wallet().await, 250_000);
    assert_eq!(second.post(&path, approve).await.refused(409), "This was approved before.");
    admin.post("/api/manual-payment/confirm", body).await.expect(200);
    assert_eq!(player.wallet().await, 250_000);

    // Every admin is told, of the proposal and of the act.
    world.advance(60).await;
    for email in [world.admin_account().0.as_str(), "second-admin@example.co.ke"] {
        let mails = world.mails(email).await;
        let about = |mail: &&Value| mail["subject"] == "An admin's act: confirm-manual-payment";
        assert_eq!(mails.iter().filter(about).count(), 2, "{email}: {mails:?}");
    }
    let acts = crate::admin::audit::acts(&world).await;
    let act = acts.iter().find(|act| act.approved_by.is_some()).unwrap();
    assert_eq!(act.who.person().unwrap().0.as_str(), admin.id);
    assert_eq!(act.approved_by.as_ref().unwrap().person().unwrap().0.as_str(), second.id);
    world.ledger().await;
}

/// One with money whose number has been their own for more than a day.
async fn known_player(world: &World, balance: i64) -> Person {
    let player = world.player_with(balance).await;
    world.advance(25 * 3600).await;
    world.log_in(&format!("player{}@example.co.ke", player.n), PASSWORD).await.with_number(player.n)
}

#[tokio::test]
async fn what_is_split_is_summed() {
    let world = World::start_guarded(Safeguards::Full).await;
    let player = known_player(&world, 40_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(withdrawal(&player, 4000).await);
    }
    let pay = async |admin: &Person, id: &str| {
        admin.send(Method::POST, &format!("/api/withdraw/{id}/pay"), None).await.status.as_u16()
    };
    // Five at once, by two admins, to one player: two and no more are paid without a second admin.
    let presses = ids.iter().enumerate().map(|(n, id)| {
        let (admin, id) = (if n % 2 == 0 { admin.clone() } else { second.clone() }, id.clone());
        tokio::spawn(async move {
            let path = format!("/api/withdraw/{id}/pay");
            admin.send(Method::POST, &path, None).await.status.as_u16()
        })
    });
    let mut statuses = Vec::new();
    for press in presses.collect::<Vec<_>>() {
        statuses.push(press.await.unwrap());
    }
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 200, 202, 202, 202]);
    // A day later one admin may again.
    let player = known_player(&world, 30_000).await;
    let admin = world.admin().await;
    assert_eq!(pay(&admin, &withdrawal(&player, 9000).await).await, 200);
    assert_eq!(pay(&admin, &withdrawal(&player, 1001).await).await, 202);
    assert_eq!(pay(&admin, &withdrawal(&player, 1000).await).await, 200);
    world.ledger().await;
}

#[tokio::test]
async fn approvals_that_meet_do_the_act_once() {
    let world = World::start_guarded(Safeguards::Full).await;
    let player = known_player(&world, 100_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    for n in 0..3 {
        let id = withdrawal(&player, 15_000).await;
        let body = json!({"status": "done"});
        let path = format!("/api/withdraw/{id}");
        let proposed = admin.send(Method::PUT, &path, Some(body)).await.expect(202);
        let path = format!("/api/admin/approvals/{}", proposed["_id"].as_str().unwrap());
        let words = [json!({"decision": "approve"}), json!({"decision": "refuse", "reason": "No."})];
        let both = [words[0].clone(), words[if n == 0 { 0 } else { 1 }].clone()].map(|word| {
            let (second, path) = (second.clone(), path.clone());
            tokio::spawn(async move { second.post(&path, word).await.status.as_u16() })
        });
        let mut statuses = Vec::new();
        for word in both {
            statuses.push(word.await.unwrap());
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409], "{n}");
    }
    world.ledger().await;
}

#[tokio::test]
async fn a_proposal_expires_and_what_changed_meanwhile_is_said() {
    let world = World::start_guarded(Safeguards::Full).await;
    let player = known_player(&world, 60_000).await;
    let (one, other) = (withdrawal(&player, 15_000).await, withdrawal(&player, 15_000).await);
    let propose = async |id: &str| {
        let pay = format!("/api/withdraw/{id}/pay");
        let proposed = world.admin().await.send(Method::POST, &pay, None).await.expect(202);
        format!("/api/admin/approvals/{}", proposed["_id"].as_str().unwrap())
    };
    let path = propose(&one).await;
    let reject = json!({"status": "rejected", "reason": "Wrong number."});
    world.admin().await.send(Method::PUT, &format!("/api/withdraw/{one}"), Some(reject)).await.expect(200);
    let approve = json!({"decision": "approve", "reason": "Seen."});
    let changed = "What it is about has changed since it was proposed. Refuse it; it can be proposed again.";
    assert_eq!(world.second_admin().await.post(&path, approve.clone()).await.refused(409), changed);

    let path = propose(&other).await;
    world.advance(3 * 24 * 3600).await;
    let second = world.second_admin().await;
    let expired = "This proposal has expired. It has to be proposed again.";
    assert_eq!(second.post(&path, approve.clone()).await.refused(409), expired);
    let listed = second.get("/api/admin/approvals").await.expect(200);
    assert_eq!(listed[1]["state"], "expired");
    // Proposed anew it waits anew, under the same id.
    assert_eq!(propose(&other).await, path);
    world.second_admin().await.post(&path, approve).await.expect(200);
    world.ledger().await;
}

#[tokio::test]
async fn who_is_new_or_concerned_does_not_approve() {
    let world = World::start_guarded(Safeguards::Full).await;
    world.fund(&world.second_admin().await, 20_000).await;
    world.advance(25 * 3600).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let id = withdrawal(&second, 15_000).await;
    let pay = format!("/api/withdraw/{id}/pay");
    let proposed = admin.send(Method::POST, &pay, None).await.expect(202);
    let path = format!("/api/admin/approvals/{}", proposed["_id"].as_str().unwrap());
    let approve = json!({"decision": "approve"});
    let own = "This is your own account's. Another admin has to approve it.";
    assert_eq!(second.post(&path, approve.clone()).await.refused(403), own);
    let refuse = json!({"decision": "refuse", "reason": "I would rather have it twice."});
    assert_eq!(second.post(&path, refuse).await.refused(403), own);
    assert_eq!(second.get("/api/admin/approvals").await.expect(200)[0]["state"], "waiting");
    // One who was made an admin just now.
    let player = world.player().await;
    app::admin::commands::grant(world.app(), &format!("player{}@example.co.ke", player.n)).await.unwrap();
    let new = world.admin_again(&format!("player{}@example.co.ke", player.n)).await;
    let too_new = "You have not been an admin for 24 hours. Another admin has to approve it.";
    assert_eq!(new.post(&path, approve.clone()).await.refused(403), too_new);
    world.advance(24 * 3600).await;
    let new = world.admin_again(&format!("player{}@example.co.ke", player.n)).await;
    new.post(&path, approve).await.expect(200);
    world.ledger().await;
}

/// An admin whose account was taken over is frozen, or suspended: what was proposed in their name waits for nobody.
#[rstest]
#[case("frozen")]
#[case("suspended")]
#[tokio::test]
async fn what_was_proposed_by_who_may_not_act_any_more_is_not_approved(#[case] how: &str) {
    let world = World::start_guarded(Safeguards::Full).await;
    let player = known_player(&world, 20_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let pay = format!("/api/withdraw/{}/pay", withdrawal(&player, 15_000).await);
    let proposed = admin.send(Method::POST, &pay, None).await.expect(202);
    let path = format!("/api/admin/approvals/{}", proposed["_id"].as_str().unwrap());
    let account = format!("/api/admin/players/{}", admin.id);
    let change = async |is_so: bool| {
        let mut body = json!({"reason": "Looked into."});
        body[how] = json!(is_so);
        second.send(Method::PATCH, &account, Some(body)).await.expect(200);
    };
    change(true).await;
    let approve = json!({"decision": "approve"});
    let gone = "Whoever proposed this may not act any more. It has to be proposed again.";
    assert_eq!(second.post(&path, approve.clone()).await.refused(409), gone);
    assert_eq!(world.ledger().await.account("mpesa:out"), 0);
    change(false).await;
    second.post(&path, approve).await.expect(200);
    world.ledger().await;
}

/// Marked as done by hand, and paid by M-Pesa: each is proposed, and both are approved.
#[tokio::test]
async fn two_proposals_for_one_withdrawal_pay_it_once() {
    let world = World::start_guarded(Safeguards::Full).await;
    let player = known_player(&world, 60_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    for at_once in [false, true, true] {
        let path = format!("/api/withdraw/{}", withdrawal(&player, 15_000).await);
        let done = json!({"status": "done"});
        let done = admin.send(Method::PUT, &path, Some(done)).await.expect(202);
        let paid = admin.send(Method::POST, &format!("{path}/pay"), None).await.expect(202);
        assert_ne!(done["_id"], paid["_id"]);
        let [paid, done] = [paid, done].map(|proposed| {
            let path = format!("/api/admin/approvals/{}", proposed["_id"].as_str().unwrap());
            let second = second.clone();
            async move { second.post(&path, json!({"decision": "approve"})).await.status.as_u16() }
        });
        let mut statuses = if at_once {
            let (paid, done) = (tokio::spawn(paid), tokio::spawn(done));
            [paid.await.unwrap(), done.await.unwrap()]
        } else {
            [paid.await, done.await]
        };
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
    }
    world.advance(120).await;
    assert_eq!(world.ledger().await.account("mpesa:out"), 45_000);
}

const SWITCHES: &str = "/api/admin/switches";

/// A code of five minutes ago: nothing is even looked up. To stop things is free.
#[tokio::test]
async fn a_stale_code_is_refused_wherever_one_is_wanted() {
    let world = World::start_guarded(Safeguards::Full).await;
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
        (Method::PUT, withdrawal, json!({"status": "done"})),
        (Method::POST, case.clone(), json!({"act": "credit", "reason": reason, "amount": 500})),
        (Method::POST, case.clone(), json!({"act": "paid", "reason": reason})),
        (Method::POST, case, json!({"act": "return", "reason": reason})),
        (Method::POST, approval, json!({"decision": "approve"})),
        (Method::POST, format!("{profile}/corrections"), correction),
        (Method::POST, format!("{profile}/release-number"), json!({"phone": "0712000001", "reason": reason})),
        (Method::PATCH, profile.clone(), json!({"frozen": false, "reason": reason})),
        (Method::PATCH, profile.clone(), json!({"releasePrizes": true, "reason": reason})),
        (Method::PATCH, profile, json!({"fplId": "760001", "reason": reason})),
        (Method::PATCH, admins, json!({"suspended": true, "reason": reason})),
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
    assert_eq!(admin.send(Method::PUT, SWITCHES, Some(resume)).await.expect(200)["payouts"]["paused"], false);
}

#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn nothing_is_credited_corrected_or_released_for_oneself(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let admin = world.second_admin().await;
    let (id, _) = crate::payments::set_asides::of_another_amount(&world, &admin, 600).await;
    let case = format!("/api/admin/set-asides/{id}");
    let account = format!("/api/admin/players/{}", admin.id);
    let own = "This is your own account's. Another admin has to do it.";
    for (path, body) in [
        (case.clone(), json!({"act": "credit", "reason": "Seen in the portal.", "amount": 500})),
        (case, json!({"act": "dismiss", "reason": "Seen in the portal."})),
        (
            format!("{account}/corrections"),
            json!({"correctionId": "a".repeat(32), "amount": 400, "reason": "Seen in the portal."}),
        ),
        (format!("{account}/release-number"), json!({"phone": admin.phone(), "reason": "Another one's."})),
    ] {
        assert_eq!(admin.post(&path, body).await.refused(403), own, "{path}");
    }
    assert_eq!(admin.wallet().await, 0);
    world.ledger().await;
}

/// Weighed a moment before midnight, and not taken by M-Pesa a moment after.
#[tokio::test]
async fn what_was_not_sent_is_given_back_to_the_day_that_counted_it() {
    let world = World::start().await;
    let id = withdrawal(&world.player_with(500).await, 100).await;
    let admin = crate::platform::interleavings::player(world.app(), &world.admin().await).await;
    let (app, today) = (world.app(), world.app().clock().now());
    let day_before = today - jiff::SignedDuration::from_hours(24);
    let paid_out = DailyPayout { amount: Kes::new(100), most: Kes::new(1_000), at: day_before };
    let permit = Permit { paid_out: Some(paid_out), ..Permit::plain(Who::admin(&admin), day_before) };
    world.faults(json!({"daraja": "reject"})).await;
    let kept = app.store().withdrawal(&id).await.unwrap().unwrap();
    assert!(app::withdrawals::payouts::pay(app, &kept, &permit).await.unwrap().is_err());
    for day in [day_before, today] {
        assert_eq!(app.store().paid_out_on(day).await.unwrap(), Kes::new(0));
    }
}

#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn a_days_payouts_have_a_ceiling(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let player = known_player(&world, 250_000).await;
    let ceiling = "Today's ceiling for payouts is reached.";
    let pay = async |id: &str| world.by_two(Method::POST, &format!("/api/withdraw/{id}/pay"), None).await;
    let done = async |id: &str| {
        let body = json!({"status": "done"});
        world.by_two(Method::PUT, &format!("/api/withdraw/{id}"), Some(body)).await
    };
    // M-Pesa does not take the first one: it does not count.
    let id = withdrawal(&player, 150_000).await;
    world.faults(json!({"daraja": "reject"})).await;
    pay(&id).await.refused(503);
    world.faults(json!({"daraja": "none"})).await;
    pay(&id).await.expect(200);
    done(&withdrawal(&player, 50_000).await).await.expect(200);
    let one_too_many = withdrawal(&player, 60).await;
    assert_eq!(pay(&one_too_many).await.refused(409), ceiling);
    assert_eq!(done(&one_too_many).await.refused(409), ceiling);
    // Midnight in Kenya: another day.
    world.advance(24 * 3600).await;
    pay(&one_too_many).await.expect(200);
    world.ledger().await;
}

#[rstest]
#[case(Safeguards::Light)]
#[case(Safeguards::Full)]
#[tokio::test]
async fn mpesas_word_stands_over_an_admins(#[case] safeguards: Safeguards) {
    let world = World::start_guarded(safeguards).await;
    let (admin, player) = (world.admin().await, world.player().await);
    let paid = json!({"phone": "0722000001", "amount": 100, "accountReference": "somebody"});
    let receipt = world.sim(Method::POST, "/paybill", paid).await["receipt"].as_str().unwrap().to_owned();
    world.advance(0).await;
    let code = typed_code(&player, &receipt).await;
    let body = json!({"paymentId": code, "amount": 10_000});
    let refused = admin.post("/api/manual-payment/confirm", body).await.refused(409);
    assert_eq!(refused, "M-Pesa says that this payment is KSh 100.");
    let body = json!({"paymentId": code, "amount": 100});
    admin.post("/api/manual-payment/confirm", body).await.expect(200);
    assert_eq!(player.wallet().await, 100);
    // Credited what was set aside: the callback said more than was paid.
    let (id, _) = crate::payments::set_asides::of_another_amount(&world, &player, 600).await;
    let path = format!("/api/admin/set-asides/{id}");
    let credit = |amount: i64| json!({"act": "credit", "reason": "As told.", "amount": amount});
    let refused = world.admin().await.post(&path, credit(600)).await.refused(409);
    assert_eq!(refused, "M-Pesa says that this payment is KSh 500.");
    world.admin().await.post(&path, credit(500)).await.expect(200);
    world.ledger().await;
}
