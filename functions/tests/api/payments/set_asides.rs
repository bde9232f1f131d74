//! The admin's cases: what does not add up is shown with its whole story, and credited or dismissed with
//! a reason, once (docs/decisions.md, "What does not add up is an admin's, with its story").

use reqwest::Method;
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{Answer, Person, World};

const RECEIPT: &str = "NLJ7RT61SV";
const WHY: &str = "Seen in M-Pesa's portal.";

async fn deposit(player: &Person, amount: i64) -> String {
    let body = json!({"phone": player.phone(), "amount": amount});
    let answer = player.post("/api/deposits", body).await.expect(200);
    answer["checkoutId"].as_str().unwrap().to_owned()
}

/// A deposit of 500, of which M-Pesa reports `reported`. Answers its id and its receipt.
pub async fn of_another_amount(world: &World, player: &Person, reported: i64) -> (String, String) {
    let id = deposit(player, 500).await;
    let how = json!({"outcome": "success", "amount": reported});
    let receipt = world.answer_prompt(&player.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    (id, receipt)
}

/// A deposit of 500 of which M-Pesa says nothing for a day.
async fn silent(world: &World, player: &Person) -> String {
    silent_but_for(world, player, "after").await
}

/// The same; the paybill's confirmation comes as `confirm` says.
async fn silent_but_for(world: &World, player: &Person, confirm: &str) -> String {
    world.faults(json!({"daraja": "pending"})).await;
    let id = deposit(player, 500).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": confirm});
    world.answer_prompt(&player.phone(), how).await;
    world.advance(25 * 3600).await;
    id
}

/// A deposit that nobody pays, and of which M-Pesa says nothing for a day.
async fn unpaid(world: &World, player: &Person, amount: i64) -> String {
    world.faults(json!({"daraja": "pending"})).await;
    let id = deposit(player, amount).await;
    world.decide_prompt(&player.phone(), json!({"outcome": "cancelled", "callback": "never"})).await;
    world.advance(25 * 3600).await;
    world.faults(json!({"daraja": "none"})).await;
    id
}

async fn cases(world: &World) -> Vec<Value> {
    world.admin().await.get("/api/admin/set-asides").await.expect(200).as_array().unwrap().clone()
}

async fn decide(world: &World, id: &str, body: Value) -> Answer {
    world.admin().await.post(&format!("/api/admin/set-asides/{id}"), body).await
}

fn credit(amount: i64) -> Value {
    json!({"act": "credit", "reason": WHY, "amount": amount})
}

fn dismissal() -> Value {
    json!({"act": "dismiss", "reason": "M-Pesa has sent it back."})
}

async fn status(world: &World, id: &str) -> Value {
    world.nobody().get(&format!("/api/deposits/status?checkoutId={id}")).await.expect(200)
}

async fn balance(world: &World, player: &Person) -> i64 {
    world.ledger().await.wallets[&player.id]
}

/// What M-Pesa calls back with: paid, `amount`, `receipt`.
async fn call_back(world: &World, player: &Person, id: &str, amount: i64, receipt: &str) {
    let prompts = world.nobody().get(&format!("/sim/api/prompts?phone={}", player.phone())).await.expect(200);
    let items =
        json!([{"Name": "Amount", "Value": amount}, {"Name": "MpesaReceiptNumber", "Value": receipt}]);
    let body = json!({"Body": {"stkCallback": {
        "MerchantRequestID": "29115-34620561-1",
        "CheckoutRequestID": prompts[0]["checkoutRequestId"],
        "ResultCode": 0,
        "ResultDesc": "The service request is processed successfully.",
        "CallbackMetadata": {"Item": items},
    }}});
    world.nobody().post(&world.hook(id).await, body).await.expect(200);
    world.advance(0).await;
}

/// A case by itself, with its story.
async fn case(world: &World, id: &str) -> Value {
    world.admin().await.get(&format!("/api/admin/set-asides/{id}")).await.expect(200)
}

fn kinds(case: &Value) -> Vec<&str> {
    case["story"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn another_amount_is_shown_with_its_story_and_credited_once() {
    let world = World::start().await;
    let player = world.player().await;
    let (id, receipt) = of_another_amount(&world, &player, 600).await;
    let listed = cases(&world).await[0].clone();
    assert_eq!((&listed["_id"], listed.get("story")), (&json!(id), None), "the list is a list");
    let case = case(&world, &id).await;
    assert_eq!(
        (&case["_id"], &case["kind"], &case["state"]),
        (&json!(id), &json!("prompt"), &json!("SET_ASIDE"))
    );
    assert_eq!((&case["amount"], &case["reportedAmount"]), (&json!(500), &json!(600)));
    assert_eq!((&case["receipt"], &case["acts"]), (&json!(receipt), &json!(["credit", "dismiss"])));
    assert_eq!(case["reason"], "M-Pesa reports another amount than was asked for.");
    assert_eq!((&case["username"], &case["phone"]), (&json!("player1"), &json!(player.phone())));
    assert_eq!(case["mpesaIds"].as_array().unwrap().len(), 2);
    assert_eq!(kinds(&case), ["intent", "push", "callback", "query"]);
    let told = case["story"][2]["text"].as_str().unwrap();
    assert!(told.contains(&receipt) && told.contains("600"), "as it came: {told}");
    assert_eq!(balance(&world, &player).await, 0);

    // M-Pesa, asked now, says what was paid: that is credited, and nothing else.
    assert_eq!(
        decide(&world, &id, credit(600)).await.refused(409),
        "M-Pesa says that this payment is KSh 500."
    );
    let closed = decide(&world, &id, credit(500)).await.expect(200);
    assert_eq!((&closed["state"], &closed["creditedAmount"]), (&json!("SUCCESS"), &json!(500)));
    assert_eq!((&closed["closedBecause"], &closed["acts"]), (&json!(WHY), &json!([])));
    assert_eq!(closed["creditedBy"], format!("deposit#{id}"));
    assert_eq!(kinds(&closed).last(), Some(&"act"));
    // Pressed again, and by M-Pesa's callback once more: nothing more.
    decide(&world, &id, credit(500)).await.expect(200);
    assert_eq!(decide(&world, &id, credit(600)).await.refused(409), "This case is closed already.");
    call_back(&world, &player, &id, 600, &receipt).await;
    assert_eq!(balance(&world, &player).await, 500);
    // What it claims is still another amount: an admin sees that once more, and can only note so.
    let again = cases(&world).await;
    assert_eq!((again.len(), &again[0]["acts"]), (1, &json!(["dismiss"])));
    assert_eq!(again[0]["reason"], "It is credited, and M-Pesa reports another amount or receipt.");
    decide(&world, &id, dismissal()).await.expect(200);
    assert_eq!(cases(&world).await, Vec::<Value>::new());
    let status = status(&world, &id).await;
    let message = "We have looked into this payment: KSh 500 is in your wallet.";
    assert_eq!((&status["status"], &status["message"]), (&json!("SUCCESS"), &json!(message)));
    let movements = player.get("/api/me/transactions").await.expect(200);
    assert_eq!((movements.as_array().unwrap().len(), &movements[0]["receipt"]), (1, &json!(receipt)));
    let typed = player.post("/api/manual-payment", json!({"mpesaCode": receipt})).await;
    assert_eq!(typed.refused(409), "This M-Pesa code has already been credited.");
}

/// Two admins, four presses each, and one of them says another amount: one credit.
#[tokio::test]
async fn two_admins_at_once_credit_once() {
    let world = World::start().await;
    for _ in 0..3 {
        let player = world.player().await;
        let (id, _) = of_another_amount(&world, &player, 600).await;
        let (one, other) = (world.admin().await, world.admin().await);
        let presses: Vec<_> = (0..8)
            .map(|n| {
                let admin = if n % 2 == 0 { one.clone() } else { other.clone() };
                let path = format!("/api/admin/set-asides/{id}");
                let body = if n == 5 { dismissal() } else { credit(if n % 2 == 0 { 500 } else { 600 }) };
                tokio::spawn(async move { admin.post(&path, body).await.status.as_u16() })
            })
            .collect();
        let mut answers = Vec::new();
        for press in presses {
            answers.push(press.await.unwrap());
        }
        assert!(answers.contains(&200) && answers.iter().all(|status| [200, 409].contains(status)));
        let case = decide(&world, &id, json!({"act": "return", "reason": WHY})).await;
        assert_eq!(case.refused(409), "This act is not for this case.");
        let credited = balance(&world, &player).await;
        assert!([0, 500].contains(&credited), "{credited}");
        let fresh =
            world.log_in(&format!("player{}@example.co.ke", player.n), crate::support::PASSWORD).await;
        let movements = fresh.get("/api/me/transactions").await.expect(200);
        assert_eq!(movements.as_array().unwrap().len(), usize::from(credited > 0));
        let on = format!("prompt {id}");
        assert_eq!(crate::admin::audit::acts(&world).await.iter().filter(|act| act.on == on).count(), 1);
    }
}

/// Dismissed is for good; a success that M-Pesa reports afterwards is shown, and credited by nobody but
/// an admin. The same report again is no news.
#[tokio::test]
async fn a_dismissed_prompt_is_shown_again_when_mpesa_reports_a_success() {
    let world = World::start().await;
    let player = world.player().await;
    let id = silent(&world, &player).await;
    let case = case(&world, &id).await;
    assert_eq!(case["reason"], "M-Pesa has said nothing for a day.");
    let asked = case["story"].as_array().unwrap().iter().find(|event| event["kind"] == "query").unwrap();
    assert!(asked["times"].as_u64().unwrap() > 10, "questions are counted: {asked}");
    let closed = decide(&world, &id, dismissal()).await.expect(200);
    assert_eq!((&closed["state"], &closed["acts"]), (&json!("DISMISSED"), &json!([])));
    decide(&world, &id, dismissal()).await.expect(200);
    assert_eq!(decide(&world, &id, credit(500)).await.refused(409), "This case is closed already.");
    let told = status(&world, &id).await;
    assert_eq!(told["status"], "FAILED");
    assert_eq!(told["message"], "We have looked into this payment: M-Pesa has sent it back.");

    world.faults(json!({"daraja": "none"})).await;
    world.advance(48 * 3600).await;
    assert_eq!(cases(&world).await, Vec::<Value>::new(), "nothing happens by itself");
    call_back(&world, &player, &id, 500, RECEIPT).await;
    world.advance(3600).await;
    let case = cases(&world).await[0].clone();
    assert_eq!((&case["_id"], &case["reportedAmount"]), (&json!(id), &json!(500)));
    assert_eq!(case["reason"], "M-Pesa reports a success after this was dismissed.");
    assert_eq!(balance(&world, &player).await, 0);
    decide(&world, &id, dismissal()).await.expect(200);
    call_back(&world, &player, &id, 500, RECEIPT).await;
    assert_eq!(cases(&world).await, Vec::<Value>::new(), "an admin knows of this one");
    call_back(&world, &player, &id, 500, "NLJ7RT62SV").await;
    decide(&world, &id, credit(500)).await.expect(200);
    assert_eq!(balance(&world, &player).await, 500);
}

/// The success is reported between the admin's look and the press: it is not dismissed unseen.
#[tokio::test]
async fn a_success_that_nobody_has_seen_is_not_dismissed() {
    let world = World::start().await;
    let player = world.player().await;
    let id = silent(&world, &player).await;
    let app = world.app();
    let (email, _) = world.admin_account();
    let email = domain::Email::parse(&email).unwrap();
    let admin = app.store().player_by_email(&email).await.unwrap().unwrap();
    let seen = app::payments::set_asides::find(app, &id).await.unwrap().unwrap();
    call_back(&world, &player, &id, 500, RECEIPT).await;
    let act = domain::payments::set_aside::SetAsideAct::Dismiss;
    let permit =
        store::admin::permits::Permit::plain(store::admin::audit::Who::admin(&admin), app.clock().now());
    let decision =
        app::payments::set_asides::Decision { act, reason: WHY, amount: None, receipt: "", permit: &permit };
    let done = app::payments::set_asides::decide(app, &seen, decision).await.unwrap();
    assert_eq!(done, Err(domain::payments::set_aside::SetAsideError::News));
    let case = cases(&world).await[0].clone();
    assert_eq!((&case["state"], &case["reportedAmount"]), (&json!("SET_ASIDE"), &json!(500)));
    decide(&world, &id, credit(500)).await.expect(200);
    assert_eq!(balance(&world, &player).await, 500);
}

/// A receipt that was credited to another player credits nothing, whatever the admin presses.
#[tokio::test]
async fn a_receipt_that_is_taken_credits_nothing() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    let typed = other.post("/api/manual-payment", json!({"mpesaCode": RECEIPT})).await.expect(201);
    let body = json!({"paymentId": typed["_id"], "amount": 500});
    world.admin().await.post("/api/manual-payment/confirm", body).await.expect(200);
    let id = deposit(&player, 500).await;
    world.decide_prompt(&player.phone(), json!({"outcome": "success", "callback": "never"})).await;
    call_back(&world, &player, &id, 500, RECEIPT).await;
    let case = cases(&world).await[0].clone();
    assert_eq!(case["reason"], "This M-Pesa receipt was credited before.");
    assert_eq!(case["creditedBy"], format!("manual#{RECEIPT}"));
    let taken = "This M-Pesa code has already been credited.";
    assert_eq!(decide(&world, &id, credit(500)).await.refused(409), taken);
    let named = json!({"act": "credit", "reason": WHY, "amount": 500, "receipt": "NLJ7RT62SV"});
    let another = "M-Pesa names another receipt for this payment.";
    assert_eq!(decide(&world, &id, named).await.refused(400), another);
    assert_eq!((balance(&world, &player).await, balance(&world, &other).await), (0, 500));
    decide(&world, &id, dismissal()).await.expect(200);
}

fn under(receipt: &str, amount: i64) -> Value {
    json!({"act": "credit", "reason": WHY, "amount": amount, "receipt": receipt})
}

/// A prompt was credited on M-Pesa's answer, which names no receipt. Its receipt credits no other prompt's case, of
/// the same player or of another one: it is the prompt's that was paid with it.
#[rstest]
#[case::the_same_players(true)]
#[case::another_players(false)]
#[tokio::test]
async fn the_receipt_of_another_prompt_credits_nothing(#[case] same: bool) {
    let world = World::start().await;
    let player = world.player().await;
    let payer = if same { player.clone() } else { world.player().await };
    let paid = deposit(&payer, 1000).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    let receipt = world.answer_prompt(&payer.phone(), how).await["receipt"].as_str().unwrap().to_owned();
    world.advance(130).await;
    assert_eq!(balance(&world, &payer).await, 1000);
    let id = unpaid(&world, &player, 1000).await;
    assert_eq!(case(&world, &id).await["reason"], "M-Pesa has said nothing for a day.");
    for _ in 0..2 {
        decide(&world, &id, under(&receipt, 1000)).await.refused(409);
    }
    assert_eq!(world.ledger().await.account("mpesa:in"), -1000);
    let claim = world.app().store().receipt(&receipt).await.unwrap().expect("it is the paid prompt's");
    assert_eq!(claim.cause, format!("deposit#{paid}"));
    assert_eq!(case(&world, &id).await["state"], "SET_ASIDE");
}

/// M-Pesa does not say whose a receipt is: where another prompt of the player's may have it, nothing is credited.
#[tokio::test]
async fn a_receipt_that_may_be_another_prompts_waits() {
    let world = World::start().await;
    let player = world.player().await;
    deposit(&player, 1000).await;
    let how = json!({"outcome": "success", "callback": "never", "confirm": "never"});
    world.answer_prompt(&player.phone(), how).await;
    world.advance(130).await;
    let id = unpaid(&world, &player, 1000).await;
    let refused = decide(&world, &id, under(RECEIPT, 1000)).await.refused(409);
    assert!(refused.starts_with("Another prompt of this amount is open, or credited without"), "{refused}");
    assert_eq!(balance(&world, &player).await, 1000);
}

#[tokio::test]
async fn what_was_paid_by_another_number_or_at_another_time_is_not_this_prompts() {
    let world = World::start().await;
    let player = world.player().await;
    let id = unpaid(&world, &player, 1000).await;
    for phone in [player.phone(), "0722000001".to_owned()] {
        let body = json!({"phone": phone, "amount": 1000, "accountReference": "FPL Leagues"});
        let receipt = world.sim(Method::POST, "/paybill", body).await["receipt"].as_str().unwrap().to_owned();
        let refused = decide(&world, &id, under(&receipt, 1000)).await.refused(409);
        assert!(refused.starts_with("M-Pesa says that another number has paid this"), "{refused}");
    }
    assert_eq!(balance(&world, &player).await, 0);
    // What M-Pesa does not know it does not contradict.
    decide(&world, &id, under(RECEIPT, 1000)).await.expect(200);
    assert_eq!(balance(&world, &player).await, 1000);
}

/// The paybill's confirmation told the receipt while the prompt was open: that is shown, and it is credited under that.
#[tokio::test]
async fn the_receipt_that_a_confirmation_told_is_the_cases() {
    let world = World::start().await;
    let player = world.player().await;
    let id = silent(&world, &player).await;
    world.faults(json!({"daraja": "none"})).await;
    let prompts = world.nobody().get(&format!("/sim/api/prompts?phone={}", player.phone())).await.expect(200);
    let receipt = prompts[0]["receipt"].as_str().unwrap();
    assert_eq!(case(&world, &id).await["receipt"], receipt);
    let another = "M-Pesa names another receipt for this payment.";
    assert_eq!(decide(&world, &id, under(RECEIPT, 500)).await.refused(400), another);
    let closed = decide(&world, &id, credit(500)).await.expect(200);
    assert_eq!((&closed["state"], &closed["receipt"]), (&json!("SUCCESS"), &json!(receipt)));
    assert_eq!(balance(&world, &player).await, 500);
}

/// What M-Pesa has sent names people, and expires 90 days after it was last heard; what was asked and done stays.
#[tokio::test]
async fn what_m_pesa_has_sent_expires() {
    let world = World::start().await;
    let player = world.player().await;
    let (id, _) = of_another_amount(&world, &player, 600).await;
    decide(&world, &id, credit(500)).await.expect(200);
    let ninety_days = world.app().clock().now().as_second() + 90 * 24 * 3600;
    let mut kept = crate::invariants::items(&world).await;
    kept.retain(|item| {
        item["pk"] == format!("PAY#{id}") && item["sk"].as_str().is_some_and(|sk| sk.starts_with("EVENT#"))
    });
    let until = |kind: &str| kept.iter().find(|event| event["kind"] == kind).expect(kind)["ttl"].as_i64();
    let expires = until("callback").expect("it expires");
    assert!((ninety_days - 60..=ninety_days).contains(&expires), "{expires}");
    assert_eq!((until("query"), until("act")), (None, None));
}

/// An admin's credit proves nothing about the phone, whatever is called back afterwards: as it was credited, or otherwise.
#[rstest]
#[case::as_it_was_credited(500)]
#[case::otherwise(501)]
#[tokio::test]
async fn what_an_admin_credits_makes_no_number_an_own_one(#[case] reported: i64) {
    let world = World::start().await;
    let player = world.player().await;
    let id = silent(&world, &player).await;
    world.faults(json!({"daraja": "none"})).await;
    let closed = decide(&world, &id, credit(500)).await.expect(200);
    for _ in 0..2 {
        call_back(&world, &player, &id, reported, closed["receipt"].as_str().unwrap()).await;
    }
    let phone = domain::MpesaPhone::for_deposit(&player.phone()).unwrap();
    assert_eq!(world.app().store().own_number(&phone).await.unwrap(), None);
    assert_eq!(balance(&world, &player).await, 500);
}

/// The callback says paid, M-Pesa's answer says not: an hour later an admin sees both.
#[tokio::test]
async fn a_contradiction_is_shown_with_both_sides() {
    let world = World::start().await;
    let player = world.player().await;
    let id = deposit(&player, 500).await;
    let how = json!({"outcome": "cancelled", "callback": "never"});
    world.decide_prompt(&player.phone(), how).await;
    call_back(&world, &player, &id, 500, RECEIPT).await;
    assert_eq!(cases(&world).await, Vec::<Value>::new(), "M-Pesa is asked for an hour first");
    world.advance(2 * 3600).await;
    let case = case(&world, &id).await;
    assert_eq!(case["reason"], "The callback says paid, M-Pesa's answer says not.");
    assert!(kinds(&case).contains(&"callback") && kinds(&case).contains(&"query"));
    decide(&world, &id, credit(500)).await.expect(200);
    assert_eq!(balance(&world, &player).await, 500);
}

/// A prompt for an entry that is credited by an admin makes none: the money is in the wallet.
#[tokio::test]
async fn a_credit_by_an_admin_enters_nobody() {
    let world = World::start().await;
    let player = world.player().await;
    let id = player.pay(50, 1).await.expect(200)["checkoutId"].as_str().unwrap().to_owned();
    world.answer_prompt(&player.phone(), json!({"outcome": "success", "amount": 51})).await;
    assert_eq!(cases(&world).await[0]["entryAmount"], 50);
    decide(&world, &id, credit(50)).await.expect(200);
    let paid = world.nobody().get(&format!("/api/pay/status?checkoutId={id}")).await.expect(200);
    assert_eq!(paid["status"], "SUCCESS");
    assert_eq!(balance(&world, &player).await, 50);
    player.join(50, 1).await.expect(201);
}

/// Credited on the callback alone: an admin sees it, and can only note so.
#[tokio::test]
async fn what_is_credited_on_the_callback_alone_is_shown_until_it_was_seen() {
    let world = World::start().await;
    let player = world.player().await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = deposit(&player, 500).await;
    world.answer_prompt(&player.phone(), json!({"outcome": "success"})).await;
    world.advance(900).await;
    let case = cases(&world).await[0].clone();
    assert_eq!((&case["state"], &case["acts"]), (&json!("SUCCESS"), &json!(["dismiss"])));
    assert_eq!(decide(&world, &id, credit(500)).await.refused(409), "This case is closed already.");
    decide(&world, &id, dismissal()).await.expect(200);
    assert_eq!(cases(&world).await, Vec::<Value>::new());
    assert_eq!(balance(&world, &player).await, 500);
}

/// An admin who credits under a receipt that M-Pesa did not name sees it when M-Pesa names the right one.
#[tokio::test]
async fn another_receipt_than_the_admins_is_shown() {
    let world = World::start().await;
    let player = world.player().await;
    let id = silent_but_for(&world, &player, "never").await;
    let lacking = decide(&world, &id, credit(500)).await.refused(400);
    assert_eq!(lacking, "Give the M-Pesa receipt of this payment.");
    let named = json!({"act": "credit", "reason": WHY, "amount": 500, "receipt": " nlj7rt62sv "});
    let credited = decide(&world, &id, named).await.expect(200);
    assert_eq!(credited["receipt"], "NLJ7RT62SV");
    for _ in 0..2 {
        call_back(&world, &player, &id, 500, RECEIPT).await;
    }
    let case = cases(&world).await[0].clone();
    assert_eq!(case["reason"], "It is credited, and M-Pesa reports another amount or receipt.");
    assert_eq!(case["acts"], json!(["dismiss"]));
    decide(&world, &id, dismissal()).await.expect(200);
    call_back(&world, &player, &id, 500, RECEIPT).await;
    assert_eq!(cases(&world).await, Vec::<Value>::new());
    assert_eq!(balance(&world, &player).await, 500);
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
    let world = World::start().await;
    let player = world.player_with(500).await;
    world.faults(json!({"payouts": "unknown"})).await;
    let body = json!({"mpesaNumber": "0712000777", "amount": 450});
    let id = player.post("/api/withdraw", body).await.expect(201)["_id"].as_str().unwrap().to_owned();
    let admin = world.admin().await;
    admin.send(Method::POST, &format!("/api/withdraw/{id}/pay"), None).await.expect(200);
    world.advance(3600).await;
    assert_eq!(cases(&world).await, Vec::<Value>::new());
    decide(&world, &id, json!({"act": act, "reason": WHY})).await.refused(404);
    world.advance(24 * 3600).await;
    let case = case(&world, &id).await;
    assert_eq!((&case["_id"], &case["kind"]), (&json!(id), &json!("payout")));
    assert_eq!(case["acts"], json!(["paid", "return"]));
    assert_eq!(case["reason"], "M-Pesa has not said for a day what became of the payout.");
    assert_eq!(kinds(&case)[..2], ["intent", "push"]);
    assert_eq!(decide(&world, &id, credit(450)).await.refused(409), "This act is not for this case.");
    let closed = decide(&world, &id, json!({"act": act, "reason": WHY})).await.expect(200);
    assert_eq!((&closed["state"], &closed["closedBecause"]), (&json!(ends), &json!(WHY)));
    decide(&world, &id, json!({"act": act, "reason": WHY})).await.expect(200);
    let other = if act == "paid" { "return" } else { "paid" };
    let refused = decide(&world, &id, json!({"act": other, "reason": WHY})).await.refused(409);
    assert_eq!(refused, "This case is closed already.");
    let ledger = world.ledger().await;
    assert_eq!((ledger.account("mpesa:out"), ledger.account("withdrawals")), (out, 0));
    assert_eq!(ledger.wallets[&player.id], 500 - out);
    assert_eq!(cases(&world).await, Vec::<Value>::new());
    let fresh = world.log_in("player1@example.co.ke", crate::support::PASSWORD).await;
    assert_eq!(fresh.get("/api/withdraw").await.expect(200)[0]["trouble"], json!(null));
}

#[rstest]
#[case(json!({"reason": WHY, "amount": 600}), "The act has to be credit, dismiss, paid or return.")]
#[case(json!({"act": "Credit", "reason": WHY, "amount": 600}), "The act has to be credit, dismiss, paid or return.")]
#[case(json!({"act": 1, "reason": WHY, "amount": 600}), "The act has to be credit, dismiss, paid or return.")]
#[case(json!({"act": "dismiss"}), "Give a reason of at most 200 characters: it is kept with the case.")]
#[case(json!({"act": "credit", "reason": "  ", "amount": 600}), "Give a reason of at most 200 characters: it is kept with the case.")]
#[case(json!({"act": "dismiss", "reason": ["x"]}), "Give a reason of at most 200 characters: it is kept with the case.")]
#[case(json!({"act": "dismiss", "reason": "x".repeat(201)}), "Give a reason of at most 200 characters: it is kept with the case.")]
#[case(json!({"act": "credit", "reason": WHY}), "Please enter a valid amount.")]
#[case(json!({"act": "credit", "reason": WHY, "amount": 0}), "Please enter a valid amount.")]
#[case(json!({"act": "credit", "reason": WHY, "amount": -600}), "Please enter a valid amount.")]
#[case(json!({"act": "credit", "reason": WHY, "amount": "600"}), "Please enter a valid amount.")]
#[case(json!({"act": "credit", "reason": WHY, "amount": 600.5}), "Please enter a valid amount.")]
#[case(json!({"act": "credit", "reason": WHY, "amount": 600, "receipt": "short"}), "Give the M-Pesa receipt of this payment.")]
#[tokio::test]
async fn what_is_not_in_order_is_refused_and_changes_nothing(#[case] body: Value, #[case] message: &str) {
    let world = World::start().await;
    let player = world.player().await;
    let (id, _) = of_another_amount(&world, &player, 600).await;
    assert_eq!(decide(&world, &id, body).await.refused(400), message);
    assert_eq!(cases(&world).await[0]["acts"], json!(["credit", "dismiss"]));
    assert_eq!(balance(&world, &player).await, 0);
}

#[tokio::test]
async fn there_are_no_cases_of_any_other_id_and_none_for_players() {
    let world = World::start().await;
    let player = world.player().await;
    for id in ["x", &"0".repeat(32), "..%2F", "PAY%23"] {
        let answer = decide(&world, id, dismissal()).await;
        assert_eq!(answer.refused(404), "There is no such case.");
    }
    player.get("/api/admin/set-asides").await.refused(403);
    let (id, _) = of_another_amount(&world, &player, 600).await;
    player.post(&format!("/api/admin/set-asides/{id}"), credit(600)).await.refused(403);
    world.admin().await.get("/api/admin/set-asides?cursor=%20").await.refused(400);
}

/// Thirty cases are two pages, oldest first, each case once.
#[tokio::test]
async fn cases_come_in_pages() {
    let world = World::start().await;
    for _ in 0..30 {
        let player = world.player().await;
        of_another_amount(&world, &player, 600).await;
    }
    let admin = world.admin().await;
    let first = admin.get("/api/admin/set-asides").await;
    let cursor = first.headers["x-next-cursor"].to_str().unwrap().to_owned();
    let mut all = first.expect(200).as_array().unwrap().clone();
    assert_eq!(all.len(), 25);
    let path = format!("/api/admin/set-asides?cursor={}", cursor.replace('#', "%23").replace('+', "%2B"));
    all.extend(admin.get(&path).await.expect(200).as_array().unwrap().clone());
    let names: Vec<_> = all.iter().map(|case| case["username"].as_str().unwrap().to_owned()).collect();
    let expected: Vec<_> = (1..=30).map(|n| format!("player{n}")).collect();
    assert_eq!(names, expected);
}
