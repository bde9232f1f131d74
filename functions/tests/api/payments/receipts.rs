//! One M-Pesa receipt is credited once, whether it came by prompt or by typed code, in both orders and
//! at once (docs/decisions.md, "Typed codes and prompts meet at the player's wallet").

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, Person, World};

async fn deposit(player: &Person, amount: i64) -> String {
    let body = json!({"phone": player.phone(), "amount": amount});
    let answer = player.post("/api/deposits", body).await.expect(200);
    answer["checkoutId"].as_str().unwrap().to_owned()
}

async fn status(world: &World, id: &str) -> Value {
    world.nobody().get(&format!("/api/deposits/status?checkoutId={id}")).await.expect(200)
}

/// The player types `code`. Answers the request's id.
pub async fn submit(player: &Person, code: &str) -> String {
    let answer = player.post("/api/manual-payment", json!({"mpesaCode": code})).await.expect(201);
    answer["_id"].as_str().unwrap().to_owned()
}

pub async fn confirm(world: &World, id: &str, amount: i64) -> Answer {
    let admin = world.admin().await;
    admin.post("/api/manual-payment/confirm", json!({"paymentId": id, "amount": amount})).await
}

async fn balance(world: &World, player: &Person) -> i64 {
    world.ledger().await.wallets[&player.id]
}

/// What M-Pesa calls back with; a receipt of null is left out, as nothing is promised about the items.
pub async fn call_back(world: &World, player: &Person, payment: &str, code: i64, receipt: Option<&str>) {
    let prompts = world.nobody().get(&format!("/sim/api/prompts?phone={}", player.phone())).await.expect(200);
    let mut items = vec![json!({"Name": "Amount", "Value": prompts[0]["amount"]})];
    if let Some(receipt) = receipt {
        items.push(json!({"Name": "MpesaReceiptNumber", "Value": receipt}));
    }
    let mut callback = json!({
        "MerchantRequestID": "29115-34620561-1",
        "CheckoutRequestID": prompts[0]["checkoutRequestId"],
        "ResultCode": code,
        "ResultDesc": "What M-Pesa says.",
    });
    if code == 0 {
        callback["CallbackMetadata"] = json!({"Item": items});
    }
    let hook = world.hook(payment).await;
    world.nobody().post(&hook, json!({"Body": {"stkCallback": callback}})).await.expect(200);
}

/// A prompt that the player paid and M-Pesa reported as failed. Answers its id and the receipt on the
/// player's phone.
pub async fn paid_and_reported_failed(world: &World, player: &Person, amount: i64) -> (String, String) {
    world.faults(json!({"daraja": "pending"})).await;
    let id = deposit(player, amount).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    let receipt = world.answer_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    call_back(world, player, &id, 1032, None).await;
    world.advance(600).await;
    assert_eq!(status(world, &id).await["status"], "FAILED");
    world.faults(json!({"daraja": "none"})).await;
    (id, receipt)
}

#[tokio::test]
async fn a_code_whose_prompt_is_credited_is_refused_at_once() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    deposit(&player, 500).await;
    let receipt =
        world.answer_prompt(&player.phone(), json!({"outcome": "success"})).await["receipt"].clone();
    for person in [&player, &other] {
        let refused = person.post("/api/manual-payment", json!({"mpesaCode": receipt})).await.refused(409);
        assert_eq!(refused, "This M-Pesa code has already been credited.");
    }
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
}

/// The prompt is open, then credited on M-Pesa's answer, which tells no receipt: the code that fits it is its
/// receipt, and at no time credits as well.
#[tokio::test]
async fn a_code_waits_for_a_prompt_of_its_amount() {
    let world = World::start().await;
    let player = world.player().await;
    deposit(&player, 500).await;
    let how = json!({"outcome": "success", "callback": "late"});
    let receipt = world.answer_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    let typed = submit(&player, &receipt).await;
    let held = "There is an M-Pesa prompt of this amount that is still open, or credited without a \
                receipt so far: the code may be that prompt's. Confirm it once the prompt's receipt is known.";
    assert_eq!(confirm(&world, &typed, 500).await.refused(409), held);
    let list = world.admin().await.get("/api/manual-payment/pending").await.expect(200);
    let prompt = &list[0]["prompts"][0];
    assert_eq!((&prompt["state"], &prompt["holdsBack"]), (&json!("PENDING"), &json!(true)));

    world.advance(120).await;
    assert_eq!(balance(&world, &player).await, 500);
    let known = confirm(&world, &typed, 500).await.refused(409);
    assert_eq!(known, "This M-Pesa code has already been credited.");
    let list = world.admin().await.get("/api/manual-payment/pending").await.expect(200);
    assert_eq!(list[0]["prompts"], json!([]));
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
    let player = world.log_in("player1@example.co.ke", crate::support::PASSWORD).await;
    let movements = player.get("/api/me/transactions").await.expect(200);
    assert_eq!(movements[0]["receipt"], json!(receipt), "learned from the late callback");
}

