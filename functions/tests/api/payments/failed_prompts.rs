//! What a prompt received that M-Pesa says has failed: its confirmation names its player.

use jiff::tz::{self, TimeZone};
use rstest::rstest;
use serde_json::{Value, json};

use crate::support::{
    Person, World, assert_has, mpesa::judged, processes::dying_at_every_step, set_asides::credit, text,
};

/// A number that is nobody's own.
const PAYER: &str = "0733000001";

/// As M-Pesa would confirm now what `number` has paid.
fn confirmation(world: &World, receipt: &str, (number, amount): (&str, i64), account: &str) -> Value {
    let paid_at = world.app().clock().now().to_zoned(TimeZone::fixed(tz::offset(3)));
    json!({"TransactionType": "Pay Bill", "TransID": receipt,
        "TransTime": paid_at.strftime("%Y%m%d%H%M%S").to_string(), "TransAmount": format!("{amount}.00"),
        "BusinessShortCode": "174379", "BillRefNumber": account, "FirstName": "NICHOLAS",
        "MSISDN": format!("254{} ***** {}", &number[1..2], &number[7..])})
}

/// A prompt for 350 KES to a number that is nobody's own, of which M-Pesa says that it failed. Answers the player's name.
async fn failed(world: &World, player: &Person) -> String {
    player.deposit(PAYER, 350).await.expect(200);
    world.decide_prompt(PAYER, json!({"outcome": "cancelled", "callback": "never"})).await;
    world.advance(120).await;
    text(&player.user().await, "username")
}

/// M-Pesa does not know a payment at once that it has confirmed: it is asked on, and the money is not nobody's.
#[tokio::test]
async fn what_fits_a_failed_prompt_waits_while_m_pesa_does_not_know_it() {
    let (world, player) = World::with_player(0).await;
    let name = failed(&world, &player).await;
    let unknown = "UHK7RT61SV";
    let confirmed = confirmation(&world, unknown, (PAYER, 350), &name);
    world.post_to_hook("/hooks/c2b/confirm", confirmed).await;
    world.advance(4 * 3600).await;
    assert_eq!(judged(&world, unknown).await, None);
    assert_eq!(world.balance(&player).await, 0);
}

/// The same, where the machine that sent the prompt has a clock a minute ahead: by M-Pesa's time it was paid before.
#[tokio::test]
async fn what_fits_a_failed_prompt_by_a_clock_that_is_ahead_waits_too() {
    let (world, player) = World::with_player(0).await;
    let name = text(&player.user().await, "username");
    world.prompt_by_a_clock_ahead(&player, PAYER, 350).await;
    world.advance(20).await;
    let unknown = "UHK7RT61SV";
    let confirmed = confirmation(&world, unknown, (PAYER, 350), &name);
    world.decide_prompt(PAYER, json!({"outcome": "cancelled", "callback": "never"})).await;
    world.advance(3600).await;
    world.post_to_hook("/hooks/c2b/confirm", confirmed).await;
    world.advance(4 * 3600).await;
    assert_eq!(judged(&world, unknown).await, None);
}

/// Of which of two prompts for an entry a payment is evidence: the first is cancelled, and the second, which becomes `second`,
/// sent 40 seconds after it. The payment was made `paid` seconds after the first.
async fn evidence_of(second: &Value, paid: i64) -> [bool; 2] {
    let (world, player) = World::with_player(0).await;
    let (name, phone) = (text(&player.user().await, "username"), player.phone());
    let confirmed = || confirmation(&world, "UHK7RT61SV", (&phone, 50), &name);
    let first = player.pay(50, 1).await.text(200, "checkoutId");
    world.decide_prompt(&phone, json!({"outcome": "cancelled", "callback": "once"})).await;
    world.advance(20).await;
    let of_the_first = confirmed();
    world.advance(20).await;
    let again = player.pay(50, 1).await.text(200, "checkoutId");
    world.advance(20).await;
    let confirmed = if paid == 20 { of_the_first } else { confirmed() };
    if *second != json!("open") {
        world.decide_prompt(&phone, second.clone()).await;
        world.advance(1).await;
    }
    world.post_to_hook("/hooks/c2b/confirm", confirmed).await;
    world.advance(0).await;
    let mut heard = [false; 2];
    for (heard, id) in heard.iter_mut().zip([first, again]) {
        *heard = world.app().store().payment(&id).await.unwrap().unwrap().success_heard_at.is_some();
    }
    heard
}

