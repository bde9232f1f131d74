//! An account is closed by its player: what refuses it, what goes a week later, and what stays.

use app::{
    App,
    accounts::{closing, credentials::Shown, erasure},
};
use domain::{Kes, Username, ledger::postings::Posting};
use jiff::SignedDuration;
use local::process::Fate;
use rstest::rstest;
use serde_json::{Value, json};
use store::{
    admin::approvals::ProposalStage,
    platform::kinds::{AtClosing, kind_of},
};

use crate::support::{
    PASSWORD, Person, World, assert_has,
    invariants::items,
    log_capture::Lines,
    money::done,
    mpesa::paid,
    njeri::{CLOSURE, EMAIL, NAME, TEAM, again, found, found_for_good, njeri, played_and_paid_out, right},
    processes::{self, by_the_rules, held_up_at_every_step},
    set_asides::{RECEIPT, dismissal},
    text,
};

#[tokio::test]
async fn it_stays_open_while_anything_of_it_is() {
    let world = World::start().await;
    let player = njeri(&world).await;
    assert_eq!(
        player.post(CLOSURE, json!({"password": "wrong horse"})).await.refused(400),
        "That password is not right."
    );
    player.prompt(100).await;
    let refused = player.post(CLOSURE, right()).await.expect(409);
    assert_has(&refused, json!({"code": "payment_open"}));
    world.receipt_of(&player.phone(), paid()).await;
    let refused = player.post(CLOSURE, right()).await.expect(409);
    assert_has(
        &refused,
        json!({"code": "money_in_wallet", "message": "There is KSh 100 in your wallet. Withdraw it first."}),
    );
    player.join(50, 1).await.expect(201);
    assert_eq!(player.post(CLOSURE, right()).await.expect(409)["code"], "entry_open");
    let other = world.player_with(100).await;
    let withdrawal = other.withdrawal(&other.phone(), 100).await;
    assert_eq!(other.post(CLOSURE, right()).await.expect(409)["code"], "withdrawal_open");
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    let suspended = |suspended: bool| json!({"suspended": suspended, "reason": "A test."});
    world.change_player(&other.id, suspended(true)).await.expect(200);
    let other = world.again(&other).await;
    other.post(CLOSURE, right()).await.refused(409);
    world.change_player(&other.id, suspended(false)).await.expect(200);
    let other = world.again(&other).await;
    other.post(CLOSURE, right()).await.expect(200);
    other.get("/api/user").await.refused(401);
    assert_eq!(
        world.second_admin().await.post(CLOSURE, right()).await.expect(403)["code"],
        "account_of_an_admin"
    );
    world.ledger().await;
}

/// An account that an admin begins to look into in the moment in which it is closed, or in which what is personal of it
/// begins to go, keeps all that it has.
#[rstest]
#[case::frozen("frozen")]
#[case::suspended("suspended")]
#[case::proof_of_age("ageProofWanted")]
#[tokio::test]
async fn what_is_looked_into_meanwhile_is_neither_closed_nor_erased(#[case] mark: &str) {
    let (world, player) = World::with_player(0).await;
    let (app, id) = (world.app(), player.user_id());
    let read = app.store().wallet(&id).await.unwrap();
    let looked_into = |so: bool| world.change_player(&player.id, json!({mark: so, "reason": "A test."}));
    looked_into(true).await.expect(200);
    assert!(!app.store().close_account(&id, read, app.clock().now()).await.unwrap());
    looked_into(false).await.expect(200);
    world.again(&player).await.post(CLOSURE, right()).await.expect(200);
    let read = app.store().wallet(&id).await.unwrap();
    let closed_at = app.store().player(&id).await.unwrap().unwrap().closed_at.unwrap();
    looked_into(true).await.expect(200);
    assert!(!app.store().begin_erasure(&id, read, closed_at, app.clock().now()).await.unwrap());
}

/// Two clicks at once: whichever comes late changes nothing, and its player is told once.
#[tokio::test]
async fn two_clicks_close_an_account_once() {
    let world = World::start().await;
    let close = async |app: &App, person: &Person| {
        let player = processes::player(app, person).await;
        let session = app.store().sessions(&player.id).await.unwrap().remove(0);
        let shown = Shown { password: PASSWORD, code: "", session: &session };
        // Too late it is refused.
        let _ = by_the_rules(Box::pin(closing::close(app, &player, shown)).await);
    };
    let click = async |_: &App, person: &Person| {
        world.advance(60).await;
        let answer = person.post(CLOSURE, right()).await;
        assert!([200, 401].contains(&answer.status.as_u16()), "{}", answer.body);
    };
    let players = held_up_at_every_step(&world, async || world.player().await, close, click).await;
    world.advance(120).await;
    for player in &players {
        assert_eq!(world.stored(player).await.password_resets, 1);
        let told = world.mails_about(&player.email(), "Your FPL Leagues account is closed").await;
        assert_eq!(told.len(), 1, "{told:?}");
    }
}

