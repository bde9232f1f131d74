//! Typed codes, verified by machine: credited where M-Pesa bears them out and nobody could dispute it,
//! before the admin with everything that is known otherwise.

use jiff::SignedDuration;
use local::Settings;
use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Answer, Person, World, assert_has, at_once,
    money::CREDITED_BEFORE,
    mpesa::{paid_calling_back, status_result},
    text,
};

const STRANGER: &str = "0700000009";

/// Somebody pays the paybill from `phone`. Answers the receipt.
async fn paybill(world: &World, phone: &str, amount: i64, confirm: bool) -> String {
    let body =
        json!({"phone": phone, "amount": amount, "accountReference": "FPL Leagues", "confirm": confirm});
    let answer = world.sim(Method::POST, "/paybill", body).await;
    world.advance(0).await;
    answer["receipt"].as_str().unwrap().to_owned()
}

async fn submit(world: &World, player: &Person, code: &str) -> String {
    let answer = player.type_code(code).await.expect(201);
    world.advance(0).await;
    answer["_id"].as_str().unwrap().to_owned()
}

async fn confirm(world: &World, id: &str, amount: i64) -> u16 {
    world.confirm_code(&id, amount).await.status.as_u16()
}

async fn reject(world: &World, id: &str) -> Answer {
    world.admin().await.post("/api/manual-payment/reject", json!({"paymentId": id})).await
}

/// With its confirmation, and with one that was lost: M-Pesa is asked in any case.
#[rstest]
#[case::confirmed(true)]
#[case::the_confirmation_is_lost(false)]
#[tokio::test]
async fn a_code_from_a_number_that_the_player_has_paid_from_is_credited(#[case] confirmed: bool) {
    let world = World::start().await;
    let player = world.player_with_own_number(100).await;
    let receipt = paybill(&world, &player.phone(), 250, confirmed).await;
    submit(&world, &player, &receipt).await;
    assert_eq!(player.wallet().await, 350);
    assert_eq!(world.pending_codes().await, Vec::<Value>::new());
    assert_has(&player.movements().await[0], json!({"kind": "manual", "receipt": receipt}));
    let other = world.player().await;
    for person in [&player, &other] {
        assert_eq!(person.type_code(&receipt).await.refused(409), CREDITED_BEFORE);
    }
    world.advance(7200).await;
    assert_eq!(world.ledger().await.account("mpesa:in"), -350);
}

/// A number that nobody here has paid from, or that only somebody else has.
#[rstest]
#[case::a_stranger(false)]
#[case::another_players(true)]
#[tokio::test]
async fn a_code_from_another_number_is_the_admins_with_what_is_known(#[case] anothers: bool) {
    let world = World::start().await;
    let (player, other) = (world.player_with(100).await, world.player_with(100).await);
    let phone = if anothers { other.phone() } else { STRANGER.to_owned() };
    let receipt = paybill(&world, &phone, 250, true).await;
    let id = submit(&world, &player, &receipt).await;
    world.advance(7200).await;
    assert_eq!(world.balance(&player).await, 100);
    let item = &world.pending_codes().await[0];
    let known = &item["known"];
    assert_has(known, json!({"source": "status", "completed": true, "toUs": true}));
    assert_has(known, json!({"amount": 250, "payerPhone": phone}));
    assert_eq!((&known["accountReference"], known["payerName"].is_string()), (&json!("FPL Leagues"), true));
    assert_eq!(
        item["waitsBecause"],
        "The payer's number is not this player's own, or was not a day before it was paid."
    );
    assert_eq!(confirm(&world, &id, 250).await, 200);
    assert_eq!(world.balance(&player).await, 350);

    // An admin's word about one payment does not make the number this player's own.
    let player = world.again(&player).await;
    submit(&world, &player, &paybill(&world, &phone, 50, true).await).await;
    assert_eq!(world.balance(&player).await, 350);
}

#[tokio::test]
async fn a_code_that_nobody_knows_waits_and_is_asked_for_again() {
    let world = World::start().await;
    let player = world.player_with_own_number(100).await;
    submit(&world, &player, "UHK0000001").await;
    let item = &world.pending_codes().await[0];
    assert_eq!(item["known"]["completed"], false);
    assert_eq!(item["waitsBecause"], "M-Pesa does not know this code as a payment that was made.");

    // M-Pesa does not answer, then it does.
    world.faults(json!({"daraja": "down"})).await;
    let receipt = paybill(&world, &player.phone(), 250, true).await;
    submit(&world, &player, &receipt).await;
    let items = world.pending_codes().await;
    let item = items.iter().find(|item| item["mpesaCode"] == json!(receipt)).unwrap();
    assert_has(&item["known"], json!({"source": "confirmation", "amount": 250}));
    assert_eq!(item["known"]["payerPhone"], format!("2547 ***** {}", &player.phone()[7..]));
    assert_eq!(item["waitsBecause"], "M-Pesa has not answered yet.");
    world.faults(json!({"daraja": "none"})).await;
    world.advance(1800).await;
    assert_eq!(world.balance(&player).await, 350);
}

