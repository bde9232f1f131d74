//! A second admin's approval and the act that it gives leave for are one step, wherever a process dies.

use app::{
    App,
    Safeguards::Full,
    admin::acts::{MoneyAct, approve, ask},
};
use domain::admin::approvals::SecondAdminReason;
use reqwest::Method;
use rstest::rstest;
use serde_json::json;
use store::admin::{
    approvals::ProposalStage,
    audit::{AuditAction, AuditRecord, Who},
};

use crate::support::{
    World,
    admin::{SECOND_ADMIN, approval},
    assert_has, at_once,
    log_capture::Lines,
    money::{done, rejected},
    processes::{dying_at_every_step, held_up_at_every_step},
    statuses,
};

#[tokio::test]
async fn an_approved_act_is_done_once_wherever_its_approval_ends() {
    let world = World::start_guarded(Full).await;
    let admin = world.admin().await;
    let second = world.stored(&world.second_admin().await).await;
    let proposed = async || {
        let player = world.player_with(500).await;
        let path = format!("/api/admin/players/{}/corrections", player.id);
        let body =
            json!({"correctionId": store::random_id(), "amount": 400, "reason": "Seen in the portal."});
        (player.id, admin.post(&path, body).await.text(202, "_id"))
    };
    let approve = async |app: &App, (_, id): &(String, String)| {
        // The second one is refused where the first one got as far as the act.
        let _done_or_refused = approve(app, &second, id, None).await;
    };
    let (approved, steps) = dying_at_every_step(&world, proposed, approve).await;
    assert!(steps >= 1, "{steps}");
    world.advance(3600).await;
    let ledger = world.ledger().await;
    let acts = world.acts().await;
    for (player, id) in &approved {
        assert_eq!(ledger.wallets[player], 900);
        assert_eq!(world.app().store().proposal(id).await.unwrap().unwrap().stage, ProposalStage::Approved);
        let of = |act: &&AuditRecord| {
            let whose = act.user_id.as_ref().is_some_and(|id| id.as_str() == player);
            whose && act.what == AuditAction::CorrectWallet
        };
        let records: Vec<_> = acts.iter().filter(of).collect();
        assert!(records.iter().any(|record| record.approved_by == Some(Who::admin(&second))), "{records:?}");
        assert_eq!(records.iter().filter(|record| record.approved_by.is_some()).count(), 1, "{records:?}");
    }
}

/// Reasons name people: they are in the records, where they can be erased, and in no log.
#[tokio::test]
async fn what_an_approved_act_says_of_people_is_not_logged() {
    let (log, _guard) = Lines::capture();
    let world = World::start_guarded(Full).await;
    let (admin, player) = (world.admin().await, world.player_with(500).await);
    let path = format!("/api/admin/players/{}/corrections", player.id);
    let reason = "Atieno Odhiambo called: she paid twice.";
    let body = json!({"correctionId": store::random_id(), "amount": 400, "reason": reason});
    let proposed = admin.post(&path, body).await.text(202, "_id");
    let second = world.stored(&world.second_admin().await).await;
    // In this thread, whose log is captured.
    approve(world.app(), &second, &proposed, None).await.unwrap();
    assert_eq!(player.wallet().await, 900);
    let lines = log.text();
    assert!(lines.contains("approval"), "it is logged that it was approved");
    assert!(!lines.contains("Atieno"), "{lines}");
}

#[tokio::test]
async fn above_the_threshold_another_admin_approves() {
    let world = World::start_guarded(Full).await;
    let (admin, player) = (world.admin().await, world.player().await);
    let code = player.typed_code("NLJ7RT61SV").await;
    let proposed = admin.confirm_code(&code, 250_000).await.expect(202);
    assert_has(&proposed, json!({"state": "waiting", "amount": 250_000}));
    // The same again is the same proposal.
    assert_eq!(admin.confirm_code(&code, 250_000).await.expect(202)["_id"], proposed["_id"]);
    let path = approval(&proposed);
    let approve = json!({"decision": "approve", "reason": "Seen in the portal."});
    let own = "You have proposed this. Another admin has to approve it.";
    assert_eq!(admin.post(&path, approve.clone()).await.refused(403), own);
    assert_eq!(player.wallet().await, 0);

    let second = world.second_admin().await;
    let listed = second.get("/api/admin/approvals").await.expect(200);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["state"]), (1, &json!("waiting")));
    world.advance(5 * 60).await;
    let stale = second.send_once(Method::POST, &path, Some(approve.clone())).await;
    assert_eq!(stale.expect(403)["stepUp"], true);
    let approved = second.post(&path, approve.clone()).await.expect(200);
    assert_has(&approved, json!({"state": "approved", "decidedByName": "deputy"}));
    assert_eq!(player.wallet().await, 250_000);
    assert_eq!(second.post(&path, approve).await.refused(409), "This was approved before.");
    admin.confirm_code(&code, 250_000).await.expect(200);
    assert_eq!(player.wallet().await, 250_000);

    // Every admin is told, of the proposal and of the act.
    world.advance(60).await;
    for email in [world.admin_account().0.as_str(), SECOND_ADMIN] {
        let mails = world.mails_about(email, "An admin's act: confirm-manual-payment").await;
        assert_eq!(mails.len(), 2, "{email}: {mails:?}");
    }
    let acts = world.acts().await;
    let act = acts.iter().find(|act| act.approved_by.is_some()).unwrap();
    assert_eq!(act.who.person().unwrap().0.as_str(), admin.id);
    assert_eq!(act.approved_by.as_ref().unwrap().person().unwrap().0.as_str(), second.id);
    world.ledger().await;
}

