//! The admin's cases: what does not add up is shown with its whole timeline, and credited or dismissed with
//! a reason, once (docs/decisions.md, "What does not add up is an admin's, with its story").

use app::payments::set_asides::{self, CaseDecision, CaseError};
use domain::payments::{
    prompt::PaymentState,
    set_aside::{SetAsideAct, SetAsideError},
};
use rstest::rstest;
use serde_json::{Value, json};
use store::{
    admin::{audit::Who, permits::Permit},
    payments::prompts::LateReceipt,
};

use crate::support::{
    World, assert_has, at_once,
    gameweek::DAY,
    invariants::items,
    money::CREDITED_BEFORE,
    mpesa::{paid, paid_unheard},
    processes::by_the_rules,
    set_asides::{RECEIPT, WHY, credit, credit_under, dismissal, kinds},
    statuses,
};

#[tokio::test]
async fn another_amount_is_shown_with_its_story_and_credited_once() {
    let (world, player) = World::with_player(0).await;
    let (id, receipt) = world.paid_otherwise(&player, 600).await;
    let listed = world.set_asides().await[0].clone();
    assert_eq!((&listed["_id"], listed.get("story")), (&json!(id), None), "the list is a list");
    let case = world.set_aside(&id).await;
    assert_has(&case, json!({"_id": id, "kind": "prompt", "state": "SET_ASIDE"}));
    assert_has(&case, json!({"amount": 500, "reportedAmount": 600}));
    assert_has(&case, json!({"receipt": receipt, "acts": ["credit", "dismiss"]}));
    assert_eq!(case["reason"], "M-Pesa reports another amount than was asked for.");
    assert_has(&case, json!({"username": "player1", "phone": player.phone()}));
    assert_eq!(case["mpesaIds"].as_array().unwrap().len(), 2);
    assert_eq!(kinds(&case), ["intent", "push", "callback", "query"]);
    let told = case["story"][2]["text"].as_str().unwrap();
    assert!(told.contains(&receipt) && told.contains("600"), "as it came: {told}");
    assert_eq!(world.balance(&player).await, 0);

    // M-Pesa, asked now, says what was paid: that is credited, and nothing else.
    assert_eq!(
        world.decide_set_aside(&id, credit(600)).await.refused(409),
        "M-Pesa says that this payment is KSh 500."
    );
    let closed = world.decide_set_aside(&id, credit(500)).await.expect(200);
    assert_has(&closed, json!({"state": "SUCCESS", "creditedAmount": 500}));
    assert_has(&closed, json!({"closedBecause": WHY, "acts": []}));
    assert_eq!(closed["creditedBy"], format!("deposit#{id}"));
    assert_eq!(closed["creditedTo"], json!({"userId": player.id, "username": "player1"}));
    assert_eq!(kinds(&closed).last(), Some(&"act"));
    // Pressed again, and by M-Pesa's callback once more: nothing more.
    world.decide_set_aside(&id, credit(500)).await.expect(200);
    assert_eq!(world.decide_set_aside(&id, credit(600)).await.refused(409), "This case is closed already.");
    world.report_paid(&player, &id, 600, &receipt).await;
    assert_eq!(world.balance(&player).await, 500);
    // What it claims is still another amount: an admin sees that once more, and can only note so.
    let again = world.set_asides().await;
    assert_eq!((again.len(), &again[0]["acts"]), (1, &json!(["dismiss"])));
    assert_eq!(again[0]["reason"], "It is credited, and M-Pesa reports another amount or receipt.");
    world.decide_set_aside(&id, dismissal()).await.expect(200);
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
    let status = world.deposit_status(&id).await;
    let message = "We have looked into this payment: KSh 500 is credited to you.";
    assert_has(&status, json!({"status": "SUCCESS", "message": message}));
    let movements = player.movements().await;
    assert_eq!((movements.len(), &movements[0]["receipt"]), (1, &json!(receipt)));
    assert_eq!(player.type_code(&receipt).await.refused(409), CREDITED_BEFORE);
}