/// Money comes in between the job's look and its first write, or a second job is ahead of it.
#[tokio::test]
async fn no_erasure_begins_past_money_and_none_that_has_begun_is_taken_back() {
    let (world, player) = World::with_player(0).await;
    world.schedule("erase-accounts", false).await;
    let (store, id, now) = (world.app().store(), player.user_id(), world.app().clock().now());
    player.post(CLOSURE, right()).await.expect(200);
    let closed_at = store.player(&id).await.unwrap().unwrap().closed_at.unwrap();
    let read = store.wallet(&id).await.unwrap();
    let paid = Posting::deposit(&id, &store::random_id(), Kes::new(100));
    store.credit_wallet(&id, &paid, now).await.unwrap();
    assert!(!store.begin_erasure(&id, read, closed_at, now).await.unwrap(), "with the wallet of before");
    let read = store.wallet(&id).await.unwrap();
    let before = closed_at - SignedDuration::from_secs(1);
    assert!(!store.begin_erasure(&id, read.clone(), before, now).await.unwrap(), "closed at another time");
    assert!(store.begin_erasure(&id, read, closed_at, now).await.unwrap());
    assert!(!store.open_again(&id, closed_at).await.unwrap());
    assert_eq!(store.player(&id).await.unwrap().unwrap().closed_at, Some(closed_at));
}

/// What M-Pesa said of a withdrawal that had ended keeps the account open only until an admin has looked into it.
#[tokio::test]
async fn a_withdrawal_that_was_looked_into_keeps_no_account_open() {
    let (world, player) = World::with_player(100).await;
    let withdrawal = player.withdrawal(&player.phone(), 100).await;
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    let kept = world.app().store().withdrawal(&withdrawal).await.unwrap().unwrap();
    assert!(world.app().store().contest_withdrawal(&kept, "M-Pesa says that it failed.").await.unwrap());
    assert_eq!(player.post(CLOSURE, right()).await.expect(409)["code"], "withdrawal_open");
    let dismiss = json!({"act": "dismiss", "reason": "Seen in M-Pesa's portal."});
    world.admin().await.post(&format!("/api/admin/set-asides/{withdrawal}"), dismiss).await.expect(200);
    player.post(CLOSURE, right()).await.expect(200);
}

#[tokio::test]
async fn what_is_personal_goes_wherever_the_job_dies_and_the_books_the_draw_and_the_settlement_stay() {
    let (log, _guard) = Lines::capture();
    let world = World::start().await;
    let (player, endpoint) = played_and_paid_out(&world).await;
    let team = player.user().await["teamName"].as_str().map_or_else(|| "no name".to_owned(), str::to_owned);
    let texts = [EMAIL, NAME, "254712007777", "0712007777", endpoint.as_str(), team.as_str()];
    let texts = &texts[..if team == "no name" { 5 } else { 6 }];
    assert!(found(&world, texts).await.len() > 10, "it is found before");
    world.schedule("erase-accounts", false).await;

    let closed = player.post(CLOSURE, right()).await.expect(200);
    assert!(closed["erasedAt"].is_string());
    player.get("/api/user").await.refused(401);
    let log_in = json!({"email": EMAIL, "password": PASSWORD});
    assert_has(
        &world.nobody().post("/api/login", log_in).await.expect(403),
        json!({"code": "account_closed"}),
    );
    world.advance(120).await;
    let subject = "Your FPL Leagues account is closed";
    assert_eq!(world.mails_about(EMAIL, subject).await.len(), 1);
    erasure::erase(world.app()).await.unwrap();
    assert!(!found(&world, &[EMAIL]).await.is_empty(), "not before the week is over");

    world.advance(7 * 24 * 3600).await;
    let mut step = 1;
    loop {
        let process = world.process(Fate::DiesAfter(step));
        if process.run(erasure::erase(process.app())).await.is_some() {
            break;
        }
        step += 1;
    }
    assert!(step > 20, "{step}");
    assert_eq!(found(&world, texts).await, Vec::<Value>::new());
    world.advance(3600).await;
    assert_eq!(found(&world, texts).await, Vec::<Value>::new(), "no job and no mail brings it back");
    assert_eq!(world.mails(EMAIL).await.iter().filter(|mail| mail["subject"] == subject).count(), 1);
    let logged = log.text().to_lowercase();
    assert!(
        texts[..4].iter().all(|text| !logged.contains(&text.to_lowercase())),
        "it is in no line of the log"
    );

    // Nor does anything else that goes name the account, but for what expires by itself.
    let id = &player.id;
    let names = items(&world).await.into_iter().filter(|item| item.to_string().contains(id.as_str()));
    let kept = |item: &Value| {
        let kind = kind_of(&text(item, "pk"), &text(item, "sk")).expect("its kind is known");
        kind.at_closing != AtClosing::Removed || item["ttl"].is_i64()
    };
    assert_eq!(names.filter(|item| !kept(item)).collect::<Vec<_>>(), Vec::<Value>::new());

    // The books, the draw and the settlement.
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
    assert!(world.verified("1", &[]).await.holds());
    let league = &world.leagues(50).await[0];
    let own =
        |users: &Value| users.as_array().unwrap().iter().find(|user| user["fplId"] == TEAM).cloned().unwrap();
    assert_has(
        &own(&league["users"]),
        json!({"username": "", "salt": null, "teamName": null, "points": 150, "prize": 270}),
    );
    let record = world.settlement(&text(league, "_id")).await;
    assert_has(&own(&record["ranking"]), json!({"username": "", "prize": 270}));
    world.read_books().await;

    // Email, name and team are free again.
    njeri(&world).await.user().await;
    world.admin().await.get(&format!("/api/admin/players/{}", player.id)).await.refused(404);
}

