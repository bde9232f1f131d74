//! An account is closed by its player: what refuses it, what goes a week later, and what stays.

use app::accounts::erasure;
use local::process::Fate;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{
    PASSWORD, Person, World, assert_has,
    gameweek::{PROCESS, fpl_id},
    invariants::items,
    log_capture::Lines,
    money::done,
    mpesa::paid,
    set_asides::{RECEIPT, dismissal},
    text,
};

const CLOSURE: &str = "/api/me/closure";
const EMAIL: &str = "njeri.w@example.co.ke";
const NAME: &str = "njeriw";
const TEAM: &str = "424242";

fn right() -> Value {
    json!({"password": PASSWORD})
}

/// Somebody who is not called as the world's other players are.
async fn njeri(world: &World) -> Person {
    world.sign_up(EMAIL, NAME, TEAM).await.with_number(7777)
}

async fn again(world: &World) -> Person {
    world.log_in(EMAIL, PASSWORD).await.with_number(7777)
}

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

/// From sign-up to a prize, paid out: then the account is closed.
async fn played_and_paid_out(world: &World) -> (Person, String) {
    let player = njeri(world).await;
    world.fund(&player, 100).await;
    let typed = player.typed_code("UHK7RT61SV").await;
    let wrong = json!({"about": {"kind": "payment", "id": typed}, "text": "njeriw was charged, says Njeri."});
    player.post("/api/cases", wrong).await.expect(201);
    let subscription = world.phone(&player).await;
    player.post("/api/me/push-subscriptions", subscription.told.clone()).await.expect(201);
    player.put("/api/me/notifications", json!({"mail": {"deadline": true}})).await.expect(200);
    let reason =
        json!({"suspended": true, "reason": "Njeri of njeri.w@example.co.ke was asked about her team."});
    world.change_player(&player.id, reason).await.expect(200);
    world
        .change_player(&player.id, json!({"suspended": false, "reason": "njeriw has answered."}))
        .await
        .expect(200);
    let player = again(world).await;
    player.join(50, 1).await.expect(201);
    let others = world.crowd(5, 50).await;
    let rejected = json!({"paymentId": typed, "reason": "No such code."});
    world.admin().await.post("/api/manual-payment/reject", rejected).await.expect(200);
    world.phase(1, "locked").await;
    world.advance(780).await;
    world.points(TEAM, 1, 150, 9, 0).await;
    for other in &others {
        world.points(fpl_id(other), 1, 40, 3, 0).await;
    }
    world.phase(1, "checked").await;
    world.admin().await.post(PROCESS, json!({"gameweek": 1})).await.expect(200);
    world.advance(60).await;
    let player = again(world).await;
    let balance = player.wallet().await;
    assert_eq!(balance, 50 + 6 * 45);
    let withdrawal = player.withdrawal(&player.phone(), balance).await;
    world.end_withdrawal(&withdrawal, done()).await.expect(200);
    world.advance(60).await;
    (again(world).await, text(&subscription.told, "endpoint"))
}