/// Two admins, four presses each, and one of them says another amount: one credit.
#[tokio::test]
async fn two_admins_at_once_credit_once() {
    let world = World::start().await;
    for _ in 0..3 {
        let player = world.player().await;
        let (id, _) = world.paid_otherwise(&player, 600).await;
        let (one, other) = (world.admin().await, world.admin().await);
        let path = format!("/api/admin/set-asides/{id}");
        let presses = (0..8).map(|n| {
            let (admin, amount) = if n % 2 == 0 { (&one, 500) } else { (&other, 600) };
            admin.post(&path, if n == 5 { dismissal() } else { credit(amount) })
        });
        let answers = statuses(&at_once(presses).await);
        assert!(answers.contains(&200) && answers.iter().all(|status| [200, 409].contains(status)));
        let case = world.decide_set_aside(&id, json!({"act": "return", "reason": WHY})).await;
        assert_eq!(case.refused(409), "This act is not for this case.");
        let credited = world.balance(&player).await;
        assert!([0, 500].contains(&credited), "{credited}");
        assert_eq!(world.again(&player).await.movements().await.len(), usize::from(credited > 0));
        let on = format!("prompt {id}");
        assert_eq!(world.acts().await.iter().filter(|act| act.on == on).count(), 1);
    }
}

/// Nobody is told "you have not joined" while a person looks at what they paid, and for a day after that the outcome is told.
#[tokio::test]
async fn a_prompt_that_is_set_aside_is_told_until_it_is_decided_and_a_day_longer() {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "never").await;
    world.faults(json!({"daraja": "none"})).await;
    world.advance(5 * DAY).await;
    let told = async || world.again(&player).await.get("/api/me/payments").await.expect(200);
    let prompts = told().await;
    let reason = "M-Pesa has said nothing for a day.";
    assert_has(&prompts[0], json!({"checkoutId": id, "state": "PENDING", "reason": reason}));
    world.decide_set_aside(&id, dismissal()).await.expect(200);
    world.advance(DAY - 60).await;
    assert_has(&told().await[0], json!({"checkoutId": id, "state": "FAILED"}));
    world.advance(120).await;
    assert_eq!(told().await, json!([]));
}

/// Dismissed is for good; a success that M-Pesa reports afterwards is shown, and credited by nobody but
/// an admin. The same report again is no news.
#[tokio::test]
async fn a_dismissed_prompt_is_shown_again_when_mpesa_reports_a_success() {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "after").await;
    let case = world.set_aside(&id).await;
    assert_eq!(case["reason"], "M-Pesa has said nothing for a day.");
    let asked = case["story"].as_array().unwrap().iter().find(|event| event["kind"] == "query").unwrap();
    assert!(asked["times"].as_u64().unwrap() > 10, "questions are counted: {asked}");
    let closed = world.decide_set_aside(&id, dismissal()).await.expect(200);
    assert_has(&closed, json!({"state": "DISMISSED", "acts": []}));
    world.decide_set_aside(&id, dismissal()).await.expect(200);
    assert_eq!(world.decide_set_aside(&id, credit(500)).await.refused(409), "This case is closed already.");
    let told = world.deposit_status(&id).await;
    assert_eq!(told["status"], "FAILED");
    assert_eq!(told["message"], "We have looked into this payment: M-Pesa has sent it back.");

    world.faults(json!({"daraja": "none"})).await;
    world.advance(48 * 3600).await;
    assert_eq!(world.set_asides().await, Vec::<Value>::new(), "nothing happens by itself");
    world.report_paid(&player, &id, 500, RECEIPT).await;
    world.advance(3600).await;
    let case = world.set_asides().await[0].clone();
    assert_has(&case, json!({"_id": id, "reportedAmount": 500}));
    assert_eq!(case["reason"], "M-Pesa reports a success after this was dismissed.");
    assert_eq!(world.balance(&player).await, 0);
    world.decide_set_aside(&id, dismissal()).await.expect(200);
    world.report_paid(&player, &id, 500, RECEIPT).await;
    assert_eq!(world.set_asides().await, Vec::<Value>::new(), "an admin knows of this one");
    world.report_paid(&player, &id, 500, "NLJ7RT62SV").await;
    world.decide_set_aside(&id, credit(500)).await.expect(200);
    assert_eq!(world.balance(&player).await, 500);
}