/// Where M-Pesa tells neither payer nor time of a code, a prompt whose receipt nobody told holds it back for
/// eight days; then it is the admin's to judge.
#[tokio::test]
async fn a_prompt_holds_a_code_back_for_eight_days() {
    let world = World::start().await;
    let player = world.player().await;
    deposit(&player, 500).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    world.answer_prompt(&player.phone(), how).await;
    world.advance((8 * 24 - 1) * 3600).await;
    assert_eq!(balance(&world, &player).await, 500);
    let player = world.log_in("player1@example.co.ke", crate::support::PASSWORD).await;
    world.faults(json!({"daraja": "down"})).await;
    let typed = submit(&player, "UHM0000001").await;
    confirm(&world, &typed, 500).await.refused(409);
    world.advance(2 * 3600).await;
    confirm(&world, &typed, 500).await.expect(200);
    assert_eq!(balance(&world, &player).await, 1000);
}

#[tokio::test]
async fn a_prompt_of_another_amount_or_player_holds_nothing_back() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    deposit(&player, 400).await;
    deposit(&other, 500).await;
    let typed = submit(&player, "UHK0000001").await;
    confirm(&world, &typed, 500).await.expect(200);
    assert_eq!(balance(&world, &player).await, 500);
}

/// The code is credited first, then the prompt's own callback says that it was paid.
#[rstest]
#[case::with_the_receipt(true, "SUCCESS")]
#[case::without_one(false, "PENDING")]
#[tokio::test]
async fn a_prompt_whose_code_is_credited_credits_nothing(#[case] told: bool, #[case] shown: &str) {
    let world = World::start().await;
    let player = world.player().await;
    let (id, receipt) = paid_and_reported_failed(&world, &player, 500).await;
    let player = world.log_in("player1@example.co.ke", crate::support::PASSWORD).await;
    let player = Person { n: 1, ..player };
    let typed = submit(&player, &receipt).await;
    confirm(&world, &typed, 500).await.expect(200);

    call_back(&world, &player, &id, 0, told.then_some(receipt.as_str())).await;
    world.advance(0).await;
    let status = status(&world, &id).await;
    assert_eq!((&status["status"], &status["entered"]), (&json!(shown), &json!(false)), "{status}");
    assert_eq!(balance(&world, &player).await, 500);
    world.advance(2 * 24 * 3600).await;
    assert_eq!(world.ledger().await.account("mpesa:in"), -500);
}

/// The same for an entry: paid, credited by its code, so no entry is made by the prompt.
#[tokio::test]
async fn an_entrys_prompt_whose_code_is_credited_makes_no_entry() {
    let world = World::start().await;
    let player = world.player().await;
    let answer = player.pay(100, 1).await.expect(200);
    let id = answer["checkoutId"].as_str().unwrap().to_owned();
    let how = json!({"outcome": "success", "callback": "late"});
    world.faults(json!({"daraja": "pending"})).await;
    let receipt = world.answer_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    // The admin mistypes the amount, so the open prompt does not hold it back.
    let typed = submit(&player, &receipt).await;
    confirm(&world, &typed, 1000).await.expect(200);
    world.faults(json!({"daraja": "none"})).await;
    call_back(&world, &player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    let status = world.nobody().get(&format!("/api/pay/status?checkoutId={id}")).await.expect(200);
    assert_eq!((&status["status"], &status["entered"]), (&json!("SUCCESS"), &json!(false)));
    assert_eq!(
        status["message"],
        "This payment was credited by its M-Pesa code. Your money is in your wallet."
    );
    assert_eq!(balance(&world, &player).await, 1000);
    player.join(100, 1).await.expect(201);
}

/// Another player's typed code took the receipt: the prompt waits for an admin.
#[tokio::test]
async fn a_prompt_whose_receipt_is_another_players_is_set_aside() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    let id = deposit(&player, 500).await;
    world.faults(json!({"daraja": "pending"})).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    let receipt = world.answer_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    let typed = submit(&other, &receipt).await;
    confirm(&world, &typed, 500).await.expect(200);
    world.faults(json!({"daraja": "none"})).await;
    call_back(&world, &player, &id, 0, Some(&receipt)).await;
    world.advance(0).await;
    assert_eq!(status(&world, &id).await["status"], "PENDING");
    assert_eq!((balance(&world, &player).await, balance(&world, &other).await), (0, 500));
    let own = submit(&player, "UHK0000001").await;
    let list = world.admin().await.get("/api/manual-payment/pending").await.expect(200);
    let item = list.as_array().unwrap().iter().find(|item| item["_id"] == json!(own)).unwrap();
    assert_eq!(item["prompts"][0]["state"], "SET_ASIDE");
    assert_eq!(item["prompts"][0]["holdsBack"], false);
}