/// Sent in again and again a code is one request, and M-Pesa is asked about it once a minute at the most.
#[tokio::test]
async fn a_code_that_is_sent_in_again_and_again_is_not_asked_about_each_time() {
    let (world, player) = World::with_player(0).await;
    submit(&world, &player, "UHK0000001").await;
    let again = async || {
        player.type_code("UHK0000001").await.expect(200);
    };
    for _ in 0..20 {
        again().await;
    }
    world.advance(0).await;
    assert_eq!(world.questions().await.len(), 1);
    world.advance(62).await;
    assert_eq!(world.questions().await.len(), 2, "its own second look");
    world.advance(62).await;
    again().await;
    world.advance(0).await;
    assert_eq!(world.questions().await.len(), 3, "who types it again later has it asked about again");
}

/// What was paid to somebody else, here the receipt of a payout, is no payment to us.
#[tokio::test]
async fn the_receipt_of_a_payout_credits_nothing() {
    let (world, player) = World::with_player(500).await;
    let id = player.withdrawal(&player.phone(), 450).await;
    world.pay_out(&id).await.expect(200);
    world.advance(0).await;
    let own = player.get("/api/withdraw").await.expect(200);
    submit(&world, &player, own[0]["receipt"].as_str().unwrap()).await;
    assert_eq!(player.wallet().await, 50);
    assert_eq!(world.pending_codes().await[0]["waitsBecause"], "This payment was not made to our paybill.");
}

/// A payment that names the account of an open prompt, of its amount and in its time, may be the prompt's: it
/// waits for how the prompt ends, and is free once that has another receipt, or none.
#[rstest]
#[case::paid("success")]
#[case::cancelled("cancelled")]
#[tokio::test]
async fn a_code_waits_while_a_prompt_that_it_fits_is_open(#[case] outcome: &str) {
    let world = World::start().await;
    let player = world.player_with_own_number(100).await;
    player.prompt(250).await;
    let prompts = world.prompts(&player.phone()).await;
    let receipt = world.paybill(json!({"phone": player.phone(), "amount": 250, "accountReference": prompts[0]["accountReference"]})).await;
    submit(&world, &player, &receipt).await;
    assert_eq!(world.balance(&player).await, 100);
    let item = &world.pending_codes().await[0];
    assert_eq!(
        item["waitsBecause"],
        "A prompt of this amount is open, or credited without a receipt so far: the code may be that prompt's."
    );
    assert_has(&item["prompts"][0], json!({"userId": player.id, "holdsBack": true}));
    world.answer_prompt(&player.phone(), json!({"outcome": outcome})).await;
    let by_prompt = if outcome == "success" { 250 } else { 0 };
    assert_eq!(world.balance(&player).await, 100 + by_prompt);
    world.advance(600).await;
    assert_eq!(world.balance(&player).await, 350 + by_prompt, "and the payment by hand");
    assert_eq!(world.pending_codes().await, Vec::<Value>::new());
}

/// The prompt's own receipt, typed while the prompt is credited without it: never a second credit.
#[tokio::test]
async fn the_receipt_of_a_prompt_is_credited_once() {
    let (world, player) = World::with_player(100).await;
    world.advance(150).await;
    player.prompt(250).await;
    let receipt = world.receipt_of(&player.phone(), paid_calling_back("never")).await;
    let id = submit(&world, &player, &receipt).await;
    world.advance(3 * 3600).await;
    assert_eq!(world.balance(&player).await, 350, "by the prompt");
    assert!(world.pending_codes().await.is_empty(), "what is credited is nobody's to decide");
    assert_eq!(confirm(&world, &id, 250).await, 409);
    let rejection = reject(&world, &id).await;
    assert_eq!(rejection.refused(409), CREDITED_BEFORE, "not that nothing was credited");
}

/// Two players type one code: it is credited to the one whose number paid.
#[tokio::test]
async fn a_code_that_two_typed_is_credited_to_who_paid() {
    let world = World::start().await;
    let thief = world.player_with(100).await;
    let player = world.player_with_own_number(100).await;
    let thief = world.again(&thief).await;
    let receipt = paybill(&world, &player.phone(), 250, true).await;
    let theirs = submit(&world, &thief, &receipt).await;
    submit(&world, &player, &receipt).await;
    world.advance(3600).await;
    assert_eq!((world.balance(&player).await, world.balance(&thief).await), (350, 100));
    let items = world.pending_codes().await;
    assert_eq!((items.len(), &items[0]["_id"]), (1, &json!(theirs)), "an admin sees who else has typed it");
    let to = json!({"userId": player.id, "username": format!("player{}", player.n)});
    let credited = json!({"creditedBy": format!("manual#{receipt}"), "creditedTo": to});
    assert_has(&items[0], credited.clone());
    assert_eq!(confirm(&world, &theirs, 250).await, 409);
    let rejected = reject(&world, &theirs).await.expect(200);
    assert_has(&rejected, json!({"status": "rejected"}));
    assert_has(&rejected, credited);
}