/// A player cancels a prompt and has it sent again. A payment after that is of the second one; one before it is of the first, whose
/// failure was a mistake, whether the second is open or has failed too.
#[rstest]
#[case::of_the_second(json!("open"), 60, [false, true])]
#[case::of_the_first(json!("open"), 20, [true, false])]
#[case::of_the_first_of_two_that_failed(json!({"outcome": "cancelled", "callback": "once"}), 20, [true, false])]
#[tokio::test]
async fn a_payment_is_evidence_of_the_prompt_that_it_fits_without_doubt(
    #[case] second: Value,
    #[case] paid: i64,
    #[case] expected: [bool; 2],
) {
    assert_eq!(evidence_of(&second, paid).await, expected);
}

/// While M-Pesa says nothing of it, an admin presses for who has seen the code: it stays the prompt's player's.
#[tokio::test]
async fn an_admin_does_not_beat_the_player_of_a_failed_prompt_whom_the_payment_names() {
    let (world, player) = World::with_player(0).await;
    let thief = world.player().await;
    let name = failed(&world, &player).await;
    world.faults(json!({"daraja": "pending"})).await;
    let payment = json!({"phone": PAYER, "amount": 350, "accountReference": name, "confirm": true});
    let receipt = world.paybill(payment).await;
    world.advance(0).await;
    let code = thief.typed_code(&receipt).await;
    let refused = world.admin().await.confirm_code(&code, 350).await.refused(409);
    assert_eq!(
        refused,
        "This payment names another player's account: it is credited to that player, by itself."
    );
    world.faults(json!({"daraja": "none"})).await;
    world.advance(3600).await;
    assert_eq!(judged(&world, &receipt).await, Some(format!("paybill#{receipt}")));
    assert_eq!((world.balance(&player).await, world.balance(&thief).await), (350, 0));
    world.ledger().await;
}

/// The failure was M-Pesa's mistake, and its confirmation comes before its word on the prompt: the entry is made all the same.
#[tokio::test]
async fn what_a_failed_prompt_for_an_entry_received_makes_the_entry() {
    let (world, player) = World::with_player(0).await;
    world.faults(json!({"daraja": "pending"})).await;
    let id = player.pay(50, 1).await.text(200, "checkoutId");
    let how = json!({"outcome": "success", "callback": "never", "confirm": "late"});
    let receipt = world.receipt_of(&player.phone(), how).await;
    world.call_back(&player, &id, 1032, None).await;
    world.advance(1800).await;
    assert_eq!(world.entry_payment_status(&id).await["status"], "FAILED");
    world.faults(json!({"daraja": "none"})).await;
    world.advance(3 * 3600).await;
    let status = world.entry_payment_status(&id).await;
    assert_has(&status, json!({"status": "SUCCESS", "entered": true}));
    world.advance(1800).await;
    assert_eq!(judged(&world, &receipt).await.as_deref(), Some("prompt"));
    let ledger = world.ledger().await;
    assert_eq!((ledger.wallets[&player.id], ledger.account("mpesa:in")), (0, -50));
}

/// M-Pesa says that a prompt has failed, and confirms a payment that fits it in all: whose it is stands on the prompt. What
/// another number paid, or another amount, is nobody's: a mistyped name may be another player's.
#[rstest]
#[case::it_comes_after_the_failure(false)]
#[case::it_has_waited_for_the_prompt(true)]
#[tokio::test]
async fn what_a_failed_prompt_received_is_its_players(#[case] first: bool) {
    let (world, player) = World::with_player(0).await;
    let name = text(&player.user().await, "username");
    world.faults(json!({"daraja": "pending"})).await;
    player.deposit(PAYER, 350).await.expect(200);
    world.decide_prompt(PAYER, json!({"outcome": "cancelled", "callback": "never"})).await;
    // The second one's number is masked as the prompt's is: M-Pesa's answer tells them apart.
    let others = [("0733000002", 350), ("0733999001", 350), (PAYER, 351)];
    let by = async |phone: &str, amount: i64| {
        let payment = json!({"phone": phone, "amount": amount, "accountReference": name, "confirm": true});
        let receipt = world.paybill(payment).await;
        world.advance(0).await;
        receipt
    };
    let end = async || {
        world.faults(json!({"daraja": "none"})).await;
        world.advance(120).await;
    };
    if !first {
        end().await;
    }
    let receipt = by(PAYER, 350).await;
    let mut elsewhere = Vec::new();
    for (phone, amount) in others {
        elsewhere.push(by(phone, amount).await);
    }
    if first {
        assert_eq!(judged(&world, &receipt).await, None);
        end().await;
    }
    world.advance(3600).await;
    assert_eq!(judged(&world, &receipt).await, Some(format!("paybill#{receipt}")));
    for other in elsewhere {
        assert_eq!(judged(&world, &other).await.as_deref(), Some("unclaimed"));
    }
    let player = world.player_again(1).await;
    assert_eq!(player.wallet().await, 350);
    assert_has(&player.movements().await[0], json!({"kind": "paybill", "receipt": receipt}));
    world.ledger().await;
}