/// The success is reported between the admin's look and the press: the case is not decided unseen.
#[rstest]
#[case::dismissed(SetAsideAct::Dismiss, None)]
#[case::credited_under_another_receipt(SetAsideAct::Credit, Some(500))]
#[tokio::test]
async fn a_success_that_nobody_has_seen_stays_a_case(#[case] act: SetAsideAct, #[case] amount: Option<i64>) {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "after").await;
    let app = world.app();
    let admin = world.stored(&world.admin().await).await;
    let seen = set_asides::find(app, &id).await.unwrap();
    world.report_paid(&player, &id, 500, RECEIPT).await;
    let permit = Permit::plain(Who::admin(&admin), app.clock().now());
    let decision = CaseDecision { act, reason: WHY, amount, receipt: "", seen: None, permit: &permit };
    let done = set_asides::decide(app, &seen, decision).await;
    let reported = CaseError::Decision(SetAsideError::ReportedSince);
    assert_eq!(by_the_rules(done), Err(reported));
    let case = world.set_asides().await[0].clone();
    assert_has(&case, json!({"state": "SET_ASIDE", "reportedAmount": 500}));
    world.decide_set_aside(&id, credit(500)).await.expect(200);
    assert_eq!(world.balance(&player).await, 500);
}

/// What M-Pesa has sent names people, and expires 90 days after it was last heard; what was asked and done stays.
#[tokio::test]
async fn what_m_pesa_has_sent_expires() {
    let (world, player) = World::with_player(0).await;
    let (id, _) = world.paid_otherwise(&player, 600).await;
    world.decide_set_aside(&id, credit(500)).await.expect(200);
    let ninety_days = world.app().clock().now().as_second() + 90 * 24 * 3600;
    let mut kept = items(&world).await;
    kept.retain(|item| {
        item["pk"] == format!("PAY#{id}") && item["sk"].as_str().is_some_and(|sk| sk.starts_with("EVENT#"))
    });
    let until = |kind: &str| kept.iter().find(|event| event["kind"] == kind).expect(kind)["ttl"].as_i64();
    let expires = until("callback").expect("it expires");
    assert!((ninety_days - 60..=ninety_days).contains(&expires), "{expires}");
    assert_eq!((until("query"), until("act")), (None, None));
}

/// The callback says paid, M-Pesa's answer says not: an hour later an admin sees both.
#[tokio::test]
async fn a_contradiction_is_shown_with_both_sides() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let how = json!({"outcome": "cancelled", "callback": "never"});
    world.decide_prompt(&player.phone(), how).await;
    world.report_paid(&player, &id, 500, RECEIPT).await;
    assert_eq!(world.set_asides().await, Vec::<Value>::new(), "M-Pesa is asked for an hour first");
    world.advance(2 * 3600).await;
    let case = world.set_aside(&id).await;
    assert_eq!(case["reason"], "The callback says paid, M-Pesa's answer says not.");
    assert!(kinds(&case).contains(&"callback") && kinds(&case).contains(&"query"));
    world.decide_set_aside(&id, credit(500)).await.expect(200);
    assert_eq!(world.balance(&player).await, 500);
}

/// A prompt for an entry that is credited by an admin makes none: the money is in the wallet.
#[tokio::test]
async fn a_credit_by_an_admin_enters_nobody() {
    let (world, player) = World::with_player(0).await;
    let id = player.pay(50, 1).await.text(200, "checkoutId");
    world.answer_prompt(&player.phone(), json!({"outcome": "success", "amount": 51})).await;
    assert_eq!(world.set_asides().await[0]["entryAmount"], 50);
    world.decide_set_aside(&id, credit(50)).await.expect(200);
    assert_eq!(world.entry_payment_status(&id).await["status"], "SUCCESS");
    assert_eq!(world.balance(&player).await, 50);
    player.join(50, 1).await.expect(201);
}