/// Once what is personal goes there is no way back: money that comes meanwhile is nobody's, and waits for an admin.
#[tokio::test]
async fn an_erasure_that_has_begun_goes_on_though_money_comes() {
    let world = World::start().await;
    let player = njeri(&world).await;
    let account = player.paybill_account().await;
    world.schedule("erase-accounts", false).await;
    player.post(CLOSURE, right()).await.expect(200);
    world.advance(7 * 24 * 3600 + 60).await;
    let process = world.process(Fate::DiesAfter(4));
    assert!(process.run(erasure::erase(process.app())).await.is_none());
    world.paybill(json!({"phone": player.phone(), "amount": 100, "accountReference": account})).await;
    world.advance(600).await;
    erasure::erase(world.app()).await.unwrap();
    assert!(found(&world, &[EMAIL, NAME]).await.is_empty());
    assert!(world.mails_about(EMAIL, "Your FPL Leagues account is open again").await.is_empty());
    assert_eq!(world.ledger().await.wallets.values().sum::<i64>(), 0);
}

/// M-Pesa reports a prompt as paid weeks after its account is gone: it is in the wallet that has stayed, an admin who has
/// paid it out by hand takes it out of there, and the books hold also if M-Pesa takes it back.
#[tokio::test]
async fn what_comes_after_the_end_is_in_the_books_and_taken_out_by_a_correction() {
    let world = World::start().await;
    let player = njeri(&world).await;
    let id = player.prompt(100).await;
    world.answer_prompt(&player.phone(), json!({"outcome": "cancelled"})).await;
    player.post(CLOSURE, right()).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    assert!(found(&world, &[EMAIL, NAME]).await.is_empty());

    // Where M-Pesa does not know what became of it, what it calls back with counts.
    world.faults(json!({"daraja": "pending"})).await;
    world.call_back(&player, &id, 0, Some(RECEIPT)).await;
    world.advance(900).await;
    assert_eq!(world.ledger().await.wallets[&player.id], 100);
    let path = |id: &str| format!("/api/admin/players/{id}/corrections");
    let by_hand = json!({"correctionId": "a".repeat(32), "amount": -100, "reason": "Paid out by hand."});
    let admin = world.admin().await;
    for _ in 0..2 {
        let taken = admin.post(&path(&player.id), by_hand.clone()).await.expect(200);
        assert_has(&taken, json!({"wallet": 0, "owed": 0, "writtenOff": 0}));
    }
    admin.post(&path(&"0".repeat(32)), by_hand).await.refused(404);
    app::ledger::reversals::take_back(world.app(), RECEIPT, None).await.unwrap();
    world.advance(120).await;
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (0, 0));
    assert_eq!((ledger.account("corrections"), ledger.account("losses")), (100, -100));
    // M-Pesa's id of the prompt ends with the number.
    assert_eq!(found_for_good(&world, &[EMAIL, NAME, "712007777"]).await, Vec::<Value>::new());
}