/// Whatever of the table has a text of the player's in it.
async fn found(world: &World, texts: &[&str]) -> Vec<Value> {
    let mut found = items(world).await;
    found.retain(|item| {
        let item = item.to_string().to_lowercase();
        texts.iter().any(|text| item.contains(&text.to_lowercase()))
    });
    found
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

#[tokio::test]
async fn money_that_comes_in_opens_it_again() {
    let world = World::start().await;
    let player = njeri(&world).await;
    let account = player.paybill_account().await;
    player.post(CLOSURE, right()).await.expect(200);
    world.paybill(json!({"phone": player.phone(), "amount": 100, "accountReference": account})).await;
    world.advance(7 * 24 * 3600 + 3700).await;
    let player = again(&world).await;
    assert_eq!(player.wallet().await, 100);
    assert_eq!(world.mails_about(EMAIL, "Your FPL Leagues account is open again").await.len(), 1);
}

/// Whoever types the receipt of somebody else does not read in their own data who that is.
#[tokio::test]
async fn own_data_does_not_say_who_has_paid_a_receipt() {
    let world = World::start().await;
    let player = njeri(&world).await;
    let paid = json!({"phone": "0712999888", "amount": 100, "accountReference": "nobody"});
    let receipt = world.paybill(paid).await;
    player.typed_code(&receipt).await;
    world.advance(600).await;
    assert!(!found(&world, &["254712999888"]).await.is_empty(), "admins see it");
    let page = again(&world).await.get("/api/me/data").await.expect(200).to_string();
    assert!(page.contains(&receipt) && !page.contains("712999888"), "{page}");
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
}

/// Also what admins proposed about the player, and who paid a prompt that was never credited.
#[tokio::test]
async fn what_waited_for_a_second_admin_and_what_was_never_credited_are_nameless_too() {
    let world = World::start_guarded(app::Safeguards::Full).await;
    let player = njeri(&world).await;
    let proposed = json!({"correctionId": "a".repeat(32), "amount": 5, "reason": "njeriw has asked for it."});
    let path = format!("/api/admin/players/{}/corrections", player.id);
    let proposal = world.admin().await.post(&path, proposed).await.text(202, "_id");
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

/// What the table has that nobody has said anything of stands in no list (docs/privacy.md).
#[tokio::test]
async fn every_kind_of_item_is_listed() {
    let world = World::start().await;
    played_and_paid_out(&world).await;
    world.read_books().await;
    for item in items(&world).await {
        let (pk, sk) = (text(&item, "pk"), text(&item, "sk"));
        assert!(store::platform::kinds::kind_of(&pk, &sk).is_some(), "{pk} {sk} is in no line of KINDS");
    }
}

/// A page of what is held, and the sessions.
#[tokio::test]
async fn a_player_reads_what_is_held_and_no_secret() {
    let world = World::start().await;
    let (player, _) = played_and_paid_out(&world).await;
    let page = player.get("/api/me/data").await.expect(200);
    let of = |kind: &str| {
        let items = page["items"].as_array().unwrap().iter();
        items.filter(|item| item["kind"] == kind).map(|item| item["what"].clone()).collect::<Vec<_>>()
    };
    assert_has(&of("USER#/PROFILE")[0], json!({"email": EMAIL, "username": NAME}));
    assert_eq!(of("PAY#/PAY")[0]["phone"], "254712007777");
    assert_eq!(of("WITHDRAWAL#/WITHDRAWAL").len(), 1);
    assert_eq!(of("MANUAL#/MANUAL").len(), 1);
    // Of what M-Pesa said it is told when, without whom it names.
    for heard in ["PAY#/EVENT#", "WITHDRAWAL#/EVENT#"].map(of) {
        assert!(
            heard.iter().all(|event| event["lastAt"].is_string() && event["text"].is_null()),
            "{heard:?}"
        );
    }
    assert!(!of("PAY#/EVENT#").is_empty());
    assert_eq!(of("ENTRIES#/")[0]["username"], NAME);
    assert_eq!(of("USER#/CASE#")[0]["about"]["kind"], "payment");
    assert_eq!(of("USER#/MESSAGE#")[0]["text"], "njeriw was charged, says Njeri.");
    assert!(!of("NUMBER#/OWN").is_empty() && !of("RECEIPT#/RECEIPT").is_empty());
    assert!(of("AUDIT#").iter().any(|act| act["reason"] == "njeriw has answered."));
    let whole = page.to_string();
    for secret in ["argon2", "tokenHash", "passwordHash", "p256dh", "listPk", "\"pk\"", "cancelHash"] {
        assert!(!whole.contains(secret), "{secret} is shown");
    }
    for _ in 1..20 {
        player.get("/api/me/data").await.expect(200);
    }
    let refused = player.get("/api/me/data").await.refused(429);
    assert!(refused.starts_with("You have asked for your data too often today. Try again in"), "{refused}");
    player.get("/api/me/data?cursor=%20").await.refused(400);
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let world = World::start().await;
    let (one, two, three) = (njeri(&world).await, again(&world).await, again(&world).await);
    let stranger = world.player().await;
    let listed = one.get("/api/me/sessions").await.expect(200);
    let listed = listed.as_array().unwrap();
    assert_eq!((listed.len(), listed.iter().filter(|session| session["current"] == true).count()), (3, 1));
    let of_two = two.get("/api/me/sessions").await.expect(200);
    let of_two =
        of_two.as_array().unwrap().iter().find(|session| session["current"] == true).unwrap().clone();
    let path = format!("/api/me/sessions/{}", text(&of_two, "_id"));
    stranger.send(Method::DELETE, &path, None).await.refused(404);
    two.user().await;
    one.send(Method::DELETE, &path, None).await.expect(204);
    two.get("/api/user").await.refused(401);
    one.send(Method::DELETE, &path, None).await.refused(404);
    one.send(Method::DELETE, "/api/me/sessions/others", None).await.expect(204);
    three.get("/api/user").await.refused(401);
    assert_eq!(one.get("/api/me/sessions").await.expect(200).as_array().unwrap().len(), 1);
    stranger.user().await;
}