/// The confirmation of what a failed prompt for an entry received is taken in a process that dies at each of its steps, and
/// then again. M-Pesa, asked about the prompt, says for an hour that it has failed: credited then, once.
#[tokio::test]
async fn what_a_failed_prompt_received_is_credited_once_wherever_its_taking_ends() {
    let world = World::start().await;
    let entry_failed = async || {
        let player = world.player().await;
        let id = player.pay(50, 1).await.text(200, "checkoutId");
        world.decide_prompt(&player.phone(), json!({"outcome": "cancelled", "callback": "never"})).await;
        world.advance(120).await;
        assert_eq!(world.entry_payment_status(&id).await["status"], "FAILED");
        let (name, number) = (text(&player.user().await, "username"), player.phone());
        let payment = json!({"phone": number, "amount": 50, "accountReference": name, "confirm": false});
        let receipt = world.paybill(payment).await;
        let confirmed = confirmation(&world, &receipt, (&number, 50), &name);
        (player, receipt, confirmed.to_string())
    };
    let take = async |app: &app::App, (_, _, body): &(Person, String, String)| {
        app::payments::paybill::take_confirmation(app, body, app.clock().now()).await.unwrap();
    };
    let (subjects, steps) = dying_at_every_step(&world, entry_failed, take).await;
    assert!(steps >= 3, "{steps}");
    world.advance(2 * 3600).await;
    let ledger = world.ledger().await;
    for (player, receipt, _) in &subjects {
        assert_eq!(judged(&world, receipt).await, Some(format!("paybill#{receipt}")));
        assert_eq!(ledger.wallets[&player.id], 50);
    }
}

/// Two prompts of one amount have failed, and two payments fit both: each prompt is told another one of them, so that M-Pesa's
/// later word on either finds its money credited.
#[tokio::test]
async fn two_payments_that_fit_two_failed_prompts_are_one_of_each() {
    let (world, player) = World::with_player(0).await;
    let name = text(&player.user().await, "username");
    let mut prompts = Vec::new();
    for _ in 0..2 {
        prompts.push(player.deposit(PAYER, 350).await.text(200, "checkoutId"));
        world.decide_prompt(PAYER, json!({"outcome": "cancelled", "callback": "never"})).await;
    }
    world.advance(120).await;
    for _ in 0..2 {
        world
            .paybill(json!({"phone": PAYER, "amount": 350, "accountReference": name, "confirm": true}))
            .await;
        world.advance(0).await;
    }
    world.advance(600).await;
    assert_eq!(world.balance(&player).await, 700);
    let mut told = Vec::new();
    for id in &prompts {
        told.push(world.app().store().payment(id).await.unwrap().unwrap().told_receipt.expect("its receipt"));
    }
    assert_ne!(told[0], told[1]);
    world.ledger().await;
}

/// M-Pesa says afterwards that the prompt is paid, and not under which receipt: the case tells it, and is not credited once more.
#[tokio::test]
async fn what_a_failed_prompt_received_is_not_credited_again_where_its_success_is_claimed() {
    let (world, player) = World::with_player(0).await;
    let id = player.prompt(350).await;
    world.decide_prompt(&player.phone(), json!({"outcome": "cancelled", "callback": "never"})).await;
    world.advance(120).await;
    let name = text(&player.user().await, "username");
    let payment = json!({"phone": player.phone(), "amount": 350, "accountReference": name, "confirm": true});
    let receipt = world.paybill(payment).await;
    world.advance(3600).await;
    assert_eq!(judged(&world, &receipt).await, Some(format!("paybill#{receipt}")));
    world.call_back(&player, &id, 0, None).await;
    world.advance(3 * 3600).await;
    let case = world.set_asides().await[0].clone();
    assert_has(&case, json!({"_id": id, "receipt": receipt}));
    world.decide_set_aside(&id, credit(350)).await.refused(409);
    assert_eq!(world.balance(&player).await, 350);
    world.ledger().await;
}