/// A prompt is credited on M-Pesa's answer, another player's typed code takes its receipt, and then the
/// callback comes: nothing more is credited, nothing is taken back, and the prompt stays without receipt.
#[tokio::test]
async fn a_late_receipt_that_is_taken_changes_nothing() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    let id = deposit(&player, 500).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    let receipt = world.answer_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    world.advance(120).await;
    // M-Pesa does not say whose it is; otherwise it would be the prompt's.
    world.faults(json!({"daraja": "down"})).await;
    let typed = submit(&other, &receipt).await;
    confirm(&world, &typed, 500).await.expect(200);
    for _ in 0..2 {
        call_back(&world, &player, &id, 0, Some(&receipt)).await;
        world.advance(0).await;
    }
    assert_eq!(status(&world, &id).await["status"], "SUCCESS");
    assert_eq!((balance(&world, &player).await, balance(&world, &other).await), (500, 500));
    let movements = player.get("/api/me/transactions").await.expect(200);
    assert_eq!(movements[0]["receipt"], json!(null));
}

/// A prompt is credited on M-Pesa's answer, and another player types its receipt while M-Pesa is silent. An admin's
/// confirmation goes by what M-Pesa says then: whose the receipt is.
#[tokio::test]
async fn an_admins_confirmation_goes_by_what_m_pesa_says_now() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    let id = deposit(&player, 1000).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    let receipt = world.answer_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    world.advance(120).await;
    world.faults(json!({"daraja": "down"})).await;
    let typed = submit(&other, &receipt).await;
    world.advance(0).await;
    world.faults(json!({"daraja": "none"})).await;
    let credited = "This M-Pesa code has already been credited.";
    assert_eq!(confirm(&world, &typed, 1000).await.refused(409), credited);
    assert_eq!((balance(&world, &player).await, balance(&world, &other).await), (1000, 0));
    let claim = world.app().store().receipt(&receipt).await.unwrap().expect("it is the prompt's");
    assert_eq!(claim.cause, format!("deposit#{id}"));
}

/// Two phones that a confirmation, which masks them, does not tell apart.
const ALIKE: [&str; 2] = ["0712345126", "0722999126"];

/// A deposit's prompt to the one and an entry's to the other, of one amount and minute. Answers their ids.
async fn alike(world: &World, player: &Person) -> (String, String) {
    let id = |answer: &Value| answer["checkoutId"].as_str().unwrap().to_owned();
    let body = json!({"phone": ALIKE[0], "amount": 100});
    let deposit = id(&player.post("/api/deposits", body).await.expect(200));
    let body = json!({"phone": ALIKE[1], "amount": 100, "fplId": player.fpl_id, "entryAmount": 100,
        "gameweek": 1});
    let entry = id(&player.post("/api/pay", body).await.expect(200));
    assert_eq!(world.ledger().await.wallets[&player.id], 0);
    (deposit, entry)
}

/// Each of both is credited, the entry is made, and the receipt is the deposit's.
async fn both_are_credited(world: &World, player: &Person, (deposit, entry): (&str, &str), receipt: &str) {
    let status = world.nobody().get(&format!("/api/pay/status?checkoutId={entry}")).await.expect(200);
    assert_eq!((&status["status"], &status["entered"]), (&json!("SUCCESS"), &json!(true)), "{status}");
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (100, -200));
    let claim = world.app().store().receipt(receipt).await.unwrap().expect("it is the deposit's");
    assert_eq!(claim.cause, format!("deposit#{deposit}"));
}