/// Also what admins proposed about the player, and who paid a prompt that was never credited.
#[tokio::test]
async fn what_waited_for_a_second_admin_and_what_was_never_credited_are_nameless_too() {
    let world = World::start_guarded(app::Safeguards::Full).await;
    let player = njeri(&world).await;
    let proposal = propose(&player, &world.admin().await).await;
    let refused = json!({"decision": "refuse", "reason": "njeriw was not charged."});
    world.second_admin().await.post(&format!("/api/admin/approvals/{proposal}"), refused).await.expect(200);
    // Another amount than was asked for: set aside, and closed by an admin without a credit.
    let (id, _) = world.paid_otherwise(&again(&world).await, 600).await;
    world.decide_set_aside(&id, dismissal()).await.expect(200);
    assert!(!found(&world, &["njeriw"]).await.is_empty());
    let payers = async || {
        let paid = items(&world).await.into_iter().filter(|item| item["sk"] == "PAYBILL");
        paid.filter(|item| item["phone"].is_string() || item["name"].is_string()).count()
    };
    assert!(payers().await > 0);

    again(&world).await.post(CLOSURE, right()).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    assert_eq!(found(&world, &[EMAIL, NAME, "254712007777", "0712007777"]).await, Vec::<Value>::new());
    assert_eq!(payers().await, 0);
}

/// DynamoDB deletes a proposal whose time is over in the moment in which it is made nameless: nothing of it comes back.
#[tokio::test]
async fn a_proposal_that_is_gone_meanwhile_is_not_made_anew() {
    let world = World::start_guarded(app::Safeguards::Full).await;
    let player = njeri(&world).await;
    let id = propose(&player, &world.admin().await).await;
    world.advance(60).await;
    let expires = async {
        let key = json!({"pk": {"S": format!("APPROVAL#{id}")}, "sk": {"S": "APPROVAL"}});
        let gone = json!({"TableName": world.app().config().table_name, "Key": key});
        world.dynamo().call("DeleteItem", &gone).await.unwrap();
    };
    forget_proposals(&world, &player, expires).await;
    assert_eq!(world.app().store().proposal(&id).await.unwrap(), None);
}

/// Refused, and proposed anew in the moment in which it is made nameless: what waits now names nobody either.
#[tokio::test]
async fn what_is_proposed_anew_meanwhile_is_nameless_too() {
    let world = World::start_guarded(app::Safeguards::Full).await;
    let player = njeri(&world).await;
    let (admin, second) = (world.admin().await, world.second_admin().await);
    let id = propose(&player, &admin).await;
    let refused = json!({"decision": "refuse", "reason": "Not so."});
    second.post(&format!("/api/admin/approvals/{id}"), refused).await.expect(200);
    world.advance(60).await;
    forget_proposals(&world, &player, async { assert_eq!(propose(&player, &admin).await, id) }).await;
    let kept = world.app().store().proposal(&id).await.unwrap().unwrap();
    assert_eq!((kept.stage, kept.username), (ProposalStage::Waiting, Some(Username::gone())));
    assert!(kept.reason.is_none() && !kept.order.contains("njeriw"), "{}", kept.order);
}

/// Proposes a correction of the player's wallet. Answers the proposal's id.
async fn propose(player: &Person, admin: &Person) -> String {
    let proposed = json!({"correctionId": "a".repeat(32), "amount": 5, "reason": "njeriw has asked for it."});
    admin.post(&format!("/api/admin/players/{}/corrections", player.id), proposed).await.text(202, "_id")
}

/// Makes nameless what was proposed about the player. `meanwhile` is done before the one proposal is written.
async fn forget_proposals(world: &World, player: &Person, meanwhile: impl Future<Output = ()>) {
    let (process, id) = (world.process(Fate::WaitsBefore(1)), player.user_id());
    process.run_around(process.app().store().forget_proposals(&id), meanwhile).await.unwrap();
    assert_eq!(process.tally().steps, 1);
}

/// An admin has rejected a code before M-Pesa has said anything of it.
#[tokio::test]
async fn a_code_that_m_pesa_has_said_nothing_of_is_nameless_too() {
    let world = World::start().await;
    let player = njeri(&world).await;
    world.faults(json!({"daraja": "down"})).await;
    let typed = player.typed_code(RECEIPT).await;
    let rejected = json!({"paymentId": typed, "reason": "No such code."});
    world.admin().await.post("/api/manual-payment/reject", rejected).await.expect(200);
    assert_eq!(world.app().store().typed_code(&typed).await.unwrap().unwrap().known, None);
    world.faults(json!({"daraja": "none"})).await;
    player.post(CLOSURE, right()).await.expect(200);
    world.advance(7 * 24 * 3600 + 3700).await;
    assert_eq!(found(&world, &[EMAIL, NAME]).await, Vec::<Value>::new());
}
