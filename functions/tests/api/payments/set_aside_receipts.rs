//! Under which receipt what is set aside is credited: the prompt's own one, and no other's.

use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    World, assert_has,
    money::CREDITED_BEFORE,
    mpesa::{paid_calling_back, paid_unheard},
    set_asides::{RECEIPT, credit, credit_under, dismissal},
    text,
};

/// A receipt that was credited to another player credits nothing, whatever the admin presses.
#[tokio::test]
async fn a_receipt_that_is_taken_credits_nothing() {
    let world = World::start().await;
    let (player, other) = (world.player().await, world.player().await);
    world.confirm_code(other.typed_code(RECEIPT).await, 500).await.expect(200);
    let id = player.prompt(500).await;
    world.decide_prompt(&player.phone(), paid_calling_back("never")).await;
    world.report_paid(&player, &id, 500, RECEIPT).await;
    let case = world.set_asides().await[0].clone();
    assert_eq!(case["reason"], "This M-Pesa receipt was credited before.");
    for case in [&case, &world.set_aside(&id).await] {
        assert_has(case, json!({"username": "player1", "creditedBy": format!("manual#{RECEIPT}")}));
        assert_has(case, json!({"creditedTo": {"userId": other.id, "username": "player2"}}));
    }
    let taken = CREDITED_BEFORE;
    assert_eq!(world.decide_set_aside(&id, credit(500)).await.refused(409), taken);
    let named = credit_under("NLJ7RT62SV", 500);
    let another = "M-Pesa names another receipt for this payment.";
    assert_eq!(world.decide_set_aside(&id, named).await.refused(400), another);
    assert_eq!((world.balance(&player).await, world.balance(&other).await), (0, 500));
    world.decide_set_aside(&id, dismissal()).await.expect(200);
}

/// A prompt was credited on M-Pesa's answer, which names no receipt. Its receipt credits no other prompt's case, of
/// the same player or of another one: it is the prompt's that was paid with it.
#[rstest]
#[case::the_same_players(true)]
#[case::another_players(false)]
#[tokio::test]
async fn the_receipt_of_another_prompt_credits_nothing(#[case] same: bool) {
    let (world, player) = World::with_player(0).await;
    let payer = if same { player.clone() } else { world.player().await };
    let paid = payer.prompt(1000).await;
    let receipt = world.receipt_of(&payer.phone(), paid_unheard()).await;
    world.advance(130).await;
    assert_eq!(world.balance(&payer).await, 1000);
    let id = world.unpaid_deposit(&player, 1000).await;
    assert_eq!(world.set_aside(&id).await["reason"], "M-Pesa has said nothing for a day.");
    for _ in 0..2 {
        world.decide_set_aside(&id, credit_under(&receipt, 1000)).await.refused(409);
    }
    assert_eq!(world.ledger().await.account("mpesa:in"), -1000);
    let claim = world.app().store().receipt(&receipt).await.unwrap().expect("it is the paid prompt's");
    assert_eq!(claim.cause, format!("deposit#{paid}"));
    assert_eq!(world.set_aside(&id).await["state"], "SET_ASIDE");
}

/// M-Pesa does not say whose a receipt is: where another prompt of the player's may have it, nothing is credited.
#[tokio::test]
async fn a_receipt_that_may_be_another_prompts_waits() {
    let (world, player) = World::with_player(0).await;
    player.prompt(1000).await;
    world.answer_prompt(&player.phone(), paid_unheard()).await;
    world.advance(130).await;
    let id = world.unpaid_deposit(&player, 1000).await;
    let refused = world.decide_set_aside(&id, credit_under(RECEIPT, 1000)).await.refused(409);
    assert!(refused.starts_with("Another prompt of this amount is open, or credited without"), "{refused}");
    assert_eq!(world.balance(&player).await, 1000);
}

#[tokio::test]
async fn what_was_paid_by_another_number_or_at_another_time_is_not_this_prompts() {
    let (world, player) = World::with_player(0).await;
    let id = world.unpaid_deposit(&player, 1000).await;
    for phone in [player.phone(), "0722000001".to_owned()] {
        let receipt =
            world.paybill(json!({"phone": phone, "amount": 1000, "accountReference": "FPL Leagues"})).await;
        let refused = world.decide_set_aside(&id, credit_under(&receipt, 1000)).await.refused(409);
        assert!(refused.starts_with("M-Pesa says that another number has paid this"), "{refused}");
    }
    assert_eq!(world.balance(&player).await, 0);
    // What M-Pesa does not know it does not contradict.
    world.decide_set_aside(&id, credit_under(RECEIPT, 1000)).await.expect(200);
    assert_eq!(world.balance(&player).await, 1000);
}

/// While the prompt was open its player paid the same by hand, to another player's account: that one's it is.
#[tokio::test]
async fn a_receipt_that_names_another_players_account_credits_no_case() {
    let (world, player) = World::with_player(0).await;
    let other = world.player().await;
    let account = other.paybill_account().await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.prompt(1000).await;
    world.decide_prompt(&player.phone(), json!({"outcome": "cancelled", "callback": "never"})).await;
    let paid = json!({"phone": player.phone(), "amount": 1000, "accountReference": account, "confirm": true});
    let receipt = world.paybill(paid).await;
    world.advance(25 * 3600).await;
    // M-Pesa does not answer about it, either.
    world.faults(json!({"daraja": "down"})).await;
    let refused = world.decide_set_aside(&id, credit_under(&receipt, 1000)).await.refused(409);
    assert!(refused.starts_with("This payment names another player's account"), "{refused}");
    world.faults(json!({"daraja": "none"})).await;
    world.advance(5 * 3600).await;
    assert_eq!((world.balance(&player).await, world.balance(&other).await), (0, 1000));
}