/// A sum says nothing of whose pocket it goes into.
#[tokio::test]
async fn a_second_admin_reads_which_way_the_money_goes() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(40_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let path = format!("/api/admin/players/{}/corrections", player.id);
    for (amount, words) in [(400, "Put KSh 400 into the wallet"), (-400, "Take KSh 400 out of the wallet")] {
        let body = json!({"correctionId": store::random_id(), "amount": amount,
            "reason": "A code was confirmed twice, taking it back."});
        assert_has(&admin.post(&path, body).await.expect(202), json!({"amount": 400, "inWords": words}));
    }
    let id = player.withdrawal(&player.phone(), 20_000).await;
    let paid = admin.pay_out(&id).await.expect(202);
    assert_has(
        &paid,
        json!({"inWords": "Pay the withdrawal of KSh 20,000 by M-Pesa", "number": player.phone()}),
    );
    world.advance(60).await;
    let mails = world.mails_about(SECOND_ADMIN, "An admin's act: correct-wallet").await;
    let told = |words: &str| mails.iter().any(|mail| mail.to_string().contains(words));
    assert!(told("Put KSh 400 into") && told("Take KSh 400 out of"), "{mails:?}");
    let listed = second.get("/api/admin/approvals").await.expect(200);
    assert!(listed.as_array().unwrap().iter().all(|one| one["inWords"] != ""), "{listed}");
}

#[tokio::test]
async fn what_is_split_is_summed() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(40_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let mut ids = Vec::new();
    for _ in 0..5 {
        ids.push(player.withdrawal(&player.phone(), 4000).await);
    }
    // Five at once, by two admins, to one player: two and no more are paid without a second admin.
    let presses = ids.iter().zip([&admin, &second].into_iter().cycle()).map(|(id, admin)| admin.pay_out(id));
    assert_eq!(statuses(&at_once(presses).await), [200, 200, 202, 202, 202]);
    // A day later one admin may again.
    let player = world.player_with_own_number(30_000).await;
    let admin = world.admin().await;
    for (amount, status) in [(9000, 200), (1001, 202), (1000, 200)] {
        let id = player.withdrawal(&player.phone(), amount).await;
        admin.pay_out(&id).await.expect(status);
    }
    world.ledger().await;
}

/// Two acts of one admin that meet, each below what one admin may: the later one is weighed with the other.
#[tokio::test]
async fn of_two_acts_that_meet_the_later_one_counts_the_other() {
    let world = World::start_guarded(Full).await;
    let admin = world.stored(&world.admin().await).await;
    let pay = async |app: &App, id: &String| {
        let _paid_or_proposed = ask(app, &admin, &MoneyAct::Pay { id: id.clone() }).await.unwrap();
    };
    let subjects = held_up_at_every_step(
        &world,
        async || {
            let player = world.player_with_own_number(20_000).await;
            [player.withdrawal(&player.phone(), 6000).await, player.withdrawal(&player.phone(), 6000).await]
        },
        async |app, [one, _]| pay(app, one).await,
        async |app, [_, other]| pay(app, other).await,
    )
    .await;
    for [one, other] in &subjects {
        let payouts =
            [world.stored_withdrawal(one).await.payout, world.stored_withdrawal(other).await.payout];
        assert_eq!(payouts.iter().flatten().count(), 1, "{payouts:?}");
    }
}