/// Credited on the callback alone: an admin sees it, and can only note so.
#[tokio::test]
async fn what_is_credited_on_the_callback_alone_is_shown_until_it_was_seen() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.prompt(500).await;
    world.answer_prompt(&player.phone(), paid()).await;
    world.advance(900).await;
    let case = world.set_asides().await[0].clone();
    assert_has(&case, json!({"state": "SUCCESS", "acts": ["dismiss"]}));
    assert_eq!(world.decide_set_aside(&id, credit(500)).await.refused(409), "This case is closed already.");
    world.decide_set_aside(&id, dismissal()).await.expect(200);
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
    assert_eq!(world.balance(&player).await, 500);
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
#[case(credit_under("short", 600), "Give the M-Pesa receipt of this payment.")]
#[tokio::test]
async fn what_is_not_in_order_is_refused_and_changes_nothing(#[case] body: Value, #[case] message: &str) {
    let (world, player) = World::with_player(0).await;
    let (id, _) = world.paid_otherwise(&player, 600).await;
    assert_eq!(world.decide_set_aside(&id, body).await.refused(400), message);
    assert_eq!(world.set_asides().await[0]["acts"], json!(["credit", "dismiss"]));
    assert_eq!(world.balance(&player).await, 0);
}

#[tokio::test]
async fn there_are_no_cases_of_any_other_id_and_none_for_players() {
    let (world, player) = World::with_player(0).await;
    for id in ["x", &"0".repeat(32), "..%2F", "PAY%23"] {
        let answer = world.decide_set_aside(id, dismissal()).await;
        assert_eq!(answer.refused(404), "There is no such case.");
    }
    player.get("/api/admin/set-asides").await.refused(403);
    let (id, _) = world.paid_otherwise(&player, 600).await;
    player.post(&format!("/api/admin/set-asides/{id}"), credit(600)).await.refused(403);
    world.admin().await.get("/api/admin/set-asides?cursor=%20").await.refused(400);
}

/// Thirty cases are two pages, oldest first, each case once.
#[tokio::test]
async fn cases_come_in_pages() {
    let world = World::start().await;
    for _ in 0..30 {
        let player = world.player().await;
        world.paid_otherwise(&player, 600).await;
    }
    let pages = world.admin().await.pages("/api/admin/set-asides").await;
    let pages: Vec<&Vec<Value>> = pages.iter().map(|page| page.as_array().unwrap()).collect();
    assert_eq!((pages.len(), pages[0].len()), (2, 25));
    let names: Vec<_> =
        pages.into_iter().flatten().map(|case| case["username"].as_str().unwrap().to_owned()).collect();
    let expected: Vec<_> = (1..=30).map(|n| format!("player{n}")).collect();
    assert_eq!(names, expected);
}

/// A receipt is learned of a payment that was put before an admin since it was read: there it stays.
#[tokio::test]
async fn a_receipt_that_is_learned_takes_no_case_from_the_admins() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    world.decide_prompt(&player.phone(), paid_unheard()).await;
    world.advance(120).await;
    let (store, now) = (world.app().store(), world.app().clock().now());
    let read = store.payment(&id).await.unwrap().unwrap();
    assert!(read.state == PaymentState::Success && read.receipt.is_none());
    world.call_back_with(&player, &id, 0, (json!(501), None)).await;
    world.advance(0).await;
    assert_eq!(world.set_asides().await.len(), 1);
    let learned = store.claim_late_receipt(&read, RECEIPT, now).await.unwrap();
    assert_eq!((learned, world.set_asides().await.len()), (LateReceipt::Claimed, 1));
}

/// What M-Pesa has not decided is not an admin's to dismiss.
#[tokio::test]
async fn a_prompt_that_is_open_is_not_dismissed() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    world.decide_set_aside(&id, dismissal()).await.refused(409);
    world.receipt_of(&player.phone(), paid()).await;
    assert_eq!(player.wallet().await, 500);
}