/// The paybill's confirmation told the receipt while the prompt was open: that is shown, and it is credited under that.
#[tokio::test]
async fn the_receipt_that_a_confirmation_told_is_the_cases() {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "after").await;
    world.faults(json!({"daraja": "none"})).await;
    let prompts = world.prompts(&player.phone()).await;
    let receipt = prompts[0]["receipt"].as_str().unwrap();
    assert_eq!(world.set_aside(&id).await["receipt"], receipt);
    let another = "M-Pesa names another receipt for this payment.";
    assert_eq!(world.decide_set_aside(&id, credit_under(RECEIPT, 500)).await.refused(400), another);
    let closed = world.decide_set_aside(&id, credit(500)).await.expect(200);
    assert_has(&closed, json!({"state": "SUCCESS", "receipt": receipt}));
    assert_eq!(world.balance(&player).await, 500);
}

/// An admin's credit proves nothing about the phone, whatever is called back afterwards: as it was credited, or otherwise.
#[rstest]
#[case::as_it_was_credited(500)]
#[case::otherwise(501)]
#[tokio::test]
async fn what_an_admin_credits_makes_no_number_an_own_one(#[case] reported: i64) {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "after").await;
    world.faults(json!({"daraja": "none"})).await;
    let closed = world.decide_set_aside(&id, credit(500)).await.expect(200);
    for _ in 0..2 {
        world.report_paid(&player, &id, reported, closed["receipt"].as_str().unwrap()).await;
    }
    let phone = domain::MpesaPhone::for_deposit(&player.phone()).unwrap();
    assert_eq!(world.app().store().own_number(&phone).await.unwrap(), None);
    assert_eq!(world.balance(&player).await, 500);
}

/// An admin who credits under a receipt that M-Pesa did not name sees it when M-Pesa names the right one.
#[tokio::test]
async fn another_receipt_than_the_admins_is_shown() {
    let (world, player) = World::with_player(0).await;
    let id = world.silent_deposit(&player, "never").await;
    let lacking = world.decide_set_aside(&id, credit(500)).await.refused(400);
    assert_eq!(lacking, "Give the M-Pesa receipt of this payment.");
    let credited = world.decide_set_aside(&id, credit_under(" nlj7rt62sv ", 500)).await.expect(200);
    assert_eq!(credited["receipt"], "NLJ7RT62SV");
    for _ in 0..2 {
        world.report_paid(&player, &id, 500, RECEIPT).await;
    }
    let case = world.set_asides().await[0].clone();
    assert_eq!(case["reason"], "It is credited, and M-Pesa reports another amount or receipt.");
    assert_eq!(case["acts"], json!(["dismiss"]));
    world.decide_set_aside(&id, dismissal()).await.expect(200);
    world.report_paid(&player, &id, 500, RECEIPT).await;
    assert_eq!(world.set_asides().await, Vec::<Value>::new());
    assert_eq!(world.balance(&player).await, 500);
}

/// M-Pesa has said of a typed code that its payment was taken back, and is silent when the prompt's case is decided.
#[tokio::test]
async fn what_m_pesa_had_taken_back_before_credits_no_case() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let receipt = text(&world.decide_prompt(&player.phone(), paid_unheard()).await, "receipt");
    world.reverse(&receipt).await;
    player.typed_code(&receipt).await;
    world.advance(0).await;
    world.report_paid(&player, &id, 501, &receipt).await;
    world.faults(json!({"daraja": "down"})).await;
    let refused = world.decide_set_aside(&id, credit(500)).await.refused(409);
    assert_eq!(refused, "M-Pesa says that this payment was taken back.");
    assert_eq!(world.balance(&player).await, 0);
    let report = &world.read_books().await["report"];
    let figures = [&report["setAside"], &report["setAsides"], &report["unclaimed"]];
    assert_eq!(figures, [0, 1, 0], "nobody holds it: {report}");
}

/// M-Pesa says at the first press that the payment was taken back, and is silent at the next one. Where it has called it
/// completed since, it is credited.
#[tokio::test]
async fn what_m_pesa_had_taken_back_at_the_first_press_credits_no_case_at_the_next() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(500).await;
    let receipt = text(&world.decide_prompt(&player.phone(), paid_unheard()).await, "receipt");
    world.report_paid(&player, &id, 501, &receipt).await;
    world.reverse(&receipt).await;
    for daraja in ["none", "down"] {
        world.faults(json!({"daraja": daraja})).await;
        let refused = world.decide_set_aside(&id, credit(500)).await.refused(409);
        assert_eq!(refused, "M-Pesa says that this payment was taken back.", "{daraja}");
    }
    assert_eq!(world.balance(&player).await, 0);
    let answer = world.status_of(&receipt, "500", Some(&player), "Completed");
    world.hear_about(&receipt, world.app().clock().now(), &answer).await;
    world.decide_set_aside(&id, credit(500)).await.expect(200);
    assert_eq!(world.balance(&player).await, 500);
}