/// Both prompts are open when the confirmation of the one comes: it is noted with neither.
#[tokio::test]
async fn a_confirmation_that_fits_two_open_prompts_is_neithers_yet() {
    let world = World::start().await;
    let player = world.player().await;
    let (first, second) = alike(&world, &player).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "before"});
    let receipt = world.answer_prompt(ALIKE[0], how).await["receipt"].as_str().unwrap().to_owned();
    for id in [&first, &second] {
        assert_eq!(world.app().store().payment(id).await.unwrap().unwrap().told_receipt, None);
    }
    call_back(&world, &player.clone().with_number(345_126), &first, 0, Some(&receipt)).await;
    world.advance(0).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    world.decide_prompt(ALIKE[1], how).await;
    world.advance(120).await;
    both_are_credited(&world, &player, (&first, &second), &receipt).await;
}

/// The first one was reported as failed, so its late confirmation is taken for that of the second one, until its own
/// callback names it: the second one is paid all the same.
#[tokio::test]
async fn a_receipt_that_was_taken_for_a_prompts_swallows_no_payment() {
    let world = World::start().await;
    let player = world.player().await;
    world.faults(json!({"daraja": "pending"})).await;
    let (first, second) = alike(&world, &player).await;
    let payer = player.clone().with_number(345_126);
    let how = json!({"outcome": "success", "callback": "never", "confirm": "late"});
    let receipt = world.answer_prompt(ALIKE[0], how).await["receipt"].as_str().unwrap().to_owned();
    call_back(&world, &payer, &first, 1032, None).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    world.decide_prompt(ALIKE[1], how).await;
    world.advance(3 * 3600 + 60).await;
    assert_eq!(status(&world, &first).await["status"], "FAILED");
    let told = world.app().store().payment(&second).await.unwrap().unwrap().told_receipt;
    assert_eq!(told.as_ref(), Some(&receipt));
    world.faults(json!({"daraja": "none"})).await;
    call_back(&world, &payer, &first, 0, Some(&receipt)).await;
    world.advance(0).await;
    world.advance(1800).await;
    both_are_credited(&world, &player, (&first, &second), &receipt).await;
}

/// The code's confirmation and the prompt's success at once, with and without a receipt in the callback:
/// 500 is credited, by one or by the other.
#[rstest]
#[case::with_the_receipt(true)]
#[case::without_one(false)]
#[tokio::test]
async fn code_and_prompt_at_once_credit_once(#[case] told: bool) {
    let world = World::start().await;
    for round in 1..=4_i64 {
        let player = world.player().await;
        let (id, receipt) = paid_and_reported_failed(&world, &player, 500).await;
        let email = format!("player{}@example.co.ke", player.n);
        let fresh = Person { n: player.n, ..world.log_in(&email, crate::support::PASSWORD).await };
        let typed = submit(&fresh, &receipt).await;
        let admin = world.admin().await;
        let confirms = (0..4).map(|_| {
            let (admin, typed) = (admin.clone(), typed.clone());
            tokio::spawn(async move {
                let body = json!({"paymentId": typed, "amount": 500});
                admin.post("/api/manual-payment/confirm", body).await.status.as_u16()
            })
        });
        let confirms: Vec<_> = confirms.collect();
        for _ in 0..2 {
            call_back(&world, &player, &id, 0, told.then_some(receipt.as_str())).await;
        }
        world.advance(0).await;
        for confirmed in confirms {
            assert!(matches!(confirmed.await.unwrap(), 200 | 409));
        }
        assert_eq!(balance(&world, &player).await, 500);
        assert_eq!(world.ledger().await.account("mpesa:in"), -500 * round);
    }
}

/// The question's answer and the callback at once: whichever credits, the receipt is claimed.
#[tokio::test]
async fn a_receipt_is_claimed_whoever_credits_first() {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    let how = json!({"outcome": "success", "callback": "never"});
    let receipt = world.decide_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    let callbacks = (0..6).map(|i| {
        let (receipt, id) = (receipt.as_str(), id.as_str());
        call_back(&world, &player, id, 0, (i % 2 == 0).then_some(receipt))
    });
    // Callbacks without a receipt are believed as far as M-Pesa's answer goes: paid.
    for callback in callbacks {
        callback.await;
    }
    world.advance(120).await;
    assert_eq!(balance(&world, &player).await, 500);
    let refused = player.post("/api/manual-payment", json!({"mpesaCode": receipt})).await.refused(409);
    assert_eq!(refused, "This M-Pesa code has already been credited.");
}