/// Each of the three sums by itself, where the other two stay below what one admin may.
#[rstest]
#[case::of_an_admin(SecondAdminReason::Admin)]
#[case::of_a_player(SecondAdminReason::Player)]
#[case::of_a_number(SecondAdminReason::Number)]
#[tokio::test]
async fn each_sum_of_a_day_wants_a_second_admin_by_itself(#[case] sum: SecondAdminReason) {
    let world = World::start_guarded(Full).await;
    let (one, other) = (world.player_with(12_000).await, world.player_with(12_000).await);
    let first = one.withdrawal("0799123456", 6000).await;
    let last = match sum {
        SecondAdminReason::Admin => other.withdrawal("0799123457", 6000).await,
        SecondAdminReason::Player => one.withdrawal("0799123457", 6000).await,
        _ => other.withdrawal("0799123456", 6000).await,
    };
    world.advance(25 * 3600).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    admin.pay_out(&first).await.expect(200);
    let by = if sum == SecondAdminReason::Admin { &admin } else { &second };
    assert_eq!(by.pay_out(&last).await.expect(202)["why"], sum.to_string());
}

#[tokio::test]
async fn approvals_that_meet_do_the_act_once() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(100_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    for n in 0..3 {
        let id = player.withdrawal(&player.phone(), 15_000).await;
        let path = approval(&admin.end_withdrawal(&id, done()).await.expect(202));
        let approve = json!({"decision": "approve"});
        let refuse = json!({"decision": "refuse", "reason": "No."});
        let words = [approve.clone(), if n == 0 { approve } else { refuse }];
        let both = at_once(words.into_iter().map(|word| second.post(&path, word))).await;
        assert_eq!(statuses(&both), [200, 409], "{n}");
    }
    world.ledger().await;
}

#[tokio::test]
async fn a_proposal_expires_and_what_changed_meanwhile_is_said() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(60_000).await;
    let (one, other) =
        (player.withdrawal(&player.phone(), 15_000).await, player.withdrawal(&player.phone(), 15_000).await);
    let propose = async |id: &str| approval(&world.pay_out(id).await.expect(202));
    let path = propose(&one).await;
    world.end_withdrawal(&one, rejected("Wrong number.")).await.expect(200);
    let approve = json!({"decision": "approve", "reason": "Seen."});
    let changed = "What it is about has changed since it was proposed. Refuse it; it can be proposed again.";
    assert_eq!(world.second_admin().await.post(&path, approve.clone()).await.refused(409), changed);

    let path = propose(&other).await;
    world.advance(3 * 24 * 3600).await;
    let second = world.second_admin().await;
    let expired = "This proposal has expired. It has to be proposed again.";
    assert_eq!(second.post(&path, approve.clone()).await.refused(409), expired);
    assert_eq!(second.get("/api/admin/approvals").await.expect(200)[1]["state"], "expired");
    // Proposed anew it waits anew, under the same id.
    assert_eq!(propose(&other).await, path);
    world.second_admin().await.post(&path, approve).await.expect(200);
    world.ledger().await;
}

#[tokio::test]
async fn who_is_new_or_concerned_does_not_approve() {
    let world = World::start_guarded(Full).await;
    world.fund(&world.second_admin().await, 20_000).await;
    world.advance(25 * 3600).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let id = second.withdrawal(&second.phone(), 15_000).await;
    let path = approval(&admin.pay_out(&id).await.expect(202));
    let approve = json!({"decision": "approve"});
    let own = "This is your own account's. Another admin has to approve it.";
    assert_eq!(second.post(&path, approve.clone()).await.refused(403), own);
    let refuse = json!({"decision": "refuse", "reason": "I would rather have it twice."});
    assert_eq!(second.post(&path, refuse).await.refused(403), own);
    assert_eq!(second.get("/api/admin/approvals").await.expect(200)[0]["state"], "waiting");
    // One who was made an admin just now.
    let player = world.player().await;
    app::admin::commands::grant(world.app(), &player.email()).await.unwrap();
    let new = world.admin_again(&player.email()).await;
    let too_new = "You have not been an admin for 24 hours. Another admin has to approve it.";
    assert_eq!(new.post(&path, approve.clone()).await.refused(403), too_new);
    world.advance(24 * 3600).await;
    world.admin_again(&player.email()).await.post(&path, approve).await.expect(200);
    world.ledger().await;
}