/// The machine, the admin's confirmation and a rejection at once: it ends one way, and credits once.
#[tokio::test]
async fn the_machine_and_the_admin_at_once_credit_once() {
    let world = World::start().await;
    let player = world.player_with_own_number(100).await;
    let mut expected = 100;
    for round in 0..4 {
        world.advance(60).await;
        let player = world.again(&player).await;
        let receipt = paybill(&world, &player.phone(), 200 + round, false).await;
        let answer = player.type_code(&receipt).await.expect(201);
        let id = answer["_id"].as_str().unwrap().to_owned();
        let admin = world.admin().await;
        let acts = (0..6).map(|i| {
            let (admin, id) = (admin.clone(), id.clone());
            async move {
                let (path, body) = if i % 2 == 0 {
                    ("/api/manual-payment/confirm", json!({"paymentId": id, "amount": 200 + round}))
                } else {
                    ("/api/manual-payment/reject", json!({"paymentId": id}))
                };
                admin.post(path, body).await.status.as_u16()
            }
        });
        for act in at_once(acts).await {
            assert!(matches!(act, 200 | 409));
        }
        world.advance(0).await;
        let typed_code = world.app().store().typed_code(&id).await.unwrap().unwrap();
        if typed_code.status == domain::payments::typed_code::TypedCodeStatus::Confirmed {
            expected += 200 + round;
        }
        assert_eq!(world.balance(&player).await, expected);
    }
    assert_eq!(world.ledger().await.account("mpesa:in"), -expected);
}

/// Answers that are not about the code, or that say another amount than the confirmation did.
#[tokio::test]
async fn an_answer_is_about_the_code_and_agrees_with_the_confirmation() {
    let (world, player) = World::with_player(100).await;
    let msisdn = format!("254{}", &player.phone()[1..]);
    let told = |receipt: &str, amount: i64| status_result(receipt, &amount.to_string(), &msisdn);
    world.faults(json!({"daraja": "pending"})).await;
    let receipt = paybill(&world, STRANGER, 250, true).await;
    let id = submit(&world, &player, &receipt).await;
    let question = world.questions().await.pop().expect("it is asked about");
    let question = text(&question, "id");
    // The code's own id names no question.
    world.post_to_hook(&format!("/hooks/status/{id}"), told(&receipt, 250)).await;
    for body in
        [told("UHK0000001", 250), json!({"Result": {"ResultCode": "0"}}), json!("x"), told(&receipt, 5000)]
    {
        world.post_to_hook(&format!("/hooks/status/{question}"), body).await;
        world.advance(0).await;
    }
    assert_eq!(player.wallet().await, 100);
    let item = &world.pending_codes().await[0];
    assert_eq!(
        (&item["known"]["amount"], &item["waitsBecause"]),
        (&json!(5000), &json!("M-Pesa confirmed another amount before."))
    );
}

/// With the setting off every code is the admin's.
#[tokio::test]
async fn the_setting_leaves_every_code_to_the_admin() {
    let default = Settings::default();
    let text = std::fs::read_to_string(&default.template).unwrap();
    let (before, after) = text.split_once("  CreditVerifiedCodes:").unwrap();
    let off = format!("{before}  CreditVerifiedCodes:{}", after.replacen("'true'", "'false'", 1));
    let template = std::env::temp_dir().join(format!("fpl-codes-off-{}.yaml", std::process::id()));
    std::fs::write(&template, off).unwrap();
    let data_dir = local::DataDir::Memory;
    let world = World::start_with(Settings { data_dir, template: template.clone(), ..default }).await;
    std::fs::remove_file(template).unwrap();
    let player = world.player_with_own_number(100).await;
    let receipt = paybill(&world, &player.phone(), 250, true).await;
    submit(&world, &player, &receipt).await;
    assert_eq!(player.wallet().await, 100);
    let item = &world.pending_codes().await[0];
    assert_eq!(
        (&item["known"]["amount"], &item["waitsBecause"]),
        (&json!(250), &json!("The setting that lets verified codes be credited is off."))
    );
}

/// Messages come twice: of two that would check on one does, and the other one does not end what that goes on with.
#[tokio::test]
async fn a_code_has_one_line_of_checks() {
    let (world, player) = World::with_player(0).await;
    let id = player.typed_code("NLJ7RT61SV").await;
    let (store, pause) = (world.app().store(), SignedDuration::from_mins(1));
    let due = world.app().clock().now() + SignedDuration::from_hours(1);
    assert!(store.claim_typed_code_check(&id, due, pause).await.unwrap());
    assert!(!store.claim_typed_code_check(&id, due, pause).await.unwrap());
    store.end_typed_code_checks(&id, due).await.unwrap();
    assert!(!store.typed_code(&id).await.unwrap().unwrap().checks_over);
}