/// An admin whose account was taken over is frozen, or suspended: what was proposed in their name waits for nobody.
#[rstest]
#[case("frozen")]
#[case("suspended")]
#[tokio::test]
async fn what_was_proposed_by_who_may_not_act_any_more_is_not_approved(#[case] how: &str) {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(20_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let id = player.withdrawal(&player.phone(), 15_000).await;
    let path = approval(&admin.pay_out(&id).await.expect(202));
    let change = async |is_so: bool| {
        let mut body = json!({"reason": "Looked into."});
        body[how] = json!(is_so);
        second.patch_player(&admin.id, body).await
    };
    change(true).await.expect(200);
    // The one whose account it is among them.
    world.advance(60).await;
    for email in [world.admin_account().0.as_str(), SECOND_ADMIN] {
        assert_eq!(world.mails_about(email, "An admin's act: update-player").await.len(), 1, "{email}");
    }
    let approve = json!({"decision": "approve"});
    let gone = "Whoever proposed this may not act any more. It has to be proposed again.";
    assert_eq!(second.post(&path, approve.clone()).await.refused(409), gone);
    assert_eq!(world.ledger().await.account("mpesa:out"), 0);
    // Nobody lets another admin act again alone: they would be two admins by themselves.
    let restored = change(false).await.expect(202);
    assert_eq!(second.post(&path, approve.clone()).await.refused(409), gone);
    let third = world.third_admin().await;
    third.post(&approval(&restored), approve.clone()).await.expect(200);
    second.post(&path, approve).await.expect(200);
    world.ledger().await;
}

/// Who says so has sent it: while a second admin is waited for, it is neither paid by M-Pesa nor given back, by whomever,
/// nor marked as done by somebody who has sent it too.
#[tokio::test]
async fn what_is_said_to_have_been_sent_by_hand_is_nobody_elses_until_that_is_decided() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(60_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let says = "An admin says that this withdrawal was sent by hand, and a second admin has to approve or refuse that first.";
    let id = player.withdrawal(&player.phone(), 15_000).await;
    let proposed = admin.end_withdrawal(&id, done()).await.expect(202);
    let shown = async || second.get("/api/withdraw").await.expect(200)[0]["saidSentUntil"].clone();
    assert_eq!(shown().await, proposed["expiresAt"]);
    assert_eq!(second.end_withdrawal(&id, rejected("A typing mistake.")).await.refused(409), says);
    let paid = second.pay_out(&id).await.expect(202);
    assert_eq!(admin.post(&approval(&paid), json!({"decision": "approve"})).await.refused(409), says);

    // Refused, it is as before; proposed again, it is done by the approval alone.
    let refusal = json!({"decision": "refuse", "reason": "The portal has no such payment."});
    second.post(&approval(&proposed), refusal).await.expect(200);
    assert_eq!(shown().await, json!(null));
    let again = admin.end_withdrawal(&id, done()).await.expect(202);
    assert_eq!(second.end_withdrawal(&id, rejected("A typing mistake.")).await.refused(409), says);
    second.post(&approval(&again), json!({"decision": "approve"})).await.expect(200);
    assert_eq!(player.wallet().await, 45_000);

    // Nobody approves it: after three days it can be given back.
    let id = player.withdrawal(&player.phone(), 15_000).await;
    admin.end_withdrawal(&id, done()).await.expect(202);
    world.advance(3 * 24 * 3600 + 60).await;
    let second = world.second_admin().await;
    second.end_withdrawal(&id, rejected("It was not sent.")).await.expect(200);
    assert_eq!(world.player_again(1).await.wallet().await, 45_000);
    world.advance(120).await;
    assert_eq!(world.ledger().await.account("mpesa:out"), 15_000);
}

/// Marked as done by hand, and paid by M-Pesa: each is proposed, and both are approved.
#[tokio::test]
async fn two_proposals_for_one_withdrawal_pay_it_once() {
    let world = World::start_guarded(Full).await;
    let player = world.player_with_own_number(60_000).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    for together in [false, true, true] {
        let id = player.withdrawal(&player.phone(), 15_000).await;
        let done = admin.end_withdrawal(&id, done()).await.expect(202);
        let paid = admin.pay_out(&id).await.expect(202);
        assert_ne!(done["_id"], paid["_id"]);
        let paths = [approval(&paid), approval(&done)];
        let mut decided = paths.iter().map(|path| second.post(path, json!({"decision": "approve"})));
        let answers = if together {
            at_once(decided).await
        } else {
            let [first, next] = [(); 2].map(|()| decided.next().unwrap());
            vec![first.await, next.await]
        };
        assert_eq!(statuses(&answers), [200, 409]);
    }
    world.advance(120).await;
    assert_eq!(world.ledger().await.account("mpesa:out"), 45_000);
}
